// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.locality;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.hadoop.yarn.api.records.Resource;
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
import org.heddle.benchmarks.rm.TaskList;
import org.heddle.whatif.model.Size;

/** Nexus' Figure 7 and small jobs of the delay scheduling paper: where tasks run, and how long their jobs take. */
public final class LocalityExperiment implements Experiment {
    private static final String LOCAL = "node-local, %";
    private static final int NODES = 93;
    private static final int USERS = 16;
    private static final int TASKS = 400;
    private static final long TASK_MILLIS = 10_000;
    /** The step of the clock: all heartbeats are at the same moment. */
    private static final long SECOND = 1_000;
    /** How much longer a task takes that reads over the network. */
    private static final int REMOTE = 2;

    private static final int[] SMALL = {3, 10, 100};
    /** Jobs of each small size. */
    private static final int EACH = 30;

    private static final Resource TASK = Resource.newInstance(1_024, 1);
    private static final Resource NODE = Resource.newInstance(4_096, 4);

    /** A scheduler, and whether each user has a cluster of his own. */
    private record Way(LocalityWay scheduler, boolean separate) {}

    @Override
    public Description description() {
        return new Description(
                "delay-locality",
                "Delay scheduling: locality and job times",
                Paper.NEXUS,
                "section 6.4 and Figure 7; and small jobs as in Zaharia and others, Delay Scheduling (EuroSys 2010)",
                List.of(
                        new Published("separate clusters of 6 nodes", "18 % local", "section 6.4"),
                        new Published("DrfScheduler, waits 1 s", "above 90 % local", "section 6.4"),
                        new Published("DrfScheduler, waits 5 s", "95 % local", "section 6.4"),
                        Published.of(
                                "with 5 s of delay, jobs run 1.7 times faster than on separate clusters",
                                "section 6.4")),
                "The paper's 93 nodes of 4 cores and 16 users, with 400 tasks of 10 s each on a virtual clock; a task"
                        + " away from its block takes twice as long, which we chose, so the ratio of job times follows"
                        + " from the locality and does not confirm the paper's; small jobs of 3, 10 and 100 tasks run"
                        + " beside ten users who fill the cluster.");
    }

    @Override
    public Effort effort() {
        return Effort.simulated(2, 1, 5, 3);
    }

    private static Map<String, Way> ways() {
        Map<String, Way> ways = new LinkedHashMap<>();
        ways.put("separate clusters of 6 nodes", new Way(LocalityWay.heddle("0s"), true));
        ways.put("DrfScheduler, default", new Way(LocalityWay.heddle(), false));
        for (int seconds : new int[] {0, 1, 5, 15}) {
            ways.put("DrfScheduler, waits " + seconds + " s", new Way(LocalityWay.heddle(seconds + "s"), false));
        }
        ways.put("FairScheduler, default (does not wait)", new Way(LocalityWay.fair("-1"), false));
        ways.put("FairScheduler, passes half of the nodes", new Way(LocalityWay.fair("0.5"), false));
        ways.put("CapacityScheduler, default (passes 40 nodes)", new Way(LocalityWay.capacity("40"), false));
        ways.put("CapacityScheduler, does not wait", new Way(LocalityWay.capacity("-1"), false));
        return ways;
    }

    @Override
    public Measurement run(Run run) throws IOException {
        List<Row> rows = new ArrayList<>();
        for (Map.Entry<String, Way> way : ways().entrySet()) {
            run.tell(way.getKey());
            rows.add(row(way.getKey(), way.getValue(), run));
        }
        return Measurement.of(rows);
    }

    private static Row row(String name, Way way, Run run) throws IOException {
        List<Double> local = new ArrayList<>();
        List<Double> times = new ArrayList<>();
        List<List<Double>> small = new ArrayList<>();
        List<List<Double>> smallTimes = new ArrayList<>();
        for (int ignored : SMALL) {
            small.add(new ArrayList<>());
            smallTimes.add(new ArrayList<>());
        }
        for (long seed : run.seeds()) {
            List<LocalityRun.Outcome> large = way.separate() ? separate(way, run, seed) : together(way, run, seed);
            local.add(locality(large));
            times.add(seconds(large));
            if (!way.separate()) {
                List<LocalityRun.Outcome> all = smallJobs(way, run, seed);
                for (int i = 0; i < SMALL.length; i++) {
                    int tasks = SMALL[i];
                    List<LocalityRun.Outcome> those = all.stream()
                            .filter(one -> one.job().tasks() == tasks)
                            .toList();
                    small.get(i).add(locality(those));
                    smallTimes.get(i).add(seconds(those));
                }
            }
        }
        Row row = Row.of(name).with(LOCAL, Spread.of(local)).with("mean job, s", Spread.of(times));
        for (int i = 0; i < SMALL.length && !way.separate(); i++) {
            row = row.with("jobs of " + SMALL[i] + ": local, %", Spread.of(small.get(i)))
                    .with("jobs of " + SMALL[i] + ": mean, s", Spread.of(smallTimes.get(i)));
        }
        return row;
    }

    private static double locality(List<LocalityRun.Outcome> jobs) {
        return 100.0
                * jobs.stream().mapToInt(LocalityRun.Outcome::local).sum()
                / jobs.stream().mapToInt(one -> one.job().tasks()).sum();
    }

    private static double seconds(List<LocalityRun.Outcome> jobs) {
        return jobs.stream().mapToLong(LocalityRun.Outcome::millis).average().orElseThrow() / 1e3;
    }

    private static LocalityRun.JobOf job(int number, int user, long atMillis, int tasks) {
        long[] millis = new long[tasks];
        Arrays.fill(millis, TASK_MILLIS);
        return new LocalityRun.JobOf("root.u" + user, "user" + number, atMillis, TASK, millis);
    }

    private static List<LocalityRun.JobOf> equal(int users) {
        return IntStream.range(0, users)
                .mapToObj(user -> job(user, user, 0, TASKS))
                .toList();
    }

    private static List<LocalityRun.Outcome> together(Way way, Run run, long seed) throws IOException {
        try (LocalityRun cluster = cluster(way, NODES, run, seed)) {
            return cluster.run(equal(USERS));
        }
    }

    /** Sixteen clusters of a few nodes each, which are alike, so three of them are run. */
    private static List<LocalityRun.Outcome> separate(Way way, Run run, long seed) throws IOException {
        List<LocalityRun.Outcome> all = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            try (LocalityRun cluster = cluster(way, (NODES + USERS - 1) / USERS, run, seed + i)) {
                all.addAll(cluster.run(equal(1)));
            }
        }
        return all;
    }

    private static List<LocalityRun.Outcome> smallJobs(Way way, Run run, long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        List<LocalityRun.JobOf> jobs = new ArrayList<>();
        for (int user = 0; user < 10; user++) {
            jobs.add(job(user, user, 0, 2 * TASKS));
        }
        for (int size : SMALL) {
            for (int i = 0; i < EACH; i++) {
                jobs.add(job(jobs.size(), 10 + random.nextInt(6), random.nextInt(200_000), size));
            }
        }
        jobs.sort(Comparator.comparingLong(LocalityRun.JobOf::atMillis));
        try (LocalityRun cluster = cluster(way, NODES, run, seed)) {
            return cluster.run(jobs);
        }
    }

    private static LocalityRun cluster(Way way, int nodes, Run run, long seed) throws IOException {
        List<String> queues =
                IntStream.range(0, USERS).mapToObj(user -> "u" + user).toList();
        return new LocalityRun(
                way.scheduler()
                        .configuration(queues, new Size(NODE.getMemorySize(), NODE.getVirtualCores()), run.scratch()),
                new LocalityRun.Cluster(nodes, NODES, NODE, TaskList.REPLICAS, REMOTE, SECOND),
                seed);
    }

    @Override
    public List<Plot> plots(Measurement measurement) {
        return List.of(
                Plot.bars(measurement, "locality", "As Figure 7: tasks that run where their block is", "%", LOCAL),
                Plot.bars(measurement, "job-times", "As Figure 7: mean time of a job", "seconds", "mean job, s"));
    }
}
