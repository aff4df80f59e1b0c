// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.rm;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.apache.hadoop.util.VersionInfo;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.CategorySeries.CategorySeriesRenderStyle;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * What a container costs under each scheduler as a multiple of the floor, on a logarithmic axis: the mean, the least
 * and the greatest block, below each name the microseconds, and below the axis where this was measured.
 */
final class RacePicture {
    private static final double MARGIN = 1.3;

    private RacePicture() {}

    /** @param file without the extension, which is {@code .png} */
    static void draw(List<WorkerProcess> runners, String size, Path file) throws IOException {
        BitmapEncoder.saveBitmap(chart(runners, size), file.toString(), BitmapEncoder.BitmapFormat.PNG);
    }

    private static CategoryChart chart(List<WorkerProcess> runners, String size) {
        WorkerProcess first = runners.get(0);
        List<String> names = runners.stream()
                .map(runner -> String.format(Locale.ROOT, "%s %.1f us", runner.contestant, runner.microsPerContainer()))
                .toList();
        List<double[]> ratios = runners.stream()
                .map(runner -> SchedulerRace.ratios(runner, first))
                .toList();
        CategoryChart chart = new CategoryChartBuilder()
                .width(1_000)
                .height(560)
                .title("CPU for each container by that of " + first.contestant + ", " + size + ", "
                        + first.blocks.size() + " blocks")
                .xAxisTitle(origin())
                .yAxisTitle("x " + first.contestant)
                .build();
        chart.getStyler()
                .setDefaultSeriesRenderStyle(CategorySeriesRenderStyle.Scatter)
                .setYAxisLogarithmic(true)
                .setYAxisMin(
                        ratios.stream().mapToDouble(RacePicture::least).min().orElse(1) / MARGIN)
                .setYAxisMax(
                        ratios.stream().mapToDouble(RacePicture::most).max().orElse(1) * MARGIN)
                .setXAxisLabelRotation(20)
                .setLegendPosition(LegendPosition.InsideNE)
                .setChartBackgroundColor(Color.WHITE);
        points(chart, "greatest block", SeriesMarkers.TRIANGLE_UP, Color.GRAY, names, ratios, RacePicture::most);
        points(chart, "mean", SeriesMarkers.CIRCLE, Color.BLUE, names, ratios, RacePicture::mean);
        points(chart, "least block", SeriesMarkers.TRIANGLE_DOWN, Color.GRAY, names, ratios, RacePicture::least);
        return chart;
    }

    /** No error bars: the library draws them wrongly on a logarithmic axis. */
    private static void points(
            CategoryChart chart,
            String name,
            Marker marker,
            Color color,
            List<String> names,
            List<double[]> ratios,
            ToDoubleFunction<double[]> value) {
        chart.addSeries(name, names, ratios.stream().mapToDouble(value).boxed().toList())
                .setMarker(marker)
                .setMarkerColor(color);
    }

    /** Machine and versions; the script says which commit. */
    private static String origin() {
        return String.format(
                Locale.ROOT,
                "%d cores, %s %s, Java %s, Hadoop %s, commit %s",
                Runtime.getRuntime().availableProcessors(),
                System.getProperty("os.name"),
                System.getProperty("os.version"),
                System.getProperty("java.version"),
                VersionInfo.getVersion(),
                System.getProperty("heddle.commit", "unknown"));
    }

    private static double mean(double[] values) {
        return Arrays.stream(values).average().orElse(Double.NaN);
    }

    private static double least(double[] values) {
        return Arrays.stream(values).min().orElse(Double.NaN);
    }

    private static double most(double[] values) {
        return Arrays.stream(values).max().orElse(Double.NaN);
    }
}
