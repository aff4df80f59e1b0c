// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.rm;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
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
import org.heddle.benchmarks.experiment.Run;
import org.heddle.benchmarks.experiment.Scale;
import org.heddle.benchmarks.program.ChildProgram;
import org.heddle.benchmarks.program.PrintedTable;

/** {@link MixRun}: users whose containers differ in size share a full cluster. */
public final class MixesExperiment implements Experiment {
    private static final List<Contestant> CONTESTANTS =
            List.of(Contestant.HEDDLE, Contestant.FAIR, Contestant.CAPACITY);
    /** Of the poorest user, by the mean. */
    public static final double LEAST_SHARE = 0.95;

    private static final double LEAST_OF_CORES = 0.99;
    private static final double MOST_WAIT = 2;

    /**
     * Users with containers of several sizes.
     *
     * @param name in the table
     * @param trait of the workload
     * @param visits of one who wants a single large container at a time
     */
    private record Mix(String name, String trait, int visits) {
        String row(Contestant contestant) {
            return name + ", " + contestant;
        }
    }

    private static final List<Mix> MIXES = List.of(
            new Mix("a size for each user", "shapes", 0), new Mix("one in ten wants half a node", "halves", 10));

    @Override
    public Description description() {
        return new Description(
                "scheduler-mixes",
                "DRF scheduler: users whose containers differ in size",
                Paper.NONE,
                "",
                List.of(),
                "No paper has this: the race's full cluster (1,000 nodes of 16 cores and 32 GiB, 100 users, 200 applications; at"
                        + " the quick scale a tenth of the nodes, 20 users) on a virtual clock. Either each user has a"
                        + " container size of its own, of 1 to 3 cores and 0.5 to 4.2 GiB, or one user in ten wants containers of"
                        + " half a node and the others of one core and 2 GiB. Shares count what was granted. Sizes of their own do"
                        + " not fill every node under any scheduler. Where halves are wanted, one more user comes who wants"
                        + " one container of half a node at a time, ten times: each wait, from the request to the call that"
                        + " returns the container, by the median run time of all containers. Masters call once a"
                        + " second. FairScheduler computes shares in a thread of its own, so its figures may differ a little from"
                        + " run to run. Settings: " + Contestant.settings(CONTESTANTS) + ".");
    }

    @Override
    public List<Goal> goals() {
        List<Goal> goals = new ArrayList<>();
        for (Mix mix : MIXES) {
            String ours = mix.row(Contestant.HEDDLE);
            goals.add(Goal.atLeast(ours, RaceExperiment.LEAST, LEAST_SHARE));
            goals.add(Goal.atLeast(
                    ours + ": cores in use, by the most of all schedulers",
                    LEAST_OF_CORES,
                    all -> all.median(ours, RaceExperiment.CORES)
                            / CONTESTANTS.stream()
                                    .mapToDouble(one -> all.median(mix.row(one), RaceExperiment.CORES))
                                    .max()
                                    .orElseThrow()));
            if (mix.visits() > 0) {
                goals.add(Goal.atMost(ours, MixRun.LONGEST_WAIT, MOST_WAIT));
            }
        }
        return goals;
    }

    @Override
    public Effort effort() {
        return Effort.simulated(1.5, 1, 15, 3);
    }

    @Override
    public Bands bands() {
        return new Bands(
                new Band(0.3, 0.3),
                Map.of(RaceExperiment.LEAST, new Band(0, 0.03), RaceExperiment.CORES, new Band(0, 0.02)));
    }

    @Override
    public Measurement run(Run run) throws IOException, InterruptedException {
        String size = run.scale() == Scale.FULL ? "1k" : "small";
        List<String> lines = new ArrayList<>();
        for (Mix mix : MIXES) {
            for (Contestant contestant : CONTESTANTS) {
                run.tell(mix.row(contestant));
                for (long seed : run.seeds()) {
                    lines.addAll(new ChildProgram(
                                    MixRun.class,
                                    "2500m",
                                    mix.row(contestant),
                                    contestant.toString(),
                                    size + "-" + mix.trait(),
                                    String.valueOf(seed),
                                    String.valueOf(mix.visits()))
                            .lines(run));
                }
            }
        }
        return Measurement.of(PrintedTable.rows(lines, 1));
    }

    @Override
    public List<Plot> plots(Measurement measurement) {
        return List.of(Plot.bars(
                measurement,
                "shares",
                "The poorest user's share, and the cores in use",
                "part",
                RaceExperiment.LEAST,
                RaceExperiment.CORES));
    }
}
