// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.offers;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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

/** Logistic regression in Spark on offers and in MapReduce, as in Figure 6 of Nexus. */
public final class IterationsExperiment implements Experiment {
    private static final Map<String, Double> COUNTS =
            Map.of("1 iteration s", 1.0, "5 iterations s", 5.0, "10 iterations s", 10.0, "20 iterations s", 20.0);

    @Override
    public Description description() {
        return new Description(
                "spark-iterations",
                "Iterations in Spark on offers and in MapReduce",
                Paper.NEXUS,
                "section 6.3, Figure 6; and Figure 7 of the RDD paper",
                List.of(
                        Published.of("Spark needs 8.5 times less time at 20 iterations", "6.3"),
                        Published.of("later iterations take 20 times less time (RDD paper)", "6.1")),
                "Two tasks at a time of one core and 1408 MiB each, and MapReduce's master beside them, on one machine;"
                        + " the paper has 43 machines and 11 GB. With uber, the master runs all tasks one after the other.");
    }

    @Override
    public Effort effort() {
        return Effort.quiet(14, 3);
    }

    @Override
    public Bands bands() {
        return Bands.within(0.3);
    }

    @Override
    public Measurement run(Run run) throws IOException, InterruptedException {
        ChildProgram program = new ChildProgram(
                Iterations.class,
                "1g",
                run.root().toString(),
                run.scratch().toString(),
                "600000",
                "20",
                String.valueOf(run.seeds().size()));
        return Measurement.of(PrintedTable.rows(program.lines(run), 1));
    }

    @Override
    public List<Plot> plots(Measurement measurement) {
        List<Curve> curves = new ArrayList<>();
        for (Row row : measurement.rows()) {
            List<Map.Entry<String, Double>> points = COUNTS.entrySet().stream()
                    .filter(count -> row.figures().containsKey(count.getKey()))
                    .sorted(Map.Entry.comparingByValue())
                    .toList();
            curves.add(new Curve(
                    "time",
                    row.name(),
                    points.stream().map(Map.Entry::getValue).toList(),
                    points.stream().map(count -> row.median(count.getKey())).toList()));
        }
        return List.of(new Plot("time", "As Figure 6: time of all iterations", "iterations", "s", List.of(), curves));
    }
}
