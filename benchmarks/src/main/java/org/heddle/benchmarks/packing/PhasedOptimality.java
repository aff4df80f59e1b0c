// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.packing;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.LongSupplier;
import org.heddle.packing.model.Alpha;
import org.heddle.packing.model.Job;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.PowerModel;
import org.heddle.packing.model.Problem;
import org.heddle.packing.solve.Planner;
import org.heddle.packing.solve.SolveContext;
import org.heddle.packing.solve.phased.PhasedPlanner;

/**
 * Compares phased plans of many jobs after a short search with what is known of the optimum, on seeded random problems
 * of several cluster sizes and job shapes. Up to 22 jobs the optimum is proven by the exact search, which gets as long
 * as it needs. For more jobs the best of several longer searches with other seeds takes its place, and the gap to the
 * lower bound is printed beside it. {@code benchmarks/bin/packing-optimality} runs it.
 *
 * <p>Times are CPU seconds of the searching thread, so that other work on the machine does not count.
 */
public final class PhasedOptimality {
    private static final double GOAL = 0.005;
    private static final double LONG_SECONDS = 600;
    private static final int MOST_PROVEN = 22;
    private static final String[] SHAPES = {"mixed", "superlinear", "weak"};
    /** Machines, disks and r. */
    private static final int[][] CLUSTERS = {{13, 1, 1}, {6, 2, 2}, {9, 2, 1}, {5, 4, 2}, {30, 2, 2}, {100, 2, 1}};

    private final Planner planner = new PhasedPlanner();
    private final double seconds;

    /**
     * A plan beside what is known of the optimum.
     *
     * @param problem what is planned
     * @param shape of the jobs
     * @param makespan of the plan, in seconds
     * @param off part by which it is longer than the optimum, or than the best plan of longer searches
     * @param proven whether the optimum is proven
     * @param gap part by which it is longer than the lower bound
     */
    record Outcome(Problem problem, String shape, double makespan, double off, boolean proven, double gap) {
        boolean isNear() {
            return off <= GOAL;
        }
    }

    /** @param seconds CPU seconds of a search */
    PhasedOptimality(double seconds) {
        this.seconds = seconds;
    }

    /** Arguments: least and most jobs, first and last seed, CPU seconds of a search. */
    public static void main(String[] args) {
        if (args.length != 5) {
            throw new IllegalArgumentException("arguments: LEAST_JOBS MOST_JOBS FIRST_SEED LAST_SEED SECONDS");
        }
        PhasedOptimality run = new PhasedOptimality(Double.parseDouble(args[4]));
        System.out.println("jobs cluster  r shape       seed  makespan s  of optimum %  proven  gap to bound %");
        int plans = 0;
        int near = 0;
        for (int jobs = Integer.parseInt(args[0]); jobs <= Integer.parseInt(args[1]); jobs++) {
            for (long seed = Long.parseLong(args[2]); seed <= Long.parseLong(args[3]); seed++) {
                Outcome outcome = run.compare(jobs, seed);
                print(outcome, seed);
                plans++;
                near += outcome.isNear() ? 1 : 0;
            }
        }
        System.out.println(String.format(
                Locale.ROOT,
                "%d of %d plans (%.1f %%) are within %.1f %% of the optimum or of the best plan known",
                near,
                plans,
                100.0 * near / plans,
                100 * GOAL));
    }

    private static void print(Outcome outcome, long seed) {
        Problem problem = outcome.problem();
        System.out.println(String.format(
                Locale.ROOT,
                "%4d %4d x %d %2d %-11s %4d %11.3f %13.3f  %-6s %9.2f",
                problem.jobs().size(),
                problem.machines(),
                problem.disks(),
                problem.ratio(),
                outcome.shape(),
                seed,
                outcome.makespan(),
                100 * outcome.off(),
                outcome.proven() ? "yes" : "no",
                100 * outcome.gap()));
    }

    /** Plans one problem. */
    Outcome compare(int jobs, long seed) {
        int[] cluster = CLUSTERS[(int) ((5 * seed + jobs) % CLUSTERS.length)];
        String shape = SHAPES[(int) ((seed + jobs) % SHAPES.length)];
        Problem problem = problem(jobs, cluster, shape, seed);
        Plan plan = search(problem, seconds, seed);
        Plan reference = plan;
        double bound = plan.lowerBound();
        if (plan.gap() > 0 && jobs <= MOST_PROVEN) {
            reference = search(problem, LONG_SECONDS, seed);
        } else if (plan.gap() > 0) {
            for (long other = 1; other <= 2; other++) {
                Plan longer = search(problem, 3 * seconds, seed + 1_000 * other);
                reference = longer.makespan() < reference.makespan() ? longer : reference;
                bound = Math.max(bound, longer.lowerBound());
            }
        }
        double off = plan.makespan() / reference.makespan() - 1;
        return new Outcome(
                problem,
                shape,
                plan.makespan(),
                off,
                reference.gap() == 0,
                plan.makespan() / Math.max(bound, reference.lowerBound()) - 1);
    }

    private Plan search(Problem problem, double limit, long seed) {
        return planner.plan(
                problem,
                new SolveContext(cpuTime(), limit, Plan.PROVEN, () -> false, (time, makespan, bound) -> {}, seed));
    }

    private static LongSupplier cpuTime() {
        return ManagementFactory.getThreadMXBean()::getCurrentThreadCpuTime;
    }

    private static Problem problem(int jobs, int[] cluster, String shape, long seed) {
        Random random = new Random(1_000_003L * seed + 31L * jobs);
        List<Job> all = new ArrayList<>();
        for (int j = 0; j < jobs; j++) {
            double a = 100 * Math.exp(4 * random.nextDouble());
            double part = random.nextDouble();
            double b = switch (shape) {
                case "superlinear" -> -1 - 0.35 * part;
                case "weak" -> -0.05 - 0.45 * part;
                default -> -1.3 * part;
            };
            all.add(new Job("j" + j, new PowerModel(a, b), random.nextBoolean(), random.nextBoolean()));
        }
        double alpha = 1.1 + 0.1 * random.nextInt(5);
        return new Problem("optimality" + seed, cluster[0], cluster[1], cluster[2], new Alpha(alpha), all);
    }
}
