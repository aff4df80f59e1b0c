// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.locality;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.apache.hadoop.yarn.api.records.Resource;
import org.heddle.benchmarks.experiment.Description;
import org.heddle.benchmarks.experiment.Effort;
import org.heddle.benchmarks.experiment.Experiment;
import org.heddle.benchmarks.experiment.Goal;
import org.heddle.benchmarks.experiment.Measurement;
import org.heddle.benchmarks.experiment.Paper;
import org.heddle.benchmarks.experiment.Plot;
import org.heddle.benchmarks.experiment.Row;
import org.heddle.benchmarks.experiment.Run;
import org.heddle.benchmarks.experiment.Spread;
import org.heddle.whatif.model.Size;

/**
 * Our defaults beside the other schedulers' defaults and best settings: large jobs, small ones, and two that want
 * everything.
 */
public final class SideBySideExperiment implements Experiment {
    private static final String OURS = "DrfScheduler, default";
    private static final String BEST = "x best of the others";
    private static final String LAST = "last job, s";
    private static final String MEAN = "mean job, s";
    private static final String LAST_TIMES = "last job, " + BEST;
    private static final String MEAN_TIMES = "mean job, " + BEST;
    private static final String LOCAL = "node-local, %";
    private static final String SMALL_MEDIAN = "small jobs: p50, ms";
    private static final String SMALL_TAIL = "small jobs: p99, ms";
    private static final String SMALL_LOCAL = "small jobs: node-local, %";
    private static final String LESS = "smaller part, % after ";

    private static final int NODES = 100;
    private static final Resource NODE = Resource.newInstance(8_192, 8);
    private static final long STEP = 20;
    private static final long SECOND = 1_000;
    private static final List<String> QUEUES = List.of("memory", "cores", "even");
    private static final List<Resource> TASKS =
            List.of(Resource.newInstance(2_048, 1), Resource.newInstance(512, 2), Resource.newInstance(1_024, 1));
    private static final int JOBS = 30;
    private static final int MAPS = 200;
    private static final int SMALL_JOBS = 200;
    /** What two ask for at about the same time: each the whole cluster. */
    private static final int EVERYTHING = NODES * 8;

    /** A load of large jobs: how many nodes have a block, and how much longer it takes elsewhere. */
    private record Blocks(String name, int replicas, int remote, double leastLocal) {}

    private static final List<Blocks> BLOCKS = List.of(
            new Blocks("one replica", 1, 1, 70), new Blocks("three replicas, elsewhere twice as long", 3, 2, 99));

    @Override
    public Description description() {
        return new Description(
                "side-by-side",
                "DRF scheduler: jobs, locality and waits beside the other schedulers",
                Paper.NONE,
                "",
                List.of(),
                "No paper has this: the schedulers of a real ResourceManager on a virtual clock with steps of 20 ms,"
                        + " 100 nodes of 8 GB and 8 cores in racks of 40, with a heartbeat a second, spread over the"
                        + " second. In the full cluster 30 jobs of 200 maps of 4 to 6 s come within a minute to three"
                        + " queues with containers of three shapes, each queue with one user. Each map has its block on"
                        + " one node and takes as long elsewhere, or on three nodes and takes twice as long elsewhere."
                        + " Where there is room, 200 jobs of one to four maps come in 100 s; two jobs of two queues, each"
                        + " of which wants the whole cluster, ask 20 or 60 ms apart. Masters call in each step and take no"
                        + " room. Best of the others: of each seed the smallest figure of all their rows.");
    }

    @Override
    public Effort effort() {
        return Effort.simulated(0, 0, 30, 10);
    }

    @Override
    public List<Goal> goals() {
        List<Goal> goals = new ArrayList<>();
        for (Blocks blocks : BLOCKS) {
            String row = compared(blocks);
            goals.add(Goal.atMost(row, LAST_TIMES, 1));
            goals.add(Goal.atMost(
                    row + ": " + LAST_TIMES + ", largest of all seeds",
                    1.02,
                    measurement -> measurement.most(row, LAST_TIMES)));
            goals.add(Goal.atMost(row, MEAN_TIMES, 0.9));
            goals.add(Goal.atMost(
                    row + ": " + MEAN_TIMES + ", largest of all seeds",
                    1.02,
                    measurement -> measurement.most(row, MEAN_TIMES)));
            goals.add(Goal.atLeast(full(blocks, OURS), LOCAL, blocks.leastLocal()));
        }
        String room = room(OURS);
        goals.add(Goal.atMost(room, SMALL_MEDIAN, 5));
        goals.add(Goal.atMost(room, SMALL_TAIL, 50));
        goals.add(Goal.atLeast(room, SMALL_LOCAL, 99));
        for (int apart : new int[] {20, 60}) {
            goals.add(Goal.atLeast(pair(OURS, apart), LESS + "1 s", 49));
        }
        return goals;
    }

    private static Map<String, LocalityWay> ways() {
        Map<String, LocalityWay> ways = new LinkedHashMap<>();
        ways.put(OURS, LocalityWay.heddle());
        ways.put("FairScheduler, default", LocalityWay.fairDefault());
        ways.put("FairScheduler, assigns multiple", LocalityWay.fair("-1"));
        ways.put("FairScheduler, passes half of the nodes", LocalityWay.fair("0.5"));
        ways.put("CapacityScheduler, default", LocalityWay.capacityDefault());
        ways.put("CapacityScheduler, does not wait", LocalityWay.capacity("-1"));
        return ways;
    }

    private static String full(Blocks blocks, String way) {
        return "full, " + blocks.name() + ": " + way;
    }

    private static String compared(Blocks blocks) {
        return "full, " + blocks.name() + ": ours";
    }

    private static String room(String way) {
        return "room: " + way;
    }

    private static String pair(String way, int apartMillis) {
        return "two ask " + apartMillis + " ms apart: " + way;
    }

    @Override
    public Measurement run(Run run) throws IOException {
        List<Row> rows = new ArrayList<>();
        for (Blocks blocks : BLOCKS) {
            rows.addAll(full(blocks, run));
        }
        for (Map.Entry<String, LocalityWay> way : ways().entrySet()) {
            run.tell(room(way.getKey()));
            rows.add(small(way.getKey(), way.getValue(), run));
        }
        for (int apart : new int[] {20, 60}) {
            for (Map.Entry<String, LocalityWay> way : ways().entrySet()) {
                run.tell(pair(way.getKey(), apart));
                rows.add(pair(way.getKey(), way.getValue(), apart, run));
            }
        }
        return Measurement.of(rows);
    }

    private static List<Row> full(Blocks blocks, Run run) throws IOException {
        List<Row> rows = new ArrayList<>();
        Map<String, List<List<LocalityRun.Outcome>>> all = new LinkedHashMap<>();
        for (Map.Entry<String, LocalityWay> way : ways().entrySet()) {
            run.tell(full(blocks, way.getKey()));
            List<List<LocalityRun.Outcome>> seeds = new ArrayList<>();
            for (long seed : run.seeds()) {
                seeds.add(outcomes(way.getValue(), blocks.replicas(), blocks.remote(), large(seed), run, seed));
            }
            all.put(way.getKey(), seeds);
            rows.add(Row.of(full(blocks, way.getKey()))
                    .with(LAST, each(seeds, SideBySideExperiment::lastSeconds))
                    .with(MEAN, each(seeds, SideBySideExperiment::meanSeconds))
                    .with(LOCAL, each(seeds, SideBySideExperiment::locality)));
        }
        rows.add(Row.of(compared(blocks))
                .with(LAST_TIMES, timesBest(all, SideBySideExperiment::lastSeconds))
                .with(MEAN_TIMES, timesBest(all, SideBySideExperiment::meanSeconds)));
        return rows;
    }

    private static Row small(String name, LocalityWay way, Run run) throws IOException {
        List<List<LocalityRun.Outcome>> seeds = new ArrayList<>();
        for (long seed : run.seeds()) {
            seeds.add(outcomes(way, 1, 1, small(seed), run, seed));
        }
        return Row.of(room(name))
                .with(SMALL_MEDIAN, each(seeds, jobs -> wait(jobs, 0.5)))
                .with(SMALL_TAIL, each(seeds, jobs -> wait(jobs, 0.99)))
                .with(SMALL_LOCAL, each(seeds, SideBySideExperiment::locality));
    }

    private static Row pair(String name, LocalityWay way, int apartMillis, Run run) throws IOException {
        List<List<LocalityRun.Outcome>> seeds = new ArrayList<>();
        for (long seed : run.seeds()) {
            List<LocalityRun.JobOf> two = IntStream.range(0, 2)
                    .mapToObj(i -> job(2, "pair" + i, QUEUES.get(i), (long) i * apartMillis, EVERYTHING, 10 * SECOND))
                    .toList();
            seeds.add(outcomes(way, 1, 1, two, run, seed));
        }
        return Row.of(pair(name, apartMillis))
                .with(LESS + "0.5 s", each(seeds, jobs -> smallerPart(jobs, SECOND / 2)))
                .with(LESS + "1 s", each(seeds, jobs -> smallerPart(jobs, SECOND)));
    }

    private static List<LocalityRun.Outcome> outcomes(
            LocalityWay way, int replicas, int remote, List<LocalityRun.JobOf> jobs, Run run, long seed)
            throws IOException {
        LocalityRun.Cluster cluster = new LocalityRun.Cluster(NODES, NODES, NODE, replicas, remote, STEP);
        Size size = new Size(NODE.getMemorySize(), NODE.getVirtualCores());
        try (LocalityRun one = new LocalityRun(way.configuration(QUEUES, size, run.scratch()), cluster, seed)) {
            return one.run(jobs);
        }
    }

    // ---- loads ----

    private static List<LocalityRun.JobOf> large(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        return IntStream.range(0, JOBS)
                .mapToObj(i -> {
                    String queue = QUEUES.get(i % QUEUES.size());
                    return new LocalityRun.JobOf(
                            "root." + queue,
                            "user-" + queue,
                            random.nextInt((int) (60 * SECOND)) / STEP * STEP,
                            TASKS.get(i % TASKS.size()),
                            random.longs(MAPS, 4 * SECOND, 6 * SECOND).toArray());
                })
                .sorted(Comparator.comparingLong(LocalityRun.JobOf::atMillis))
                .toList();
    }

    private static List<LocalityRun.JobOf> small(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        return IntStream.range(0, SMALL_JOBS)
                .mapToObj(i -> {
                    int shape = random.nextInt(TASKS.size());
                    long at = (i * SECOND / 2 + random.nextInt((int) (SECOND / 2))) / STEP * STEP;
                    return job(shape, "small" + i, QUEUES.get(shape), at, 1 + random.nextInt(4), 5 * SECOND);
                })
                .toList();
    }

    private static LocalityRun.JobOf job(
            int shape, String user, String queue, long atMillis, int tasks, long taskMillis) {
        long[] millis = IntStream.range(0, tasks).mapToLong(i -> taskMillis).toArray();
        return new LocalityRun.JobOf("root." + queue, user, atMillis, TASKS.get(shape), millis);
    }

    // ---- figures ----

    private static Spread each(
            List<List<LocalityRun.Outcome>> seeds, ToDoubleFunction<List<LocalityRun.Outcome>> figure) {
        return Spread.of(seeds.stream().mapToDouble(figure).toArray());
    }

    private static Spread timesBest(
            Map<String, List<List<LocalityRun.Outcome>>> all, ToDoubleFunction<List<LocalityRun.Outcome>> figure) {
        List<List<LocalityRun.Outcome>> ours = all.getOrDefault(OURS, List.of());
        return Spread.of(IntStream.range(0, ours.size())
                .mapToDouble(seed -> figure.applyAsDouble(ours.get(seed))
                        / all.entrySet().stream()
                                .filter(way -> !way.getKey().equals(OURS))
                                .mapToDouble(way ->
                                        figure.applyAsDouble(way.getValue().get(seed)))
                                .min()
                                .orElse(Double.NaN))
                .toArray());
    }

    private static double lastSeconds(List<LocalityRun.Outcome> jobs) {
        return jobs.stream().mapToLong(LocalityRun.Outcome::endMillis).max().orElseThrow() / 1e3;
    }

    private static double meanSeconds(List<LocalityRun.Outcome> jobs) {
        return jobs.stream().mapToLong(LocalityRun.Outcome::millis).average().orElseThrow() / 1e3;
    }

    private static double locality(List<LocalityRun.Outcome> jobs) {
        return 100.0
                * jobs.stream().mapToInt(LocalityRun.Outcome::local).sum()
                / jobs.stream().mapToInt(one -> one.job().tasks()).sum();
    }

    private static double wait(List<LocalityRun.Outcome> jobs, double part) {
        return Spread.percentile(
                jobs.stream()
                        .flatMap(job -> job.waitMillis().stream())
                        .mapToDouble(Long::doubleValue)
                        .toArray(),
                part);
    }

    /** Of the containers of both, so long after each of them asked. */
    private static double smallerPart(List<LocalityRun.Outcome> pair, long afterMillis) {
        long[] held = pair.stream()
                .mapToLong(job -> job.waitMillis().stream()
                        .filter(wait -> wait <= afterMillis)
                        .count())
                .sorted()
                .toArray();
        return 100.0 * held[0] / Math.max(1, held[0] + held[1]);
    }

    @Override
    public List<Plot> plots(Measurement measurement) {
        return BLOCKS.stream()
                .map(blocks -> Plot.bars(
                        ofWays(measurement, blocks),
                        "jobs-" + blocks.replicas(),
                        "Jobs in the full cluster, " + blocks.name(),
                        "seconds",
                        LAST,
                        MEAN))
                .toList();
    }

    /** The rows of a load under the names of the ways: a picture has no room for more. */
    private static Measurement ofWays(Measurement measurement, Blocks blocks) {
        String prefix = full(blocks, "");
        return Measurement.of(
                measurement
                        .only(row ->
                                row.name().startsWith(prefix) && row.figures().containsKey(LAST))
                        .rows()
                        .stream()
                        .map(row -> new Row(row.name().substring(prefix.length()), row.figures()))
                        .toList());
    }
}
