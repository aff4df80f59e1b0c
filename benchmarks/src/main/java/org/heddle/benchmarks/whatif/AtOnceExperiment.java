// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.whatif;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
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
import org.heddle.packing.run.PhaseWeights;
import org.heddle.packing.solve.SolveContext;
import org.heddle.whatif.model.History;
import org.heddle.whatif.model.Job;
import org.heddle.whatif.model.TaskGroup;
import org.heddle.whatif.model.TaskKind;
import org.heddle.whatif.outcome.Outcome;
import org.heddle.whatif.replay.Replay;
import org.heddle.whatif.scheduler.SchedulerKind;

/** Whether a plan pays: batches that run by plan, as {@code heddle pack run --queue} does it, or all jobs at once. */
public final class AtOnceExperiment implements Experiment {
    private static final String OF_BEST = "plan, of the best at once";
    private static final String OF_BOUND = "of the lower bound";
    private static final String PLAN = "by plan";
    private static final int BATCHES = 10;
    private static final double PLAN_SECONDS = 2;

    @Override
    public Description description() {
        return new Description(
                "packing-at-once",
                "Packing: a plan beside all jobs at once",
                Paper.NONE,
                "",
                List.of(),
                "In what-if's virtual time; ten batches of each kind, drawn at random: 4 to 8 jobs of 8 to 200 maps of 8 to 90 s"
                        + " (with reduces 4 to 6 jobs, 1 to 10 reduces of 10 to 200 s; more jobs than slots: 40 jobs of 2 to 20"
                        + " maps) on five nodes of four slots (memory-bound two, mixed sizes eight of a gigabyte, tasks of one to"
                        + " four), with room for one master each; disks: every other job reads, and its tasks take one of four disks"
                        + " of a node, the others' a core. The planner (malleable, 2 s) knows the tasks' times, as one history tells"
                        + " them; reduces start after all maps in all runs; no task disturbs another. By plan, the weights of the"
                        + " jobs' queues in our scheduler change at the borders. All at once, each scheduler has a queue for each"
                        + " job, with equal weights or weights by work, or one queue whose masters take at most 30 %; the best at"
                        + " once is the shortest of the nine runs of a batch. The lower bound is the planner's.");
    }

    @Override
    public Bands bands() {
        return Bands.within(0.03); // the search has a limit of time
    }

    @Override
    public Effort effort() {
        return Effort.simulated(10, 1, 10, 1);
    }

    @Override
    public List<Goal> goals() {
        List<Goal> goals = new ArrayList<>();
        for (Batch.Kind kind : Batch.Kind.values()) {
            double limit = kind == Batch.Kind.REDUCES ? 1 : 0.97;
            goals.add(Goal.atMost(kind.words(), OF_BEST, limit));
        }
        goals.add(Goal.atMost("largest of all: " + OF_BEST, 1.02, measurement -> measurement.largest(row -> {
            Spread spread = row.figures().get(OF_BEST);
            return spread == null ? Double.NaN : spread.most();
        })));
        goals.add(Goal.atMost(name(Batch.Kind.MAPS, PLAN), OF_BOUND, 1.03));
        return goals;
    }

    private static String name(Batch.Kind kind, String way) {
        return kind.words() + ": " + way;
    }

    /** One way to run all jobs at once. */
    private record Way(String scheduler, SchedulerKind kind, String queues) {
        @Override
        public String toString() {
            return scheduler + ", " + queues;
        }
    }

    private static List<Way> ways() {
        List<Way> ways = new ArrayList<>();
        for (String queues : List.of("equal weights", "weights by work", "one queue")) {
            ReplayedCluster.schedulers().forEach((name, kind) -> ways.add(new Way(name, kind, queues)));
        }
        return ways;
    }

    @Override
    public Measurement run(Run run) throws IOException {
        List<Row> summary = new ArrayList<>();
        List<Row> all = new ArrayList<>();
        for (Batch.Kind kind : Batch.Kind.values()) {
            run.tell(kind.words());
            Map<String, List<Double>> figures = new LinkedHashMap<>();
            Map<String, List<Double>> ofBound = new LinkedHashMap<>();
            for (int batch = 0; batch < BATCHES; batch++) {
                long seed = 1_000 * run.seeds().get(0) + batch;
                measure(new Batch(kind, new SplittableRandom(seed)), run, figures, ofBound);
                run.tell(kind.words() + ", plan of best: " + figures.get(OF_BEST) + ", of bound: " + ofBound.get(PLAN));
            }
            Row row = Row.of(kind.words());
            for (Map.Entry<String, List<Double>> column : figures.entrySet()) {
                row = row.with(column.getKey(), Spread.of(column.getValue()));
            }
            summary.add(row);
            ofBound.forEach((way, values) ->
                    all.add(Row.of(name(kind, way)).with(OF_BOUND, Spread.of(values))));
        }
        summary.addAll(all);
        return Measurement.of(summary);
    }

    private static void measure(
            Batch batch, Run run, Map<String, List<Double>> figures, Map<String, List<Double>> ofBound)
            throws IOException {
        Plan plan = Planners.named("malleable").plan(batch.problem(), SolveContext.quiet(PLAN_SECONDS));
        Outcome planned = byPlan(batch, plan, run);
        Outcome best = null;
        note(ofBound, PLAN, planned.makespanMillis() / 1_000.0 / plan.lowerBound());
        for (Way way : ways()) {
            Outcome outcome = atOnce(batch, way, run);
            note(ofBound, way.toString(), outcome.makespanMillis() / 1_000.0 / plan.lowerBound());
            if (best == null || outcome.makespanMillis() < best.makespanMillis()) {
                best = outcome;
            }
        }
        if (best == null) {
            throw new IllegalStateException("there is no way to run jobs at once");
        }
        note(figures, OF_BEST, (double) planned.makespanMillis() / best.makespanMillis());
        note(figures, "mean job time, of the best's", meanTime(planned) / meanTime(best));
        note(figures, "predicted, of what it took", plan.makespan() * 1_000 / planned.makespanMillis());
    }

    private static void note(Map<String, List<Double>> columns, String column, double value) {
        columns.computeIfAbsent(column, any -> new ArrayList<>()).add(value);
    }

    private static double meanTime(Outcome outcome) {
        return outcome.jobMillis().values().stream()
                .mapToLong(Long::longValue)
                .average()
                .orElseThrow();
    }

    private static Outcome atOnce(Batch batch, Way way, Run run) throws IOException {
        Map<String, Double> weights = new LinkedHashMap<>();
        for (Batch.Work job : batch.jobs()) {
            boolean byWork = way.queues().equals("weights by work");
            weights.put(job.name(), byWork ? job.seconds() * job.size().memoryMb() : 1);
        }
        boolean one = way.queues().equals("one queue");
        String queues = "<queue name=\"root\"><queue name=\"all\"><maxAMShare>0.3</maxAMShare></queue></queue>";
        if (!one) {
            double least = weights.values().stream().min(Double::compare).orElseThrow();
            weights.replaceAll((job, weight) -> (double) Math.round(10 * weight / least) / 10);
            queues = queues(weights);
        }
        ReplayedCluster cluster =
                new ReplayedCluster(batch.nodes(), batch.node(), "drf", queues, run.scratch());
        return cluster.replay(way.kind(), history(batch, one));
    }

    private static String queues(Map<String, ? extends Number> weights) {
        StringBuilder xml = new StringBuilder("<queue name=\"root\">");
        weights.forEach((job, weight) -> xml.append("<queue name=\"")
                .append(job)
                .append("\"><weight>")
                .append(weight)
                .append("</weight></queue>"));
        return xml.append("</queue>").toString();
    }

    private static History history(Batch batch, boolean oneQueue) {
        List<Job> jobs = new ArrayList<>();
        for (Batch.Work work : batch.jobs()) {
            List<TaskGroup> groups = new ArrayList<>(List.of(new TaskGroup(TaskKind.MAP, work.size(), work.maps())));
            if (work.reduces().length > 0) {
                groups.add(new TaskGroup(TaskKind.REDUCE, work.size(), work.reduces()));
            }
            jobs.add(new Job(
                    work.name(),
                    "u",
                    "root." + (oneQueue ? "all" : work.name()),
                    ReplayedCluster.BEGIN,
                    ReplayedCluster.BEGIN + 600_000,
                    Batch.MASTER,
                    Batch.MASTER_MILLIS,
                    1,
                    true,
                    groups));
        }
        return new History(jobs, List.of());
    }

    private static Outcome byPlan(Batch batch, Plan plan, Run run) throws IOException {
        PhaseWeights weights = new PhaseWeights(plan);
        ReplayedCluster cluster =
                new ReplayedCluster(batch.nodes(), batch.node(), "drf", queues(weights.in(0)), run.scratch());
        return cluster.replay(SchedulerKind.HEDDLE, history(batch, false), new Borders(weights, cluster));
    }

    /** As the planner's runner does it, on the replay's clock. */
    private static final class Borders implements Replay.Steering {
        private final PhaseWeights weights;
        private final ReplayedCluster cluster;
        private int phase;
        private long began = ReplayedCluster.BEGIN;
        private long now = ReplayedCluster.BEGIN;

        Borders(PhaseWeights weights, ReplayedCluster cluster) {
            this.weights = weights;
            this.cluster = cluster;
        }

        private double seconds() {
            return (now - began) / 1_000.0;
        }

        @Override
        public boolean step(long nowMillis, Set<String> ended) {
            now = nowMillis;
            int before = phase;
            while (phase < weights.phases() - 1 && weights.isOver(phase, seconds(), ended::contains)) {
                phase++;
                began = now;
            }
            if (phase == before) {
                return false;
            }
            try {
                cluster.write(queues(weights.in(phase)));
                return true;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public boolean admits(Job job) {
            return weights.admits(job.id(), phase, seconds());
        }
    }
}
