// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.report;

import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import org.heddle.whatif.model.History;
import org.heddle.whatif.model.Job;
import org.heddle.whatif.model.TaskGroup;
import org.heddle.whatif.model.TaskKind;
import org.heddle.whatif.outcome.Outcome;

/**
 * How many times longer jobs took than they would on an endless, empty cluster, where a job takes the start of its
 * master, its longest map and its longest reduce. Of the jobs that ended.
 */
final class Slowdowns {
    private static final String NOTHING = "-";

    private Slowdowns() {}

    static String mean(History history, Outcome outcome) {
        OptionalDouble mean = factors(history, outcome).average();
        return mean.isPresent() ? text(mean.getAsDouble()) : NOTHING;
    }

    /** By the nearest rank. */
    static String p99(History history, Outcome outcome) {
        double[] sorted = factors(history, outcome).sorted().toArray();
        return sorted.length == 0 ? NOTHING : text(sorted[(sorted.length * 99 + 99) / 100 - 1]);
    }

    private static DoubleStream factors(History history, Outcome outcome) {
        return history.jobs().stream()
                .filter(job -> outcome.jobMillis().containsKey(job.id()) && aloneMillis(job) > 0)
                .mapToDouble(job -> (double) outcome.jobMillis().getOrDefault(job.id(), 0L) / aloneMillis(job));
    }

    private static long aloneMillis(Job job) {
        return job.startMillis() + longest(job, TaskKind.MAP) + longest(job, TaskKind.REDUCE);
    }

    private static long longest(Job job, TaskKind kind) {
        return job.groups().stream()
                .filter(group -> group.kind() == kind)
                .map(TaskGroup::millis)
                .flatMapToLong(LongStream::of)
                .max()
                .orElse(0);
    }

    private static String text(double factor) {
        return String.format(Locale.ROOT, "%.2f", factor);
    }
}
