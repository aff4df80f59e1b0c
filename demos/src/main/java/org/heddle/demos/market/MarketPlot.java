// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.market;

import java.awt.BasicStroke;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws shares, price, balances and completion times over time, one under the other. */
final class MarketPlot {
    private static final BasicStroke DASHED =
            new BasicStroke(1.3f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_BEVEL, 0, new float[] {6, 4}, 0);
    private static final List<Marker> MARKERS =
            List.of(SeriesMarkers.CIRCLE, SeriesMarkers.DIAMOND, SeriesMarkers.SQUARE);

    private static final Color[] COLOURS = {new Color(0x0072B2), new Color(0xD55E00), new Color(0x009E73)};
    private static final Color EVENT = new Color(0x888888);
    private static final int WIDTH = 1000;
    private static final int HEIGHT = 320;

    private final Timeline course;
    private final double[] seconds;

    private MarketPlot(Timeline course) {
        this.course = course;
        this.seconds = course.samples().stream().mapToDouble(Sample::seconds).toArray();
    }

    /** Writes {@code market.png} with everything, and an SVG of each part. */
    static void write(Path directory, Timeline course, List<JobTime> jobs) throws IOException {
        MarketPlot plot = new MarketPlot(course);
        List<XYChart> charts = new ArrayList<>();
        charts.add(plot.shares());
        charts.add(plot.price());
        charts.add(plot.balances());
        charts.add(plot.completions(jobs));
        String[] names = {"shares", "price", "balances", "completion"};
        BitmapEncoder.saveBitmap(
                charts, charts.size(), 1, directory.resolve("market").toString(), BitmapEncoder.BitmapFormat.PNG);
        for (int i = 0; i < names.length; i++) {
            VectorGraphicsEncoder.saveVectorGraphic(
                    charts.get(i),
                    directory.resolve(names[i]).toString(),
                    VectorGraphicsEncoder.VectorGraphicsFormat.SVG);
        }
    }

    private XYChart chart(String title, String unit, double most) {
        XYChart chart = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(title)
                .xAxisTitle("seconds")
                .yAxisTitle(unit)
                .build();
        chart.getStyler().setLegendPosition(Styler.LegendPosition.OutsideE);
        chart.getStyler().setChartBackgroundColor(Color.WHITE);
        chart.getStyler().setDefaultSeriesRenderStyle(XYSeries.XYSeriesRenderStyle.Line);
        chart.getStyler().setXAxisMin(0.0);
        chart.getStyler().setXAxisMax(course.end());
        chart.getStyler().setYAxisMin(0.0);
        chart.getStyler().setYAxisMax(most);
        chart.getStyler().setYAxisDecimalPattern("0");
        chart.getStyler().setXAxisDecimalPattern("0");
        event(chart, MarketScenario.RAISER + " bids 4x", course.raisedAt(), most, 4);
        if (course.brokeAt() < course.end()) {
            event(chart, MarketScenario.SPENDER + " is broke", course.brokeAt(), most, 1.5f);
        }
        return chart;
    }

    /** A vertical line; the two are told apart by their dashes. */
    private static void event(XYChart chart, String name, double at, double most, float dash) {
        XYSeries line = chart.addSeries(name, new double[] {at, at}, new double[] {0, most});
        line.setMarker(SeriesMarkers.NONE);
        line.setLineColor(EVENT);
        line.setLineStyle(
                new BasicStroke(1.2f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_BEVEL, 0, new float[] {dash, dash}, 0));
    }

    private double[] values(String user, ToDoubleFunction<UserState> value) {
        return course.samples().stream()
                .mapToDouble(sample -> value.applyAsDouble(sample.of(user)))
                .toArray();
    }

    private XYSeries line(XYChart chart, String name, double[] values, int colour, boolean thick) {
        XYSeries line = chart.addSeries(name, seconds, values);
        line.setMarker(SeriesMarkers.NONE);
        line.setLineColor(COLOURS[colour % COLOURS.length]);
        line.setLineStyle(thick ? new BasicStroke(2.2f) : DASHED);
        return line;
    }

    private XYChart shares() {
        XYChart chart = chart("Shares: held (solid) and entitled to (dashed)", "% of the cluster", 100);
        for (int i = 0; i < MarketScenario.USERS.size(); i++) {
            String user = MarketScenario.USERS.get(i);
            line(chart, user, values(user, state -> 100 * state.used()), i, true);
            line(chart, user + " entitled", values(user, state -> 100 * state.entitled()), i, false);
        }
        return chart;
    }

    private XYChart price() {
        double[] prices = course.samples().stream().mapToDouble(Sample::price).toArray();
        double most = 1;
        for (double price : prices) {
            most = Math.max(most, price);
        }
        XYChart chart =
                chart("Price: sum of the bids of all paying users", "credits a slot-minute", Math.ceil(most * 1.1));
        line(chart, "price", prices, 0, true).setLineColor(Color.BLACK);
        return chart;
    }

    private XYChart balances() {
        double most = 1;
        for (String user : MarketScenario.USERS) {
            for (double balance : values(user, UserState::balance)) {
                most = Math.max(most, balance);
            }
        }
        XYChart chart = chart("Balances", "credits", Math.ceil(most * 1.1));
        for (int i = 0; i < MarketScenario.USERS.size(); i++) {
            String user = MarketScenario.USERS.get(i);
            line(chart, user, values(user, UserState::balance), i, true);
        }
        return chart;
    }

    private XYChart completions(List<JobTime> jobs) {
        double most = jobs.stream().mapToDouble(JobTime::took).max().orElse(1);
        XYChart chart =
                chart("Jobs: seconds from submission to end, by when they ended", "seconds", Math.ceil(most * 1.1));
        for (int i = 0; i < MarketScenario.USERS.size(); i++) {
            String user = MarketScenario.USERS.get(i);
            List<JobTime> own =
                    jobs.stream().filter(job -> job.user().equals(user)).toList();
            if (own.isEmpty()) {
                continue;
            }
            XYSeries points = chart.addSeries(
                    user,
                    own.stream().mapToDouble(JobTime::end).toArray(),
                    own.stream().mapToDouble(JobTime::took).toArray());
            points.setXYSeriesRenderStyle(XYSeries.XYSeriesRenderStyle.Scatter);
            points.setMarker(MARKERS.get(Math.min(i, 2)));
            points.setMarkerColor(COLOURS[i]);
        }
        return chart;
    }
}
