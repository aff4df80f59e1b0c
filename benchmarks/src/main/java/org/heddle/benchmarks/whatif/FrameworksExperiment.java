// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.whatif;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
import org.heddle.whatif.model.History;
import org.heddle.whatif.model.Size;
import org.heddle.whatif.outcome.Outcome;
import org.heddle.whatif.scheduler.SchedulerKind;

/**
 * Nexus' Figure 5, as far as the scheduler decides it: Spark, Hadoop and MPI come one after the other to one cluster.
 */
public final class FrameworksExperiment implements Experiment {
    private static final List<String> FRAMEWORKS = List.of("spark", "hadoop", "mpi");
    private static final Size TASK = new Size(1_024, 1);
    private static final int NODES = 70;
    private static final Size NODE = new Size(6_656, 2);
    private static final int HADOOP_COMES = 15;
    private static final int MPI_COMES = 50;
    private static final List<Integer> ITERATIONS = List.of(0, 90, 150, 210, 270);
    private static final int END = 360;
    private static final double NEARLY = 0.9;

    @Override
    public Description description() {
        return new Description(
                "nexus-frameworks",
                "Frameworks that share a cluster over time",
                Paper.NEXUS,
                "section 6.2 and Figure 5",
                List.of(
                        Published.of("Hadoop has half of the CPUs within a few seconds", "section 6.2"),
                        Published.of("MPI has a third of the CPUs within a few seconds", "section 6.2"),
                        Published.of(
                                "each iteration of Spark has about a third within a few tens of seconds",
                                "section 6.2")),
                "The paper's cluster of 70 nodes and its order of arrivals, with applications of YARN on a virtual clock"
                        + " instead of frameworks on offers; tasks take 5 s (Spark), 10 s (Hadoop) and 300 s (MPI), which are"
                        + " our choice, and Spark's iterations begin at fixed times.");
    }

    @Override
    public Effort effort() {
        return Effort.simulated(0.5, 1, 0.5, 1);
    }

    private static History history() {
        Jobs jobs = new Jobs(END);
        int cores = NODES * NODE.vcores();
        jobs.add("hadoop", HADOOP_COMES, 2_000, TASK, 10);
        jobs.add("mpi", MPI_COMES, cores / 3 - 1, TASK, 300);
        for (int i = 0; i < ITERATIONS.size(); i++) {
            jobs.add("spark", ITERATIONS.get(i), (i == 0 ? 8 : 2) * cores, TASK, 5);
        }
        return jobs.history();
    }

    @Override
    public Measurement run(Run run) throws IOException {
        ReplayedCluster cluster =
                new ReplayedCluster(NODES, NODE, "drf", ReplayedCluster.equalQueues(FRAMEWORKS), run.scratch());
        List<Row> rows = new ArrayList<>();
        List<Curve> curves = new ArrayList<>();
        for (Map.Entry<String, SchedulerKind> one : ReplayedCluster.schedulers().entrySet()) {
            run.tell(one.getKey());
            Outcome outcome = cluster.replay(one.getValue(), history());
            rows.add(row(one.getKey(), outcome));
            if (one.getValue() == SchedulerKind.HEDDLE) {
                FRAMEWORKS.forEach(framework -> curves.add(curve(outcome, framework)));
            }
        }
        return new Measurement(rows, curves);
    }

    private static Row row(String name, Outcome outcome) {
        double iterations = ITERATIONS.stream()
                .skip(1)
                .mapToDouble(at -> secondsUntil(outcome, "spark", at, 1.0 / 3))
                .max()
                .orElseThrow();
        return Row.of(name)
                .with("Hadoop has 45 % after, s", secondsUntil(outcome, "hadoop", HADOOP_COMES, 0.5))
                .with("MPI has 30 % after, s", secondsUntil(outcome, "mpi", MPI_COMES, 1.0 / 3))
                .with("slowest iteration of Spark has 30 % after, s", iterations)
                .with(
                        "MPI's mean share from 100 to 300 s, %",
                        100 * ReplayedCluster.meanShare(outcome, "mpi", 100, 300))
                .with("cores in use in the first 300 s, %", 100 * inUse(outcome));
    }

    /** From a framework's arrival until it has nine tenths of a share. */
    private static double secondsUntil(Outcome outcome, String framework, int arrival, double share) {
        double[] shares = ReplayedCluster.shares(outcome, framework);
        double interval = outcome.intervalMillis() / 1_000.0;
        for (int i = (int) (arrival / interval); i < shares.length; i++) {
            if (shares[i] >= NEARLY * share) {
                return (i + 1) * interval - arrival;
            }
        }
        return Double.POSITIVE_INFINITY;
    }

    private static double inUse(Outcome outcome) {
        return FRAMEWORKS.stream()
                .mapToDouble(framework -> ReplayedCluster.meanShare(outcome, framework, 0, 300))
                .sum();
    }

    private static Curve curve(Outcome outcome, String framework) {
        double[] shares = ReplayedCluster.shares(outcome, framework);
        return new Curve(
                "shares",
                framework,
                IntStream.range(0, shares.length)
                        .mapToObj(i -> i * outcome.intervalMillis() / 1_000.0)
                        .toList(),
                IntStream.range(0, shares.length).mapToObj(i -> 100 * shares[i]).toList());
    }

    @Override
    public List<Plot> plots(Measurement measurement) {
        return List.of(Plot.lines(
                measurement, "shares", "As Figure 5: shares of the CPUs under DrfScheduler", "seconds", "%"));
    }
}
