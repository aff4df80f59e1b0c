// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.offers;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
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

/** Spark on offers when an executor is killed, and with too little memory, as in Figures 11 and 12 of the RDD paper. */
public final class RecoveryExperiment implements Experiment {
    private static final String MEMORY = "points in memory %";

    @Override
    public Description description() {
        return new Description(
                "spark-recovery",
                "Spark on offers: a killed executor, and too little memory",
                Paper.RDD,
                "sections 6.3 and 6.4, Figures 11 and 12",
                List.of(
                        Published.of("the iteration of the failure takes 80 s instead of 58 s", "6.3, Figure 11"),
                        Published.of("11.5 s with all points in memory, 68.8 s with none", "6.4, Figure 12")),
                "Logistic regression on three executors of one core on one machine, where the paper has k-means on 75"
                        + " nodes (Figure 11) and logistic regression on 25 (Figure 12); iterations 2 to 9 of ten are timed.");
    }

    @Override
    public Effort effort() {
        return Effort.quiet(4, 1);
    }

    @Override
    public Bands bands() {
        return Bands.within(0.5);
    }

    @Override
    public Measurement run(Run run) throws IOException, InterruptedException {
        ChildProgram program = new ChildProgram(
                Recovery.class,
                "1g",
                run.root().toString(),
                run.scratch().toString(),
                "600000",
                "0.6",
                "0.3",
                "0.2",
                "0.1",
                "0.02");
        return Measurement.of(PrintedTable.rows(program.lines(run), 1));
    }

    @Override
    public List<Plot> plots(Measurement measurement) {
        List<Row> iterations = measurement.rows().stream()
                .filter(row -> row.name().startsWith("iteration"))
                .toList();
        List<Row> memory = measurement.rows().stream()
                .filter(row -> row.figures().containsKey(MEMORY))
                .toList();
        List<Curve> failure = new ArrayList<>();
        if (!iterations.isEmpty()) {
            iterations
                    .get(0)
                    .figures()
                    .keySet()
                    .forEach(column -> failure.add(Curve.overRows("failure", column, iterations, column, 1)));
        }
        Curve line = new Curve(
                "memory",
                "iteration s",
                memory.stream().map(row -> row.median(MEMORY)).toList(),
                memory.stream().map(row -> row.median("iteration s")).toList());
        return List.of(
                new Plot("failure", "As Figure 11: a killed executor", "iteration", "s", List.of(), failure),
                new Plot("memory", "As Figure 12: time of an iteration", MEMORY, "s", List.of(), List.of(line)));
    }
}
