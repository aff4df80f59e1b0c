// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.journal;

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
import org.heddle.benchmarks.experiment.Run;
import org.heddle.benchmarks.program.ChildProgram;
import org.heddle.benchmarks.program.PrintedTable;

/** The latency of a group commit, beside a bare sync, and beside a log that keeps no note of what it has acknowledged. */
public final class CommitLatencyExperiment implements Experiment {
    private static final String TIMES = "x bare";
    private static final double MOST_TIMES = 1.5;
    private static final String NOTE = "x without note";
    private static final double MOST_FOR_NOTE = 1.2;

    @Override
    public Description description() {
        return new Description(
                "journal-commit",
                "Log: the latency of a commit",
                Paper.NONE,
                "",
                List.of(),
                "No paper has this: 1, 16 and 256 records of 512 bytes in one commit to the log of market and bridge; the same"
                        + " by a log that does not note how many records it has acknowledged; and a bare sync of as many bytes at"
                        + " the same place. They take turns of 10, 500 of each a repetition. A local disk, and HDFS in one"
                        + " process with three DataNodes, each with a copy. Medians.");
    }

    @Override
    public List<Goal> goals() {
        List<Goal> goals = new ArrayList<>();
        for (String bytes : List.of("512", "8,192", "131,072")) {
            goals.add(Goal.atMost("disk: " + bytes, NOTE, MOST_FOR_NOTE));
            goals.add(Goal.atMost("HDFS: " + bytes, NOTE, MOST_FOR_NOTE));
            goals.add(Goal.atMost("HDFS: " + bytes, TIMES, MOST_TIMES));
        }
        return goals;
    }

    @Override
    public Effort effort() {
        return Effort.quiet(1.5, 5);
    }

    @Override
    public Bands bands() {
        return new Bands(Band.within(0.5), Map.of(TIMES, new Band(0, 0.2), NOTE, new Band(0, 0.2)));
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
