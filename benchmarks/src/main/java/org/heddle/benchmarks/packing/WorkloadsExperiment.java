// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.packing;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.heddle.benchmarks.experiment.Band;
import org.heddle.benchmarks.experiment.Bands;
import org.heddle.benchmarks.experiment.Description;
import org.heddle.benchmarks.experiment.Effort;
import org.heddle.benchmarks.experiment.Experiment;
import org.heddle.benchmarks.experiment.Measurement;
import org.heddle.benchmarks.experiment.Paper;
import org.heddle.benchmarks.experiment.Plot;
import org.heddle.benchmarks.experiment.Row;
import org.heddle.benchmarks.experiment.Run;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.Problem;

/** The packing paper's Figures 2 and 3: the makespans of W1 to W6 and what a plan saves. */
public final class WorkloadsExperiment implements Experiment {
    /** All of these problems are solved to the proven optimum long before. */
    private static final double LIMIT_SECONDS = 60;

    /**
     * Generating columns for malleable plans ends at a tolerance, which processors do not reach with the same last
     * digits.
     */
    static final Band MALLEABLE = Band.within(1e-6);

    private static final String[] PLANNERS = {"sequential", "pair", "phased", "malleable"};

    @Override
    public Description description() {
        return new Description(
                "packing-workloads",
                "Packing: what a plan saves in the paper's workloads",
                Paper.PACKING,
                "Figures 2 and 3",
                PaperProblems.SAVINGS,
                PaperProblems.CHOSEN + "; makespans are predicted here and measured there.");
    }

    @Override
    public Bands bands() {
        return new Bands(Band.EXACT, Map.of("malleable, s", MALLEABLE, "malleable saves, %", MALLEABLE));
    }

    @Override
    public Effort effort() {
        return Effort.simulated(0.5, 1, 0.5, 1);
    }

    @Override
    public Measurement run(Run run) {
        List<Row> rows = new ArrayList<>();
        for (int i = 1; i <= 6; i++) {
            String name = "w" + i;
            run.tell(name);
            rows.add(row(PaperProblems.read(run.root(), name)));
        }
        return Measurement.of(rows);
    }

    private static Row row(Problem problem) {
        Row row = Row.of(problem.id().toUpperCase(Locale.ROOT));
        for (String planner : PLANNERS) {
            Plan plan = CheckedPlans.plan(problem, planner, LIMIT_SECONDS);
            row = row.with(planner + ", s", plan.makespan());
        }
        double sequential = row.median("sequential, s");
        for (String planner : List.of("pair", "phased", "malleable")) {
            row = row.with(planner + " saves, %", 100 * (1 - row.median(planner + ", s") / sequential));
        }
        return row;
    }

    @Override
    public List<Plot> plots(Measurement measurement) {
        return List.of(Plot.bars(
                measurement,
                "makespans",
                "As Figures 2 and 3: makespans of the workloads",
                "seconds",
                "sequential, s",
                "pair, s",
                "phased, s",
                "malleable, s"));
    }
}
