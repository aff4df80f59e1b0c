// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.whatif;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
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
import org.heddle.whatif.model.Size;
import org.heddle.whatif.outcome.Outcome;
import org.heddle.whatif.scheduler.SchedulerKind;

/** Section 6.1 of the DRF paper, with its distribution of shares: users with unlike needs, all of whom want more. */
public final class DominantSharesExperiment implements Experiment {
    private static final String CDF = "distribution";
    private static final int NODES = 48;
    private static final Size NODE = new Size(15_360, 4);
    private static final int CROWD_NODES = 50;
    private static final Size CROWD_NODE = new Size(65_536, 32);
    private static final int CROWD = 20;
    private static final double TASK_SECONDS = 10;
    /** Shares are looked at from here to there, when nobody's tasks have run out. */
    private static final int FROM = 40;

    private static final int TO = 140;

    private record Pair(String name, Size first, Size second) {}

    private static final List<Pair> PAIRS = List.of(
            new Pair("memory and cores", new Size(10_240, 1), new Size(1_024, 1)),
            new Pair("cores and cores", new Size(1_024, 2), new Size(1_024, 1)),
            new Pair("cores and memory", new Size(1_024, 2), new Size(7_168, 1)));

    @Override
    public Description description() {
        return new Description(
                "drf-shares",
                "DRF: dominant shares over time, and their distribution",
                Paper.DRF,
                "section 6.1",
                List.of(Published.of(
                        "shares of one job's memory and of another's CPUs are kept equal while needs change",
                        "section 6.1, without numbers")),
                "48 nodes of 4 cores and 15 GB in three replays, one for each pair of needs, and 20 users with needs drawn at"
                        + " random on 50 nodes; needs and task times (5 to 15 s) are our choice, all users always want more,"
                        + " and policy fair of FairScheduler counts memory alone.");
    }

    @Override
    public Effort effort() {
        return Effort.simulated(1.5, 1, 3, 3);
    }

    @Override
    public Measurement run(Run run) throws IOException {
        List<Row> rows = new ArrayList<>();
        List<Curve> curves = new ArrayList<>();
        for (Pair pair : PAIRS) {
            for (Map.Entry<String, SchedulerKind> one :
                    ReplayedCluster.schedulers().entrySet()) {
                run.tell(pair.name() + ", " + one.getKey());
                rows.add(pair(pair, one.getKey(), one.getValue(), "drf", run));
            }
            rows.add(pair(pair, "FairScheduler, policy fair", SchedulerKind.FAIR, "fair", run));
        }
        for (Map.Entry<String, SchedulerKind> one : ReplayedCluster.schedulers().entrySet()) {
            run.tell("20 users, " + one.getKey());
            rows.add(crowd(one.getKey(), one.getValue(), run, curves));
        }
        return new Measurement(rows, curves);
    }

    private static long[] times(int tasks, SplittableRandom random) {
        return random.doubles(tasks, 500 * TASK_SECONDS, 1_500 * TASK_SECONDS)
                .mapToLong(Math::round)
                .toArray();
    }

    /** So many tasks that they last beyond the end if they get a part of the cluster. */
    private static int tasks(int nodes, Size node, Size task, double part) {
        long fit = Math.min(node.memoryMb() / task.memoryMb(), node.vcores() / task.vcores());
        return (int) Math.ceil(part * nodes * fit * TO / TASK_SECONDS) + nodes;
    }

    private static Row pair(Pair pair, String name, SchedulerKind kind, String policy, Run run) throws IOException {
        ReplayedCluster cluster =
                new ReplayedCluster(NODES, NODE, policy, ReplayedCluster.equalQueues(List.of("a", "b")), run.scratch());
        SplittableRandom random = new SplittableRandom(run.seeds().get(0));
        Outcome outcome = cluster.replay(
                kind,
                new Jobs(240)
                        .add("a", 0, pair.first(), times(tasks(NODES, NODE, pair.first(), 1), random))
                        .add("b", 0, pair.second(), times(tasks(NODES, NODE, pair.second(), 1), random))
                        .history());
        double first = 100 * ReplayedCluster.meanShare(outcome, "a", FROM, TO);
        double second = 100 * ReplayedCluster.meanShare(outcome, "b", FROM, TO);
        return Row.of(pair.name() + ": " + name)
                .with("first user, %", first)
                .with("second user, %", second)
                .with("difference, points", Math.abs(first - second));
    }

    private static Row crowd(String name, SchedulerKind kind, Run run, List<Curve> curves) throws IOException {
        List<String> users = IntStream.range(0, CROWD).mapToObj(i -> "u" + i).toList();
        List<Double> low = new ArrayList<>();
        List<Double> middle = new ArrayList<>();
        List<Double> high = new ArrayList<>();
        for (long seed : run.seeds()) {
            SplittableRandom random = new SplittableRandom(seed);
            Jobs jobs = new Jobs(240);
            for (String user : users) {
                Size size = new Size(1_024L * (1 + random.nextInt(8)), 1 + random.nextInt(4));
                jobs.add(user, 0, size, times(tasks(CROWD_NODES, CROWD_NODE, size, 0.15), random));
            }
            Outcome outcome = new ReplayedCluster(
                            CROWD_NODES, CROWD_NODE, "drf", ReplayedCluster.equalQueues(users), run.scratch())
                    .replay(kind, jobs.history());
            double[] shares = users.stream()
                    .flatMapToDouble(
                            user -> Arrays.stream(Arrays.copyOfRange(ReplayedCluster.shares(outcome, user), FROM, TO)))
                    .sorted()
                    .toArray();
            double mean = DoubleStream.of(shares).average().orElseThrow();
            low.add(part(shares, 0.05) / mean);
            middle.add(part(shares, 0.5) / mean);
            high.add(part(shares, 0.95) / mean);
            if (seed == run.seeds().get(0)) {
                List<Double> parts =
                        IntStream.rangeClosed(0, 50).mapToObj(i -> i / 50.0).toList();
                curves.add(new Curve(
                        CDF,
                        name,
                        parts.stream().map(part -> part(shares, part) / mean).toList(),
                        parts));
            }
        }
        return Row.of("20 users: " + name)
                .with("5 % of shares are below, of the mean", Spread.of(low))
                .with("half are below, of the mean", Spread.of(middle))
                .with("95 % are below, of the mean", Spread.of(high));
    }

    private static double part(double[] sorted, double part) {
        return sorted[(int) Math.round(part * (sorted.length - 1))];
    }

    @Override
    public List<Plot> plots(Measurement measurement) {
        return List.of(Plot.lines(
                measurement,
                CDF,
                "Distribution of the dominant shares of 20 users over 100 s",
                "share, of the mean share",
                "part of all users and seconds"));
    }
}
