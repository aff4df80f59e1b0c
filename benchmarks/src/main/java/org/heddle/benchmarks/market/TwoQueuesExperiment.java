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
import org.heddle.market.model.terms.MarketTerms;
import org.heddle.market.simulate.Simulator;

/** The market paper's Figures 3, 4 and 7: two queues, of which one pays twice the rate and runs out of budget. */
public final class TwoQueuesExperiment implements Experiment {
    private static final List<String> QUEUES = List.of("queue1", "queue2");
    private static final List<String> RATES = List.of("0.125", "0.0625");
    private static final List<String> BUDGETS = List.of("1000", "10000");
    private static final List<String> NOTHING = List.of("0", "0");
    private static final String NEW_BUDGET = "10000";

    private static final long SLOTS = 120;
    private static final long INTERVAL_MILLIS = 10_000;
    private static final long TASK_MILLIS = 5_000;
    /** Ten for each slot, so that the number of waves does not round the shares. */
    private static final long TASKS = 10 * SLOTS;

    private static final int JOBS = 100;
    /** By then queue 1 has spent its budget for a while. */
    private static final long RESET_MILLIS = 2_000_000;

    private static final long END_MILLIS = 4_000_000;
    private static final long SAMPLE_MILLIS = 40_000;

    private static final String BUDGET_PLOT = "figure-3";
    private static final String TIME_PLOT = "figure-4";
    private static final String PAYING = "market, both pay";
    private static final String WEIGHTS = "fixed weights 2 : 1";
    private static final String FIFO = "first come, first served";

    @Override
    public Description description() {
        return new Description(
                "market-two-queues",
                "Market: two queues at rates 2 : 1, one of which runs out of budget",
                Paper.MARKET,
                "Figures 3, 4 and 7",
                List.of(
                        new Published(
                                PAYING,
                                "jobs of queue 1 about 1.8 times faster (ideal 2); spending 26 to 27 % where 25 % is expected, which we"
                                        + " read as that of queue 2 by that of queue 1",
                                "4.2, Figures 3 and 4"),
                        new Published(WEIGHTS, "about 1.5 times faster, with CapacityScheduler", "4.2, Figure 4"),
                        new Published(FIFO, "no difference", "4.2, Figure 4")),
                "The cluster is simulated with 120 slots and tasks of 5 s that need nothing but a slot, so no contention for"
                        + " HDFS and the network holds the factor below 2; there is no preemption, and our DRF order with"
                        + " fixed weights stands in for the schedulers of 2009.");
    }

    @Override
    public Effort effort() {
        return Effort.simulated(0.2, 1, 0.2, 1);
    }

    @Override
    public Measurement run(Run run) {
        MarketTerms terms = TestTerms.PAPER.every(INTERVAL_MILLIS).get();
        List<Row> rows = new ArrayList<>();
        List<Curve> curves = new ArrayList<>();
        run.tell("the market");
        Simulator market = withJobs(new Simulator(terms, SLOTS), BUDGETS);
        double[] spentByThen = paying(market, curves);
        rows.add(row(PAYING, market, RESET_MILLIS, END_MILLIS)
                .with("spending, queue 2 / queue 1, %", 100 * spentByThen[1] / spentByThen[0]));
        rows.add(row("market, queue 1 has no budget", market, RESET_MILLIS / 2, RESET_MILLIS));
        run.tell(WEIGHTS);
        Simulator weights = withJobs(Simulator.withoutMarket(terms, SLOTS), BUDGETS);
        weights.run(RESET_MILLIS);
        rows.add(row(WEIGHTS, weights, 0, RESET_MILLIS));
        run.tell(FIFO);
        Simulator fifo = withJobs(new Simulator(terms, SLOTS), NOTHING);
        fifo.run(RESET_MILLIS);
        rows.add(row(FIFO, fifo, 1, RESET_MILLIS)); // not the first jobs: one of them finds the cluster empty
        return new Measurement(rows, curves);
    }

    private static Simulator withJobs(Simulator simulator, List<String> budgets) {
        for (int i = 0; i < QUEUES.size(); i++) {
            simulator.queue(QUEUES.get(i), RATES.get(i), budgets.get(i));
        }
        for (int job = 0; job < JOBS; job++) {
            QUEUES.forEach(queue -> simulator.submit(queue, TASKS, TASK_MILLIS));
        }
        return simulator;
    }

    /** Runs the market to the end; returns what each queue spent between the reset of the budgets and the end. */
    private static double[] paying(Simulator market, List<Curve> curves) {
        List<Double> minutes = new ArrayList<>();
        List<List<Double>> balances = List.of(new ArrayList<>(), new ArrayList<>());
        for (long at = 0; at <= END_MILLIS; at += SAMPLE_MILLIS) {
            market.run(at);
            if (at == RESET_MILLIS) {
                QUEUES.forEach(queue -> market.setBudget(queue, NEW_BUDGET));
            }
            minutes.add(at / 60e3);
            for (int i = 0; i < QUEUES.size(); i++) {
                balances.get(i).add(balance(market, i));
            }
        }
        double[] spent = new double[QUEUES.size()];
        for (int i = 0; i < QUEUES.size(); i++) {
            spent[i] = Double.parseDouble(NEW_BUDGET) - balance(market, i);
            curves.add(new Curve(BUDGET_PLOT, QUEUES.get(i), minutes, balances.get(i)));
            List<Simulator.Job> jobs = market.finished(QUEUES.get(i));
            curves.add(new Curve(
                    TIME_PLOT,
                    QUEUES.get(i),
                    jobs.stream().map(job -> job.endMillis() / 60e3).toList(),
                    jobs.stream().map(JobTimes::seconds).toList()));
        }
        return spent;
    }

    private static double balance(Simulator market, int queue) {
        return market.balance(QUEUES.get(queue)).nanos() / 1e9;
    }

    private static Row row(String name, Simulator simulator, long from, long to) {
        Row row = Row.of(name);
        for (String queue : QUEUES) {
            row = row.with("job of " + queue + ", s", JobTimes.spread(JobTimes.between(simulator, queue, from, to)));
        }
        return row.with("queue 2 / queue 1", row.median("job of queue2, s") / row.median("job of queue1, s"));
    }

    @Override
    public List<Plot> plots(Measurement measurement) {
        return List.of(
                Plot.lines(measurement, BUDGET_PLOT, "As Figure 3: budgets", "minutes", "credits"),
                Plot.lines(measurement, TIME_PLOT, "As Figure 4: times of jobs", "minutes", "seconds"));
    }
}
