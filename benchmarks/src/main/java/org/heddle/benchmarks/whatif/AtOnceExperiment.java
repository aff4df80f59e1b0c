// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.whatif;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;
import org.heddle.benchmarks.experiment.Bands;
import org.heddle.benchmarks.experiment.Description;
import org.heddle.benchmarks.experiment.Effort;
import org.heddle.benchmarks.experiment.Experiment;
import org.heddle.benchmarks.experiment.Goal;
import org.heddle.benchmarks.experiment.Measurement;
import org.heddle.benchmarks.experiment.Paper;
import org.heddle.benchmarks.experiment.Row;
import org.heddle.benchmarks.experiment.Run;
import org.heddle.benchmarks.experiment.Spread;
import org.heddle.packing.cli.Planners;
import org.heddle.packing.model.Plan;
import org.heddle.packing.run.PlanSteering;
import org.heddle.packing.solve.SolveContext;
import org.heddle.whatif.model.History;
import org.heddle.whatif.model.Size;
import org.heddle.whatif.outcome.Outcome;
import org.heddle.whatif.replay.Replay;
import org.heddle.whatif.scheduler.QueueFiles;
import org.heddle.whatif.scheduler.ReplayConfiguration;
import org.heddle.whatif.scheduler.SchedulerKind;

/** Whether a plan pays: batches that run by plan, as {@code heddle pack run --queue} does it, or all jobs at once. */
public final class AtOnceExperiment implements Experiment {
    private static final List<String> PLANNERS = List.of("phased", "nonphased", "malleable");
    private static final String JUDGED = "nonphased plan";
    private static final String LARGEST = ", largest of ten";
    private static final int BATCHES = 10;
    private static final double PLAN_SECONDS = 1;

    private static final List<Way> WAYS = List.of(
            new Way("DrfScheduler, default", SchedulerKind.HEDDLE, Setting.DEFAULT),
            new Way("DrfScheduler, by work", SchedulerKind.HEDDLE, Setting.BY_WORK),
            new Way("FairScheduler, default", SchedulerKind.FAIR, Setting.DEFAULT),
            new Way("FairScheduler, one queue", SchedulerKind.FAIR, Setting.ONE_QUEUE),
            new Way("FairScheduler, by work", SchedulerKind.FAIR, Setting.BY_WORK),
            new Way("CapacityScheduler, default", SchedulerKind.CAPACITY, Setting.DEFAULT),
            new Way("CapacityScheduler, by work", SchedulerKind.CAPACITY, Setting.BY_WORK));

    /** Figures of one kind: a value of each batch by column. */
    private static final class Columns {
        private final Map<String, List<Double>> values = new LinkedHashMap<>();

        void note(String column, double value) {
            values.computeIfAbsent(column, any -> new ArrayList<>()).add(value);
        }

        Row row(String name) {
            Row row = Row.of(name);
            for (Map.Entry<String, List<Double>> column : values.entrySet()) {
                row = row.with(column.getKey(), Spread.of(column.getValue()));
            }
            return row;
        }
    }

    @Override
    public Description description() {
        return new Description(
                "packing-at-once",
                "Packing: plans beside all jobs at once",
                Paper.NONE,
                "",
                List.of(),
                "No paper has this: ten random batches of each kind in what-if's virtual time, with heartbeats of a"
                        + " second, 4 to 8 jobs of 8 to 200 maps of 8 to 90 s (with reduces: 4 to 6 jobs, and 1 to 10"
                        + " reduces of 10 to 200 s; more jobs than slots: 40 jobs of 2 to 20 maps), on five nodes of four"
                        + " slots (memory-bound: two of twice the memory; mixed sizes: eight, and tasks of one, two or"
                        + " four), each with room for three masters beside its slots. Disks: every other job reads, its"
                        + " tasks take one of a node's four disks, counted as cores, and half a slot's memory; the others'"
                        + " take a slot. The planners have a second each and know the tasks' times, as one history tells"
                        + " them; no task disturbs another. Reduces start when all maps have ended, in all runs. By plan,"
                        + " the weights of the jobs' queues in DrfScheduler change at the plan's borders. At once by"
                        + " default: one queue and no setting, but for CapacityScheduler's DominantResourceCalculator. One"
                        + " queue: FairScheduler with the policy drf, as many containers in a heartbeat as fit, and a limit"
                        + " of masters of 0.3. By work: a queue for each job that weighs as much as its work, no limit of"
                        + " masters, and drf as before. The best at once is the shortest of the seven for each batch. The"
                        + " lower bound is that of memory, of disks, and of each job with the whole cluster; mean job times"
                        + " are from the submission of the batch. Goals are those of the nonphased plan, which was the"
                        + " shortest of the three in four of six batches that are not among these.");
    }

    @Override
    public Bands bands() {
        return Bands.within(0.03); // the searches have a limit of time
    }

    @Override
    public Effort effort() {
        return Effort.simulated(0, 0, 15, 1);
    }

    private static String beside(Batch.Kind kind) {
        return kind.words() + ", beside the best at once";
    }

    @Override
    public List<Goal> goals() {
        List<Goal> goals = new ArrayList<>();
        for (Batch.Kind kind : Batch.Kind.values()) {
            goals.add(Goal.atMost(beside(kind), JUDGED, kind == Batch.Kind.REDUCES ? 1 : 0.97));
            goals.add(Goal.atMost(
                    beside(kind) + ": " + JUDGED + LARGEST,
                    1.02,
                    measurement -> measurement.most(beside(kind), JUDGED)));
            if (kind != Batch.Kind.REDUCES) {
                goals.add(Goal.atMost(kind.words() + ", makespan by lower bound", JUDGED, 1.03));
            }
        }
        return goals;
    }

    @Override
    public Measurement run(Run run) throws IOException {
        List<Row> ratios = new ArrayList<>();
        List<Row> bounds = new ArrayList<>();
        List<Row> means = new ArrayList<>();
        for (Batch.Kind kind : Batch.Kind.values()) {
            Columns ratio = new Columns();
            Columns bound = new Columns();
            Columns mean = new Columns();
            for (int i = 1; i <= BATCHES; i++) {
                long seed = 1_000 * run.seeds().get(0) + i;
                measure(kind, new Batch(kind, new SplittableRandom(seed)), run, List.of(ratio, bound, mean));
            }
            ratios.add(ratio.row(beside(kind)));
            bounds.add(bound.row(kind.words() + ", makespan by lower bound"));
            means.add(mean.row(kind.words() + ", mean job, s"));
            run.tell(kind.words() + ": " + ratio.values + " " + bound.values);
        }
        ratios.addAll(bounds);
        ratios.addAll(means);
        return Measurement.of(ratios);
    }

    private static void measure(Batch.Kind kind, Batch batch, Run run, List<Columns> columns) throws IOException {
        Map<String, Outcome> plans = new LinkedHashMap<>();
        for (String planner : PLANNERS) {
            Plan plan = Planners.named(planner).plan(batch.problem(), SolveContext.quiet(PLAN_SECONDS));
            plans.put(planner + " plan", byPlan(kind, batch, plan, run.scratch()));
        }
        Map<String, Outcome> atOnce = new LinkedHashMap<>();
        for (Way way : WAYS) {
            atOnce.put(way.name(), atOnce(kind, batch, way, run.scratch()));
        }
        double best = atOnce.values().stream()
                .mapToDouble(Outcome::makespanMillis)
                .min()
                .orElseThrow();
        plans.forEach((name, outcome) -> columns.get(0).note(name, outcome.makespanMillis() / best));
        plans.putAll(atOnce);
        plans.forEach((name, outcome) -> {
            columns.get(1).note(name, outcome.makespanMillis() / 1_000.0 / batch.bound());
            columns.get(2).note(name, meanSeconds(outcome));
        });
    }

    private static double meanSeconds(Outcome outcome) {
        return outcome.jobMillis().values().stream()
                        .mapToLong(Long::longValue)
                        .average()
                        .orElseThrow()
                / 1_000;
    }

    /** How all jobs are submitted at once. */
    private enum Setting {
        DEFAULT,
        ONE_QUEUE,
        BY_WORK
    }

    private record Way(String name, SchedulerKind kind, Setting setting) {}

    /** The queues of a run, of each name its weight. */
    private record Queues(Map<String, ? extends Number> weights, Setting setting) {
        static Queues of(Setting setting, Batch batch) {
            if (setting != Setting.BY_WORK) {
                return new Queues(Map.of("all", 1), setting);
            }
            List<Double> works = batch.works();
            double least = Collections.min(works);
            Map<String, Double> weights = new LinkedHashMap<>();
            for (int i = 0; i < works.size(); i++) {
                weights.put(batch.jobs().get(i), Math.round(10 * works.get(i) / least) / 10.0);
            }
            return new Queues(weights, setting);
        }

        private String elements() {
            StringBuilder xml = new StringBuilder("<queue name=\"root\">");
            weights.forEach((name, weight) -> xml.append(
                    String.format(Locale.ROOT, "<queue name=\"%s\"><weight>%s</weight></queue>", name, weight)));
            return xml.append("</queue>").toString();
        }

        String file(SchedulerKind kind) {
            return switch (kind) {
                case HEDDLE -> "<heddle-scheduler version=\"1\">" + elements() + "</heddle-scheduler>";
                case FAIR -> "<allocations>" + fair() + elements() + "</allocations>";
                case CAPACITY -> capacity();
            };
        }

        private String fair() {
            return setting == Setting.DEFAULT
                    ? ""
                    : "<defaultQueueSchedulingPolicy>drf</defaultQueueSchedulingPolicy><queueMaxAMShareDefault>"
                            + (setting == Setting.ONE_QUEUE ? "0.3" : "-1.0") + "</queueMaxAMShareDefault>";
        }

        private String capacity() {
            Map<String, String> keys = new LinkedHashMap<>();
            keys.put("root.queues", String.join(",", weights.keySet()));
            keys.put("resource-calculator", "org.apache.hadoop.yarn.util.resource.DominantResourceCalculator");
            weights.forEach((name, weight) -> {
                keys.put("root." + name + ".capacity", weight + "w");
                if (setting == Setting.BY_WORK) {
                    keys.put("root." + name + ".user-limit-factor", "-1");
                }
            });
            if (setting == Setting.BY_WORK) {
                keys.put("maximum-am-resource-percent", "1");
            }
            StringBuilder xml = new StringBuilder("<configuration>");
            keys.forEach((key, value) -> xml.append("<property><name>yarn.scheduler.capacity.")
                    .append(key)
                    .append("</name><value>")
                    .append(value)
                    .append("</value></property>"));
            return xml.append("</configuration>").toString();
        }
    }

    private static Outcome atOnce(Batch.Kind kind, Batch batch, Way way, Path scratch) throws IOException {
        Path file = Files.createTempFile(scratch, "queues", ".xml");
        Files.writeString(file, Queues.of(way.setting(), batch).file(way.kind()));
        Configuration site = new Configuration(false);
        if (way.kind() == SchedulerKind.FAIR && way.setting() != Setting.DEFAULT) {
            site.set("yarn.scheduler.fair.assignmultiple", "true");
            site.set("yarn.scheduler.fair.dynamic.max.assign", "false");
        }
        History history = batch.history(way.setting() != Setting.BY_WORK);
        return replay(way.kind(), kind, file, site, history, Replay.Steering.NONE);
    }

    private static Outcome byPlan(Batch.Kind kind, Batch batch, Plan plan, Path scratch) throws IOException {
        Path file = Files.createTempFile(scratch, "queues", ".xml");
        SchedulerKind ours = SchedulerKind.HEDDLE;
        PlanSteering steering = new PlanSteering(
                plan,
                ReplayedCluster.BEGIN,
                weights -> Files.writeString(file, new Queues(weights, Setting.BY_WORK).file(ours)));
        return replay(ours, kind, file, new Configuration(false), batch.history(false), steering);
    }

    private static Outcome replay(
            SchedulerKind scheduler,
            Batch.Kind kind,
            Path file,
            Configuration site,
            History history,
            Replay.Steering steering)
            throws IOException {
        List<Size> nodes = Collections.nCopies(Batch.NODES, kind.node());
        ReplayConfiguration.Prepared prepared = new ReplayConfiguration(
                        new QueueFiles(List.of(file)), site, nodes, Objects.requireNonNull(file.getParent()))
                .of(scheduler);
        try (Replay replay =
                new Replay(history, scheduler.word(), prepared.conf(), nodes, 1_000, false, sentence -> {})) {
            Outcome outcome = replay.run(prepared.remarks(), steering);
            if (!outcome.refused().isEmpty() || !outcome.unfinished().isEmpty()) {
                throw new IllegalStateException(scheduler.word() + " refused " + outcome.refused() + " and left "
                        + outcome.unfinished() + " unfinished");
            }
            return outcome;
        }
    }
}
