// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.packing;

import java.util.ArrayList;
import java.util.Arrays;
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
import org.heddle.benchmarks.experiment.Row;
import org.heddle.benchmarks.experiment.Run;
import org.heddle.benchmarks.experiment.Spread;

/** How far phased plans of many jobs are from the optimum after a short search. */
public final class OptimalityExperiment implements Experiment {
    private static final double SEARCH_SECONDS = 10;

    /** Numbers of jobs, from and to; up to 22 the optimum can be proven. */
    private static final int[][] SIZES = {{17, 22}, {23, 30}};

    private static final String PROBLEMS = "problems";
    private static final String NEAR = "within 0.5 %";
    private static final double LEAST_NEAR_PERCENT = 95;

    @Override
    public Description description() {
        return new Description(
                "packing-optimality",
                "Packing: plans of 17 to 30 jobs beside the optimum",
                Paper.NONE,
                "",
                List.of(),
                "The paper does not compare with the optimum: these are seeded random problems, 10 CPU seconds for each plan,"
                        + " beside the proven optimum or, beyond 22 jobs, beside the best of three longer searches.");
    }

    @Override
    public List<Goal> goals() {
        return Arrays.stream(SIZES)
                .map(OptimalityExperiment::name)
                .map(row -> Goal.atLeast(
                        row + ": " + NEAR + ", % of the problems",
                        LEAST_NEAR_PERCENT,
                        all -> 100 * all.median(row, NEAR) / all.median(row, PROBLEMS)))
                .toList();
    }

    private static String name(int... size) {
        return size[0] + " to " + size[1] + " jobs";
    }

    @Override
    public Effort effort() {
        return new Effort(false, 0, 0, 60, 3);
    }

    @Override
    public Bands bands() {
        return new Bands(new Band(0.05, 0.5), Map.of());
    }

    @Override
    public Measurement run(Run run) {
        PhasedOptimality searches = new PhasedOptimality(SEARCH_SECONDS);
        List<Row> rows = new ArrayList<>();
        for (int[] size : SIZES) {
            List<PhasedOptimality.Outcome> outcomes = new ArrayList<>();
            for (int jobs = size[0]; jobs <= size[1]; jobs++) {
                for (long seed : run.seeds()) {
                    run.tell(jobs + " jobs, seed " + seed);
                    outcomes.add(searches.compare(jobs, seed));
                }
            }
            rows.add(row(name(size), outcomes));
        }
        return Measurement.of(rows);
    }

    private static Row row(String name, List<PhasedOptimality.Outcome> outcomes) {
        return Row.of(name)
                .with(PROBLEMS, outcomes.size())
                .with(NEAR, (double) outcomes.stream()
                        .filter(PhasedOptimality.Outcome::isNear)
                        .count())
                .with("optimum proven", (double) outcomes.stream()
                        .filter(PhasedOptimality.Outcome::proven)
                        .count())
                .with(
                        "longer than the optimum, %",
                        Spread.of(outcomes.stream().map(one -> 100 * one.off()).toList()))
                .with(
                        "gap to the bound, %",
                        Spread.of(outcomes.stream().map(one -> 100 * one.gap()).toList()));
    }
}
