// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.chart;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.Problem;
import org.heddle.packing.model.Role;

/**
 * A plan as a self-contained SVG: slots down, time across, the lower bound as a line, and, where a run
 * took place, predicted against actual times per job below. The same plan always gives the same text.
 */
public final class SvgGantt {
    private static final String[] COLOURS = {
        "#4e79a7", "#f28e2b", "#59a14f", "#e15759", "#76b7b2", "#b07aa1", "#edc948", "#9c755f", "#ff9da7", "#86bcb6",
        "#d37295", "#8cd17d"
    };
    private static final int WIDTH = 1000;
    private static final int LEFT = 70;
    private static final int RIGHT = 30;
    private static final int TOP = 58;

    private final Problem problem;
    private final Plan plan;
    private final List<Actual> actuals;
    private final Chart chart;
    private final Map<String, Integer> order;
    private final StringBuilder svg = new StringBuilder();
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
        rowHeight = Math.max(0.02, Math.min(26, 520.0 / chart.rows()));
        plotHeight = rowHeight * chart.rows();
    }

    /** The SVG text; {@code actuals} may be empty. */
    public static String draw(Problem problem, Plan plan, List<Actual> actuals) {
        return new SvgGantt(problem, plan, actuals).draw();
    }

    static String colour(int index) {
        return COLOURS[index % COLOURS.length];
    }

    private double x(double at) {
        return LEFT + (WIDTH - LEFT - RIGHT) * at / seconds;
    }

    private String draw() {
        double legendTop = TOP + plotHeight + 46;
        int perLine = 4;
        double legendHeight = 20 * Math.ceil(order.size() / (double) perLine) + 24;
        double compareTop = legendTop + legendHeight;
        double height = compareTop + (actuals.isEmpty() ? 0 : 34 + 30 * order.size());
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %.0f\" width=\"%d\" height=\"%.0f\""
                        + " font-family=\"sans-serif\" font-size=\"12\" role=\"img\">",
                WIDTH, height, WIDTH, height);
        add("<title>%s</title>", escape("Plan of " + problem.id() + " by " + plan.planner()));
        add("<defs><pattern id=\"over\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\""
                + " patternTransform=\"rotate(45)\"><rect width=\"3\" height=\"6\" fill=\"#ffffff\""
                + " fill-opacity=\"0.45\"/></pattern></defs>");
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

    private void bar(Chart.Bar bar) {
        double y = TOP + bar.firstRow() * rowHeight;
        double height = bar.rows() * rowHeight;
        double width = x(bar.end()) - x(bar.start());
        String colour = colour(order.getOrDefault(bar.job(), 0));
        if (bar.role() == Role.EXTRA) {
            y += height * 0.55;
            height *= 0.4;
        }
        String tip = String.format(
                Locale.ROOT,
                "%s (%s), %d VMs, %.6g to %.6g s",
                bar.job(),
                bar.role().key(),
                bar.vms(),
                bar.start(),
                bar.end());
        add(
                "<g><title>%s</title><rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\""
                        + " stroke=\"#ffffff\" stroke-width=\"0.8\"/>",
                escape(tip), x(bar.start()), y, width, height, colour);
        if (bar.role() == Role.EXTRA) {
            add(
                    "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"url(#over)\""
                            + " stroke=\"#333333\" stroke-width=\"0.8\"/>",
                    x(bar.start()), y, width, height);
        }
        String label = bar.job() + " (" + bar.vms() + ")";
        if (height >= 12 && width >= 7.0 * label.length()) {
            double middle = bar.role() == Role.HOST ? y + Math.min(height, 2 * rowHeight) * 0.3 : y + height / 2;
            add(
                    "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" fill=\"#111111\" paint-order=\"stroke\""
                            + " stroke=\"#ffffff\" stroke-width=\"2.4\" stroke-opacity=\"0.75\">%s</text>",
                    x(bar.start()) + width / 2, middle + 4, escape(label));
        }
        add("</g>");
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
            add("<rect x=\"%.1f\" y=\"%.1f\" width=\"12\" height=\"12\" fill=\"%s\"/>", x, y - 10, colour(i));
            text(x + 18, y, "start", "12", "normal", jobs.get(i).getKey());
        }
        double y = top + 20.0 * Math.ceil(jobs.size() / (double) perLine);
        text(
                LEFT,
                y,
                "start",
                "11",
                "normal",
                "Rows are disks, machine by machine; (n) is a job's VM count. Hatched strips are extra VMs on"
                        + " overcommitted machines. Dashed: lower bound.");
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
                    x(planned[0]), y, x(planned[1]) - x(planned[0]), colour(job.getValue()));
            for (Actual actual : actuals) {
                if (actual.job().equals(job.getKey())) {
                    add(
                            "<rect x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"11\" fill=\"%s\"/>",
                            x(actual.start()),
                            y + 12,
                            Math.max(0.5, x(actual.end()) - x(actual.start())),
                            colour(job.getValue()));
                }
            }
            text(LEFT - 6, y + 15, "end", "11", "normal", shortened(job.getKey()));
        }
    }

    private static String shortened(String name) {
        return name.length() <= 10 ? name : name.substring(0, 9) + "…";
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
