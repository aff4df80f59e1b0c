// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve.phased;

import java.util.ArrayList;
import java.util.List;
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
 * searches all pairings.)
 */
public final class PairPlanner implements Planner {
    @Override
    public String name() {
        return "pair";
    }

    @Override
    public Plan plan(Problem problem, SolveContext context) {
        JobTable table = new JobTable(problem);
        double bound = new AreaBound(table).seconds();
        Plan plan = PhasedPlans.assemble(
                table, name(), phases(table), bound, "area bound of all plans with fixed VM counts");
        context.report(plan.makespan(), plan.lowerBound());
        return plan;
    }

    /** The phases of the best plan with at most two jobs per phase. */
    static List<PhaseChoice> phases(JobTable table) {
        List<PhaseChoice> choices = new ArrayList<>();
        for (int[] pair : match(table)) {
            choices.addAll(best(table, pair));
        }
        return choices;
    }

    private static List<int[]> match(JobTable table) {
        int m = table.jobs;
        SimpleWeightedGraph<Integer, DefaultWeightedEdge> graph = new SimpleWeightedGraph<>(DefaultWeightedEdge.class);
        int vertices = m + m % 2;
        for (int v = 0; v < vertices; v++) {
            graph.addVertex(v);
        }
        for (int i = 0; i < vertices; i++) {
            for (int j = i + 1; j < vertices; j++) {
                double cost = j == m ? table.fastest(i) : PhasedPlans.makespan(best(table, new int[] {i, j}));
                graph.setEdgeWeight(graph.addEdge(i, j), cost);
            }
        }
        List<int[]> pairs = new ArrayList<>();
        for (DefaultWeightedEdge edge :
                new KolmogorovWeightedPerfectMatching<>(graph).getMatching().getEdges()) {
            int i = graph.getEdgeSource(edge);
            int j = graph.getEdgeTarget(edge);
            pairs.add(j == m ? new int[] {i} : new int[] {Math.min(i, j), Math.max(i, j)});
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
