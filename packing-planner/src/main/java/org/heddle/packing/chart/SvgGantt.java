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
 * A plan as a self-contained SVG: slots down, time across, phases and the lower bound as lines, a legend, and, where a
 * run took place, predicted and actual times of each job below. The same plan always gives the same text.
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
    private static final double LEGEND_LINE = 20;
    private static final int LEGEND_COLUMNS = 4;
    /** Places along a bar where a number may go. */
    private static final int PLACES = 12;

    private final Problem problem;
    private final Plan plan;
    private final List<Actual> actuals;
    private final Chart chart;
    private final Map<String, Integer> order;
    private final Svg svg;
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
        svg = new Svg(WIDTH, height(), "Plan of " + problem.id() + " by " + plan.planner());
    }

    /** The SVG text; {@code actuals} may be empty. */
    public static String draw(Problem problem, Plan plan, List<Actual> actuals) {
        return new SvgGantt(problem, plan, actuals).draw();
    }

    private double x(double at) {
        return LEFT + (WIDTH - LEFT - RIGHT) * at / seconds;
    }

    private String draw() {
        svg.add("<defs><pattern id=\"over\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\""
                + " patternTransform=\"rotate(45)\"><rect width=\"3\" height=\"6\" fill=\"#ffffff\""
                + " fill-opacity=\"0.45\"/></pattern>" + JobFills.definitions() + "</defs>");
        svg.heading(LEFT, 22, 16, problem.id() + ", planner " + plan.planner());
        svg.text(
                LEFT,
                42,
                "start",
                12,
                String.format(
                        Locale.ROOT,
                        "makespan %.6g s, lower bound %.6g s (%s), %s",
                        plan.makespan(),
                        plan.lowerBound(),
                        plan.bound(),
                        Chart.quality(problem, plan)));
        axes();
        chart.bars().forEach(this::bar);
        phases();
        chart.bars().forEach(this::label);
        numberTheRest();
        double bound = x(plan.lowerBound());
        svg.line(
                bound,
                TOP - 6,
                bound,
                TOP + plotHeight,
                "stroke=\"#c00000\" stroke-width=\"1.6\" stroke-dasharray=\"5 3\"");
        legend(legendTop());
        if (!actuals.isEmpty()) {
            compare(legendTop() + legendHeight());
        }
        return svg.finished();
    }

    private double legendTop() {
        return TOP + plotHeight + 46;
    }

    private double legendHeight() {
        return LEGEND_LINE * Math.ceil(order.size() / (double) LEGEND_COLUMNS) + 39;
    }

    private double height() {
        double compared = actuals.isEmpty() ? 0 : 34 + 30.0 * order.size();
        return legendTop() + legendHeight() + compared;
    }

    private void axes() {
        svg.rectangle(LEFT, TOP, WIDTH - LEFT - RIGHT, plotHeight, "fill=\"#f4f4f4\" stroke=\"#888888\"");
        double machineHeight = rowHeight * problem.disks();
        int every = (int) Math.max(1, Math.ceil(14 / machineHeight));
        for (int m = 0; m < problem.machines(); m += every) {
            double y = TOP + m * machineHeight;
            if (m > 0) {
                svg.line(LEFT, y, WIDTH - RIGHT, y, "stroke=\"#d0d0d0\"");
            }
            svg.text(LEFT - 6, y + Math.min(machineHeight, 14 * every) / 2 + 4, "end", 11, "m" + m);
        }
        double step = niceStep(seconds / 8);
        for (double t = 0; t <= seconds; t += step) {
            svg.line(x(t), TOP + plotHeight, x(t), TOP + plotHeight + 5, "stroke=\"#888888\"");
            svg.text(x(t), TOP + plotHeight + 18, "middle", 11, shown(t) + " s");
        }
    }

    static double niceStep(double rough) {
        double power = Math.pow(10, Math.floor(Math.log10(rough)));
        double times = rough / power;
        for (int nice : new int[] {1, 2, 5}) {
            if (times <= nice) {
                return nice * power;
            }
        }
        return 10 * power;
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
        svg.add("<g><title>%s</title>", Svg.escape(tip));
        fill(order.getOrDefault(bar.job(), 0), x(bar.start()), y, width, height);
        if (bar.role() == Role.EXTRA) {
            String hatched = "fill=\"url(#over)\" stroke=\"#333333\" stroke-width=\"0.8\"";
            svg.rectangle(x(bar.start()), y, width, height, hatched);
        }
        svg.add("</g>");
    }

    /** A rectangle in the colour and pattern of a job. */
    private void fill(int job, double x, double y, double width, double height) {
        String border = height < LEAST_ROW ? "0.2" : "0.8";
        String edge = "\" stroke=\"#ffffff\" stroke-width=\"" + border + "\"";
        svg.rectangle(x, y, width, height, "fill=\"" + JobFills.colour(job) + edge);
        if (!JobFills.pattern(job).isEmpty()) {
            svg.rectangle(x, y, width, height, "fill=\"url(#" + JobFills.pattern(job) + ")" + edge);
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
        svg.rectangle(plate[0], plate[1], wide, PLATE, "rx=\"3\" fill=\"#ffffff\" fill-opacity=\"0.88\"");
        svg.text(middle, y + 4, "middle", 11, text);
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
                svg.line(from, TOP - 14, from, TOP + plotHeight, "stroke=\"#111111\" stroke-width=\"1.2\"");
            }
            String number = Integer.toString(i + 1);
            String name = "phase " + number;
            String shown = CHARACTER * name.length() <= width ? name : number;
            if (CHARACTER * shown.length() <= width) {
                svg.text(from + width / 2, TOP - 4, "middle", 11, shown);
            }
        }
    }

    private void legend(double top) {
        List<Map.Entry<String, Integer>> jobs = order.entrySet().stream()
                .sorted(Map.Entry.comparingByValue(Comparator.naturalOrder()))
                .toList();
        for (int i = 0; i < jobs.size(); i++) {
            double x = LEFT + (i % LEGEND_COLUMNS) * ((WIDTH - LEFT - RIGHT) / (double) LEGEND_COLUMNS);
            int line = i / LEGEND_COLUMNS;
            double y = top + LEGEND_LINE * line;
            fill(i, x, y - 11, 22, 14);
            svg.text(
                    x + 28,
                    y,
                    "start",
                    12,
                    (i + 1) + "  " + shortened(jobs.get(i).getKey(), 26));
        }
        double y = top + LEGEND_LINE * Math.ceil(jobs.size() / (double) LEGEND_COLUMNS);
        svg.text(
                LEFT,
                y,
                "start",
                11,
                "Rows are disks, machine by machine. Labels are a job's name and VM count, or its number. White"
                        + " diagonal hatching: extra VMs on overcommitted machines.");
        svg.text(LEFT, y + 15, "start", 11, "Dashed red line: lower bound. Black lines: starts of phases.");
    }

    private void compare(double top) {
        svg.heading(LEFT, top + 14, 13, "Predicted (pale) and actual times of jobs");
        int row = 0;
        for (Map.Entry<String, Integer> job : order.entrySet().stream()
                .sorted(Map.Entry.comparingByValue(Comparator.naturalOrder()))
                .toList()) {
            double y = top + 24 + 30.0 * row++;
            double[] planned = planned(job.getKey());
            String fill = "fill=\"" + JobFills.colour(job.getValue()) + "\"";
            svg.rectangle(x(planned[0]), y, x(planned[1]) - x(planned[0]), 11, fill + " fill-opacity=\"0.4\"");
            for (Actual actual : actuals) {
                if (actual.job().equals(job.getKey())) {
                    double width = Math.max(0.5, x(actual.end()) - x(actual.start()));
                    svg.rectangle(x(actual.start()), y + 12, width, 11, fill);
                }
            }
            svg.text(LEFT - 6, y + 15, "end", 11, shortened(job.getValue() + 1 + " " + job.getKey(), 10));
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

    /** Six digits without trailing zeros. */
    static String shown(double value) {
        String text = String.format(Locale.ROOT, "%.6g", value);
        if (!text.contains(".") || text.contains("e")) {
            return text;
        }
        return text.replaceAll("0+$", "").replaceAll("[.]$", "");
    }
}
