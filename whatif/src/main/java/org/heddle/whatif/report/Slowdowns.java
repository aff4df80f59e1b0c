// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import org.heddle.whatif.model.History;
import org.heddle.whatif.model.Job;
import org.heddle.whatif.model.StagedWork;
import org.heddle.whatif.model.TaskGroup;
import org.heddle.whatif.model.TaskKind;
import org.heddle.whatif.outcome.Outcome;

/**
 * How many times longer jobs took than they would on an endless, empty cluster, where a job takes the start of its
 * master, its longest map and its longest reduce, or the longest tasks of stages that wait for each other. Of the jobs
 * that ended.
 */
final class Slowdowns {
    private static final String NOTHING = "-";

    private static final int[] SIZES = {10, 100, 1_000, Integer.MAX_VALUE};

    private Slowdowns() {}

    /** Jobs with a number of tasks. */
    record Jobs(int from, int to) {
        private static final Jobs ALL = new Jobs(0, Integer.MAX_VALUE);

        /** The classes of the jobs of a past, unless all are of one. */
        static List<Jobs> of(History history) {
            List<Jobs> classes = new ArrayList<>();
            int from = 0;
            for (int to : SIZES) {
                Jobs jobs = new Jobs(from, to);
                if (history.jobs().stream().anyMatch(jobs::has)) {
                    classes.add(jobs);
                }
                from = to + 1;
            }
            return classes.size() > 1 ? classes : List.of();
        }

        private boolean has(Job job) {
            return job.tasks() >= from && job.tasks() <= to;
        }

        String name() {
            return to == Integer.MAX_VALUE ? "over " + (from - 1) + " tasks" : "up to " + to + " tasks";
        }
    }

    static String mean(History history, Outcome outcome) {
        return mean(Jobs.ALL, history, outcome);
    }

    static String mean(Jobs jobs, History history, Outcome outcome) {
        OptionalDouble mean = factors(jobs, history, outcome).average();
        return mean.isPresent() ? text(mean.getAsDouble()) : NOTHING;
    }

    /** By the nearest rank. */
    static String p99(History history, Outcome outcome) {
        double[] sorted = factors(Jobs.ALL, history, outcome).sorted().toArray();
        return sorted.length == 0 ? NOTHING : text(sorted[(sorted.length * 99 + 99) / 100 - 1]);
    }

    private static DoubleStream factors(Jobs jobs, History history, Outcome outcome) {
        return history.jobs().stream()
                .filter(jobs::has)
                .filter(job -> outcome.jobMillis().containsKey(job.id()) && aloneMillis(job) > 0)
                .mapToDouble(job -> (double) outcome.jobMillis().getOrDefault(job.id(), 0L) / aloneMillis(job));
    }

    private static long aloneMillis(Job job) {
        StagedWork work = job.work();
        long tasks = longest(job, TaskKind.MAP) + longest(job, TaskKind.REDUCE);
        return job.startMillis() + (work == null ? tasks : work.shortestMillis());
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
