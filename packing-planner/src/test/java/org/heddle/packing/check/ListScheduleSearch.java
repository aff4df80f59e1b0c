// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.check;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.heddle.packing.model.Assignment;
import org.heddle.packing.model.Plan;

/**
 * Searches for a plan with free starts and without overcommit that is shorter than a given time: list scheduling with
 * random changes of the order and of the VM counts. It starts from the order of a known plan, and uses no code of the
 * planners.
 */
final class ListScheduleSearch {
    private static final int STEPS_BETWEEN_CHECKS = 64;
    private static final int MOST_NAMES = 12;

    private final BoundTimes times;
    private final RandomGenerator random;
    private final int[] order;
    private final int[] vms;
    private final double[] end;
    private final double[] free;

    ListScheduleSearch(BoundTimes times, Plan plan, RandomGenerator random) {
        this.times = times;
        this.random = random;
        order = new int[times.jobs];
        vms = new int[times.jobs];
        end = new double[times.jobs];
        free = new double[times.slots];
        Arrays.fill(vms, 1);
        Map<String, Assignment> first = new HashMap<>();
        plan.phases()
                .forEach(phase ->
                        phase.assignments().forEach(assignment -> first.putIfAbsent(assignment.job(), assignment)));
        List<Integer> jobs = new ArrayList<>();
        for (int j = 0; j < times.jobs; j++) {
            jobs.add(j);
            Assignment assignment = first.get(times.job(j).name());
            vms[j] = assignment == null ? 1 : Math.max(1, Math.min(times.slots, assignment.vms()));
        }
        jobs.sort(Comparator.comparingDouble(j -> {
            Assignment assignment = first.get(times.job(j).name());
            return assignment == null ? 0 : assignment.start();
        }));
        Arrays.setAll(order, jobs::get);
    }

    /** Seconds of the first plan found below {@code goal}, else of the shortest one found before the stop. */
    double shorterThan(double goal, BooleanSupplier mustStop) {
        double best = makespan();
        for (int i = 0; best >= goal; i++) {
            if (i % STEPS_BETWEEN_CHECKS == 0 && mustStop.getAsBoolean()) {
                break;
            }
            int[] oldOrder = order.clone();
            int[] oldVms = vms.clone();
            change();
            double seconds = makespan();
            if (seconds <= best) {
                best = seconds;
            } else {
                System.arraycopy(oldOrder, 0, order, 0, order.length);
                System.arraycopy(oldVms, 0, vms, 0, vms.length);
            }
        }
        makespan();
        return best;
    }

    private void change() {
        int job = random.nextInt(times.jobs);
        if (random.nextBoolean()) {
            int a = random.nextInt(times.jobs);
            int b = order[a];
            order[a] = order[job];
            order[job] = b;
        } else {
            int step = 1 + random.nextInt(Math.max(1, vms[job] / 4));
            vms[job] = Math.max(1, Math.min(times.slots, vms[job] + (random.nextBoolean() ? step : -step)));
        }
        if (random.nextInt(3) == 0) {
            change();
        }
    }

    /** Each job in turn starts on the slots that are free first. */
    private double makespan() {
        Arrays.fill(free, 0);
        double last = 0;
        for (int j : order) {
            double start = free[vms[j] - 1];
            end[j] = start + times.seconds(j, vms[j]);
            last = Math.max(last, end[j]);
            Arrays.fill(free, 0, vms[j], end[j]);
            Arrays.sort(free);
        }
        return last;
    }

    /** The order of the jobs and their VM counts, as a text. */
    String schedule() {
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < Math.min(MOST_NAMES, order.length); i++) {
            parts.add(times.job(order[i]).name() + " on " + vms[order[i]]);
        }
        return String.join(", ", parts) + (order.length > MOST_NAMES ? ", and so on" : "");
    }
}
