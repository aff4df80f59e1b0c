// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.chart;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.heddle.packing.model.Assignment;
import org.heddle.packing.model.Phase;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.Problem;
import org.heddle.packing.model.Role;

/**
 * A plan as rectangles: time across, slots (disks, machine by machine) down. The VMs of an assignment that lie
 * side by side make one bar. Extras have no slot of their own; they are drawn as a strip over the slots
 * of their hosts.
 *
 * @param rows slots
 * @param seconds length of the time axis
 * @param bars in drawing order: primaries first
 */
public record Chart(int rows, double seconds, List<Bar> bars) {
    private static final int MOST_UNKNOWN = 5;

    /**
     * Neighbouring slots of one assignment.
     *
     * @param firstRow first slot
     * @param rows number of slots
     */
    public record Bar(String job, Role role, int vms, double start, double seconds, int firstRow, int rows) {
        public double end() {
            return start + seconds;
        }
    }

    public Chart {
        bars = List.copyOf(bars);
    }

    /** The chart of a placed plan. */
    public static Chart of(Problem problem, Plan plan) {
        List<Bar> primaries = new ArrayList<>();
        List<Bar> extras = new ArrayList<>();
        for (Phase phase : plan.phases()) {
            for (Assignment assignment : phase.assignments()) {
                boolean extra = assignment.role() == Role.EXTRA;
                int height = extra ? problem.ratio() : 1;
                int[] rows = assignment.placement().stream()
                        .mapToInt(vm -> vm.machine() * problem.disks() + vm.disk())
                        .sorted()
                        .toArray();
                if (extra) {
                    addStrips(assignment, rows, height, extras);
                } else {
                    addBars(assignment, rows, primaries);
                }
            }
        }
        primaries.addAll(extras);
        return new Chart(problem.slots(), plan.makespan(), primaries);
    }

    private static void addBars(Assignment assignment, int[] rows, List<Bar> bars) {
        for (int from = 0; from < rows.length; ) {
            int to = from + 1;
            while (to < rows.length && rows[to] == rows[to - 1] + 1) {
                to++;
            }
            bars.add(bar(assignment, rows[from], to - from));
            from = to;
        }
    }

    /** One strip per extra VM, over the disks of its hosts. */
    private static void addStrips(Assignment assignment, int[] rows, int height, List<Bar> bars) {
        for (int row : rows) {
            bars.add(bar(assignment, row, height));
        }
    }

    private static Bar bar(Assignment assignment, int row, int rows) {
        return new Bar(
                assignment.job(),
                assignment.role(),
                assignment.vms(),
                assignment.start(),
                assignment.seconds(),
                row,
                rows);
    }

    /** How good a plan is, in a few words: a proof is of the models, not of the jobs. */
    public static String quality(Problem problem, Plan plan) {
        int unknown = problem.unknown().size();
        String models = "the models";
        if (unknown > 0) {
            models = "models that do not know " + unknown + (unknown == 1 ? " thing" : " things");
        }
        if (plan.gap() == 0) {
            return "proven optimal by " + models;
        }
        return String.format(Locale.ROOT, "gap %.2f %% by %s", 100 * plan.gap(), models);
    }

    /** What the models of a problem do not know, as lines; no line if that is nothing. */
    public static String unknown(Problem problem) {
        List<String> all = problem.unknown();
        if (all.isEmpty()) {
            return "";
        }
        StringBuilder lines = new StringBuilder("Not known, so the times may be others:\n");
        all.stream()
                .limit(MOST_UNKNOWN)
                .forEach(one -> lines.append("- ").append(one).append('\n'));
        if (all.size() > MOST_UNKNOWN) {
            lines.append("- and ").append(all.size() - MOST_UNKNOWN).append(" more, which stand in the file\n");
        }
        return lines.toString();
    }

    /** The jobs in order of their first start; the index picks a colour. */
    public Map<String, Integer> jobOrder() {
        Bar[] byStart = bars.toArray(new Bar[0]);
        Arrays.sort(byStart, (x, y) -> {
            int order = Double.compare(x.start(), y.start());
            return order != 0 ? order : x.job().compareTo(y.job());
        });
        Map<String, Integer> order = new HashMap<>();
        for (Bar bar : byStart) {
            order.putIfAbsent(bar.job(), order.size());
        }
        return order;
    }
}
