// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.sharing;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.heddle.benchmarks.experiment.Band;
import org.heddle.benchmarks.experiment.Bands;
import org.heddle.benchmarks.experiment.Description;
import org.heddle.benchmarks.experiment.Effort;
import org.heddle.benchmarks.experiment.Experiment;
import org.heddle.benchmarks.experiment.Measurement;
import org.heddle.benchmarks.experiment.Paper;
import org.heddle.benchmarks.experiment.Plot;
import org.heddle.benchmarks.experiment.Published;
import org.heddle.benchmarks.experiment.Run;
import org.heddle.benchmarks.program.ChildProgram;
import org.heddle.benchmarks.program.PrintedTable;

/**
 * {@link SharesOverTime}: Spark and MPI on offers share a cluster with MapReduce, as in Figure 5 of Nexus. Needs MPICH.
 */
public final class SharingExperiment implements Experiment {
    static final String ALONE = "alone, s";
    static final String BESIDE = "beside others, s";
    static final String TIMES = "times alone";
    static final String ARRIVAL = "slowest arrival until 90 % of its fair share, s";
    static final String SHARE = "share, %";
    static final String FAIR_SHARE = "fair share, %";
    static final String SECONDS = "seconds of the phase";

    private static final String PLOT = "shares";
    private static final Duration LIMIT = Duration.ofMinutes(90);

    @Override
    public Description description() {
        return new Description(
                "offers-shares-over-time",
                "Spark and MPI on offers share a cluster with MapReduce over time",
                Paper.NEXUS,
                "section 6.2 and Figure 5",
                List.of(
                        new Published(
                                Framework.MAP_REDUCE.title(), "half of the CPUs within a few seconds", "section 6.2"),
                        new Published(Framework.MPI.title(), "a third of the CPUs within a few seconds", "section 6.2"),
                        new Published(
                                Framework.SPARK.title(),
                                "about a third within a few tens of seconds in each iteration",
                                "section 6.2")),
                SharesOverTime.NODES + " nodes of " + SharesOverTime.SLOTS_OF_A_NODE
                        + " vcores on one machine under FairScheduler with the policy drf and without preemption, where the"
                        + " paper has 70 nodes of two cores; MapReduce runs on YARN beside the bridge, where the paper has Hadoop"
                        + " as a framework; Spark runs one job after the other, each a new framework, where the paper has one job"
                        + " that gives all resources back between iterations; and all tasks rest most of their time, so that the"
                        + " vcores need not be cores. Spark's job has " + FrameworkWork.ITERATIONS + " iterations of "
                        + FrameworkWork.PARTITIONS + " tasks of " + FrameworkWork.TASK_MILLIS / 1000
                        + " s on executors of one core, as many as it gets, MapReduce's " + FrameworkWork.MAPS
                        + " maps of " + FrameworkWork.MAP_SECONDS + " s, and MPI's " + FrameworkWork.PROCESSES
                        + " processes, which start together and send a token around " + FrameworkWork.ROUNDS
                        + " times, once a second. MapReduce comes " + SharesOverTime.MAP_REDUCE_COMES
                        + " s after Spark, and MPI " + SharesOverTime.MPI_COMES
                        + " s. The time of Spark is that of a job, beside others the mean. Shares are those of vcores or of memory,"
                        + " whichever is larger, from the ResourceManager's REST API, once a second; the fair share is an equal"
                        + " part for each framework that has an application then, and what MPI does not use of its part is"
                        + " divided among the others. A phase is the time in which the same frameworks have applications, its"
                        + " beginning included, in which their shares change; phases of less than "
                        + ShareHistory.LEAST_SECONDS
                        + " s are left out. Spark's program starts between its jobs, and has no"
                        + " application meanwhile. Spark keeps its executors until its job ends, so whoever comes later gets the rest"
                        + " of its fair share only then.");
    }

    @Override
    public Effort effort() {
        return Effort.quiet(30, 3);
    }

    @Override
    public Bands bands() {
        Band points = new Band(0.2, 10);
        return new Bands(
                Band.within(0.3),
                Map.of(ARRIVAL, new Band(0.5, 10), SHARE, points, FAIR_SHARE, Band.EXACT, SECONDS, new Band(0.5, 20)));
    }

    @Override
    public Measurement run(Run run) throws IOException, InterruptedException {
        List<String> lines = new ChildProgram(
                        SharesOverTime.class,
                        "512m",
                        run.root().toString(),
                        String.valueOf(run.seeds().size()))
                .within(LIMIT)
                .lines(run);
        return new Measurement(PrintedTable.rows(lines, 1), ShareHistory.curves(PLOT, lines));
    }

    @Override
    public List<Plot> plots(Measurement measurement) {
        Measurement frameworks = measurement.only(row -> row.figures().containsKey(ALONE));
        return List.of(
                Plot.lines(measurement, PLOT, "As Figure 5: shares of the cluster", "seconds", "%"),
                Plot.bars(frameworks, "run-times", "Time of the work", "seconds", ALONE, BESIDE));
    }
}
