// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.fit;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.heddle.packing.model.RuntimeModel;
import org.heddle.packing.model.TaskModel;
import org.heddle.packing.model.WaveModel;
import org.jspecify.annotations.Nullable;

/**
 * What an event log tells of an application of Spark. Times are in milliseconds since 1970, and those of tasks and
 * executors lie within the application's.
 *
 * @param id of the application, with the number of its attempt if there is one
 * @param name as its owner gave it, in one line
 * @param succeeded whether the last job that ended succeeded; the log says nothing else about it
 * @param properties Spark's
 * @param executors that ran, by time of their start
 * @param stages that had tasks with usable times, by id
 * @param counters sums of what its tasks used
 * @param otherAttempts of tasks, beside those in {@code stages}: they failed, or were not needed
 * @param leftOut attempts without usable times
 * @param cut attempts whose times were cut to the application's
 */
public record SparkApplication(
        String id,
        String name,
        String user,
        boolean succeeded,
        long submittedMillis,
        long finishedMillis,
        Map<String, String> properties,
        List<Executor> executors,
        List<Stage> stages,
        Counters counters,
        long otherAttempts,
        long leftOut,
        long cut) {
    public record Executor(String host, int cores, long startMillis, long endMillis) {}

    /**
     * The attempts that did the work of its tasks, by their start.
     *
     * @param after stages that had ended before it could begin, by their places, each before its own
     */
    public record Stage(List<Task> tasks, List<Integer> after) {}

    public record Task(long startMillis, long endMillis) {
        public long millis() {
            return endMillis - startMillis;
        }
    }

    /** CPU time in seconds, and bytes read, written and shuffled. */
    public record Counters(double cpuSeconds, double ioBytes) {}

    public int tasks() {
        return stages.stream().mapToInt(stage -> stage.tasks().size()).sum();
    }

    /** Tasks that an executor runs at once. */
    public int tasksAtOnce() {
        int cores = executors.stream().mapToInt(Executor::cores).max().orElse(1);
        return Math.max(1, cores / Math.max(1, number("spark.task.cpus", 1)));
    }

    /** A whole number among the properties; otherwise the fallback. */
    public int number(String property, int fallback) {
        String text = properties.getOrDefault(property, "").strip();
        return text.matches("\\d{1,9}") ? Integer.parseInt(text) : fallback;
    }

    /** The most executors that there were at once. */
    public int mostExecutors() {
        TreeMap<Long, Integer> changes = new TreeMap<>();
        for (Executor executor : executors) {
            changes.merge(executor.startMillis(), 1, Integer::sum);
            changes.merge(executor.endMillis(), -1, Integer::sum);
        }
        int most = 0;
        int now = 0;
        for (int change : changes.values()) {
            now += change;
            most = Math.max(most, now);
        }
        return Math.max(most, executors.isEmpty() ? 0 : 1);
    }

    /** Time of all its tasks, in seconds. */
    double work() {
        return stages.stream()
                        .flatMap(stage -> stage.tasks().stream())
                        .mapToLong(Task::millis)
                        .sum()
                / 1000.0;
    }

    /** Seconds in which no task ran: the driver's work, and waiting for the first executors. */
    public double outside() {
        long covered = 0;
        long until = submittedMillis;
        for (Task task : byStart()) {
            covered += Math.max(0, task.endMillis() - Math.max(until, task.startMillis()));
            until = Math.max(until, task.endMillis());
        }
        return (finishedMillis - submittedMillis - covered) / 1000.0;
    }

    private List<Task> byStart() {
        return stages.stream()
                .flatMap(stage -> stage.tasks().stream())
                .sorted((one, other) -> Long.compare(one.startMillis(), other.startMillis()))
                .toList();
    }

    /** Seconds from the start of the first task to the end of the last. */
    double span() {
        List<Task> tasks = byStart();
        if (tasks.isEmpty()) {
            return 0;
        }
        long end = tasks.stream().mapToLong(Task::endMillis).max().orElse(0);
        return (end - tasks.get(0).startMillis()) / 1000.0;
    }

    /** F(n) on n executors; null if no task took time. */
    @Nullable
    RuntimeModel curve() {
        double work = work();
        if (work <= 0) {
            return null;
        }
        int tasks = tasks();
        if (tasks > TaskModel.MOST_TASKS) {
            int rounds = (tasks + tasksAtOnce() - 1) / tasksAtOnce();
            return new WaveModel(rounds, work / tasks, outside());
        }
        List<TaskModel.Stage> all = stages.stream()
                .map(stage -> new TaskModel.Stage(
                        stage.tasks().stream()
                                .map(task -> task.millis() / 1000.0)
                                .toList(),
                        stage.after()))
                .toList();
        return new TaskModel(all, tasksAtOnce(), outside());
    }
}
