// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.scale;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.heddle.benchmarks.experiment.Band;
import org.heddle.benchmarks.experiment.Bands;
import org.heddle.benchmarks.experiment.Description;
import org.heddle.benchmarks.experiment.Effort;
import org.heddle.benchmarks.experiment.Experiment;
import org.heddle.benchmarks.experiment.Goal;
import org.heddle.benchmarks.experiment.Measurement;
import org.heddle.benchmarks.experiment.Paper;
import org.heddle.benchmarks.experiment.Plot;
import org.heddle.benchmarks.experiment.Row;
import org.heddle.benchmarks.experiment.Run;
import org.heddle.benchmarks.rm.Contestant;
import org.heddle.benchmarks.rm.MixesExperiment;
import org.heddle.benchmarks.rm.RaceExperiment;
import org.heddle.benchmarks.rm.RaceGoals;

/** What clusters cost that are large in everything at once: nodes, queues and applications. */
public final class WholeScaleExperiment implements Experiment {
    private static final List<ScaleRuns.Cluster> CLUSTERS =
            List.of(new ScaleRuns.Cluster(20_000, 5_000, 20_000, 2), new ScaleRuns.Cluster(50_000, 5_000, 20_000, 2));

    @Override
    public Description description() {
        return new Description(
                "scheduler-whole-scale",
                "DRF scheduler: 50,000 nodes, 5,000 users and 20,000 applications at once",
                Paper.NONE,
                "",
                List.of(),
                "As in scheduler-scale, but all sizes are large at once. Each of 5,000 users has a queue and four applications"
                        + " that want more than there is. A run is ended after " + ScaleRuns.MOST_SECONDS / 60
                        + " minutes.");
    }

    @Override
    public Effort effort() {
        return Effort.quiet(25, 3);
    }

    @Override
    public Bands bands() {
        return new Bands(
                Band.within(0.5),
                Map.of(
                        RaceExperiment.NODE, new Band(0.5, 5),
                        RaceExperiment.LEAST, new Band(0, 0.03),
                        RaceExperiment.CORES, new Band(0, 0.02)));
    }

    private static String row(ScaleRuns.Cluster cluster, Contestant contestant) {
        return String.format(
                Locale.ROOT,
                "%,d nodes, %,d queues, %,d applications, %s",
                cluster.nodes(),
                cluster.queues(),
                cluster.applications(),
                contestant);
    }

    @Override
    public List<Goal> goals() {
        List<Goal> goals = new ArrayList<>();
        for (ScaleRuns.Cluster cluster : CLUSTERS) {
            String ours = row(cluster, Contestant.HEDDLE);
            goals.add(Goal.atMost(ours, RaceExperiment.NODE, RaceGoals.NODE_ADDED_MICROS));
            goals.add(Goal.atLeast(ours, RaceExperiment.LEAST, MixesExperiment.LEAST_SHARE));
        }
        return goals;
    }

    @Override
    public Measurement run(Run run) throws IOException, InterruptedException {
        List<Row> rows = new ArrayList<>();
        for (ScaleRuns.Cluster cluster : CLUSTERS) {
            for (Contestant contestant : ScaleRuns.CONTESTANTS) {
                rows.add(ScaleRuns.full(run, row(cluster, contestant), contestant, cluster, ScaleRuns.MOST_SECONDS));
            }
        }
        return Measurement.of(rows);
    }

    @Override
    public List<Plot> plots(Measurement measurement) {
        return List.of(Plot.ranges(
                measurement,
                "heartbeat",
                "CPU time of a node's heartbeat",
                "us",
                ScaleRun.HEARTBEAT,
                name -> name.replaceFirst(" nodes, .*, ", " nodes, ")));
    }
}
