// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.offers;

import java.io.IOException;
import java.util.List;
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

/** What it costs Spark on offers to read its points from a file in each iteration, as in Figure 9 of the RDD paper. */
public final class InputsExperiment implements Experiment {
    static final String HDFS = "file in HDFS";
    static final String LOCAL = "local file";
    static final String MEMORY = "RDD in memory, read from HDFS";

    private static final String FIGURE = "Figure 9";

    @Override
    public Description description() {
        return new Description(
                "spark-inputs",
                "Spark on offers: what a source and a format of input cost",
                Paper.RDD,
                "section 6.1 and Figure 9",
                List.of(
                        new Published(HDFS, "text 15.4 s, binary 8.4 s", FIGURE),
                        new Published(LOCAL, "text 13.1 s, binary 6.9 s", FIGURE),
                        new Published(MEMORY, "text 2.9 s, binary 2.9 s", FIGURE)),
                "Spark 3.5 with one executor of one core and 2 GiB, on one machine of two cores, where the paper has one of four."
                        + " HDFS' DataNodes use the other core. As many bytes of text as in the paper: 3,350,000"
                        + " points of 10 coordinates, 256 MB; as doubles in a SequenceFile they have 335 MB. Files are in"
                        + " Linux' page cache instead of an in-memory file system, and local files have no checksums. All"
                        + " points are counted before the first iteration, so its time has neither Spark's start nor a read"
                        + " of the disk; with an RDD in memory it has the read of the file. All sources must come to the"
                        + " same weights. In HDFS binary records take longer than text, against the paper: presumably because a"
                        + " SequenceFile is read a few bytes at a time, and HDFS' client, unlike a local file, has no buffer for"
                        + " that (no profile was taken).");
    }

    @Override
    public Effort effort() {
        return Effort.quiet(15, 3);
    }

    @Override
    public Bands bands() {
        return Bands.within(0.3);
    }

    @Override
    public Measurement run(Run run) throws IOException, InterruptedException {
        ChildProgram program = new ChildProgram(
                Inputs.class,
                "1g",
                run.root().toString(),
                run.scratch().toString(),
                "3350000",
                "5",
                String.valueOf(run.seeds().size()));
        return Measurement.of(PrintedTable.rows(program.lines(run), 1));
    }

    /** @param which first or later */
    static String column(String format, String which) {
        return format + ": " + which + " iteration s";
    }

    @Override
    public List<Plot> plots(Measurement measurement) {
        return List.of(Plot.bars(
                measurement,
                "later",
                "As Figure 9: time of a later iteration",
                "s",
                Inputs.FORMATS.stream().map(format -> column(format, "later")).toArray(String[]::new)));
    }
}
