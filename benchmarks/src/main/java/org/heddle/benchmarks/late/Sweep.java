// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.late;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ObjDoubleConsumer;
import org.heddle.late.policy.Settings;
import org.heddle.late.sim.Mode;
import org.heddle.late.sim.Outcome;
import org.heddle.late.sim.Scenarios;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler;

/**
 * One of the paper's sensitivity sweeps (section 5.4, Figures 10 to 12): the paper profile with one threshold varied
 * and the other two as the paper fixed them.
 *
 * @param figure number in the paper
 * @param title what is varied
 * @param threshold sets the one that is varied
 * @param percents values, in percent
 */
record Sweep(int figure, String title, ObjDoubleConsumer<Settings.Draft> threshold, List<Double> percents) {
    /** SpeculativeCap while something else is varied, as share. */
    private static final double CAP = 0.2;

    private static final int MACHINES = 40;

    static List<Sweep> all() {
        return List.of(
                new Sweep(
                        10,
                        "SpeculativeCap",
                        (draft, percent) -> draft.capSlots = percent / 100,
                        List.of(2.5, 5.0, 10.0, 20.0, 50.0, 100.0)),
                new Sweep(
                        11,
                        "SlowTaskThreshold",
                        (draft, percent) -> draft.slowTaskPercentile = percent,
                        List.of(5.0, 10.0, 25.0, 50.0, 75.0, 100.0)),
                new Sweep(
                        12,
                        "SlowNodeThreshold",
                        (draft, percent) -> draft.slowNodePercentile = percent,
                        List.of(5.0, 10.0, 15.0, 25.0, 35.0, 50.0)));
    }

    /**
     * One point of a sweep.
     *
     * @param percent the value that is varied
     * @param cell what came of it
     */
    record Point(double percent, Cell cell) {
        double seconds() {
            return cell.medianSeconds();
        }

        double deviation() {
            return cell.deviationSeconds();
        }

        double wastedPerNode() {
            return cell.median(Sweep::wastedSecondsPerNode);
        }
    }

    /** Task time in attempts that did not win, in seconds for each machine. */
    static double wastedSecondsPerNode(Outcome outcome) {
        return outcome.wastedMillis() / 1000.0 / MACHINES;
    }

    List<Point> run(List<Long> seeds) {
        List<Point> points = new ArrayList<>();
        for (double percent : percents) {
            Mode mode = Mode.PAPER.with(title, draft -> {
                draft.capSlots = CAP;
                threshold.accept(draft, percent);
            });
            Cell cell = Cell.run(seed -> Scenarios.paper54(false, seed), mode, seeds);
            points.add(new Point(percent, cell));
        }
        return points;
    }

    /** Draws it as the paper does: response time with deviations, wasted time per machine. */
    void draw(List<Point> points, Path png) throws IOException {
        XYChart chart = new XYChartBuilder()
                .width(800)
                .height(500)
                .title("As Figure " + figure + ": response and wasted time over " + title)
                .xAxisTitle(title + " (%)")
                .yAxisTitle("seconds")
                .build();
        chart.getStyler().setYAxisMin(0.0).setLegendPosition(Styler.LegendPosition.InsideNE);
        double[] x = points.stream().mapToDouble(Point::percent).toArray();
        chart.addSeries(
                "response time (median, std dev)",
                x,
                points.stream().mapToDouble(Point::seconds).toArray(),
                points.stream().mapToDouble(Point::deviation).toArray());
        chart.addSeries(
                "wasted time per machine",
                x,
                points.stream().mapToDouble(Point::wastedPerNode).toArray());
        BitmapEncoder.saveBitmap(chart, png.toString(), BitmapEncoder.BitmapFormat.PNG);
    }
}
