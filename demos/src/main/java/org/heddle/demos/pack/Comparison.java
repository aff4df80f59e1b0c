// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.pack;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToIntFunction;

/** Predicted and measured times, round by round. */
final class Comparison {
    /**
     * One execution of a plan, seconds.
     *
     * @param mostOver containers of a job that ran beyond its VM count and its master, the most at any second
     * @param mostGranted the same of those that it held, started or not
     */
    record Run(double predicted, double actual, int mostOver, int mostGranted) {
        double error() {
            return Math.abs(actual / predicted - 1);
        }
    }

    /** The same jobs one after the other and by plan. */
    record Round(List<String> jobs, Run sequential, Run planned) {
        double predictedSaving() {
            return 1 - planned.predicted / sequential.predicted;
        }

        double saving() {
            return 1 - planned.actual / sequential.actual;
        }
    }

    private static final double GOOD_PART = 0.8;
    private static final double GOOD_ERROR = 0.1;
    private final List<Round> rounds = new ArrayList<>();

    void add(Round round) {
        rounds.add(round);
    }

    /** Median relative error of the makespan over all plans that were run. */
    double medianError() {
        double[] errors = rounds.stream()
                .flatMap(r -> List.of(r.sequential, r.planned).stream())
                .mapToDouble(Run::error)
                .sorted()
                .toArray();
        int middle = errors.length / 2;
        return errors.length % 2 == 1 ? errors[middle] : (errors[middle - 1] + errors[middle]) / 2;
    }

    /** Seconds saved in all rounds, as a part of the seconds that were to be saved. */
    double partOfSaving() {
        double saved = rounds.stream()
                .mapToDouble(r -> r.sequential.actual - r.planned.actual)
                .sum();
        double predicted = rounds.stream()
                .mapToDouble(r -> r.sequential.predicted - r.planned.predicted)
                .sum();
        return predicted > 0 ? saved / predicted : 1;
    }

    /** Prints the table and which goals are met and missed. */
    void print(PrintStream out) {
        out.println();
        out.printf("%5s  %-46s %22s %22s %18s%n", "round", "jobs", "one by one, s", "by plan, s", "saving");
        out.printf(
                "%5s  %-46s %11s %10s %11s %10s %9s %8s%n",
                "", "", "predicted", "actual", "predicted", "actual", "predicted", "actual");
        for (int i = 0; i < rounds.size(); i++) {
            Round r = rounds.get(i);
            out.printf(
                    Locale.ROOT,
                    "%5d  %-46s %11.1f %10.1f %11.1f %10.1f %8.1f%% %7.1f%%%n",
                    i + 1,
                    String.join(" ", r.jobs),
                    r.sequential.predicted,
                    r.sequential.actual,
                    r.planned.predicted,
                    r.planned.actual,
                    100 * r.predictedSaving(),
                    100 * r.saving());
        }
        out.println();
        int over = most(Run::mostOver);
        int granted = Math.max(0, most(Run::mostGranted));
        String ran = "never more containers of a job ran than its n and one for its master";
        if (over > 0) {
            ran = over + " containers of a job ran beyond its n and one for its master";
        }
        say(
                out,
                over <= 0,
                ran + ", looked at once a second; granted beyond them and given back unused: " + granted + " at most");
        say(
                out,
                medianError() <= GOOD_ERROR,
                String.format(
                        Locale.ROOT,
                        "median error of the makespan over %d plans %.1f %% (goal: at most 10 %%)",
                        2 * rounds.size(),
                        100 * medianError()));
        say(
                out,
                partOfSaving() >= GOOD_PART,
                String.format(
                        Locale.ROOT,
                        "%.0f %% of the predicted saving was obtained (goal: at least 80 %%)",
                        100 * partOfSaving()));
    }

    private int most(ToIntFunction<Run> what) {
        return rounds.stream()
                .mapToInt(r -> Math.max(what.applyAsInt(r.sequential), what.applyAsInt(r.planned)))
                .max()
                .orElse(0);
    }

    private static void say(PrintStream out, boolean good, String text) {
        out.println((good ? "ok      " : "MISSED  ") + text);
    }
}
