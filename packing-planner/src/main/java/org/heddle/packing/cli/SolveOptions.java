// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.Problem;
import org.heddle.packing.solve.SolveContext;
import org.heddle.settings.Durations;
import org.heddle.settings.command.CommandException;
import org.heddle.settings.command.DurationConverter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of a search; all commands that plan share them. */
final class SolveOptions {
    /** For more, phased plans are far from their bound, and nonphased ones 10 to 20 % shorter. */
    private static final int FEW_JOBS = 22;

    private static final double SECONDS_BETWEEN_LINES = 0.5;
    private static final double SECONDS_BETWEEN_REPEATED_LINES = 2;

    @Option(
            names = "--planner",
            paramLabel = "NAME",
            description = "Sequential, pair, phased, nonphased or malleable. Default: phased for up to " + FEW_JOBS
                    + " jobs, which it proves, nonphased for more.")
    private @Nullable String planner;

    @Option(
            names = "--time-limit",
            defaultValue = "10s",
            paramLabel = "DURATION",
            converter = DurationConverter.Seconds.class,
            description = "Longest search. Default: ${DEFAULT-VALUE}. Ctrl-C stops earlier. In both cases"
                    + " the result is the best plan so far.")
    private Duration limit = Duration.ZERO;

    @Option(
            names = "--good-enough",
            defaultValue = "0",
            paramLabel = "GAP",
            description = "Stop at this relative gap, e.g. 0.01 for 1 %%. Default: only at a proven" + " optimum.")
    private double goodEnough;

    @Option(
            names = "--seed",
            defaultValue = "1",
            paramLabel = "N",
            description = "Seed of random searches. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(names = "--quiet", description = "No progress on standard error.")
    private boolean quiet;

    /** A plan and how long the search took, seconds. */
    record Solved(Plan plan, double seconds) {}

    /** Seconds. */
    double limit() {
        return Durations.seconds(limit);
    }

    boolean isQuiet() {
        return quiet;
    }

    Solved solve(Problem problem, PrintWriter err) {
        String usual = problem.jobs().size() > FEW_JOBS ? "nonphased" : "phased";
        return solve(problem, err, planner == null ? usual : planner);
    }

    Solved solve(Problem problem, PrintWriter err, String name) {
        if (limit.isZero()) {
            throw new CommandException(
                    CommandException.WRONG, "--time-limit: must be a duration > 0, such as 500ms, 10s or 5m");
        }
        if (!(goodEnough >= 0 && goodEnough < 1)) {
            throw new CommandException(
                    CommandException.WRONG,
                    "--good-enough " + goodEnough + ": must be a part from 0 to below 1, such as 0.02 for 2 %");
        }
        double slack = Math.max(goodEnough, Plan.PROVEN);
        Ticker ticker = new Ticker(quiet ? null : err);
        long start = System.nanoTime();
        SolveContext context = new SolveContext(System::nanoTime, limit(), slack, ticker::stopAsked, ticker, seed);
        ticker.stopAsked(); // Ctrl-C counts from here on, also before the first step of the search
        Plan plan = Planners.named(name).plan(problem, context);
        return new Solved(plan, (System.nanoTime() - start) / 1e9);
    }

    /** Prints the current gap when it changes, at most twice a second, and every few seconds when it does not. */
    private static final class Ticker implements SolveContext.Progress {
        private final @Nullable PrintWriter err;
        private final long start = System.nanoTime();
        private double printed;
        private double makespan = Double.NaN;
        private double bound;

        Ticker(@Nullable PrintWriter err) {
            this.err = err;
        }

        @Override
        public synchronized void improved(double seconds, double newMakespan, double newBound) {
            makespan = newMakespan;
            bound = newBound;
            tick(seconds, SECONDS_BETWEEN_LINES);
        }

        /** A search calls this at every step. */
        boolean stopAsked() {
            tick((System.nanoTime() - start) / 1e9, SECONDS_BETWEEN_REPEATED_LINES);
            return Interrupt.asked();
        }

        private synchronized void tick(double seconds, double pause) {
            if (err == null || seconds - printed < pause || !Double.isFinite(makespan)) {
                return;
            }
            printed = seconds;
            err.println(String.format(
                    Locale.ROOT,
                    "%6.1f s  makespan %.6g s  bound %.6g s  gap %.2f %%",
                    seconds,
                    makespan,
                    bound,
                    bound > 0 ? 100 * (makespan - bound) / bound : 100));
            err.flush();
        }
    }
}
