// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.drf;

import java.awt.BasicStroke;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.heddle.demos.drf.Scenario.Tenant;
import org.heddle.demos.drf.ShareHistory.Holding;
import org.heddle.demos.drf.ShareHistory.Sample;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * Draws dominant shares over time. Fair shares are dashed lines over the time for which they hold: while all users have
 * tasks waiting. What comes after, when users leave one by one, is cut off.
 */
final class SharePlot {
    private static final Color[] COLOURS = {new Color(0x0072B2), new Color(0xD55E00), new Color(0x009E73)};

    private SharePlot() {}

    /** Seconds drawn after the last moment at which all users had tasks waiting. */
    private static final double SECONDS_AFTER = 3;

    /** Writes {@code shares.png} and {@code shares.svg} into the directory. */
    static void write(Path directory, String title, Scenario scenario, Map<String, Double> fair, List<Sample> history)
            throws IOException {
        double fairUntil = lastMeasured(history);
        List<Sample> samples = history.stream()
                .filter(sample -> sample.seconds() <= fairUntil + SECONDS_AFTER)
                .toList();
        XYChart chart = new XYChartBuilder()
                .width(1000)
                .height(560)
                .title(title)
                .xAxisTitle("seconds")
                .yAxisTitle("dominant share, %")
                .build();
        chart.getStyler().setLegendPosition(Styler.LegendPosition.OutsideE);
        chart.getStyler().setYAxisMin(0.0);
        chart.getStyler().setYAxisMax(highest(fair, samples));
        chart.getStyler().setChartBackgroundColor(Color.WHITE);
        chart.getStyler().setDefaultSeriesRenderStyle(XYSeries.XYSeriesRenderStyle.Line);
        double[] seconds = samples.stream().mapToDouble(Sample::seconds).toArray();
        int colour = 0;
        for (Tenant tenant : scenario.tenants()) {
            double[] shares = samples.stream()
                    .mapToDouble(sample -> 100
                            * sample.holdings()
                                    .getOrDefault(tenant.user(), new Holding(0, 0, 0))
                                    .share())
                    .toArray();
            XYSeries line = chart.addSeries(tenant.user() + ", tasks of " + tenant.demand(), seconds, shares);
            line.setMarker(SeriesMarkers.NONE);
            line.setLineColor(COLOURS[colour % COLOURS.length]);
            line.setLineStyle(new BasicStroke(2.5f));
            double entitled = 100 * fair.getOrDefault(tenant.user(), 0.0);
            XYSeries target =
                    chart.addSeries(tenant.user() + ", fair share", new double[] {seconds[0], fairUntil}, new double[] {
                        entitled, entitled
                    });
            target.setMarker(SeriesMarkers.NONE);
            target.setLineColor(COLOURS[colour % COLOURS.length]);
            target.setLineStyle(
                    new BasicStroke(1.5f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_BEVEL, 0, new float[] {6, 4}, 0));
            colour++;
        }
        markMeasured(chart, samples);
        String file = directory.resolve("shares").toString();
        BitmapEncoder.saveBitmap(chart, file, BitmapEncoder.BitmapFormat.PNG);
        VectorGraphicsEncoder.saveVectorGraphic(chart, file, VectorGraphicsEncoder.VectorGraphicsFormat.SVG);
    }

    /** The last moment at which all users had tasks waiting; the end of the history if that never was. */
    private static double lastMeasured(List<Sample> history) {
        return history.stream()
                .filter(Sample::measured)
                .mapToDouble(Sample::seconds)
                .max()
                .orElse(history.get(history.size() - 1).seconds());
    }

    /** A grey bar along the axis for the time over which means are taken. */
    private static void markMeasured(XYChart chart, List<Sample> samples) {
        double[] seconds = samples.stream()
                .filter(Sample::measured)
                .mapToDouble(Sample::seconds)
                .toArray();
        if (seconds.length > 1) {
            XYSeries bar = chart.addSeries(
                    "all users have tasks waiting",
                    new double[] {seconds[0], seconds[seconds.length - 1]},
                    new double[] {0.6, 0.6});
            bar.setMarker(SeriesMarkers.NONE);
            bar.setLineColor(Color.GRAY);
            bar.setLineStyle(new BasicStroke(7, BasicStroke.CAP_BUTT, BasicStroke.JOIN_BEVEL));
        }
    }

    /** Room for the highest line, in tens of percent. */
    private static double highest(Map<String, Double> fair, List<Sample> samples) {
        double share =
                fair.values().stream().mapToDouble(Double::doubleValue).max().orElse(0);
        for (Sample sample : samples) {
            for (Holding holding : sample.holdings().values()) {
                share = Math.max(share, holding.share());
            }
        }
        return Math.min(100, 10 * Math.ceil(10 * share + 0.5));
    }
}
