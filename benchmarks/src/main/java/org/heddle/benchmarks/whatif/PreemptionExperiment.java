// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.whatif;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.log4j.Level;
import org.apache.log4j.LogManager;
import org.heddle.benchmarks.experiment.Description;
import org.heddle.benchmarks.experiment.Effort;
import org.heddle.benchmarks.experiment.Experiment;
import org.heddle.benchmarks.experiment.Measurement;
import org.heddle.benchmarks.experiment.Paper;
import org.heddle.benchmarks.experiment.Plot;
import org.heddle.benchmarks.experiment.Published;
import org.heddle.benchmarks.experiment.Row;
import org.heddle.benchmarks.experiment.Run;
import org.heddle.market.yarn.BoostRun;
import org.heddle.whatif.model.History;
import org.heddle.whatif.model.Size;
import org.heddle.whatif.outcome.Figures;
import org.heddle.whatif.outcome.Outcome;
import org.heddle.whatif.scheduler.SchedulerKind;

/**
 * What preemption wastes: the market paper's Figure 10 under the market, and a queue with bursts beside a full cluster
 * under each scheduler, with and without preemption.
 */
public final class PreemptionExperiment implements Experiment {
    private static final String WASTED = "wasted work, %";
    private static final String PREEMPTED = "preempted containers";
    private static final String BURST = "mean burst, s";
    private static final int NODES = 20;
    private static final Size NODE = new Size(16_384, 16);
    private static final Size TASK = new Size(1_024, 1);
    private static final int SLOTS = 16 * NODES;
    private static final int BURSTS = 6;
    private static final int BURST_SECONDS = 30;
    private static final int BATCH_SECONDS = 300;
    private static final int BATCH_TASKS = 12 * SLOTS;

    @Override
    public Description description() {
        return new Description(
                "market-preemption",
                "Preemption: what it wastes and what it gains",
                Paper.MARKET,
                "Figure 10",
                List.of(
                        new Published("market, preemption: the boost", "about 3", "4.4"),
                        Published.of("jobs take less than 2.6 % longer with preemption", "4.4")),
                "The boost runs in a ResourceManager with tasks of 20 s on a virtual clock; the paper prints the difference of"
                        + " job times instead of the wasted work; the bursts are ours: a queue of weight 3 wants half of 20"
                        + " nodes for 30 s every 10 minutes, beside a queue of weight 1 that fills them with tasks of 300 s,"
                        + " and preemption begins 60 s after a burst.");
    }

    @Override
    public Effort effort() {
        return Effort.simulated(2, 1, 2, 1);
    }

    @Override
    public Measurement run(Run run) throws Exception {
        List<Row> rows = new ArrayList<>();
        run.tell("the market's boost");
        rows.add(boost("market, preemption: the boost", 5_000, run));
        rows.add(boost("market, no preemption: the boost", 0, run));
        for (Map.Entry<String, SchedulerKind> one : ReplayedCluster.schedulers().entrySet()) {
            run.tell(one.getKey());
            rows.add(bursts(one.getKey() + ", preemption: bursts", one.getValue(), true, run));
            rows.add(bursts(one.getKey() + ", no preemption: bursts", one.getValue(), false, run));
        }
        return Measurement.of(rows);
    }

    private static Row boost(String name, long preemptionMillis, Run run) throws Exception {
        BoostRun boost =
                new BoostRun(Files.createTempDirectory(run.scratch(), "boost"), 20_000, 5_000, preemptionMillis);
        LogManager.getRootLogger().setLevel(Level.ERROR); // Hadoop's mock of a ResourceManager has set it to DEBUG
        BoostRun.Outcome outcome = boost.run();
        return Row.of(name)
                .with("other jobs / boosted", outcome.boost())
                .with("all jobs, in times of one alone", outcome.makespan())
                .with(WASTED, 100 * outcome.wasted())
                .with(PREEMPTED, outcome.revoked());
    }

    private static Row bursts(String name, SchedulerKind kind, boolean preemption, Run run) throws IOException {
        Jobs jobs = new Jobs(3_600).add("batch", 0, BATCH_TASKS, TASK, BATCH_SECONDS);
        for (int i = 0; i < BURSTS; i++) {
            jobs.add("bursts", 130 + 600 * i, SLOTS / 2, TASK, BURST_SECONDS);
        }
        History history = jobs.history();
        String queues = "<defaultFairSharePreemptionTimeout>60</defaultFairSharePreemptionTimeout>"
                + "<defaultFairSharePreemptionThreshold>0.8</defaultFairSharePreemptionThreshold>"
                + "<queue name=\"root\"><queue name=\"batch\"/><queue name=\"bursts\"><weight>3</weight></queue></queue>";
        ReplayedCluster cluster = new ReplayedCluster(NODES, NODE, "drf", queues, run.scratch());
        if (preemption) {
            cluster.with("yarn.scheduler.fair.preemption", "true");
        }
        Outcome outcome = cluster.replay(kind, history);
        Figures all = outcome.all();
        double work = 1e3 * (BATCH_TASKS * BATCH_SECONDS + BURSTS * (SLOTS / 2) * BURST_SECONDS);
        double wasted = (double) all.lostMillis();
        double mean = outcome.jobMillis().entrySet().stream()
                .filter(job -> job.getKey().startsWith("bursts"))
                .mapToLong(job -> Objects.requireNonNull(job.getValue()))
                .average()
                .orElseThrow();
        return Row.of(name)
                .with(WASTED, 100 * wasted / (work + wasted))
                .with(PREEMPTED, (double) all.preempted())
                .with(BURST, mean / 1e3)
                .with("all jobs, s", outcome.makespanMillis() / 1e3);
    }

    @Override
    public List<Plot> plots(Measurement measurement) {
        Measurement bursts = measurement.only(row -> row.figures().containsKey(BURST));
        return List.of(Plot.bars(bursts, "bursts", "Mean time of a burst", "seconds", BURST));
    }
}
