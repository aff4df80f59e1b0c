// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve.phased;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.Problem;
import org.heddle.packing.solve.JobTable;
import org.heddle.packing.solve.Planner;
import org.heddle.packing.solve.SolveContext;
import org.heddle.packing.solve.bound.AreaBound;
import org.jgrapht.alg.matching.blossom.v5.KolmogorovWeightedPerfectMatching;
import org.jgrapht.graph.DefaultWeightedEdge;
import org.jgrapht.graph.SimpleWeightedGraph;

/**
 * The paper's pair schedule (section 5.1): at most two jobs at a time. Each pair costs the cheapest of
 * running one after the other, side by side, or one overcommitted on the other; the best set of pairs is
 * a minimum-weight perfect matching, with a dummy partner for one job if their number is odd. (The paper
 * searches all pairings.) With more than 600 jobs the best pairs are searched in groups, until the time limit.
 */
public final class PairPlanner implements Planner {
    /** With more jobs the graph of all pairs takes too much time and memory. */
    private static final int MOST_AT_ONCE = 600;

    private static final int GROUP = 200;

    @Override
    public String name() {
        return "pair";
    }

    @Override
    public Plan plan(Problem problem, SolveContext context) {
        JobTable table = new JobTable(problem);
        double bound = new AreaBound(table).seconds();
        List<PhaseChoice> phases = table.jobs <= MOST_AT_ONCE ? phases(table) : inGroups(table, context, bound);
        Plan plan = PhasedPlans.assemble(table, name(), phases, bound, "area bound of all plans with fixed VM counts");
        context.report(plan.makespan(), plan.lowerBound());
        return plan;
    }

    /** The phases of the best plan with at most two jobs per phase. */
    static List<PhaseChoice> phases(JobTable table) {
        int[] all = IntStream.range(0, table.jobs).toArray();
        return phases(table, match(table, all));
    }

    private static List<PhaseChoice> phases(JobTable table, List<int[]> pairs) {
        List<PhaseChoice> choices = new ArrayList<>();
        pairs.forEach(pair -> choices.addAll(best(table, pair)));
        return choices;
    }

    /**
     * The best pairs within groups of jobs; then, until the time limit, those of the jobs of pairs that were drawn at
     * random. The graph of all pairs of many jobs is too large.
     */
    private static List<PhaseChoice> inGroups(JobTable table, SolveContext context, double bound) {
        List<int[]> pairs = new ArrayList<>();
        for (int j = 0; j < table.jobs; j++) {
            pairs.add(new int[] {j});
        }
        Random random = new Random(context.seed());
        double makespan = PhasedPlans.makespan(phases(table, pairs));
        context.report(makespan, bound);
        while (!context.mustStop() && !context.goodEnough()) {
            Collections.shuffle(pairs, random);
            List<int[]> next = new ArrayList<>();
            int from = 0;
            while (from < pairs.size() && !context.mustStop()) {
                int to = from;
                int size = 0;
                while (to < pairs.size() && size + pairs.get(to).length <= GROUP) {
                    size += pairs.get(to++).length;
                }
                List<int[]> some = pairs.subList(from, to);
                List<int[]> matched = match(
                        table,
                        some.stream().flatMapToInt(Arrays::stream).sorted().toArray());
                double gain = PhasedPlans.makespan(phases(table, some)) - PhasedPlans.makespan(phases(table, matched));
                if (gain > 0) {
                    makespan -= gain;
                    context.report(makespan, bound);
                }
                next.addAll(gain > 0 ? matched : some);
                from = to;
            }
            next.addAll(pairs.subList(from, pairs.size()));
            pairs = next;
        }
        pairs.sort((x, y) -> Integer.compare(x[0], y[0]));
        return phases(table, pairs);
    }

    /** The best pairs of these jobs (ascending indices). */
    private static List<int[]> match(JobTable table, int[] jobs) {
        int m = jobs.length;
        SimpleWeightedGraph<Integer, DefaultWeightedEdge> graph = new SimpleWeightedGraph<>(DefaultWeightedEdge.class);
        int vertices = m + m % 2;
        for (int v = 0; v < vertices; v++) {
            graph.addVertex(v);
        }
        for (int i = 0; i < vertices; i++) {
            for (int j = i + 1; j < vertices; j++) {
                DefaultWeightedEdge edge = graph.addEdge(i, j);
                if (j == m) {
                    graph.setEdgeWeight(edge, table.fastest(jobs[i]));
                } else {
                    graph.setEdgeWeight(edge, PhasedPlans.makespan(best(table, new int[] {jobs[i], jobs[j]})));
                }
            }
        }
        List<int[]> pairs = new ArrayList<>();
        for (DefaultWeightedEdge edge :
                new KolmogorovWeightedPerfectMatching<>(graph).getMatching().getEdges()) {
            int i = Math.min(graph.getEdgeSource(edge), graph.getEdgeTarget(edge));
            int j = Math.max(graph.getEdgeSource(edge), graph.getEdgeTarget(edge));
            pairs.add(j == m ? new int[] {jobs[i]} : new int[] {jobs[i], jobs[j]});
        }
        pairs.sort((x, y) -> Integer.compare(x[0], y[0]));
        return pairs;
    }

    /** One phase with both jobs, or one after the other if that is faster. */
    private static List<PhaseChoice> best(JobTable table, int[] pair) {
        List<PhaseChoice> apart = new ArrayList<>();
        for (int j : pair) {
            apart.add(PhaseChoice.alone(table, j));
        }
        if (pair.length == 1) {
            return apart;
        }
        PhaseChoice together = PairOracle.shortest(table, pair[0], pair[1]);
        return together != null && together.seconds() < PhasedPlans.makespan(apart) ? List.of(together) : apart;
    }
}
