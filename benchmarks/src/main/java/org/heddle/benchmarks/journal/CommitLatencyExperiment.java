// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.journal;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.heddle.benchmarks.experiment.Band;
import org.heddle.benchmarks.experiment.Bands;
import org.heddle.benchmarks.experiment.Description;
import org.heddle.benchmarks.experiment.Effort;
import org.heddle.benchmarks.experiment.Experiment;
import org.heddle.benchmarks.experiment.Goal;
import org.heddle.benchmarks.experiment.Measurement;
import org.heddle.benchmarks.experiment.Paper;
import org.heddle.benchmarks.experiment.Run;
import org.heddle.benchmarks.program.ChildProgram;
import org.heddle.benchmarks.program.PrintedTable;

/** The latency of a group commit in HDFS, beside a bare hsync. */
public final class CommitLatencyExperiment implements Experiment {
    private static final String TIMES = "x bare";
    private static final double MOST_TIMES = 1.5;

    @Override
    public Description description() {
        return new Description(
                "journal-commit",
                "Log in HDFS: the latency of a commit",
                Paper.NONE,
                "",
                List.of(),
                "No paper has this: 1, 16 and 256 records of 512 bytes in one commit to the log of market and bridge, and a bare"
                        + " hsync of as many bytes to the same HDFS, taken in turn, 500 of each a repetition; one process with"
                        + " three DataNodes, each with a copy. Medians.");
    }

    @Override
    public List<Goal> goals() {
        return Stream.of("512", "8,192", "131,072")
                .map(bytes -> Goal.atMost(bytes, TIMES, MOST_TIMES))
                .toList();
    }

    @Override
    public Effort effort() {
        return Effort.quiet(1.5, 5);
    }

    @Override
    public Bands bands() {
        return new Bands(Band.within(0.5), Map.of(TIMES, new Band(0, 0.2)));
    }

    @Override
    public Measurement run(Run run) throws IOException, InterruptedException {
        ChildProgram program = new ChildProgram(
                CommitLatency.class,
                "1g",
                run.scratch().toString(),
                String.valueOf(run.seeds().size()));
        return Measurement.of(PrintedTable.rows(program.lines(run), 1));
    }
}
