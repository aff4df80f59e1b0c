// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve.malleable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.heddle.packing.model.Assignment;
import org.heddle.packing.model.Certificate;
import org.heddle.packing.model.Phase;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.PlanKind;
import org.heddle.packing.model.Problem;
import org.heddle.packing.model.Vm;
import org.heddle.packing.solve.JobTable;
import org.heddle.packing.solve.Planner;
import org.heddle.packing.solve.SideSearch;
import org.heddle.packing.solve.SolveContext;
import org.heddle.packing.solve.phased.PhaseChoice;
import org.heddle.packing.solve.phased.PhasePlacement;
import org.heddle.packing.solve.phased.PhasedPlanner;
import org.heddle.packing.solve.timed.NonPhasedPlanner;

/**
 * Beyond the paper: jobs may change their VM counts, which YARN does naturally. A malleable plan is a list of mixes
 * with durations; the shortest one is a covering problem (each job gets its work done), solved by column generation
 * ({@link ColumnRounds}). Plans with fixed VM counts, cut at each start and end, are mixes too: it starts from a phased
 * plan, and a {@link SideSearch} looks for the best one meanwhile, which is returned if no shorter plan is found. The
 * bound is never below {@link HullBound}.
 */
public final class MalleablePlanner implements Planner {
    /** The linear program and its columns hold this many jobs; more get a plan with fixed VM counts. */
    private static final int MOST_JOBS = 1_500;
    /** A plan has up to one part for each job, and each part has a place for each of its VMs. */
    private static final int MOST_PLACES = 1_000_000;
    /** Part of the time limit for the phased plan. */
    private static final double START_PART = 0.1;

    /** The plan is stretched until the last job is done, unless one has done less than this. */
    private static final double DONE = 1 - 1e-6;

    @Override
    public String name() {
        return "malleable";
    }

    @Override
    public Plan plan(Problem problem, SolveContext context) {
        JobTable table = new JobTable(problem);
        if (table.jobs > MOST_JOBS || (long) table.jobs * table.slots > MOST_PLACES) {
            Plan plan = new NonPhasedPlanner().plan(table, context);
            return plan.named(name(), plan.lowerBound(), plan.bound());
        }
        try (SideSearch rigid =
                new SideSearch("fixed-vm-counts", beside -> new NonPhasedPlanner().plan(table, beside), context)) {
            return plan(table, context, rigid);
        }
    }

    private static Plan plan(JobTable table, SolveContext context, SideSearch search) {
        Problem problem = table.problem;
        MixPricing pricing = new MixPricing(table);
        HullBound hull = pricing.hullBound();
        double bound = hull.seconds();
        context.report(sum(table), bound);
        Plan phased = new PhasedPlanner().plan(table, context.within(context.limitSeconds() * START_PART));
        context.report(phased.makespan(), bound);
        MixMaster master = new MixMaster(table, longestJob(table), new Random(context.seed()), context::mustStop);
        TimeSlices.of(table, phased).forEach(slice -> master.offer(slice.mix()));
        ColumnRounds rounds = new ColumnRounds(table, master, pricing, context);
        bound = rounds.raise(bound, phased.makespan());
        Plan rigid = search.plan();
        context.report(rigid.makespan(), bound);
        List<Part> slices = TimeSlices.of(table, rigid);
        slices.stream().takeWhile(slice -> !context.mustStop()).forEach(slice -> master.offer(slice.mix()));
        bound = rounds.raise(bound, rigid.makespan());
        Certificate certificate = rounds.certificate() == null ? hull.certificate() : rounds.certificate();
        Plan mixed = assemble(table, problem, master.parts(), bound);
        Plan same = assemble(table, problem, slices, bound);
        Plan plan = mixed.makespan() <= same.makespan() ? mixed : same;
        context.report(plan.makespan(), plan.lowerBound());
        return plan.certified(certificate);
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

    /**
     * The parts as a plan; what a job has not done after them, because parts were dropped, it does alone at the end.
     */
    private static Plan assemble(JobTable table, Problem problem, List<Part> parts, double bound) {
        double[] done = new double[table.jobs];
        for (Part part : parts) {
            PhaseChoice phase = part.mix().asPhase(table);
            for (int i = 0; i < phase.jobs().length; i++) {
                done[phase.jobs()[i]] += part.seconds() / phase.jobSeconds()[i];
            }
        }
        double stretch = 1 / Arrays.stream(done).filter(d -> d >= DONE).min().orElse(1);
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
        for (int j = 0; j < table.jobs; j++) {
            if (left[j] > 0) {
                PhaseChoice alone = PhaseChoice.alone(table, j);
                Phase phase = phase(problem, alone, start, alone.jobSeconds()[0], left);
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
