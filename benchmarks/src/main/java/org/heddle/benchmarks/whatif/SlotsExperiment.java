// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.whatif;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
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
import org.heddle.whatif.model.History;
import org.heddle.whatif.model.Size;
import org.heddle.whatif.outcome.Outcome;
import org.heddle.whatif.scheduler.SchedulerKind;

/**
 * Sections 6.2 and 6.3 of the DRF paper: times of jobs where tasks get what they need, and where every task gets a
 * slot. The jobs are drawn from published distributions of a Hadoop cluster at Facebook.
 */
public final class SlotsExperiment implements Experiment {
    private static final int NODES = 50;
    private static final Size NODE = new Size(32_768, 16);
    /** What a task needs at most, so a slot must have it. */
    private static final Size SLOT = new Size(8_192, 4);

    private static final List<Size> NEEDS =
            List.of(new Size(1_024, 1), new Size(1_024, 4), new Size(8_192, 1), new Size(4_096, 2));
    private static final int USERS = 8;
    private static final int JOBS = 100;
    private static final double HORIZON = 600;
    private static final double MEDIAN_TASK = 23;
    private static final double SIGMA = 0.5;
    /** Of all jobs with up to 1,600 maps, so many have at least and at most so many. */
    private static final int[][] SIZES = {{58, 1, 24}, {18, 25, 100}, {14, 100, 400}, {7, 400, 1_600}};

    private static final String[] BINS = {"1 to 24 tasks", "25 to 99", "100 to 399", "400 to 1,600"};

    /** A job as drawn. */
    private record Drawn(String user, double at, int bin, Size need, long[] millis) {}

    @Override
    public Description description() {
        return new Description(
                "drf-slots",
                "DRF: job times against slots, in a trace from published distributions",
                Paper.DRF,
                "sections 6.2 and 6.3",
                List.of(Published.of("better throughput and fairness than slot-based fair sharing", "abstract")),
                "The paper replays Facebook's trace, which is not public; here 100 jobs of 8 users come within 10 minutes to"
                        + " 50 nodes, their numbers of tasks follow the table of job sizes at Facebook in Zaharia's talk \"Job"
                        + " Scheduling for MapReduce\" (without jobs of more than 1,600 maps), the median task takes 23 s as in"
                        + " Figure 1 of the Mesos paper, four needs are our choice, and a slot has what the largest task needs,"
                        + " because the replay does not model tasks that share too little.");
    }

    @Override
    public Effort effort() {
        return Effort.simulated(2, 2, 5, 5);
    }

    private static List<Drawn> draw(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Drawn> drawn = new ArrayList<>();
        int weights = IntStream.range(0, SIZES.length).map(i -> SIZES[i][0]).sum();
        for (int i = 0; i < JOBS; i++) {
            int at = random.nextInt(weights);
            int bin = 0;
            while (at >= SIZES[bin][0]) {
                at -= SIZES[bin++][0];
            }
            int user = random.nextInt(USERS);
            double low = Math.log(SIZES[bin][1]);
            double high = Math.log(SIZES[bin][2]);
            int tasks = (int) Math.round(Math.exp(low + (high - low) * random.nextDouble()));
            long[] millis = new long[tasks];
            for (int t = 0; t < tasks; t++) {
                millis[t] = Math.round(1_000 * MEDIAN_TASK * Math.exp(SIGMA * random.nextGaussian()));
            }
            drawn.add(
                    new Drawn("u" + user, HORIZON * random.nextDouble(), bin, NEEDS.get(user % NEEDS.size()), millis));
        }
        return drawn;
    }

    private static Outcome replay(List<Drawn> drawn, SchedulerKind kind, boolean slots, String policy, Run run)
            throws IOException {
        Jobs jobs = new Jobs(2 * (long) HORIZON, slots ? SLOT : new Size(1_024, 1));
        drawn.forEach(job -> jobs.add(job.user(), job.at(), slots ? SLOT : job.need(), job.millis()));
        History history = jobs.history();
        List<String> users = IntStream.range(0, USERS).mapToObj(i -> "u" + i).toList();
        return new ReplayedCluster(NODES, NODE, policy, ReplayedCluster.equalQueues(users), run.scratch())
                .replay(kind, history);
    }

    /** What is compared. */
    private record Way(SchedulerKind kind, boolean slots, String policy) {}

    @Override
    public Measurement run(Run run) throws IOException {
        Map<String, Way> ways = new LinkedHashMap<>();
        ReplayedCluster.schedulers().forEach((name, kind) -> ways.put(name, new Way(kind, false, "drf")));
        ways.put("FairScheduler, policy fair", new Way(SchedulerKind.FAIR, false, "fair"));
        ways.put("slots, FairScheduler", new Way(SchedulerKind.FAIR, true, "fair"));
        List<Row> rows = new ArrayList<>();
        for (Map.Entry<String, Way> way : ways.entrySet()) {
            run.tell(way.getKey());
            rows.add(row(way.getKey(), way.getValue(), run));
        }
        return Measurement.of(rows);
    }

    private static Row row(String name, Way way, Run run) throws IOException {
        Map<String, List<Double>> columns = new LinkedHashMap<>();
        for (long seed : run.seeds()) {
            List<Drawn> drawn = draw(seed);
            Outcome outcome = replay(drawn, way.kind(), way.slots(), way.policy(), run);
            for (int bin = 0; bin < BINS.length; bin++) {
                double sum = 0;
                int count = 0;
                for (int i = 0; i < drawn.size(); i++) {
                    if (drawn.get(i).bin() == bin) {
                        sum += outcome.jobMillis().getOrDefault(drawn.get(i).user() + "-" + (i + 1), 0L) / 1e3;
                        count++;
                    }
                }
                columns.computeIfAbsent("mean job of " + BINS[bin] + ", s", any -> new ArrayList<>())
                        .add(sum / count);
            }
            columns.computeIfAbsent("all jobs, s", any -> new ArrayList<>()).add(outcome.makespanMillis() / 1e3);
        }
        Row row = Row.of(name);
        for (Map.Entry<String, List<Double>> column : columns.entrySet()) {
            row = row.with(column.getKey(), Spread.of(column.getValue()));
        }
        return row;
    }

    @Override
    public List<Plot> plots(Measurement measurement) {
        return List.of(Plot.bars(
                measurement,
                "job-times",
                "Mean job times by the number of tasks",
                "seconds",
                IntStream.range(0, BINS.length)
                        .mapToObj(bin -> "mean job of " + BINS[bin] + ", s")
                        .toArray(String[]::new)));
    }
}
