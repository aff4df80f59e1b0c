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
    private static final String GRID = "stroke=\"#dddddd\"";

    private final List<Measurement> runs;
    private final FittedModel fit;
    private final int most;
    private final Svg svg;
    private final double lowN;
    private final double highN;
    private final double lowT;
    private final double highT;

    private FitPlot(String job, List<Measurement> runs, FittedModel fit, int most) {
        this.runs = runs;
        this.fit = fit;
        this.most = most;
        svg = new Svg(WIDTH, HEIGHT, "Run times of " + job);
        lowN = 1 / 1.15;
        highN = 1.15 * Math.max(most, 2);
        double least = fit.model().seconds(most);
        double longest = fit.model().seconds(1);
        for (Measurement run : runs) {
            least = Math.min(least, run.seconds());
            longest = Math.max(longest, run.seconds());
        }
        lowT = 0.75 * least;
        highT = 1.3 * longest;
    }

    /**
     * @param most largest n to draw; the curve is dashed where it extrapolates
     * @param band factor by which the curve may be off at n with 90 % confidence; NaN where unknown
     */
    public static String draw(String job, List<Measurement> runs, FittedModel fit, int most, IntToDoubleFunction band) {
        FitPlot plot = new FitPlot(job, runs, fit, most);
        plot.title(job);
        plot.columns();
        plot.rows();
        plot.names();
        if (!Double.isNaN(band.applyAsDouble(1))) {
            plot.band(band);
        }
        plot.curve(1, fit.fewest(), " stroke-dasharray=\"5 4\"");
        plot.curve(fit.fewest(), fit.most(), "");
        plot.curve(fit.most(), most, " stroke-dasharray=\"5 4\"");
        plot.points();
        return plot.svg.finished();
    }

    private double x(double n) {
        return LEFT + (WIDTH - LEFT - RIGHT) * Math.log(n / lowN) / Math.log(highN / lowN);
    }

    private double y(double t) {
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * Math.log(t / lowT) / Math.log(highT / lowT);
    }

    private void title(String job) {
        svg.heading(LEFT, 22, 15, job);
        String error = "unknown (too few points)";
        if (!Double.isNaN(fit.leaveOneOutError())) {
            error = String.format(Locale.ROOT, "%.1f %%", 100 * fit.leaveOneOutError());
        }
        svg.text(LEFT, 40, "start", 12, "F(n) = " + fit.model().formula() + " s, leave-one-out error " + error);
    }

    /** A line for each doubling of n, or for each second one. */
    private void columns() {
        svg.rectangle(LEFT, TOP, WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM, "fill=\"none\" stroke=\"#888888\"");
        double factor = highN > 64 ? 4 : 2;
        for (double n = 1; n <= highN; n *= factor) {
            svg.line(x(n), TOP, x(n), HEIGHT - BOTTOM, GRID);
            svg.text(x(n), HEIGHT - BOTTOM + 18, "middle", 12, String.format(Locale.ROOT, "%.0f", n));
        }
    }

    /** Lines at round numbers of seconds. */
    private void rows() {
        for (double power = Math.pow(10, Math.floor(Math.log10(lowT))); power <= highT; power *= 10) {
            for (double mark : marks()) {
                double t = mark * power;
                if (t >= lowT && t <= highT) {
                    svg.line(LEFT, y(t), WIDTH - RIGHT, y(t), GRID);
                    svg.text(LEFT - 8, y(t) + 4, "end", 12, String.format(Locale.ROOT, "%.4g", t));
                }
            }
        }
    }

    /** The round numbers between 1 and 10 that have a line; fewer if the axis is long. */
    private double[] marks() {
        double decades = Math.log10(highT / lowT);
        if (decades > 2.5) {
            return new double[] {1};
        }
        if (decades > 0.9) {
            return new double[] {1, 2, 5};
        }
        return new double[] {1, 1.5, 2, 3, 4, 5, 6, 8};
    }

    private void names() {
        svg.text((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 12, "middle", 12, "VMs (containers at once)");
        int middle = (TOP + HEIGHT - BOTTOM) / 2;
        svg.add(
                "<text x=\"18\" y=\"%d\" text-anchor=\"middle\" transform=\"rotate(-90 18 %d)\">seconds</text>",
                middle, middle);
    }

    private void band(IntToDoubleFunction factor) {
        StringBuilder area = new StringBuilder();
        for (int n = 1; n <= most; n++) {
            area.append(point(n, fit.model().seconds(n) * factor.applyAsDouble(n)));
        }
        for (int n = most; n >= 1; n--) {
            area.append(point(n, Math.max(lowT, fit.model().seconds(n) / factor.applyAsDouble(n))));
        }
        svg.add(
                "<polygon points=\"%s\" fill=\"#4e79a7\" fill-opacity=\"0.18\"/>",
                area.toString().trim());
    }

    private void curve(int from, int to, String dashes) {
        if (to <= from) {
            return;
        }
        StringBuilder points = new StringBuilder();
        for (int n = from; n <= to; n++) {
            points.append(point(n, fit.model().seconds(n)));
        }
        svg.add(
                "<polyline points=\"%s\" fill=\"none\" stroke=\"#4e79a7\" stroke-width=\"2\"%s/>",
                points.toString().trim(), dashes);
    }

    private String point(int n, double t) {
        return String.format(Locale.ROOT, "%.1f,%.1f ", x(n), y(Math.min(highT, t)));
    }

    /** The runs; those that the fit has left out are hollow. */
    private void points() {
        List<Measurement> leftOut = ModelFit.leftOut(runs);
        for (Measurement run : runs) {
            boolean out = leftOut.contains(run);
            String tip = String.format(Locale.ROOT, "n = %d, %.6g s, %s", run.vms(), run.seconds(), run.source());
            svg.add(
                    "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4.5\" fill=\"%s\" stroke=\"#e15759\"><title>%s</title></circle>",
                    x(run.vms()),
                    y(run.seconds()),
                    out ? "#ffffff" : "#e15759",
                    Svg.escape(out ? tip + ", left out" : tip));
        }
        if (!leftOut.isEmpty()) {
            svg.text(WIDTH - RIGHT, TOP - 8, "end", 12, "hollow: left out");
        }
    }
}
