// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.late;

import java.io.IOException;
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

/** Hadoop's Sort over a cluster of processes with one slow node. Needs root for control groups. */
public final class SlowNodeSortExperiment implements Experiment {
    private final SlowNodeSort.Input input;

    private SlowNodeSortExperiment(SlowNodeSort.Input input) {
        this.input = input;
    }

    public static Experiment even() {
        return new SlowNodeSortExperiment(SlowNodeSort.Input.EVEN);
    }

    public static Experiment skewed() {
        return new SlowNodeSortExperiment(SlowNodeSort.Input.SKEWED);
    }

    @Override
    public Description description() {
        return new Description(
                "late-sort-" + input.word(),
                "LATE: Hadoop's Sort over a slow node, " + input.word() + " input",
                Paper.LATE,
                "sections 5.2 and 5.3, Figures 3, 4, 7 and 8",
                List.of(
                        Published.of("27 % before Hadoop's speculator, 31 % before none", "5.2.1"),
                        Published.of("58 % and 220 % with eight stragglers of 100", "5.2.2")),
                "2 GB on four NodeManagers of 0.4 processors each, of which one also runs four loops and a program that"
                        + " writes to the disk, where the paper has 30 GB on 243 virtual machines."
                        + (input == SlowNodeSort.Input.SKEWED
                                ? " Every tenth file is four times as large as the others."
                                : ""));
    }

    @Override
    public Effort effort() {
        return Effort.quiet(70, 5);
    }

    @Override
    public Bands bands() {
        return new Bands(Band.within(0.1), Map.of("attempts beyond the first", new Band(0, 4)));
    }

    @Override
    public Measurement run(Run run) throws IOException, InterruptedException {
        ChildProgram program = new ChildProgram(
                SlowNodeSort.class,
                "600m",
                "2048",
                String.valueOf(run.seeds().size()),
                "4",
                "0.4",
                "4",
                run.scratch().resolve("histories").toString(),
                input.word());
        return Measurement.of(PrintedTable.rows(program.lines(run), 2));
    }

    @Override
    public List<Plot> plots(Measurement measurement) {
        return List.of(Plot.bars(measurement, "times", "Time of the job (medians)", "seconds", "median s"));
    }
}
