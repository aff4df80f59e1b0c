// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.model;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * F(n) from the tasks of one run, by list scheduling (Graham 1966): each of the n VMs takes the next task when it is
 * free, the maps first, then the reduces, which are counted from the end of the last map. So one history gives a curve.
 *
 * @param maps seconds of each map, in the order in which they started; with the reduces at least one
 * @param reduces seconds of each reduce from the end of the last map on
 * @param offset seconds outside the tasks (start, commit), &gt;= 0
 */
public record TaskModel(List<Double> maps, List<Double> reduces, double offset) implements RuntimeModel {
    public TaskModel {
        maps = List.copyOf(maps);
        reduces = List.copyOf(reduces);
    }

    @Override
    public double seconds(int vms) {
        return offset + last(maps, vms) + last(reduces, vms);
    }

    /** When the last of these tasks ends, if all VMs are free at 0. */
    private static double last(List<Double> tasks, int vms) {
        if (vms >= tasks.size()) {
            return tasks.stream().mapToDouble(Double::doubleValue).max().orElse(0);
        }
        double[] free = new double[vms]; // a heap: the VM that is free first is at 0
        for (double seconds : tasks) {
            free[0] += seconds;
            sink(free);
        }
        return Arrays.stream(free).max().orElse(0);
    }

    private static void sink(double[] heap) {
        double value = heap[0];
        int at = 0;
        for (int child = 1; child < heap.length; child = 2 * at + 1) {
            if (child + 1 < heap.length && heap[child + 1] < heap[child]) {
                child++;
            }
            if (heap[child] >= value) {
                break;
            }
            heap[at] = heap[child];
            at = child;
        }
        heap[at] = value;
    }

    @Override
    public TaskModel plus(double seconds) {
        return new TaskModel(maps, reduces, offset + seconds);
    }

    @Override
    public TaskModel times(double factor) {
        return new TaskModel(times(maps, factor), times(reduces, factor), offset * factor);
    }

    private static List<Double> times(List<Double> tasks, double factor) {
        return tasks.stream().map(seconds -> seconds * factor).toList();
    }

    @Override
    public String formula() {
        return String.format(
                Locale.ROOT, "%.6g + %s%s%s", offset, tasks(maps, "map"), join(), tasks(reduces, "reduce"));
    }

    private String join() {
        return maps.isEmpty() || reduces.isEmpty() ? "" : ", then ";
    }

    private static String tasks(List<Double> tasks, String kind) {
        if (tasks.isEmpty()) {
            return "";
        }
        double mean = tasks.stream().mapToDouble(Double::doubleValue).average().orElse(0);
        return String.format(
                Locale.ROOT, "%d %s%s of %.4g on n VMs", tasks.size(), kind, tasks.size() == 1 ? "" : "s", mean);
    }
}
