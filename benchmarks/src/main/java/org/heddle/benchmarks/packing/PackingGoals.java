// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.packing;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.LongStream;
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
    private static final int SEEDS = 10;
    private static final int SEEDS_OF_MOST = 5;
    private static final int SEEDS_OF_LARGEST = 2;

    private PackingGoals() {}

    /**
     * A random problem and a planner.
     *
     * @param goal what it stands for
     * @param planner by name
     * @param seed of the problem and of the search
     * @param jobs how many
     * @param machines how many
     * @param steepest least exponent of a job's model
     * @param limit of the search, in seconds
     */
    record Search(String goal, String planner, long seed, int jobs, int machines, double steepest, double limit) {}

    /**
     * What came of a search.
     *
     * @param firstSeconds until the first plan
     * @param seconds of the whole search
     * @param makespan of the best plan, in seconds
     * @param gap of that plan to its lower bound, as a part of the bound
     * @param sound whether the checker accepts the plan
     */
    record Outcome(double firstSeconds, double seconds, double makespan, double gap, boolean sound) {}

    public static void main(String[] args) {
        System.out.println("goal                         seed  first plan s  all s  makespan s  gap %  checked");
        for (Search search : searches(LongStream.range(0, SEEDS).boxed().toList())) {
            Outcome outcome = plan(search);
            System.out.println(String.format(
                    Locale.ROOT,
                    "%-28s %4d %13.2f %6.2f %11.2f %6.3f  %s",
                    search.goal(),
                    search.seed(),
                    outcome.firstSeconds(),
                    outcome.seconds(),
                    outcome.makespan(),
                    100 * outcome.gap(),
                    outcome.sound() ? "yes" : "REFUSED"));
        }
    }

    /** All searches; those that take long use the first seeds only. */
    static List<Search> searches(List<Long> seeds) {
        List<Search> searches = new ArrayList<>();
        for (long seed : seeds) {
            searches.add(new Search("exact, M=14, N=200", "phased", seed, 14, 100, -1.3, 60));
        }
        for (long seed : seeds.subList(0, Math.min(seeds.size(), SEEDS_OF_MOST))) {
            searches.add(new Search("exact, M=16, N=60", "phased", seed, 16, 30, -1.3, 60));
            searches.add(new Search("pair, M=200, N=200", "pair", seed, 200, 100, -1.3, 60));
            searches.add(new Search("large, M=50, N=2000", "phased", seed, 50, 1_000, -1, 10));
            searches.add(new Search("nonphased, M=8, N=18", "nonphased", seed, 8, 9, -1.3, 10));
            searches.add(new Search("nonphased, M=12, N=18", "nonphased", seed, 12, 9, -1.3, 10));
            searches.add(new Search("malleable, M=50, N=2000", "malleable", seed, 50, 1_000, -1, 10));
        }
        for (long seed : seeds.subList(0, Math.min(seeds.size(), SEEDS_OF_LARGEST))) {
            searches.add(new Search("large, M=500, N=20000", "phased", seed, 500, 10_000, -1, 30));
        }
        return searches;
    }

    private static Problem problem(Search search) {
        Random random = new Random(search.seed());
        List<Job> all = new ArrayList<>();
        for (int j = 0; j < search.jobs(); j++) {
            double a = 100 * Math.exp(4 * random.nextDouble());
            double b = -0.2 + (search.steepest() + 0.2) * random.nextDouble();
            all.add(new Job("j" + j, new PowerModel(a, b), random.nextBoolean(), random.nextBoolean()));
        }
        return new Problem("goal" + search.seed(), search.machines(), 2, 2, new Alpha(1.3), all);
    }

    static Outcome plan(Search search) {
        Planner planner = Planners.named(search.planner());
        Problem problem = problem(search);
        double[] first = {-1};
        SolveContext.Progress progress = (seconds, makespan, bound) -> {
            if (first[0] < 0) {
                first[0] = seconds;
            }
        };
        long start = System.nanoTime();
        Plan plan = planner.plan(
                problem,
                new SolveContext(System::nanoTime, search.limit(), Plan.PROVEN, () -> false, progress, search.seed()));
        double seconds = (System.nanoTime() - start) / 1e9;
        boolean sound = PlanChecker.check(problem, plan).accepted();
        return new Outcome(first[0], seconds, plan.makespan(), plan.gap(), sound);
    }
}
