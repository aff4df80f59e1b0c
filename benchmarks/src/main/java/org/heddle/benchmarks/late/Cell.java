// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.late;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;
import org.heddle.benchmarks.experiment.Spread;
import org.heddle.late.sim.Mode;
import org.heddle.late.sim.Outcome;
import org.heddle.late.sim.Scenario;
import org.heddle.late.sim.Simulation;

/**
 * One scenario under one mode over several seeds.
 *
 * @param mode the speculator
 * @param outcomes one per seed
 */
record Cell(Mode mode, List<Outcome> outcomes) {

    /** Runs these seeds; the same seed means the same durations under every mode. */
    static Cell run(LongFunction<Scenario> scenario, Mode mode, List<Long> seeds) {
        List<Outcome> outcomes = new ArrayList<>();
        for (long seed : seeds) {
            outcomes.add(Simulation.run(scenario.apply(seed), mode, seed));
        }
        return new Cell(mode, outcomes);
    }

    /** The shortest of the jobs that these cells ran with one seed. */
    static double leastSeconds(List<Cell> cells, int seed) {
        return cells.stream()
                .mapToDouble(cell -> cell.outcomes().get(seed).seconds())
                .min()
                .orElseThrow();
    }

    double medianSeconds() {
        return median(Outcome::seconds);
    }

    /** Seeds in a row. */
    static List<Long> seeds(long first, int count) {
        return LongStream.range(first, first + count).boxed().toList();
    }

    double meanSeconds() {
        return mean(Outcome::seconds);
    }

    double mean(ToDoubleFunction<Outcome> what) {
        return outcomes.stream().mapToDouble(what).average().orElse(0);
    }

    double medianWastedShare() {
        return median(Outcome::wastedShare);
    }

    double medianUselessShare() {
        return median(Outcome::uselessShare);
    }

    double meanBackups() {
        return outcomes.stream().mapToInt(Outcome::backups).average().orElse(0);
    }

    double meanWon() {
        return outcomes.stream().mapToInt(Outcome::won).average().orElse(0);
    }

    double deviationSeconds() {
        double mean = meanSeconds();
        return Math.sqrt(outcomes.stream()
                .mapToDouble(o -> (o.seconds() - mean) * (o.seconds() - mean))
                .average()
                .orElse(0));
    }

    double median(ToDoubleFunction<Outcome> what) {
        return spread(what).median();
    }

    Spread spread(ToDoubleFunction<Outcome> what) {
        return Spread.of(outcomes.stream().mapToDouble(what).toArray());
    }
}
