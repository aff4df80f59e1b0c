// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.heddle.whatif.model.Job;
import org.heddle.whatif.outcome.Figures;
import org.heddle.whatif.outcome.Outcome;
import org.heddle.whatif.outcome.Percentiles;

/** The tables of a comparison: the schedulers side by side, and each queue and user under each scheduler. */
final class Tables {
    private static final long SECOND = 1_000;
    private static final long MINUTE = 60 * SECOND;
    private static final long HOUR = 60 * MINUTE;
    private static final String NOTHING = "-";

    private Tables() {}

    static List<Table> of(Comparison comparison) {
        return List.of(
                schedulers(comparison),
                each("queues", "queue", comparison.outcomes(), Outcome::queues),
                each("users", "user", comparison.outcomes(), Outcome::users));
    }

    private static Table schedulers(Comparison comparison) {
        List<String> headers = new ArrayList<>(List.of("", "recorded"));
        comparison.outcomes().forEach(outcome -> headers.add(outcome.scheduler()));
        long[] times = comparison.history().jobs().stream()
                .filter(job -> job.finishedMillis() > 0)
                .mapToLong(job -> job.finishedMillis() - job.submittedMillis())
                .toArray();
        Percentiles recorded = Percentiles.of(times, times.length);
        boolean none = recorded.count() == 0;
        long jobs = comparison.history().jobs().size();
        long tasks = comparison.history().jobs().stream().mapToLong(Job::tasks).sum();
        List<List<String>> rows = new ArrayList<>();
        rows.add(row(
                comparison,
                "jobs ended",
                none ? NOTHING : recorded.count() + " of " + jobs,
                outcome -> outcome.all().jobs() + " of " + jobs));
        rows.add(row(
                comparison,
                "tasks ended",
                String.valueOf(tasks),
                outcome -> String.valueOf(outcome.all().tasks())));
        rows.add(row(
                comparison,
                "makespan",
                none ? NOTHING : time(comparison.recordedMakespanMillis()),
                outcome -> time(outcome.makespanMillis())));
        rows.add(row(comparison, "memory used", NOTHING, outcome -> percent(outcome.memoryUsed())));
        rows.add(row(comparison, "vcores used", NOTHING, outcome -> percent(outcome.vcoresUsed())));
        rows.add(row(
                comparison,
                "job time mean",
                mean(recorded),
                outcome -> mean(outcome.all().jobTime())));
        rows.add(times(comparison, "job time p50", time(recorded, 50), 50, Figures::jobTime));
        rows.add(times(comparison, "job time p99", time(recorded, 99), 99, Figures::jobTime));
        rows.add(row(comparison, "slowdown mean", NOTHING, outcome -> Slowdowns.mean(comparison.history(), outcome)));
        rows.add(row(comparison, "slowdown p99", NOTHING, outcome -> Slowdowns.p99(comparison.history(), outcome)));
        for (Slowdowns.Jobs some : Slowdowns.Jobs.of(comparison.history())) {
            rows.add(row(
                    comparison,
                    "slowdown mean, " + some.name(),
                    NOTHING,
                    outcome -> Slowdowns.mean(some, comparison.history(), outcome)));
        }
        rows.add(row(comparison, "Jain of users who wait", NOTHING, outcome -> index(outcome.usersJain())));
        rows.add(row(
                comparison,
                "master wait mean",
                NOTHING,
                outcome -> mean(outcome.all().masterWait())));
        rows.add(times(comparison, "master wait p50", NOTHING, 50, Figures::masterWait));
        rows.add(times(comparison, "master wait p99", NOTHING, 99, Figures::masterWait));
        rows.add(row(
                comparison,
                "task wait mean",
                NOTHING,
                outcome -> mean(outcome.all().taskWait())));
        rows.add(times(comparison, "task wait p50", NOTHING, 50, Figures::taskWait));
        rows.add(times(comparison, "task wait p99", NOTHING, 99, Figures::taskWait));
        rows.add(row(
                comparison,
                "preempted",
                NOTHING,
                outcome -> String.valueOf(outcome.all().preempted())));
        rows.add(row(
                comparison, "work lost", NOTHING, outcome -> time(outcome.all().lostMillis())));
        rows.add(row(
                comparison,
                "jobs refused",
                NOTHING,
                outcome -> String.valueOf(outcome.refused().values().stream()
                        .mapToInt(Integer::intValue)
                        .sum())));
        rows.add(row(
                comparison,
                "jobs not ended",
                NOTHING,
                outcome -> String.valueOf(outcome.unfinished().size())));
        return new Table("schedulers", 1, headers, rows);
    }

    private static List<String> row(
            Comparison comparison, String name, String recorded, Function<Outcome, String> figure) {
        List<String> row = new ArrayList<>(List.of(name, recorded));
        comparison.outcomes().forEach(outcome -> row.add(figure.apply(outcome)));
        return row;
    }

    private static List<String> times(
            Comparison comparison,
            String name,
            String recorded,
            int percent,
            Function<Figures, Percentiles> percentiles) {
        return row(comparison, name, recorded, outcome -> time(percentiles.apply(outcome.all()), percent));
    }

    private static Table each(
            String title, String name, List<Outcome> outcomes, Function<Outcome, Map<String, Figures>> part) {
        List<String> headers = List.of(
                name,
                "scheduler",
                "jobs",
                "tasks",
                "share",
                "master wait p50",
                "p99",
                "task wait p50",
                "p99",
                "job time p50",
                "p99",
                "preempted");
        TreeSet<String> names = new TreeSet<>();
        outcomes.forEach(outcome -> names.addAll(part.apply(outcome).keySet()));
        List<List<String>> rows = new ArrayList<>();
        for (String one : names) {
            for (Outcome outcome : outcomes) {
                Figures figures = part.apply(outcome).get(one);
                List<String> cells = Collections.nCopies(headers.size() - 2, NOTHING);
                if (figures != null) {
                    cells = cells(figures);
                }
                rows.add(Stream.concat(Stream.of(one, outcome.scheduler()), cells.stream())
                        .toList());
            }
        }
        return new Table(title, 2, headers, rows);
    }

    private static List<String> cells(Figures figures) {
        return List.of(
                String.valueOf(figures.jobs()),
                String.valueOf(figures.tasks()),
                percent(figures.share()),
                time(figures.masterWait(), 50),
                time(figures.masterWait(), 99),
                time(figures.taskWait(), 50),
                time(figures.taskWait(), 99),
                time(figures.jobTime(), 50),
                time(figures.jobTime(), 99),
                String.valueOf(figures.preempted()));
    }

    private static String index(double value) {
        return Double.isNaN(value) ? NOTHING : String.format(Locale.ROOT, "%.3f", value);
    }

    static String percent(double part) {
        return String.format(Locale.ROOT, "%.1f %%", 100 * part);
    }

    private static String time(Percentiles percentiles, int percent) {
        if (percentiles.count() == 0) {
            return NOTHING;
        }
        return time(percent == 50 ? percentiles.p50Millis() : percentiles.p99Millis());
    }

    private static String mean(Percentiles percentiles) {
        return percentiles.count() == 0 ? NOTHING : time(percentiles.meanMillis());
    }

    /** With its unit: {@code 12.0 s}, {@code 4.5 min}, {@code 7.3 h}. */
    static String time(long millis) {
        if (millis < 10 * MINUTE) {
            return String.format(Locale.ROOT, "%.1f s", (double) millis / SECOND);
        }
        if (millis < 10 * HOUR) {
            return String.format(Locale.ROOT, "%.1f min", (double) millis / MINUTE);
        }
        return String.format(Locale.ROOT, "%.1f h", (double) millis / HOUR);
    }
}
