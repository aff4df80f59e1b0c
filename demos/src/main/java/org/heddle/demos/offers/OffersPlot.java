// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.offers;

import java.awt.BasicStroke;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws dominant shares over time. */
final class OffersPlot {
    private static final Color[] COLOURS = {new Color(0x0072B2), new Color(0xD55E00), new Color(0x009E73)};

    private OffersPlot() {}

    /**
     * Writes {@code shares.png} and {@code shares.svg} into the directory.
     *
     * @param tenants names and what to say of each, in the order of their coming
     */
    static void write(Path directory, Map<String, String> tenants, List<Sample> samples) throws IOException {
        XYChart chart = new XYChartBuilder()
                .width(1000)
                .height(560)
                .title("Two frameworks on offers and a MapReduce job share one cluster")
                .xAxisTitle("seconds")
                .yAxisTitle("dominant share, %")
                .build();
        chart.getStyler().setLegendPosition(Styler.LegendPosition.OutsideS);
        chart.getStyler().setYAxisMin(0.0);
        chart.getStyler().setYAxisMax(100.0);
        chart.getStyler().setChartBackgroundColor(Color.WHITE);
        chart.getStyler().setDefaultSeriesRenderStyle(XYSeries.XYSeriesRenderStyle.Line);
        double[] seconds = samples.stream().mapToDouble(Sample::seconds).toArray();
        int colour = 0;
        for (Map.Entry<String, String> tenant : tenants.entrySet()) {
            double[] shares = samples.stream()
                    .mapToDouble(sample -> 100 * sample.shares().getOrDefault(tenant.getKey(), 0.0))
                    .toArray();
            XYSeries line = chart.addSeries(tenant.getKey() + ": " + tenant.getValue(), seconds, shares);
            line.setMarker(SeriesMarkers.NONE);
            line.setLineColor(COLOURS[colour % COLOURS.length]);
            line.setLineStyle(new BasicStroke(2.5f));
            colour++;
        }
        String file = directory.resolve("shares").toString();
        BitmapEncoder.saveBitmap(chart, file, BitmapEncoder.BitmapFormat.PNG);
        VectorGraphicsEncoder.saveVectorGraphic(chart, file, VectorGraphicsEncoder.VectorGraphicsFormat.SVG);
    }
}
