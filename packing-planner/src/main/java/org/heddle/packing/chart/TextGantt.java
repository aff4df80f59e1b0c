// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.chart;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import org.heddle.packing.model.Assignment;
import org.heddle.packing.model.Phase;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.PlanKind;
import org.heddle.packing.model.Problem;

/** A plan as text for a terminal: one bar for each job, with its VM count and its time. */
public final class TextGantt {
    private static final int NAME = 16;
    private final Problem problem;
    private final Plan plan;
    private final int columns;

    private TextGantt(Problem problem, Plan plan, int width) {
        this.problem = problem;
        this.plan = plan;
        columns = Math.max(20, width - NAME - 22);
    }

    /** Lines of at most {@code width} characters (at least 60). */
    public static String draw(Problem problem, Plan plan, int width) {
        return new TextGantt(problem, plan, width).draw();
    }

    private String draw() {
        StringBuilder text = new StringBuilder();
        text.append(String.format(
                Locale.ROOT,
                "%s: planner %s, %d jobs on %d machines x %d disks%n",
                problem.id(),
                plan.planner(),
                problem.jobs().size(),
                problem.machines(),
                problem.disks()));
        text.append(String.format(
                Locale.ROOT,
                "makespan %.6g s, lower bound %.6g s, %s (%s)%n",
                plan.makespan(),
                plan.lowerBound(),
                Chart.quality(problem, plan),
                plan.bound()));
        Map<String, Integer> order = Chart.of(problem, plan).jobOrder();
        for (int p = 0; p < plan.phases().size(); p++) {
            Phase phase = plan.phases().get(p);
            if (plan.kind() != PlanKind.NONPHASED) {
                text.append(String.format(
                        Locale.ROOT,
                        "phase %d: %s s from %s s%n",
                        p + 1,
                        SvgGantt.shown(phase.seconds()),
                        SvgGantt.shown(phase.start())));
            }
            phase.assignments().stream()
                    .sorted((x, y) -> Integer.compare(order.getOrDefault(x.job(), 0), order.getOrDefault(y.job(), 0)))
                    .forEach(assignment -> text.append(line(assignment)));
        }
        text.append(scale());
        text.append("#### normal  HHHH host  xxxx extra (beside hosts)  | lower bound\n");
        text.append(Chart.unknown(problem));
        return text.toString();
    }

    private String line(Assignment assignment) {
        char[] bar = new char[columns];
        Arrays.fill(bar, '.');
        int from = Math.min(column(assignment.start()), columns - 1);
        int to = Math.max(from + 1, column(assignment.end()));
        char fill = switch (assignment.role()) {
            case NORMAL -> '#';
            case HOST -> 'H';
            case EXTRA -> 'x';
        };
        Arrays.fill(bar, from, to, fill);
        int bound = Math.min(columns - 1, column(plan.lowerBound()));
        if (bar[bound] == '.') {
            bar[bound] = '|';
        }
        String name =
                assignment.job().length() > NAME ? assignment.job().substring(0, NAME - 1) + "~" : assignment.job();
        return String.format(
                Locale.ROOT,
                "  %-" + NAME + "s%s %5d VM %8.6gs%n",
                name,
                new String(bar),
                assignment.vms(),
                assignment.seconds());
    }

    /** Within the chart also for a plan whose times are wrong. */
    private int column(double seconds) {
        double column = Math.rint(columns * seconds / plan.makespan());
        return column > 0 ? (int) Math.min(column, columns) : 0;
    }

    private String scale() {
        String right = String.format(Locale.ROOT, "%.6g s", plan.makespan());
        return " ".repeat(NAME + 2) + "0" + " ".repeat(Math.max(1, columns - 1 - right.length())) + right + "\n";
    }
}
