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
import org.heddle.benchmarks.experiment.Spread;
import org.heddle.market.TestTerms;
import org.heddle.market.model.terms.MarketTerms;
import org.heddle.market.simulate.Simulator;

/** The market paper's Figures 5 and 8: ten queues with rates of 1 to 10. */
public final class TenQueuesExperiment implements Experiment {
    private static final int QUEUES = 10;
    private static final int PRICE = QUEUES * (QUEUES + 1) / 2;
    private static final long SLOTS = 120;
    private static final long INTERVAL_MILLIS = 10_000;
    private static final long TASK_MILLIS = 5_000;
    private static final long TASKS = 10 * SLOTS;
    private static final double ALONE_SECONDS = TASKS * TASK_MILLIS / 1e3 / SLOTS;
    /** Long enough for five jobs of the queue with the smallest rate. */
    private static final long END_MILLIS = (long) (5.2 * ALONE_SECONDS * PRICE * 1e3);

    private static final String PLENTY = "9000000000";
    private static final String MARKET = "job, s";
    private static final String IDEAL = "ideal, s";
    private static final String FIFO = "first come, first served, s";
    private static final String PLOT = "figure-8";

    @Override
    public Description description() {
        return new Description(
                "market-ten-queues",
                "Market: ten queues at rates of 1 to 10",
                Paper.MARKET,
                "Figures 5 and 8",
                List.of(
                        Published.of("all ten levels of service are distinct", "4.3, Figure 5"),
                        Published.of(
                                "levels 3 to 9 are near the ideal line, 1 and 2 outside, and the largest far from it",
                                "4.3, Figure 8"),
                        Published.of(
                                "first come, first served gives all queues the same level after the first job",
                                "4.3, Figure 5")),
                "The cluster is simulated with 120 slots and tasks of 5 s that need nothing but a slot, without preemption; the"
                        + " ideal is a part of the cluster in proportion to the rate.");
    }

    @Override
    public Effort effort() {
        return Effort.simulated(0.5, 1, 0.5, 1);
    }

    @Override
    public Measurement run(Run run) {
        run.tell("the market");
        Simulator market = simulate(PLENTY, END_MILLIS);
        run.tell("first come, first served");
        Simulator fifo = simulate("0", (long) (12 * QUEUES * ALONE_SECONDS * 1e3));
        List<Row> rows = new ArrayList<>();
        for (int n = 1; n <= QUEUES; n++) {
            Spread seconds = JobTimes.spread(JobTimes.between(market, name(n), 0, END_MILLIS));
            double ideal = ALONE_SECONDS * PRICE / n;
            rows.add(Row.of("queue " + n)
                    .with(MARKET, seconds)
                    .with(IDEAL, ideal)
                    .with("beyond ideal, %", 100 * (seconds.median() / ideal - 1))
                    .with(FIFO, JobTimes.spread(JobTimes.between(fifo, name(n), 1, Long.MAX_VALUE))));
        }
        return new Measurement(
                rows,
                List.of(
                        Curve.overRows(PLOT, MARKET, rows, MARKET, 1),
                        Curve.overRows(PLOT, IDEAL, rows, IDEAL, 1),
                        Curve.overRows(PLOT, FIFO, rows, FIFO, 1)));
    }

    private static Simulator simulate(String budget, long millis) {
        MarketTerms terms = TestTerms.PAPER.every(INTERVAL_MILLIS).get();
        Simulator simulator = new Simulator(terms, SLOTS);
        for (int n = 1; n <= QUEUES; n++) {
            simulator.queue(name(n), String.valueOf(n), budget);
            for (int job = 0; job < 6 * Math.max(n, 2); job++) {
                simulator.submit(name(n), TASKS, TASK_MILLIS);
            }
        }
        return simulator.run(millis);
    }

    private static String name(int n) {
        return "queue" + n;
    }

    @Override
    public List<Plot> plots(Measurement measurement) {
        return List.of(Plot.lines(measurement, PLOT, "As Figure 8: time of a job over the queues", "queue", "seconds"));
    }
}
