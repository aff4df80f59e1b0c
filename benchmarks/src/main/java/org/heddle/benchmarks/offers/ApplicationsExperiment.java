// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.offers;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.heddle.benchmarks.experiment.Bands;
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
import org.heddle.benchmarks.program.ChildProgram;
import org.heddle.benchmarks.program.PrintedTable;

/** K-means and PageRank in Spark on offers and in MapReduce, as in Figures 7, 8 and 10 of the RDD paper. */
public final class ApplicationsExperiment implements Experiment {
    private static final String LATER = "later iteration s";

    @Override
    public Description description() {
        return new Description(
                "spark-applications",
                "k-means and PageRank in Spark on offers and in MapReduce",
                Paper.RDD,
                "sections 6.1 and 6.2, Figures 7, 8 and 10",
                List.of(
                        Published.of("later iterations of k-means take 1.9 to 3.2 times less time in Spark", "6.1"),
                        Published.of("PageRank takes 7.4 times less time in Spark with controlled partitions", "6.2")),
                "600,000 points and 10 centers; 1,000,000 links of 100,000 pages. One and two tasks of one core and 1408 MiB at"
                        + " a time on one machine, and MapReduce's master and reduces beside them, where the paper has 25 to 100"
                        + " machines, 100 GB of points and 54 GB of pages. Spark's first iteration includes its start. Both"
                        + " frameworks must come to the same centers and ranks. With so little data the start of a job is most of"
                        + " MapReduce's time, and two tasks with a master and reduces want more than the two cores.");
    }

    @Override
    public Effort effort() {
        return Effort.quiet(20, 3);
    }

    @Override
    public Bands bands() {
        return Bands.within(0.3);
    }

    @Override
    public Measurement run(Run run) throws IOException, InterruptedException {
        ChildProgram program = new ChildProgram(
                Applications.class,
                "1g",
                run.root().toString(),
                run.scratch().toString(),
                "600000",
                "1000000",
                "5",
                String.valueOf(run.seeds().size()));
        return Measurement.of(PrintedTable.rows(program.lines(run), 2));
    }

    /** The column of a figure that was measured with so many tasks at a time. */
    static String column(int tasks, String figure) {
        return (tasks == 1 ? "1 task: " : tasks + " tasks: ") + figure;
    }

    @Override
    public List<Plot> plots(Measurement measurement) {
        return Stream.of("k-means", "PageRank")
                .map(application -> {
                    List<Row> rows = measurement.rows().stream()
                            .filter(row -> row.name().startsWith(application))
                            .toList();
                    String name = application.toLowerCase(Locale.ROOT);
                    List<Curve> bars = Arrays.stream(Applications.TASKS)
                            .mapToObj(tasks -> column(tasks, LATER))
                            .map(column -> Curve.overRows(name, column, rows, column, 0))
                            .toList();
                    List<String> frameworks = rows.stream()
                            .map(row -> row.name().substring(application.length() + 2))
                            .toList();
                    return new Plot(name, application + ": time of a later iteration", "", "s", frameworks, bars);
                })
                .toList();
    }
}
