// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.chart;

import java.util.List;
import java.util.Locale;
import java.util.function.IntToDoubleFunction;
import org.heddle.packing.fit.FittedModel;
import org.heddle.packing.fit.Measurement;
import org.heddle.packing.fit.ModelFit;

/** Measured points and the fitted curve of one job as a self-contained SVG, both axes logarithmic. */
public final class FitPlot {
    private static final int WIDTH = 640;
    private static final int HEIGHT = 420;
    private static final int LEFT = 80;
    private static final int RIGHT = 20;
    private static final int TOP = 50;
    private static final int BOTTOM = 50;

    private final double lowN;
    private final double highN;
    private final double lowT;
    private final double highT;

    private FitPlot(List<Measurement> runs, FittedModel fit, int most) {
        lowN = 1 / 1.15;
        highN = 1.15 * Math.max(most, 2);
        double curveLow = fit.model().seconds(most);
        double curveHigh = fit.model().seconds(1);
        lowT = 0.75
                * Math.min(
                        curveLow,
                        runs.stream().mapToDouble(Measurement::seconds).min().orElse(curveLow));
        highT = 1.3
                * Math.max(
                        curveHigh,
                        runs.stream().mapToDouble(Measurement::seconds).max().orElse(curveHigh));
    }

    /**
     * @param most largest n to draw; the curve is dashed where it extrapolates
     * @param band factor by which the curve may be off at n with 90 % confidence; NaN where unknown
     */
    public static String draw(String job, List<Measurement> runs, FittedModel fit, int most, IntToDoubleFunction band) {
        return new FitPlot(runs, fit, most).draw(job, runs, fit, most, band, new StringBuilder());
    }

    private double x(double n) {
        return LEFT + (WIDTH - LEFT - RIGHT) * Math.log(n / lowN) / Math.log(highN / lowN);
    }

    private double y(double t) {
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * Math.log(t / lowT) / Math.log(highT / lowT);
    }

    private String draw(
            String job,
            List<Measurement> runs,
            FittedModel fit,
            int most,
            IntToDoubleFunction band,
            StringBuilder svg) {
        line(
                svg,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\""
                        + " font-family=\"sans-serif\" font-size=\"12\">",
                WIDTH,
                HEIGHT,
                WIDTH,
                HEIGHT);
        line(svg, "<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>", WIDTH, HEIGHT);
        line(
                svg,
                "<text x=\"%d\" y=\"22\" font-size=\"15\" font-weight=\"bold\">%s</text>",
                LEFT,
                SvgGantt.escape(job));
        line(
                svg,
                "<text x=\"%d\" y=\"40\">F(n) = %s s, leave-one-out error %s</text>",
                LEFT,
                SvgGantt.escape(fit.model().formula()),
                Double.isNaN(fit.leaveOneOutError())
                        ? "unknown (too few points)"
                        : String.format(Locale.ROOT, "%.1f %%", 100 * fit.leaveOneOutError()));
        axes(svg);
        if (!Double.isNaN(band.applyAsDouble(1))) {
            StringBuilder area = new StringBuilder();
            for (int n = 1; n <= most; n++) {
                area.append(point(n, fit.model().seconds(n) * band.applyAsDouble(n)));
            }
            for (int n = most; n >= 1; n--) {
                area.append(point(n, Math.max(lowT, fit.model().seconds(n) / band.applyAsDouble(n))));
            }
            line(
                    svg,
                    "<polygon points=\"%s\" fill=\"#4e79a7\" fill-opacity=\"0.18\"/>",
                    area.toString().trim());
        }
        curve(svg, fit, 1, fit.fewest(), true);
        curve(svg, fit, fit.fewest(), fit.most(), false);
        curve(svg, fit, fit.most(), most, true);
        List<Measurement> leftOut = ModelFit.leftOut(runs);
        for (Measurement run : runs) {
            boolean out = leftOut.contains(run);
            line(
                    svg,
                    "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4.5\" fill=\"%s\" stroke=\"#e15759\"><title>%s</title></circle>",
                    x(run.vms()),
                    y(run.seconds()),
                    out ? "#ffffff" : "#e15759",
                    SvgGantt.escape(String.format(
                            Locale.ROOT,
                            "n = %d, %.6g s, %s%s",
                            run.vms(),
                            run.seconds(),
                            run.source(),
                            out ? ", left out" : "")));
        }
        if (!leftOut.isEmpty()) {
            line(
                    svg,
                    "<text x=\"%d\" y=\"%d\" text-anchor=\"end\" font-size=\"12\">hollow: left out</text>",
                    WIDTH - RIGHT,
                    TOP - 8);
        }
        return svg.append("</svg>\n").toString();
    }

    private String point(int n, double t) {
        return String.format(Locale.ROOT, "%.1f,%.1f ", x(n), y(Math.min(highT, t)));
    }

    private void curve(StringBuilder svg, FittedModel fit, int from, int to, boolean dashed) {
        if (to <= from) {
            return;
        }
        StringBuilder points = new StringBuilder();
        for (int n = from; n <= to; n++) {
            points.append(point(n, fit.model().seconds(n)));
        }
        line(
                svg,
                "<polyline points=\"%s\" fill=\"none\" stroke=\"#4e79a7\" stroke-width=\"2\"%s/>",
                points.toString().trim(),
                dashed ? " stroke-dasharray=\"5 4\"" : "");
    }

    private void axes(StringBuilder svg) {
        line(
                svg,
                "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#888888\"/>",
                LEFT,
                TOP,
                WIDTH - LEFT - RIGHT,
                HEIGHT - TOP - BOTTOM);
        double factor = highN > 64 ? 4 : 2;
        for (double n = 1; n <= highN; n *= factor) {
            line(
                    svg,
                    "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#dddddd\"/>",
                    x(n),
                    TOP,
                    x(n),
                    HEIGHT - BOTTOM);
            line(svg, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.0f</text>", x(n), HEIGHT - BOTTOM + 18, n);
        }
        double decades = Math.log10(highT / lowT);
        double[] marks = decades > 2.5
                ? new double[] {1}
                : decades > 0.9 ? new double[] {1, 2, 5} : new double[] {1, 1.5, 2, 3, 4, 5, 6, 8};
        for (double power = Math.pow(10, Math.floor(Math.log10(lowT))); power <= highT; power *= 10) {
            for (double mark : marks) {
                double t = mark * power;
                if (t >= lowT && t <= highT) {
                    line(
                            svg,
                            "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#dddddd\"/>",
                            LEFT,
                            y(t),
                            WIDTH - RIGHT,
                            y(t));
                    line(svg, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.4g</text>", LEFT - 8, y(t) + 4, t);
                }
            }
        }
        line(
                svg,
                "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">VMs (containers at once)</text>",
                (LEFT + WIDTH - RIGHT) / 2,
                HEIGHT - 12);
        line(
                svg,
                "<text x=\"18\" y=\"%d\" text-anchor=\"middle\" transform=\"rotate(-90 18 %d)\">seconds</text>",
                (TOP + HEIGHT - BOTTOM) / 2,
                (TOP + HEIGHT - BOTTOM) / 2);
    }

    private static void line(StringBuilder svg, String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
