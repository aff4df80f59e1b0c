// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.rm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
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
import org.heddle.whatif.scheduler.QueueFiles;
import org.heddle.whatif.scheduler.ReplayConfiguration;
import org.heddle.whatif.scheduler.SchedulerKind;

/** Nexus' Figure 7 and small jobs of the delay scheduling paper: where tasks run, and how long their jobs take. */
public final class LocalityExperiment implements Experiment {
    private static final String LOCAL = "node-local, %";
    private static final String FAIR_THRESHOLD = "yarn.scheduler.fair.locality.threshold.";
    private static final int NODES = 93;
    private static final int USERS = 16;
    private static final int TASKS = 400;
    private static final long TASK_MILLIS = 10_000;
    private static final int[] SMALL = {3, 10, 100};
    /** Jobs of each small size. */
    private static final int EACH = 30;

    /** A scheduler with what tells it how long to wait for a node. */
    private record Way(SchedulerKind kind, String key, String value, boolean separate) {}

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
                "The paper's 93 nodes of 4 cores and 16 users, with 400 tasks of 10 s each on a virtual clock; a task away from"
                        + " its block takes twice as long, which we chose, so the ratio of job times follows from the"
                        + " locality and does not confirm the paper's; small jobs of 3, 10 and 100 tasks run beside ten users"
                        + " who fill the cluster.");
    }

    @Override
    public Effort effort() {
        return Effort.simulated(2, 1, 5, 3);
    }

    private static Map<String, Way> ways() {
        String delays = "drf";
        Map<String, Way> ways = new LinkedHashMap<>();
        ways.put("separate clusters of 6 nodes", new Way(SchedulerKind.HEDDLE, delays, "0s", true));
        ways.put("DrfScheduler, default", new Way(SchedulerKind.HEDDLE, delays, "", false));
        ways.put("DrfScheduler, waits 0 s", new Way(SchedulerKind.HEDDLE, delays, "0s", false));
        ways.put("DrfScheduler, waits 1 s", new Way(SchedulerKind.HEDDLE, delays, "1s", false));
        ways.put("DrfScheduler, waits 5 s", new Way(SchedulerKind.HEDDLE, delays, "5s", false));
        ways.put("DrfScheduler, waits 15 s", new Way(SchedulerKind.HEDDLE, delays, "15s", false));
        String fair = FAIR_THRESHOLD + "node";
        ways.put("FairScheduler, default (does not wait)", new Way(SchedulerKind.FAIR, fair, "-1", false));
        ways.put("FairScheduler, passes half of the nodes", new Way(SchedulerKind.FAIR, fair, "0.5", false));
        String capacity = "yarn.scheduler.capacity.node-locality-delay";
        ways.put(
                "CapacityScheduler, default (passes 40 nodes)", new Way(SchedulerKind.CAPACITY, capacity, "40", false));
        ways.put("CapacityScheduler, does not wait", new Way(SchedulerKind.CAPACITY, capacity, "-1", false));
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

    private static List<LocalityRun.JobOf> equal(int users) {
        return IntStream.range(0, users)
                .mapToObj(user -> new LocalityRun.JobOf("root.u" + user, 0, TASKS))
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
            jobs.add(new LocalityRun.JobOf("root.u" + user, 0, 2 * TASKS));
        }
        for (int size : SMALL) {
            for (int i = 0; i < EACH; i++) {
                jobs.add(new LocalityRun.JobOf("root.u" + (10 + random.nextInt(6)), random.nextInt(200_000), size));
            }
        }
        jobs.sort(Comparator.comparingLong(LocalityRun.JobOf::atMillis));
        try (LocalityRun cluster = cluster(way, NODES, run, seed)) {
            return cluster.run(jobs);
        }
    }

    private static LocalityRun cluster(Way way, int nodes, Run run, long seed) throws IOException {
        return new LocalityRun(
                configuration(way, run.scratch()), new LocalityRun.Cluster(nodes, NODES), TASK_MILLIS, seed);
    }

    private static Configuration configuration(Way way, Path scratch) throws IOException {
        Path directory = Files.createTempDirectory(scratch, "locality");
        StringBuilder queues = new StringBuilder("<queue name=\"root\">");
        IntStream.range(0, USERS).forEach(user -> queues.append("<queue name=\"u" + user + "\"/>"));
        queues.append("</queue>");
        Configuration site = new Configuration(false);
        site.set("yarn.scheduler.fair.assignmultiple", "true");
        site.set("yarn.scheduler.fair.dynamic.max.assign", "false");
        site.set("yarn.scheduler.capacity.per-node-heartbeat.maximum-offswitch-assignments", "100");
        List<Path> files = new ArrayList<>();
        files.add(Files.writeString(
                directory.resolve("fair-scheduler.xml"),
                "<allocations><defaultQueueSchedulingPolicy>drf</defaultQueueSchedulingPolicy>"
                        + "<queueMaxAMShareDefault>-1.0</queueMaxAMShareDefault>" + queues + "</allocations>"));
        if (way.kind() == SchedulerKind.HEDDLE) {
            String waits = way.value().isEmpty()
                    ? ""
                    : "<scheduling-delays><node-locality>" + way.value() + "</node-locality><rack-locality>"
                            + way.value() + "</rack-locality></scheduling-delays>";
            files.add(Files.writeString(
                    directory.resolve("heddle-scheduler.xml"),
                    "<heddle-scheduler version=\"1\">" + waits + queues + "</heddle-scheduler>"));
        }
        Configuration conf = new ReplayConfiguration(
                        new QueueFiles(files), site, Collections.nCopies(1, new Size(4_096, 4)), directory)
                .of(way.kind())
                .conf();
        if (way.kind() != SchedulerKind.HEDDLE) {
            conf.set(way.key(), way.value());
            if (way.kind() == SchedulerKind.FAIR) {
                conf.set(FAIR_THRESHOLD + "rack", way.value()); // it waits for nodes only if it waits for racks, too
            }
        }
        return conf;
    }

    @Override
    public List<Plot> plots(Measurement measurement) {
        return List.of(
                Plot.bars(measurement, "locality", "As Figure 7: tasks that run where their block is", "%", LOCAL),
                Plot.bars(measurement, "job-times", "As Figure 7: mean time of a job", "seconds", "mean job, s"));
    }
}
