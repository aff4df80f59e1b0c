// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.chart;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.heddle.packing.model.Phase;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.PlanKind;
import org.heddle.packing.model.Problem;
import org.heddle.packing.model.Role;
import org.heddle.packing.model.Vm;

/**
 * A plan as a self-contained SVG: slots down, time across, phases and the lower bound as lines, a legend, and, where a run
 * took place, predicted and actual times of each job below. The same plan always gives the same text.
 */
public final class SvgGantt {
    private static final int WIDTH = 1000;
    private static final int LEFT = 70;
    private static final int RIGHT = 30;
    private static final int TOP = 74;
    /** Pixels of a row, as long as the plot is not taller than {@link #TALLEST}. */
    private static final double LEAST_ROW = 7;

    private static final double TALLEST = 1_400;
    /** Width of a character of a label, and height and margin of its plate; pixels. */
    private static final double CHARACTER = 6.6;

    private static final double PLATE = 13;
    private static final double MARGIN = 3;
    /** Places along a bar where a number may go. */
    private static final int PLACES = 12;

    private final Problem problem;
    private final Plan plan;
    private final List<Actual> actuals;
    private final Chart chart;
    private final Map<String, Integer> order;
    private final StringBuilder svg = new StringBuilder();
    private final List<double[]> plates = new ArrayList<>();
    private final Set<String> labelled = new HashSet<>();
    private final double seconds;
    private final double rowHeight;
    private final double plotHeight;

    private SvgGantt(Problem problem, Plan plan, List<Actual> actuals) {
        this.problem = problem;
        this.plan = plan;
        this.actuals = actuals;
        chart = Chart.of(problem, plan);
        order = chart.jobOrder();
        double latest = actuals.stream().mapToDouble(Actual::end).max().orElse(0);
        seconds = Math.max(chart.seconds(), latest) * 1.02;
        rowHeight = Math.min(26, Math.max(520.0 / chart.rows(), Math.min(LEAST_ROW, TALLEST / chart.rows())));
        plotHeight = rowHeight * chart.rows();
    }

    /** The SVG text; {@code actuals} may be empty. */
    public static String draw(Problem problem, Plan plan, List<Actual> actuals) {
        return new SvgGantt(problem, plan, actuals).draw();
    }

    private double x(double at) {
        return LEFT + (WIDTH - LEFT - RIGHT) * at / seconds;
    }

    private String draw() {
        double legendTop = TOP + plotHeight + 46;
        int perLine = 4;
        double legendHeight = 20 * Math.ceil(order.size() / (double) perLine) + 39;
        double compareTop = legendTop + legendHeight;
        double height = compareTop + (actuals.isEmpty() ? 0 : 34 + 30 * order.size());
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %.0f\" width=\"%d\" height=\"%.0f\""
                        + " font-family=\"sans-serif\" font-size=\"12\" role=\"img\">",
                WIDTH, height, WIDTH, height);
        add("<title>%s</title>", escape("Plan of " + problem.id() + " by " + plan.planner()));
        add("<defs><pattern id=\"over\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\""
                + " patternTransform=\"rotate(45)\"><rect width=\"3\" height=\"6\" fill=\"#ffffff\""
                + " fill-opacity=\"0.45\"/></pattern>" + JobFills.definitions() + "</defs>");
        add("<rect width=\"%d\" height=\"%.0f\" fill=\"#ffffff\"/>", WIDTH, height);
        text(LEFT, 22, "start", "16", "bold", problem.id() + ", planner " + plan.planner());
        text(
                LEFT,
                42,
                "start",
                "12",
                "normal",
                String.format(
                        Locale.ROOT,
                        "makespan %.6g s, lower bound %.6g s (%s), %s",
                        plan.makespan(),
                        plan.lowerBound(),
                        plan.bound(),
                        plan.gap() == 0
                                ? "proven optimal"
                                : String.format(Locale.ROOT, "gap %.2f %%", 100 * plan.gap())));
        axes();
        chart.bars().forEach(this::bar);
        phases();
        chart.bars().forEach(this::label);
        numberTheRest();
        line(plan.lowerBound(), "#c00000", "5 3");
        legend(legendTop, perLine);
        if (!actuals.isEmpty()) {
            compare(compareTop);
        }
        add("</svg>");
        return svg.toString();
    }

    private void axes() {
        add(
                "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%.1f\" fill=\"#f4f4f4\" stroke=\"#888888\"/>",
                LEFT, TOP, WIDTH - LEFT - RIGHT, plotHeight);
        double machineHeight = rowHeight * problem.disks();
        int every = (int) Math.max(1, Math.ceil(14 / machineHeight));
        for (int m = 0; m < problem.machines(); m += every) {
            double y = TOP + m * machineHeight;
            if (m > 0) {
                add(
                        "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#d0d0d0\"/>",
                        LEFT, y, WIDTH - RIGHT, y);
            }
            text(LEFT - 6, y + Math.min(machineHeight, 14 * every) / 2 + 4, "end", "11", "normal", "m" + m);
        }
        double step = niceStep(seconds / 8);
        for (double t = 0; t <= seconds; t += step) {
            add(
                    "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#888888\"/>",
                    x(t), TOP + plotHeight, x(t), TOP + plotHeight + 5);
            text(x(t), TOP + plotHeight + 18, "middle", "11", "normal", shown(t) + " s");
        }
    }

    static double niceStep(double rough) {
        double power = Math.pow(10, Math.floor(Math.log10(rough)));
        double times = rough / power;
        return power * (times <= 1 ? 1 : times <= 2 ? 2 : times <= 5 ? 5 : 10);
    }

    /** Top and height of a bar. An extra is a strip over the lower part of the disks of its hosts. */
    private double[] place(Chart.Bar bar) {
        double y = TOP + bar.firstRow() * rowHeight;
        double height = bar.rows() * rowHeight;
        return bar.role() == Role.EXTRA ? new double[] {y + height * 0.55, height * 0.4} : new double[] {y, height};
    }

    private void bar(Chart.Bar bar) {
        double y = place(bar)[0];
        double height = place(bar)[1];
        double width = x(bar.end()) - x(bar.start());
        String tip = String.format(
                Locale.ROOT,
                "%s (%s), %s, %.6g to %.6g s",
                bar.job(),
                bar.role().key(),
                Vm.count(bar.vms()),
                bar.start(),
                bar.end());
        add("<g><title>%s</title>", escape(tip));
        fill(order.getOrDefault(bar.job(), 0), x(bar.start()), y, width, height);
        if (bar.role() == Role.EXTRA) {
            add(
                    "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"url(#over)\""
                            + " stroke=\"#333333\" stroke-width=\"0.8\"/>",
                    x(bar.start()), y, width, height);
        }
        add("</g>");
    }

    /** A rectangle in the colour and pattern of a job. */
    private void fill(int job, double x, double y, double width, double height) {
        String rectangle = "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\""
                + " stroke=\"#ffffff\" stroke-width=\"%.1f\"/>";
        double border = height < LEAST_ROW ? 0.2 : 0.8;
        add(rectangle, x, y, width, height, JobFills.colour(job), border);
        if (!JobFills.pattern(job).isEmpty()) {
            add(rectangle, x, y, width, height, "url(#" + JobFills.pattern(job) + ")", border);
        }
    }

    /** Name and VM count on a white plate, or the number of the job where that does not fit, or nothing. */
    private void label(Chart.Bar bar) {
        double[] place = place(bar);
        double width = x(bar.end()) - x(bar.start());
        int number = order.getOrDefault(bar.job(), 0) + 1;
        double middle = x(bar.start()) + width / 2;
        double y = place[0] + place[1] / 2;
        if (bar.role() == Role.HOST) {
            y = place[0] + Math.max(PLATE / 2, Math.min(place[1], problem.ratio() * rowHeight) * 0.28);
        }
        for (String text : new String[] {bar.job() + " (" + bar.vms() + ")", Integer.toString(number)}) {
            boolean fits =
                    CHARACTER * text.length() + 2 * MARGIN <= width && PLATE <= Math.max(place[1], rowHeight) + 1;
            if (fits && plate(middle, y, text)) {
                labelled.add(bar.job());
                return;
            }
        }
    }

    /** Writes a text on a white plate. False if another plate is in the way. */
    private boolean plate(double middle, double y, String text) {
        double wide = CHARACTER * text.length() + 2 * MARGIN;
        double[] plate = {middle - wide / 2, y - PLATE / 2, middle + wide / 2, y + PLATE / 2};
        for (double[] other : plates) {
            if (other[0] < plate[2] && plate[0] < other[2] && other[1] < plate[3] && plate[1] < other[3]) {
                return false;
            }
        }
        plates.add(plate);
        add(
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"3\" fill=\"#ffffff\""
                        + " fill-opacity=\"0.88\"/>",
                plate[0], plate[1], wide, PLATE);
        text(middle, y + 4, "middle", "11", "normal", text);
        return true;
    }

    /** The numbers of the jobs without a label: on a bar of theirs, over its neighbours if it is thin. */
    private void numberTheRest() {
        for (Chart.Bar bar : chart.bars()) {
            double width = x(bar.end()) - x(bar.start());
            String number = Integer.toString(order.getOrDefault(bar.job(), 0) + 1);
            if (labelled.contains(bar.job()) || CHARACTER * number.length() > width) {
                continue;
            }
            double y = place(bar)[0] + place(bar)[1] / 2;
            for (int i = 1; i < PLACES && !labelled.contains(bar.job()); i++) {
                if (plate(x(bar.start()) + width * i / PLACES, y, number)) {
                    labelled.add(bar.job());
                }
            }
        }
    }

    /** A line at the start of each phase but the first, and the number of each phase above the plot. */
    private void phases() {
        if (plan.kind() == PlanKind.NONPHASED) {
            return;
        }
        for (int i = 0; i < plan.phases().size(); i++) {
            Phase phase = plan.phases().get(i);
            double from = x(phase.start());
            double width = x(phase.start() + phase.seconds()) - from;
            if (i > 0) {
                add(
                        "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#111111\""
                                + " stroke-width=\"1.2\"/>",
                        from, TOP - 14, from, TOP + plotHeight);
            }
            String number = Integer.toString(i + 1);
            String name = "phase " + number;
            String shown = CHARACTER * name.length() <= width ? name : number;
            if (CHARACTER * shown.length() <= width) {
                text(from + width / 2, TOP - 4, "middle", "11", "normal", shown);
            }
        }
    }

    private void line(double at, String colour, String dashes) {
        add(
                "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"1.6\""
                        + " stroke-dasharray=\"%s\"/>",
                x(at), TOP - 6, x(at), TOP + plotHeight, colour, dashes);
    }

    private void legend(double top, int perLine) {
        List<Map.Entry<String, Integer>> jobs = order.entrySet().stream()
                .sorted(Map.Entry.comparingByValue(Comparator.naturalOrder()))
                .toList();
        for (int i = 0; i < jobs.size(); i++) {
            double x = LEFT + (i % perLine) * ((WIDTH - LEFT - RIGHT) / (double) perLine);
            int line = i / perLine;
            double y = top + 20.0 * line;
            fill(i, x, y - 11, 22, 14);
            text(
                    x + 28,
                    y,
                    "start",
                    "12",
                    "normal",
                    (i + 1) + "  " + shortened(jobs.get(i).getKey(), 26));
        }
        double y = top + 20.0 * Math.ceil(jobs.size() / (double) perLine);
        text(
                LEFT,
                y,
                "start",
                "11",
                "normal",
                "Rows are disks, machine by machine. Labels are a job's name and VM count, or its number. White"
                        + " diagonal hatching: extra VMs on overcommitted machines.");
        text(LEFT, y + 15, "start", "11", "normal", "Dashed red line: lower bound. Black lines: starts of phases.");
    }

    private void compare(double top) {
        text(LEFT, top + 14, "start", "13", "bold", "Predicted (pale) and actual times of jobs");
        int row = 0;
        for (Map.Entry<String, Integer> job : order.entrySet().stream()
                .sorted(Map.Entry.comparingByValue(Comparator.naturalOrder()))
                .toList()) {
            double y = top + 24 + 30.0 * row++;
            double[] planned = planned(job.getKey());
            add(
                    "<rect x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"11\" fill=\"%s\" fill-opacity=\"0.4\"/>",
                    x(planned[0]), y, x(planned[1]) - x(planned[0]), JobFills.colour(job.getValue()));
            for (Actual actual : actuals) {
                if (actual.job().equals(job.getKey())) {
                    add(
                            "<rect x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"11\" fill=\"%s\"/>",
                            x(actual.start()),
                            y + 12,
                            Math.max(0.5, x(actual.end()) - x(actual.start())),
                            JobFills.colour(job.getValue()));
                }
            }
            text(LEFT - 6, y + 15, "end", "11", "normal", shortened(job.getValue() + 1 + " " + job.getKey(), 10));
        }
    }

    /** Leaves out the middle, because names of jobs often begin alike. */
    static String shortened(String name, int most) {
        int[] letters = name.codePoints().toArray();
        if (letters.length <= most) {
            return name;
        }
        int head = (most - 1) / 2;
        int tail = most - 1 - head;
        return new String(letters, 0, head) + "…" + new String(letters, letters.length - tail, tail);
    }

    private double[] planned(String job) {
        double start = Double.POSITIVE_INFINITY;
        double end = 0;
        for (Chart.Bar bar : chart.bars()) {
            if (bar.job().equals(job)) {
                start = Math.min(start, bar.start());
                end = Math.max(end, bar.end());
            }
        }
        return new double[] {start, end};
    }

    private void text(double x, double y, String anchor, String size, String weight, String text) {
        add(
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-size=\"%s\" font-weight=\"%s\""
                        + " fill=\"#111111\">%s</text>",
                x, y, anchor, size, weight, escape(text));
    }

    private void add(String format, Object... values) {
        svg.append(values.length == 0 ? format : String.format(Locale.ROOT, format, values))
                .append('\n');
    }

    /** Six digits without trailing zeros. */
    static String shown(double value) {
        String text = String.format(Locale.ROOT, "%.6g", value);
        return text.contains(".") && !text.contains("e")
                ? text.replaceAll("0+$", "").replaceAll("[.]$", "")
                : text;
    }

    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
