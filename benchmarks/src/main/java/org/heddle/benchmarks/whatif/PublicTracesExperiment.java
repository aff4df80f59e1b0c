// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.whatif;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.heddle.benchmarks.experiment.Curve;
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
import org.heddle.whatif.model.History;
import org.heddle.whatif.model.Job;
import org.heddle.whatif.model.Size;
import org.heddle.whatif.model.TaskKind;
import org.heddle.whatif.outcome.Outcome;
import org.heddle.whatif.replay.Replay;
import org.heddle.whatif.scheduler.QueueFiles;
import org.heddle.whatif.scheduler.ReplayConfiguration;
import org.heddle.whatif.scheduler.SchedulerKind;

/** The jobs of a public trace under each scheduler: when they end, and how much longer they take than alone. */
public final class PublicTracesExperiment implements Experiment {
    /** The system property that names the file of the trace. */
    static final String FILE = "heddle.trace";

    private static final String DEFAULTS = "ours, defaults";
    private static final String BY_APPLICATIONS = "ours, divide-by applications";
    private static final String FAIR_FILE = "ours, with the fair-scheduler.xml";
    private static final String FAIR_ONE = "FairScheduler, assigns one";
    private static final String FAIR = "FairScheduler, assigns multiple";
    private static final String CAPACITY = "CapacityScheduler";
    private static final String ENDED = "jobs ended";
    private static final String MEAN = "mean job, s";
    private static final String TAIL = "p99 job, min";
    private static final String SLOWDOWN = "mean slowdown";
    private static final String MASTERS = "mean wait of masters, s";
    private static final String LAST = "last job, min";
    private static final String IN_TIME = "in 1.1 x FairScheduler's time and a task, %";
    private static final String BEST = ", x best of the others";
    private static final List<String> COMPARED = List.of(MEAN, TAIL, MASTERS, LAST);
    private static final String CDF = "job-times";
    private static final double MINUTE = 60_000;

    private static final int JOBS = 1_500;
    private static final int NODES = 5;
    private static final Size NODE = new Size(16_384, 8);
    private static final String MASTERS_PART = "0.3";

    /** A scheduler with its file of queues and the keys of its site file. */
    private record Way(SchedulerKind kind, String file, String xml, Map<String, String> site) {}

    /** Jobs with so many tasks, for the slowdown by size. */
    private record Sizes(String name, int least, int most) {}

    private static final List<Sizes> SIZES = List.of(
            new Sizes("1 or 2 tasks", 1, 2),
            new Sizes("3 to 20", 3, 20),
            new Sizes("21 to 200", 21, 200),
            new Sizes("more", 201, Integer.MAX_VALUE));

    @Override
    public Description description() {
        return new Description(
                "public-traces",
                "DRF scheduler: job times on a public trace",
                Paper.NONE,
                "",
                List.of(),
                "No paper has this: the first 1,500 jobs of SWIM's sample of a Facebook cluster of 2009"
                        + " (SWIMProjectUCB/SWIM, workloadSuite/FB-2009_samples_24_times_1hr_0.tsv; copyright Regents of"
                        + " the University of California, New BSD License; the file is not in this repository), replayed"
                        + " by heddle whatif's own classes on 5 nodes of 16 GiB and 8 cores in virtual time. The sample"
                        + " has times of submission and bytes; task lengths are an assumption (10 MB/s a map, 8 MB/s a"
                        + " reduce, lognormal), and users, queues (etl with weight 2, adhoc, science, reports) and"
                        + " container sizes are drawn by the seed. The others have their best settings: limit of masters"
                        + " 0.3, drf, and where it says so as many containers in a heartbeat as fit; CapacityScheduler"
                        + " with the order fair in its leaves and 100 assignments off their rack. It ends all jobs with what"
                        + " Hadoop's fs2cs makes of the file; with a minimum-user-limit-percent of 20 it left 114 jobs of"
                        + " another draw unfinished, because the masters of two users were all that its limit of a user"
                        + " allows (docs/decisions/0068-sojourn-order.md). Slowdown: the time of a job in relation to its"
                        + " longest map and longest reduce.");
    }

    @Override
    public Effort effort() {
        return Effort.simulated(0, 0, 30, 1);
    }

    @Override
    public List<Goal> goals() {
        List<Goal> goals = new ArrayList<>();
        goals.add(Goal.atMost(compared(BY_APPLICATIONS), MEAN + BEST, 0.6));
        goals.add(Goal.atMost(compared(DEFAULTS), MEAN + BEST, 0.75));
        for (String way : List.of(BY_APPLICATIONS, DEFAULTS)) {
            goals.add(Goal.atMost(compared(way), TAIL + BEST, 1));
            goals.add(Goal.atMost(compared(way), LAST + BEST, 1.02));
            goals.add(Goal.atLeast(way, IN_TIME, 99));
        }
        for (String column : COMPARED) {
            goals.add(Goal.atMost(compared(FAIR_FILE), column + BEST, 1));
        }
        return goals;
    }

    private static String compared(String way) {
        return way + ", compared";
    }

    private static Way ours(String rootElements, String elements) {
        return new Way(
                SchedulerKind.HEDDLE,
                "heddle-scheduler.xml",
                "<heddle-scheduler version=\"1\"><queue name=\"root\">" + rootElements + SwimTrace.queues(elements)
                        + "</queue></heddle-scheduler>",
                Map.of());
    }

    private static Way fairFile(SchedulerKind kind, boolean multiple) {
        return new Way(
                kind,
                "fair-scheduler.xml",
                "<allocations><defaultQueueSchedulingPolicy>drf</defaultQueueSchedulingPolicy><queueMaxAMShareDefault>"
                        + MASTERS_PART + "</queueMaxAMShareDefault><queue name=\"root\">"
                        + SwimTrace.queues("<schedulingPolicy>drf</schedulingPolicy>") + "</queue></allocations>",
                Map.of(
                        "yarn.scheduler.fair.assignmultiple",
                        String.valueOf(multiple),
                        "yarn.scheduler.fair.dynamic.max.assign",
                        "false",
                        "yarn.scheduler.capacity.per-node-heartbeat.maximum-offswitch-assignments",
                        "100"));
    }

    static List<String> names() {
        return List.copyOf(ways().keySet());
    }

    private static Map<String, Way> ways() {
        Map<String, Way> ways = new LinkedHashMap<>();
        ways.put(DEFAULTS, ours("", ""));
        ways.put("ours, user-order drf", ours("", "<user-order>drf</user-order>"));
        ways.put("ours, user-order fifo", ours("", "<user-order>fifo</user-order>"));
        ways.put(BY_APPLICATIONS, ours("", "<divide-by>applications</divide-by><order>sojourn</order>"));
        ways.put(FAIR_FILE, fairFile(SchedulerKind.HEDDLE, true));
        ways.put(FAIR_ONE, fairFile(SchedulerKind.FAIR, false));
        ways.put(FAIR, fairFile(SchedulerKind.FAIR, true));
        ways.put(CAPACITY, fairFile(SchedulerKind.CAPACITY, true));
        return ways;
    }

    @Override
    public Measurement run(Run run) throws IOException {
        String file = System.getProperty(FILE);
        if (file == null) {
            throw new IOException("public-traces needs the file of a trace: download"
                    + " workloadSuite/FB-2009_samples_24_times_1hr_0.tsv of github.com/SWIMProjectUCB/SWIM and set"
                    + " JAVA_TOOL_OPTIONS=-D" + FILE + "=FILE");
        }
        SwimTrace trace = SwimTrace.read(Path.of(file), JOBS);
        List<Map<String, Row>> seeds = new ArrayList<>();
        List<Curve> curves = new ArrayList<>();
        for (long seed : run.seeds()) {
            History history = trace.history(seed, 1);
            Map<String, Outcome> outcomes = new LinkedHashMap<>();
            for (String way : names()) {
                run.tell(way + ", seed " + seed);
                outcomes.put(way, replay(way, history, NODES, run.scratch()));
            }
            Outcome fair = Objects.requireNonNull(outcomes.get(FAIR));
            Map<String, Row> rows = new LinkedHashMap<>();
            outcomes.forEach((way, outcome) ->
                    rows.put(way, row(way, history, outcome).with(IN_TIME, inTime(history, outcome, fair))));
            seeds.add(rows);
            if (curves.isEmpty()) {
                outcomes.forEach((way, outcome) -> curves.add(cdf(way, outcome)));
            }
        }
        List<Row> rows = new ArrayList<>();
        names().forEach(way -> rows.add(ofAll(way, seeds)));
        List.of(DEFAULTS, BY_APPLICATIONS, FAIR_FILE).forEach(way -> rows.add(timesBest(way, seeds)));
        return new Measurement(rows, curves);
    }

    private static Row ofAll(String way, List<Map<String, Row>> seeds) {
        Row all = Row.of(way);
        for (String column : rowOf(seeds.get(0), way).figures().keySet()) {
            all = all.with(column, each(seeds, rows -> rowOf(rows, way).median(column)));
        }
        return all;
    }

    /** Of each seed against the best of the others that end all jobs, in each column. */
    private static Row timesBest(String way, List<Map<String, Row>> seeds) {
        Row all = Row.of(compared(way));
        for (String column : COMPARED) {
            all = all.with(
                    column + BEST,
                    each(
                            seeds,
                            rows -> rowOf(rows, way).median(column)
                                    / Stream.of(FAIR_ONE, FAIR, CAPACITY)
                                            .map(rows::get)
                                            .filter(row -> row.median(ENDED) == JOBS)
                                            .mapToDouble(row -> row.median(column))
                                            .min()
                                            .orElse(Double.NaN)));
        }
        return all;
    }

    private static Row rowOf(Map<String, Row> rows, String way) {
        return Objects.requireNonNull(rows.get(way), way);
    }

    private static Spread each(List<Map<String, Row>> seeds, ToDoubleFunction<Map<String, Row>> figure) {
        return Spread.of(seeds.stream().mapToDouble(figure).toArray());
    }

    /** The part of the jobs that take at most 1.1 times as long as under FairScheduler, and one of their tasks. */
    private static double inTime(History history, Outcome outcome, Outcome fair) {
        return 100
                * mean(history.jobs().stream().mapToDouble(job -> {
                    double task = longest(job).max().orElse(0);
                    double most = 1.1 * fair.jobMillis().getOrDefault(job.id(), Long.MAX_VALUE) + task;
                    return outcome.jobMillis().getOrDefault(job.id(), Long.MAX_VALUE) <= most ? 1 : 0;
                }));
    }

    /** Jobs that are refused or do not end are left out of the outcome's figures. */
    static Outcome replay(String name, History history, int nodes, Path scratch) throws IOException {
        Way way = Objects.requireNonNull(ways().get(name), name);
        Path directory = Files.createTempDirectory(scratch, "trace");
        Path queues = Files.writeString(directory.resolve(way.file()), way.xml());
        Configuration site = new Configuration(false);
        way.site().forEach(site::set);
        List<Size> cluster = Collections.nCopies(nodes, NODE);
        ReplayConfiguration.Prepared prepared =
                new ReplayConfiguration(new QueueFiles(List.of(queues)), site, cluster, directory).of(way.kind());
        try (Replay replay =
                new Replay(history, way.kind().word(), prepared.conf(), cluster, 1_000, false, sentence -> {})) {
            return replay.run(prepared.remarks());
        }
    }

    static Row row(String name, History history, Outcome outcome) {
        Row row = Row.of(name)
                .with(ENDED, outcome.jobMillis().size())
                .with(MEAN, mean(outcome.jobMillis().values().stream().mapToDouble(millis -> millis / 1e3)))
                .with(TAIL, outcome.all().jobTime().p99Millis() / MINUTE)
                .with(SLOWDOWN, slowdown(history, outcome, 0, Integer.MAX_VALUE))
                .with(MASTERS, outcome.all().masterWait().meanMillis() / 1e3)
                .with(LAST, outcome.makespanMillis() / MINUTE);
        for (Sizes sizes : SIZES) {
            row = row.with("slowdown, " + sizes.name(), slowdown(history, outcome, sizes.least(), sizes.most()));
        }
        return row;
    }

    private static double slowdown(History history, Outcome outcome, int leastTasks, int mostTasks) {
        ToDoubleFunction<Job> times = job -> outcome.jobMillis().getOrDefault(job.id(), 0L) / (double) aloneMillis(job);
        return mean(history.jobs().stream()
                .filter(job -> outcome.jobMillis().containsKey(job.id()))
                .filter(job -> job.tasks() >= leastTasks && job.tasks() <= mostTasks)
                .mapToDouble(times));
    }

    private static double mean(DoubleStream values) {
        return values.average().orElse(Double.NaN);
    }

    private static long aloneMillis(Job job) {
        return longest(job).sum();
    }

    /** The longest task of each kind, in milliseconds. */
    private static LongStream longest(Job job) {
        return Arrays.stream(TaskKind.values())
                .mapToLong(kind -> job.groups().stream()
                        .filter(group -> group.kind() == kind)
                        .flatMapToLong(group -> LongStream.of(group.millis()))
                        .max()
                        .orElse(0));
    }

    private static Curve cdf(String name, Outcome outcome) {
        double[] seconds = outcome.jobMillis().values().stream()
                .mapToDouble(millis -> millis / 1e3)
                .toArray();
        List<Double> parts =
                IntStream.rangeClosed(1, 100).mapToObj(part -> part / 100.0).toList();
        return new Curve(
                CDF,
                name,
                parts.stream()
                        .map(part -> Math.log10(Math.max(1, Spread.percentile(seconds, part))))
                        .toList(),
                parts);
    }

    @Override
    public List<Plot> plots(Measurement measurement) {
        return List.of(Plot.lines(
                measurement,
                CDF,
                "Jobs of a public trace that have ended after a time",
                "logarithm of the seconds to the base 10",
                "part of the jobs"));
    }
}
