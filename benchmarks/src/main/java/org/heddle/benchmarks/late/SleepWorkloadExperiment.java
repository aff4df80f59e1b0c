// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.late;

import java.util.ArrayList;
import java.util.List;
import org.heddle.benchmarks.experiment.Description;
import org.heddle.benchmarks.experiment.Effort;
import org.heddle.benchmarks.experiment.Experiment;
import org.heddle.benchmarks.experiment.Measurement;
import org.heddle.benchmarks.experiment.Paper;
import org.heddle.benchmarks.experiment.Published;
import org.heddle.benchmarks.experiment.Row;
import org.heddle.benchmarks.experiment.Run;
import org.heddle.benchmarks.experiment.Spread;
import org.heddle.late.sim.Mode;
import org.heddle.late.sim.Outcome;
import org.heddle.late.sim.Scenarios;
import org.heddle.late.sim.Simulation;

/** The sleeping job of LATE's section 5.4, and the two nodes X and Y of 5.4.3. */
public final class SleepWorkloadExperiment implements Experiment {
    private static final String SECONDS = "job, s";
    private static final String X_AND_Y = "nodes X and Y, ";
    private static final Mode PAPER_20 = LateReport.PAPER_20;

    @Override
    public Description description() {
        return new Description(
                "late-sleep",
                "LATE: the sleeping job of 40 machines, and the nodes X and Y",
                Paper.LATE,
                "section 5.4",
                List.of(
                        new Published(Mode.NONE.name(), "745 s", "5.4.1"),
                        new Published(
                                Mode.STOCK.name(),
                                "247 s, deviation 22; wasted 35 s for each node, deviation 16",
                                "5.4.1"),
                        new Published(PAPER_20.name(), "less of both than Hadoop's", "5.4.1"),
                        new Published(X_AND_Y + Mode.STOCK.name(), "5.8 min without SlowNodeThreshold", "5.4.3"),
                        new Published(X_AND_Y + Mode.PAPER.name(), "4 min with SlowNodeThreshold", "5.4.3")),
                "The paper leaves open how many reduces there were (here 72 on 80 slots, in one wave), which machines had"
                        + " the factors 1 and 1.5 (here half each), and how long a reduce copies (here 1 s).");
    }

    @Override
    public Effort effort() {
        return Effort.simulated(0.5, 11, 2, 31);
    }

    @Override
    public Measurement run(Run run) {
        List<Row> rows = new ArrayList<>();
        for (Mode mode : List.of(Mode.NONE, Mode.STOCK, Mode.PAPER, PAPER_20, Mode.HEDDLE, Mode.CLAIRVOYANT)) {
            run.tell(mode.name());
            Cell cell = Cell.run(seed -> Scenarios.paper54(false, seed), mode, run.seeds());
            rows.add(Row.of(mode.name())
                    .with(SECONDS, cell.spread(Outcome::seconds))
                    .with("deviation, s", cell.deviationSeconds())
                    .with("wasted for each machine, s", cell.spread(Sweep::wastedSecondsPerNode))
                    .with("backups", cell.spread(Outcome::backups)));
        }
        for (Mode mode : List.of(Mode.STOCK, Mode.PAPER, Mode.HEDDLE)) {
            Outcome outcome = Simulation.run(Scenarios.xAndY(), mode, 1);
            rows.add(Row.of(X_AND_Y + mode.name()).with(SECONDS, Spread.of(outcome.seconds())));
        }
        return Measurement.of(rows);
    }
}
