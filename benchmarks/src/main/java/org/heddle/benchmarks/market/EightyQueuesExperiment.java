// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.market;

import java.util.ArrayList;
import java.util.List;
import org.heddle.benchmarks.experiment.Curve;
import org.heddle.benchmarks.experiment.Description;
import org.heddle.benchmarks.experiment.Effort;
import org.heddle.benchmarks.experiment.Experiment;
import org.heddle.benchmarks.experiment.Measurement;
import org.heddle.benchmarks.experiment.Paper;
import org.heddle.benchmarks.experiment.Plot;
import org.heddle.benchmarks.experiment.Published;
import org.heddle.benchmarks.experiment.Row;
import org.heddle.benchmarks.experiment.Run;
import org.heddle.market.TestTerms;
import org.heddle.market.model.amount.SpendingRate;
import org.heddle.market.simulate.Simulator;

/** The market paper's Figures 6 and 9: eighty queues with rates of 1 to 80 on 120 slots. */
public final class EightyQueuesExperiment implements Experiment {
    private static final int QUEUES = 80;
    private static final int PRICE = QUEUES * (QUEUES + 1) / 2;
    private static final long SLOTS = 120;
    private static final long TASK_MILLIS = 1_000;
    private static final long TASKS = 24;
    /** Enough for five jobs of the queue with the smallest rate, which has a slot in one of 27 intervals. */
    private static final long END_MILLIS = PRICE * 1_000L;

    private static final List<Integer> SHOWN = List.of(1, 2, 5, 10, 20, 40, 60, 80);
    private static final String MARKET = "mean time of a job, s";
    private static final String IDEAL = "ideal, s";
    private static final String PLOT = "figure-9";
    private static final String ALL = "all queues";

    @Override
    public Description description() {
        return new Description(
                "market-eighty-queues",
                "Market: eighty queues at rates of 1 to 80",
                Paper.MARKET,
                "Figures 6 and 9",
                List.of(new Published(
                        ALL,
                        "no more than 10 levels of service: groups of 10 to 15 queues have the same",
                        "4.3, Figure 9")),
                "The cluster is simulated with 120 slots and jobs of 24 tasks of one interval each, where the paper's job had"
                        + " ten reduces, which bounded its levels; the ideal is a part of the cluster in proportion to the"
                        + " rate.");
    }

    @Override
    public Effort effort() {
        return Effort.simulated(0.5, 1, 0.5, 1);
    }

    @Override
    public Measurement run(Run run) {
        Simulator simulator = new Simulator(TestTerms.PAPER.every(TASK_MILLIS).get(), SLOTS);
        for (int n = 1; n <= QUEUES; n++) {
            simulator.queue(name(n), new SpendingRate(n * 1_000_000L).toString(), "9000000000");
            for (int job = 0; job < 6 * n; job++) {
                simulator.submit(name(n), TASKS, TASK_MILLIS);
            }
        }
        simulator.run(END_MILLIS);
        List<Double> seconds = new ArrayList<>();
        List<Double> ideals = new ArrayList<>();
        List<Double> numbers = new ArrayList<>();
        for (int n = 1; n <= QUEUES; n++) {
            numbers.add((double) n);
            seconds.add(simulator.finished(name(n)).stream()
                    .mapToDouble(JobTimes::seconds)
                    .average()
                    .orElse(Double.NaN));
            ideals.add(TASKS * TASK_MILLIS / 1e3 * PRICE / SLOTS / n);
        }
        List<Row> rows = new ArrayList<>();
        for (int n : SHOWN) {
            rows.add(Row.of("queue " + n).with(MARKET, seconds.get(n - 1)).with(IDEAL, ideals.get(n - 1)));
        }
        rows.add(levels(seconds, ideals));
        return new Measurement(
                rows, List.of(new Curve(PLOT, MARKET, numbers, seconds), new Curve(PLOT, IDEAL, numbers, ideals)));
    }

    /** How many queues are served faster than the one before, and how far the worst is from its ideal. */
    private static Row levels(List<Double> seconds, List<Double> ideals) {
        int levels = 1;
        double worst = 0;
        for (int i = 0; i < seconds.size(); i++) {
            levels += i > 0 && seconds.get(i) < seconds.get(i - 1) ? 1 : 0;
            worst = Math.max(worst, Math.abs(seconds.get(i) / ideals.get(i) - 1));
        }
        return Row.of(ALL).with("levels in the order of the rates", levels).with("farthest from ideal, %", 100 * worst);
    }

    private static String name(int n) {
        return "queue" + n;
    }

    @Override
    public List<Plot> plots(Measurement measurement) {
        return List.of(Plot.lines(measurement, PLOT, "As Figure 9: time of a job over the queues", "queue", "seconds"));
    }
}
