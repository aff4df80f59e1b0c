// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.cli;

import java.io.PrintWriter;
import java.util.Locale;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.Problem;
import org.heddle.packing.solve.Planners;
import org.heddle.packing.solve.SolveContext;
import picocli.CommandLine.Option;

/** How to search; shared by the commands that plan. */
final class SolveOptions {
    private static final double SECONDS_BETWEEN_LINES = 0.5;

    @Option(
            names = "--planner",
            defaultValue = "phased",
            paramLabel = "NAME",
            description = "sequential, pair, phased, pso, nonphased or malleable (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init") // injected
    private String planner;

    @Option(
            names = "--time-limit",
            defaultValue = "10",
            paramLabel = "SECONDS",
            description = "Search at most this long (default: ${DEFAULT-VALUE}). Ctrl-C stops earlier; either way the"
                    + " best plan so far is returned.")
    private double limit;

    @Option(
            names = "--good-enough",
            defaultValue = "0",
            paramLabel = "GAP",
            description = "Stop at this relative gap, e.g. 0.01 for 1 %% (default: only at a proven optimum).")
    private double goodEnough;

    @Option(
            names = "--seed",
            defaultValue = "1",
            paramLabel = "N",
            description = "Seed of random searches (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(names = "--quiet", description = "No progress on standard error.")
    private boolean quiet;

    /** A plan and how long the search took, seconds. */
    record Solved(Plan plan, double seconds) {}

    String planner() {
        return planner;
    }

    Solved solve(Problem problem, PrintWriter err) {
        return solve(problem, err, planner);
    }

    Solved solve(Problem problem, PrintWriter err, String name) {
        if (!(limit > 0)) {
            throw new CommandException(2, "--time-limit " + limit + ": must be a number of seconds > 0");
        }
        double slack = Math.max(goodEnough, Plan.PROVEN);
        double[] last = {0};
        SolveContext.Progress progress = (seconds, makespan, bound) -> {
            if (!quiet && seconds - last[0] >= SECONDS_BETWEEN_LINES) {
                last[0] = seconds;
                err.println(String.format(
                        Locale.ROOT,
                        "%6.1f s  makespan %.6g s  bound %.6g s  gap %.2f %%",
                        seconds,
                        makespan,
                        bound,
                        bound > 0 ? 100 * (makespan - bound) / bound : 100));
                err.flush();
            }
        };
        long start = System.nanoTime();
        SolveContext context = new SolveContext(System::nanoTime, limit, slack, Interrupt::asked, progress, seed);
        Plan plan = Planners.named(name).plan(problem, context);
        return new Solved(plan, (System.nanoTime() - start) / 1e9);
    }
}
