// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.late;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import org.heddle.benchmarks.experiment.Description;
import org.heddle.benchmarks.experiment.Effort;
import org.heddle.benchmarks.experiment.Experiment;
import org.heddle.benchmarks.experiment.Measurement;
import org.heddle.benchmarks.experiment.Paper;
import org.heddle.benchmarks.experiment.Plot;
import org.heddle.benchmarks.experiment.Published;
import org.heddle.benchmarks.experiment.Row;
import org.heddle.benchmarks.experiment.Run;
import org.heddle.late.sim.Mode;
import org.heddle.late.sim.Outcome;
import org.heddle.late.sim.Scenario;

/**
 * LATE's Figures 3 to 9: the time of a job on bad nodes, without speculation, with Hadoop's speculator and with LATE.
 */
public final class ScenariosExperiment implements Experiment {
    private static final List<Mode> MODES =
            List.of(Mode.NONE, Mode.STOCK, Mode.STOCK_1S, Mode.PAPER, Mode.HEDDLE, Mode.CLAIRVOYANT);

    @Override
    public Description description() {
        return new Description(
                "late-scenarios",
                "LATE: jobs on heterogeneous and faulty nodes",
                Paper.LATE,
                "Figures 3 to 9",
                List.of(
                        new Published(
                                "EC2-like",
                                "Sort ends 27 % before Hadoop's speculator, 31 % before none",
                                "5.2.1, Figure 3"),
                        new Published(
                                "slow node",
                                "Sort ends 58 % before Hadoop's speculator, 220 % before none",
                                "5.2.2, Figure 4"),
                        Published.of(
                                "Grep with stragglers 36 % and 57 %, WordCount 8.5 % and 179 %",
                                "5.2.3, Figures 5 and 6"),
                        Published.of("local Sort, heterogeneous 162 % and 104 %", "5.3.2, Figure 7"),
                        Published.of("local Sort with stragglers 53 % and 121 %", "5.3.2, Figure 8")),
                "Jobs run on a virtual clock on nodes that differ in speed only, beside no other job and without contention"
                        + " for disks and the network, and Hadoop's speculator is today's DefaultSpeculator, because that of"
                        + " 2008 is gone; percentages of the paper are of the time of the faster run.");
    }

    @Override
    public Effort effort() {
        return Effort.simulated(1, 11, 5, 31);
    }

    @Override
    public Measurement run(Run run) {
        List<Row> rows = new ArrayList<>();
        LargeAndSmall.scenarios().forEach((name, scenario) -> {
            run.tell(name);
            rows.add(row(name, scenario, run.seeds()));
        });
        return Measurement.of(rows);
    }

    private static Row row(String name, LongFunction<Scenario> scenario, List<Long> seeds) {
        Row row = Row.of(name);
        for (Mode mode : MODES) {
            Cell cell = Cell.run(scenario, mode, seeds);
            row = row.with(column(mode), cell.spread(Outcome::seconds));
            if (mode.equals(Mode.STOCK) || mode.equals(Mode.HEDDLE)) {
                row = row.with(
                        mode.name() + ", % of task time wasted", cell.spread(outcome -> 100 * outcome.wastedShare()));
            }
        }
        return row;
    }

    private static String column(Mode mode) {
        return mode.name() + ", s";
    }

    @Override
    public List<Plot> plots(Measurement measurement) {
        String[] columns = MODES.stream().map(ScenariosExperiment::column).toArray(String[]::new);
        return List.of(Plot.bars(measurement, "times", "Time of the job (medians)", "seconds", columns));
    }
}
