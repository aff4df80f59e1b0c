// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.report;

import java.awt.Color;
import java.io.IOException;
import org.heddle.benchmarks.experiment.Curve;
import org.heddle.benchmarks.experiment.Plot;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws plots with XChart. */
public final class Charts {
    private static final int WIDTH = 900;
    private static final int HEIGHT = 500;
    /** Curves with more points have no markers. */
    private static final int MOST_MARKERS = 30;

    private static final int FULL_LABELS = 6;
    /** So many letters of all labels fit beside each other. */
    private static final int MOST_LETTERS = 80;

    private Charts() {}

    /** The bytes of a PNG file. */
    public static byte[] png(Plot plot) throws IOException {
        return plot.categories().isEmpty()
                ? BitmapEncoder.getBitmapBytes(lines(plot), BitmapEncoder.BitmapFormat.PNG)
                : BitmapEncoder.getBitmapBytes(bars(plot), BitmapEncoder.BitmapFormat.PNG);
    }

    private static XYChart lines(Plot plot) {
        XYChart chart = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(plot.title())
                .xAxisTitle(plot.xTitle())
                .yAxisTitle(plot.yTitle())
                .build();
        chart.getStyler().setYAxisMin(0.0).setLegendPosition(Styler.LegendPosition.OutsideE);
        chart.getStyler().setChartBackgroundColor(Color.WHITE);
        for (Curve curve : plot.curves()) {
            XYSeries series = curve.errors().isEmpty()
                    ? chart.addSeries(curve.name(), curve.x(), curve.y())
                    : chart.addSeries(curve.name(), curve.x(), curve.y(), curve.errors());
            if (curve.x().size() > MOST_MARKERS) {
                series.setMarker(SeriesMarkers.NONE);
            }
        }
        return chart;
    }

    private static CategoryChart bars(Plot plot) {
        CategoryChart chart = new CategoryChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(plot.title())
                .yAxisTitle(plot.yTitle())
                .build();
        chart.getStyler().setLegendPosition(Styler.LegendPosition.OutsideE);
        chart.getStyler().setChartBackgroundColor(Color.WHITE);
        int letters = plot.categories().stream().mapToInt(String::length).sum();
        chart.getStyler()
                .setXAxisLabelRotation(plot.categories().size() > FULL_LABELS || letters > MOST_LETTERS ? 30 : 0);
        for (Curve curve : plot.curves()) {
            chart.addSeries(curve.name(), plot.categories(), curve.y());
        }
        return chart;
    }
}
