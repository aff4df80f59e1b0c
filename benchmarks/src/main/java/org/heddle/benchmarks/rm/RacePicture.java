// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.rm;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.util.VersionInfo;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.CategorySeries.CategorySeriesRenderStyle;

/**
 * What a container costs under each scheduler as a multiple of the floor, on a logarithmic axis: points with the standard
 * deviation over the blocks, below each name the microseconds, and below the axis where this was measured.
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
        List<Double> means = ratios.stream().map(RacePicture::mean).toList();
        List<Double> errors = ratios.stream().map(RacePicture::deviation).toList();
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
                .setYAxisMin(means.stream().min(Double::compare).orElse(1.0) / MARGIN)
                .setYAxisMax(means.stream().max(Double::compare).orElse(1.0) * MARGIN)
                .setXAxisLabelRotation(20)
                .setLegendVisible(false)
                .setChartBackgroundColor(Color.WHITE);
        chart.addSeries("cost", names, means, errors);
        return chart;
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

    private static double deviation(double[] values) {
        double mean = mean(values);
        double squares = Arrays.stream(values)
                .map(value -> (value - mean) * (value - mean))
                .sum();
        return values.length < 2 ? 0 : Math.sqrt(squares / (values.length - 1));
    }
}
