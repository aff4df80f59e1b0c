// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.offers;

import java.awt.BasicStroke;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws dominant shares over time: solid as measured, dashed as they should be. */
final class OffersPlot {
    private static final Color[] COLOURS = {new Color(0x0072B2), new Color(0xD55E00), new Color(0x009E73)};
    private static final BasicStroke SOLID = new BasicStroke(2.5f);
    private static final BasicStroke DASHED =
            new BasicStroke(1.5f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_BEVEL, 0, new float[] {6, 4}, 0);

    private OffersPlot() {}

    /**
     * Writes {@code shares.png} and {@code shares.svg} into the directory.
     *
     * @param tenants names and what to say of each, in the order of their coming
     */
    static void write(Path directory, String title, Map<String, String> tenants, List<Sample> samples)
            throws IOException {
        XYChart chart = new XYChartBuilder()
                .width(1000)
                .height(560)
                .title(title)
                .xAxisTitle("seconds")
                .yAxisTitle("dominant share, %")
                .build();
        chart.getStyler().setLegendPosition(Styler.LegendPosition.OutsideS);
        chart.getStyler().setYAxisMin(0.0);
        chart.getStyler().setYAxisMax(100.0);
        chart.getStyler().setChartBackgroundColor(Color.WHITE);
        chart.getStyler().setDefaultSeriesRenderStyle(XYSeries.XYSeriesRenderStyle.Line);
        boolean expected = samples.stream().anyMatch(sample -> !sample.fair().isEmpty());
        int colour = 0;
        for (Map.Entry<String, String> tenant : tenants.entrySet()) {
            Color own = COLOURS[colour++ % COLOURS.length];
            String name = tenant.getKey();
            line(chart, name + ": " + tenant.getValue(), samples, Sample::shares, name, own, SOLID);
            if (expected) {
                line(chart, name + ", fair share", samples, Sample::fair, name, own, DASHED);
            }
        }
        String file = directory.resolve("shares").toString();
        BitmapEncoder.saveBitmap(chart, file, BitmapEncoder.BitmapFormat.PNG);
        VectorGraphicsEncoder.saveVectorGraphic(chart, file, VectorGraphicsEncoder.VectorGraphicsFormat.SVG);
    }

    private static void line(
            XYChart chart,
            String legend,
            List<Sample> samples,
            Function<Sample, Map<String, Double>> shares,
            String tenant,
            Color colour,
            BasicStroke stroke) {
        double[] seconds = samples.stream().mapToDouble(Sample::seconds).toArray();
        double[] percent = samples.stream()
                .mapToDouble(sample -> 100 * shares.apply(sample).getOrDefault(tenant, 0.0))
                .toArray();
        XYSeries line = chart.addSeries(legend, seconds, percent);
        line.setMarker(SeriesMarkers.NONE);
        line.setLineColor(colour);
        line.setLineStyle(stroke);
    }
}
