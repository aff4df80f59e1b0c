// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.packing;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.heddle.packing.check.PlanChecker;
import org.heddle.packing.cli.Planners;
import org.heddle.packing.model.Alpha;
import org.heddle.packing.model.Job;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.PowerModel;
import org.heddle.packing.model.Problem;
import org.heddle.packing.solve.Planner;
import org.heddle.packing.solve.SolveContext;

/**
 * Plans seeded random problems of the sizes that the planner promises and prints search times and gaps as
 * a table. {@code benchmarks/bin/packing-goals} runs it with 900 MB, which checks the memory goal too; it needs about
 * four minutes.
 */
public final class PackingGoals {
    private PackingGoals() {}

    public static void main(String[] args) {
        System.out.println("goal                         seed  first plan s  all s  makespan s  gap %  checked");
        for (long seed = 0; seed < 10; seed++) {
            line("exact, M=14, N=200", "phased", problem(seed, 14, 100, -1.3), seed, 60);
        }
        for (long seed = 0; seed < 5; seed++) {
            line("exact, M=16, N=60", "phased", problem(seed, 16, 30, -1.3), seed, 60);
            line("pair, M=200, N=200", "pair", problem(seed, 200, 100, -1.3), seed, 60);
            line("large, M=50, N=2000", "phased", problem(seed, 50, 1_000, -1), seed, 10);
            line("nonphased, M=8, N=18", "nonphased", problem(seed, 8, 9, -1.3), seed, 10);
            line("nonphased, M=12, N=18", "nonphased", problem(seed, 12, 9, -1.3), seed, 10);
            line("malleable, M=50, N=2000", "malleable", problem(seed, 50, 1_000, -1), seed, 10);
        }
        for (long seed = 0; seed < 2; seed++) {
            line("large, M=500, N=20000", "phased", problem(seed, 500, 10_000, -1), seed, 30);
        }
    }

    private static Problem problem(long seed, int jobs, int machines, double steepest) {
        Random random = new Random(seed);
        List<Job> all = new ArrayList<>();
        for (int j = 0; j < jobs; j++) {
            double a = 100 * Math.exp(4 * random.nextDouble());
            double b = -0.2 + (steepest + 0.2) * random.nextDouble();
            all.add(new Job("j" + j, new PowerModel(a, b), random.nextBoolean(), random.nextBoolean()));
        }
        return new Problem("goal" + seed, machines, 2, 2, new Alpha(1.3), all);
    }

    private static void line(String goal, String planner, Problem problem, long seed, double limit) {
        Planner chosen = Planners.named(planner);
        double[] first = {-1};
        SolveContext.Progress progress = (seconds, makespan, bound) -> {
            if (first[0] < 0) {
                first[0] = seconds;
            }
        };
        long start = System.nanoTime();
        Plan plan = chosen.plan(
                problem, new SolveContext(System::nanoTime, limit, Plan.PROVEN, () -> false, progress, seed));
        double seconds = (System.nanoTime() - start) / 1e9;
        boolean sound = PlanChecker.check(problem, plan).accepted();
        System.out.println(String.format(
                Locale.ROOT,
                "%-28s %4d %13.2f %6.2f %11.2f %6.3f  %s",
                goal,
                seed,
                first[0],
                seconds,
                plan.makespan(),
                100 * plan.gap(),
                sound ? "yes" : "REFUSED"));
    }
}
