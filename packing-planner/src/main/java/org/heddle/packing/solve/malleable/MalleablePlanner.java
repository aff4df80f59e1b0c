// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve.malleable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.heddle.packing.model.Assignment;
import org.heddle.packing.model.Phase;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.PlanKind;
import org.heddle.packing.model.Problem;
import org.heddle.packing.model.Vm;
import org.heddle.packing.solve.JobTable;
import org.heddle.packing.solve.Planner;
import org.heddle.packing.solve.SolveContext;
import org.heddle.packing.solve.bound.CoveringLp;
import org.heddle.packing.solve.phased.PhaseChoice;
import org.heddle.packing.solve.phased.PhasePlacement;
import org.heddle.packing.solve.phased.PhaseSearch;
import org.heddle.packing.solve.phased.SubsetPlanner;

/**
 * Beyond the paper: jobs may change their VM counts, which YARN does naturally. A malleable plan is a
 * list of mixes with durations; the shortest is a covering problem (each job gets its work done) solved
 * by column generation with {@link MixPricing}, and on small clusters with {@link ExactMixPricing} after the former finds
 * no further column. At most M mixes are used. It starts from the phases of a
 * phased plan, so it is never worse.
 */
public final class MalleablePlanner implements Planner {
    /** Shorter parts of the plan are dropped. */
    private static final double NEGLIGIBLE = 1e-7;

    @Override
    public String name() {
        return "malleable";
    }

    /** A mix and how long it runs, seconds. */
    private record Part(Mix mix, double seconds) {}

    @Override
    public Plan plan(Problem problem, SolveContext context) {
        JobTable table = new JobTable(problem);
        double scale = longestJob(table);
        context.report(sum(table), scale);
        CoveringLp<Mix> lp = start(table, scale, context);
        MixPricing pricing = new MixPricing(table);
        ExactMixPricing exact = ExactMixPricing.of(table);
        double bound = scale;
        for (int idle = 0; idle < 3 && !context.mustStop(); ) {
            double[] prices = new double[table.jobs];
            double sum = 0;
            for (int j = 0; j < table.jobs; j++) {
                double dual = Math.max(0, lp.duals()[j]);
                sum += dual;
                prices[j] = dual * scale;
            }
            MixPricing.Answer answer = pricing.best(prices);
            bound = Math.max(bound, sum * scale / Math.max(answer.most(), 1e-300));
            double before = lp.objective();
            boolean entered = false;
            for (Mix mix : answer.mixes()) {
                entered |= enter(lp, table, mix, scale);
            }
            if (!entered && exact != null) {
                MixPricing.Answer sharp = exact.best(prices);
                bound = Math.max(bound, sum * scale / Math.max(sharp.most(), 1e-300));
                for (Mix mix : sharp.mixes()) {
                    entered |= enter(lp, table, mix, scale);
                }
            }
            context.report(lp.objective() * scale, bound);
            if (!entered || context.goodEnough()) {
                break;
            }
            idle = lp.objective() < before * (1 - 1e-9) ? 0 : idle + 1;
        }
        Plan plan = assemble(table, problem, parts(lp, scale), bound);
        context.report(plan.makespan(), plan.lowerBound());
        return plan;
    }

    private static double longestJob(JobTable table) {
        double longest = 0;
        for (int j = 0; j < table.jobs; j++) {
            longest = Math.max(longest, table.fastest(j));
        }
        return longest;
    }

    private static double sum(JobTable table) {
        double sum = 0;
        for (int j = 0; j < table.jobs; j++) {
            sum += table.fastest(j);
        }
        return sum;
    }

    private static CoveringLp<Mix> start(JobTable table, double scale, SolveContext context) {
        double[] rates = new double[table.jobs];
        double[] costs = new double[table.jobs];
        Mix[] alone = new Mix[table.jobs];
        for (int j = 0; j < table.jobs; j++) {
            rates[j] = scale / table.fastest(j);
            costs[j] = 1;
            alone[j] = Mix.of(table, PhaseChoice.alone(table, j));
        }
        CoveringLp<Mix> lp = new CoveringLp<>(rates, costs, alone, new Random(context.seed()));
        PhaseSearch search = new PhaseSearch(table, new Random(context.seed()));
        search.seed();
        SolveContext brief = context.within(Math.min(2, context.limitSeconds() / 4));
        List<PhaseChoice> phases = search.best();
        if (table.jobs <= SubsetPlanner.MOST_JOBS) {
            List<PhaseChoice> optimal = new SubsetPlanner(table).solve(brief);
            phases = optimal == null ? phases : optimal;
        }
        phases.forEach(phase -> enter(lp, table, Mix.of(table, phase), scale));
        return lp;
    }

    /** One column: {@code scale} seconds of the mix; the coefficients are the fractions of jobs it does. */
    private static boolean enter(CoveringLp<Mix> lp, JobTable table, Mix mix, double scale) {
        PhaseChoice phase = mix.asPhase(table);
        double[] column = new double[table.jobs];
        for (int i = 0; i < phase.jobs().length; i++) {
            column[phase.jobs()[i]] = scale / phase.jobSeconds()[i];
        }
        return lp.enter(column, 1, mix);
    }

    private static List<Part> parts(CoveringLp<Mix> lp, double scale) {
        List<Part> parts = new ArrayList<>();
        lp.forEach((mix, value) -> parts.add(new Part(mix, value * scale)));
        double total = parts.stream().mapToDouble(Part::seconds).sum();
        parts.removeIf(p -> p.seconds() < NEGLIGIBLE * total);
        return parts;
    }

    private static Plan assemble(JobTable table, Problem problem, List<Part> parts, double bound) {
        double[] done = new double[table.jobs];
        for (Part part : parts) {
            PhaseChoice phase = part.mix().asPhase(table);
            for (int i = 0; i < phase.jobs().length; i++) {
                done[phase.jobs()[i]] += part.seconds() / phase.jobSeconds()[i];
            }
        }
        double stretch = 1 / Arrays.stream(done).min().orElse(1);
        parts.sort(
                Comparator.comparing(p -> Arrays.toString(p.mix().asPhase(table).jobs())));
        double[] left = new double[table.jobs];
        Arrays.fill(left, 1);
        List<Phase> phases = new ArrayList<>();
        double start = 0;
        for (Part part : parts) {
            Mix rest = part.mix().without(left);
            Phase phase = phase(problem, rest.asPhase(table), start, part.seconds() * stretch, left);
            if (!phase.assignments().isEmpty()) {
                phases.add(phase);
                start += phase.seconds();
            }
        }
        return new Plan(
                problem.id(),
                "malleable",
                PlanKind.MALLEABLE,
                start,
                Math.min(bound, start),
                "column generation over all malleable plans",
                phases,
                List.of());
    }

    private static Phase phase(Problem problem, PhaseChoice choice, double start, double most, double[] left) {
        List<List<Vm>> placed = PhasePlacement.place(problem, choice.jobs(), choice.roles(), choice.widths());
        List<Assignment> assignments = new ArrayList<>();
        double longest = 0;
        for (int i = 0; i < choice.jobs().length; i++) {
            int j = choice.jobs()[i];
            double fraction = Math.min(left[j], most / choice.jobSeconds()[i]);
            if (left[j] - fraction < 1e-9) {
                fraction = left[j];
            }
            left[j] -= fraction;
            double seconds = fraction * choice.jobSeconds()[i];
            longest = Math.max(longest, seconds);
            assignments.add(new Assignment(
                    problem.jobs().get(j).name(),
                    choice.roles()[i],
                    choice.widths()[i],
                    start,
                    seconds,
                    fraction,
                    placed.get(i)));
        }
        return new Phase(start, longest, assignments);
    }
}
