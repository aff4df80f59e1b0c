// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.late;

import java.util.ArrayList;
import java.util.List;
import org.heddle.benchmarks.experiment.Description;
import org.heddle.benchmarks.experiment.Effort;
import org.heddle.benchmarks.experiment.Experiment;
import org.heddle.benchmarks.experiment.Measurement;
import org.heddle.benchmarks.experiment.Paper;
import org.heddle.benchmarks.experiment.Row;
import org.heddle.benchmarks.experiment.Run;
import org.heddle.late.sim.Faults;
import org.heddle.late.sim.Mode;
import org.heddle.late.sim.Outcome;
import org.heddle.late.sim.Scenario;
import org.heddle.late.sim.SimNode;

/** What backups cost, and what they save, where the pace of tasks varies from one second to the next. */
public final class ContendedExperiment implements Experiment {
    private static final long FIRST_SEED = 90_001;

    @Override
    public Description description() {
        return new Description(
                "late-contended",
                "LATE: contended processors",
                Paper.NONE,
                "",
                List.of(),
                "No paper has this: ten nodes of two slots, maps of twelve pauses of 0 to 2 s with a report each second,"
                        + " seeds from " + FIRST_SEED
                        + " on; the clairvoyant knows all durations, and the ResourceManager"
                        + " chooses its nodes.");
    }

    @Override
    public Effort effort() {
        return Effort.simulated(0.1, 80, 0.1, 80);
    }

    @Override
    public Measurement run(Run run) {
        List<Long> seeds = Cell.seeds(FIRST_SEED, run.seeds().size());
        List<Row> rows = new ArrayList<>();
        for (double slowest : new double[] {1, 4}) {
            for (int maps : new int[] {20, 28, 36, 40, 96}) {
                String name = maps + (slowest > 1 ? " maps, one node four times slower" : " maps, even cluster");
                run.tell(name);
                rows.add(row(name, scenario(maps, slowest), seeds));
            }
        }
        return Measurement.of(rows);
    }

    private static Scenario scenario(int maps, double slowest) {
        return Scenario.maps("contended", 10, 2, maps, 12_000, i -> SimNode.of(i == 3 ? slowest : 1))
                .reporting(1_000)
                .with("contended", Faults.contended(12));
    }

    private static Row row(String name, Scenario scenario, List<Long> seeds) {
        Cell heddle = Cell.run(seed -> scenario, Mode.HEDDLE, seeds);
        return Row.of(name)
                .with(
                        "none, s (mean)",
                        Cell.run(seed -> scenario, Mode.NONE, seeds).meanSeconds())
                .with(
                        "stock, pause 1 s, s (mean)",
                        Cell.run(seed -> scenario, Mode.STOCK_1S, seeds).meanSeconds())
                .with("heddle, s (mean)", heddle.meanSeconds())
                .with(
                        "clairvoyant, s (mean)",
                        Cell.run(seed -> scenario, Mode.CLAIRVOYANT_SPECULATOR, seeds)
                                .meanSeconds())
                .with("backups of heddle (mean)", heddle.meanBackups())
                .with("of which won", heddle.meanWon())
                .with("useless backups, % of task time (mean)", 100 * heddle.mean(Outcome::uselessShare));
    }
}
