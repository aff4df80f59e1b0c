// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * F(n) from the tasks of one run, by list scheduling (Graham 1966): whenever a VM has room, it takes the next task of
 * the first stage that may run. So one history gives a curve.
 *
 * @param stages in the order in which they are served; with a task that takes time
 * @param atOnce tasks that one VM runs at once, &gt;= 1: 1 in MapReduce, the cores of an executor in Spark
 * @param offset seconds outside the tasks (start, commit), &gt;= 0
 */
public record TaskModel(List<Stage> stages, int atOnce, double offset) implements RuntimeModel {
    /** More tasks than these are not kept one by one: a file would not hold them, and single ones do not matter. */
    public static final int MOST_TASKS = 5_000;

    /**
     * Tasks that need not wait for each other: maps, reduces, a stage of Spark.
     *
     * @param seconds of each task, in the order in which they start
     * @param after stages that must have ended, by their places in the list, each before this one's
     */
    public record Stage(List<Double> seconds, List<Integer> after) {
        public Stage {
            seconds = List.copyOf(seconds);
            after = List.copyOf(after);
        }

        private Stage times(double factor) {
            return new Stage(seconds.stream().map(one -> one * factor).toList(), after);
        }
    }

    /** @throws IllegalArgumentException if a stage waits for itself or a later one */
    public TaskModel {
        stages = List.copyOf(stages);
        for (int i = 0; i < stages.size(); i++) {
            for (int before : stages.get(i).after()) {
                if (before < 0 || before >= i) {
                    throw new IllegalArgumentException("stage " + i + " waits for stage " + before);
                }
            }
        }
    }

    /** Maps, then reduces, which are counted from the end of the last map. */
    public static TaskModel ofMapsAndReduces(List<Double> maps, List<Double> reduces, double offset) {
        List<Stage> stages = new ArrayList<>();
        for (List<Double> tasks : List.of(maps, reduces)) {
            if (!tasks.isEmpty()) {
                stages.add(new Stage(tasks, stages.isEmpty() ? List.of() : List.of(0)));
            }
        }
        return new TaskModel(stages, 1, offset);
    }

    public int tasks() {
        return stages.stream().mapToInt(stage -> stage.seconds().size()).sum();
    }

    @Override
    public double seconds(int vms) {
        return offset + new Run((int) Math.min(tasks(), (long) vms * atOnce)).end();
    }

    @Override
    public TaskModel plus(double seconds) {
        return new TaskModel(stages, atOnce, offset + seconds);
    }

    @Override
    public TaskModel times(double factor) {
        return new TaskModel(stages.stream().map(stage -> stage.times(factor)).toList(), atOnce, offset * factor);
    }

    @Override
    public String formula() {
        String on = atOnce == 1 ? " on n VMs" : " on " + atOnce + " n slots";
        return String.format(Locale.ROOT, "%.6g + ", offset) + text() + on;
    }

    private String text() {
        if (stages.size() > 2) {
            double work = stages.stream()
                    .flatMap(stage -> stage.seconds().stream())
                    .mapToDouble(Double::doubleValue)
                    .sum();
            return String.format(Locale.ROOT, "%d tasks of %.4g in %d stages", tasks(), work / tasks(), stages.size());
        }
        return stages.stream().map(TaskModel::text).collect(Collectors.joining(", then "));
    }

    private static String text(Stage stage) {
        int tasks = stage.seconds().size();
        double mean = stage.seconds().stream()
                .mapToDouble(Double::doubleValue)
                .average()
                .orElse(0);
        return String.format(Locale.ROOT, "%d task%s of %.4g", tasks, tasks == 1 ? "" : "s", mean);
    }

    /** One run with a number of slots. */
    private final class Run {
        /** When each slot is free: a heap, the first at 0. */
        private final double[] free;
        /** Tasks of each stage that have begun. */
        private final int[] begun = new int[stages.size()];
        /** Stages before it that have tasks which have not begun. */
        private final int[] waitsFor = new int[stages.size()];
        /** When the stages before it have ended; final when it waits for none. */
        private final double[] ready = new double[stages.size()];
        /** When the last of its tasks ends. */
        private final double[] ends = new double[stages.size()];
        /** Stages that wait for none and have tasks which have not begun, in their order. */
        private final TreeSet<Integer> open = new TreeSet<>();

        private final List<List<Integer>> next = new ArrayList<>();

        Run(int slots) {
            free = new double[Math.max(1, slots)];
            for (int i = 0; i < stages.size(); i++) {
                next.add(new ArrayList<>());
                for (int before : stages.get(i).after()) {
                    next.get(before).add(i);
                    waitsFor[i]++;
                }
            }
            for (int i = 0; i < stages.size(); i++) {
                if (stages.get(i).after().isEmpty()) {
                    open(i);
                }
            }
        }

        private void open(int stage) {
            if (stages.get(stage).seconds().isEmpty()) {
                ends[stage] = ready[stage];
                close(stage);
            } else {
                open.add(stage);
            }
        }

        /** All tasks of a stage have begun, so it is known when it ends. */
        private void close(int stage) {
            open.remove(stage);
            for (int after : next.get(stage)) {
                ready[after] = Math.max(ready[after], ends[stage]);
                waitsFor[after]--;
                if (waitsFor[after] == 0) {
                    open(after);
                }
            }
        }

        double end() {
            while (!open.isEmpty()) {
                double now = free[0];
                double soonest = Double.POSITIVE_INFINITY;
                int stage = -1;
                for (int one : open) {
                    soonest = Math.min(soonest, ready[one]);
                    if (ready[one] <= now) {
                        stage = one;
                        break;
                    }
                }
                if (stage < 0) {
                    free[0] = soonest; // this slot waits for tasks that run
                } else {
                    begin(stage, now);
                }
                sink();
            }
            return Arrays.stream(ends).max().orElse(0);
        }

        private void begin(int stage, double now) {
            List<Double> tasks = stages.get(stage).seconds();
            free[0] = now + tasks.get(begun[stage]);
            begun[stage]++;
            ends[stage] = Math.max(ends[stage], free[0]);
            if (begun[stage] == tasks.size()) {
                close(stage);
            }
        }

        private void sink() {
            double value = free[0];
            int at = 0;
            for (int child = 1; child < free.length; child = 2 * at + 1) {
                if (child + 1 < free.length && free[child + 1] < free[child]) {
                    child++;
                }
                if (free[child] >= value) {
                    break;
                }
                free[at] = free[child];
                at = child;
            }
            free[at] = value;
        }
    }
}
