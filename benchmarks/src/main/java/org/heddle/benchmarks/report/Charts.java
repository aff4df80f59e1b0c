// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.report;

import java.awt.Color;
import java.io.IOException;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import org.heddle.benchmarks.experiment.Curve;
import org.heddle.benchmarks.experiment.Plot;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.CategorySeries;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws plots with XChart. */
public final class Charts {
    private static final int WIDTH = 900;
    private static final int HEIGHT = 500;
    /** Curves with more points have no markers. */
    private static final int MOST_MARKERS = 30;

    private static final int FULL_LABELS = 6;
    /** So many letters of all labels fit beside each other. */
    private static final int MOST_LETTERS = 70;
    /** On a logarithmic axis, above and below all values. */
    private static final double MARGIN = 1.3;

    private Charts() {}

    /** The bytes of a PNG file. */
    public static byte[] png(Plot plot) throws IOException {
        Chart<?, ?> chart = plot.ranges() ? ranges(plot) : plot.categories().isEmpty() ? lines(plot) : bars(plot);
        return BitmapEncoder.getBitmapBytes(chart, BitmapEncoder.BitmapFormat.PNG);
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

    private static CategoryChart categories(Plot plot) {
        CategoryChart chart = new CategoryChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(plot.title())
                .xAxisTitle(plot.xTitle())
                .yAxisTitle(plot.yTitle())
                .build();
        chart.getStyler().setLegendPosition(Styler.LegendPosition.OutsideE);
        chart.getStyler().setChartBackgroundColor(Color.WHITE);
        int letters = plot.categories().stream().mapToInt(String::length).sum();
        chart.getStyler()
                .setXAxisLabelRotation(plot.categories().size() > FULL_LABELS || letters > MOST_LETTERS ? 30 : 0);
        return chart;
    }

    private static CategoryChart bars(Plot plot) {
        CategoryChart chart = categories(plot);
        for (Curve curve : plot.curves()) {
            chart.addSeries(curve.name(), plot.categories(), curve.y());
        }
        return chart;
    }

    /** No error bars: the library draws them wrongly on a logarithmic axis, where bars have no foot either. */
    private static CategoryChart ranges(Plot plot) {
        CategoryChart chart = categories(plot);
        DoubleSummaryStatistics values = plot.curves().stream()
                .flatMap(curve -> curve.y().stream())
                .mapToDouble(Double::doubleValue)
                .summaryStatistics();
        // Else the points of one category would stand beside each other.
        chart.getStyler().setOverlapped(true);
        chart.getStyler()
                .setDefaultSeriesRenderStyle(CategorySeries.CategorySeriesRenderStyle.Scatter)
                .setYAxisLogarithmic(true)
                .setYAxisMin(values.getMin() / MARGIN)
                .setYAxisMax(values.getMax() * MARGIN);
        List<Marker> markers = List.of(SeriesMarkers.TRIANGLE_UP, SeriesMarkers.CIRCLE, SeriesMarkers.TRIANGLE_DOWN);
        List<Color> colors = List.of(Color.GRAY, Color.BLUE, Color.GRAY);
        for (int i = 0; i < markers.size(); i++) {
            Curve curve = plot.curves().get(i);
            chart.addSeries(curve.name(), plot.categories(), curve.y())
                    .setMarker(markers.get(i))
                    .setMarkerColor(colors.get(i));
        }
        return chart;
    }
}
