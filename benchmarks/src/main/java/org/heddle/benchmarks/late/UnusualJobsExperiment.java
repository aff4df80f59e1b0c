// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.late;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.LongFunction;
import org.heddle.benchmarks.experiment.Description;
import org.heddle.benchmarks.experiment.Effort;
import org.heddle.benchmarks.experiment.Experiment;
import org.heddle.benchmarks.experiment.Goal;
import org.heddle.benchmarks.experiment.Measurement;
import org.heddle.benchmarks.experiment.Paper;
import org.heddle.benchmarks.experiment.Row;
import org.heddle.benchmarks.experiment.Run;
import org.heddle.benchmarks.experiment.Spread;
import org.heddle.late.sim.Mode;
import org.heddle.late.sim.Outcome;
import org.heddle.late.sim.Scenario;
import org.heddle.late.sim.UnusualJobs;

/** {@link UnusualJobs} on seeds of their own. */
public final class UnusualJobsExperiment implements Experiment {
    private static final List<Mode> PEERS = List.of(Mode.NONE, Mode.STOCK, Mode.STOCK_1S);
    private static final long FIRST_SEED = 900_001;
    private static final double MOST = 1.05;
    private static final String WORST = "heddle / best peer of that run";

    @Override
    public Description description() {
        return new Description(
                "late-unusual",
                "LATE: unusual reports, sizes and announcements",
                Paper.NONE,
                "",
                List.of(),
                "No paper has this: 20 nodes of two slots, 100 maps of a minute (65 where the score is unusual), and four"
                        + " nodes in the last row; slow means that two nodes are five times slower (2.2 times in the last"
                        + " row). The score is what attempts report. Seeds from " + FIRST_SEED
                        + " on, which no rule was tuned on; the peers are none, stock, and stock with a pause of 1 s.");
    }

    @Override
    public List<Goal> goals() {
        return List.of(Goal.atMost(
                "largest heddle / best peer of a run",
                MOST,
                all -> all.largest(
                        row -> Objects.requireNonNull(row.figures().get(WORST)).most())));
    }

    @Override
    public Effort effort() {
        return Effort.simulated(0.5, 30, 0.5, 30);
    }

    @Override
    public Measurement run(Run run) {
        List<Long> seeds = Cell.seeds(FIRST_SEED, run.seeds().size());
        List<Row> rows = new ArrayList<>();
        UnusualJobs.all().forEach((name, scenario) -> {
            run.tell(name);
            rows.add(row(name, scenario, seeds));
        });
        return Measurement.of(rows);
    }

    private static Row row(String name, LongFunction<Scenario> scenario, List<Long> seeds) {
        Cell heddle = Cell.run(scenario, Mode.HEDDLE, seeds);
        Cell clairvoyant = Cell.run(scenario, Mode.CLAIRVOYANT_SPECULATOR, seeds);
        List<Cell> peers =
                PEERS.stream().map(mode -> Cell.run(scenario, mode, seeds)).toList();
        double[] worst = new double[seeds.size()];
        for (int i = 0; i < worst.length; i++) {
            worst[i] = heddle.outcomes().get(i).seconds() / Cell.leastSeconds(peers, i);
        }
        Row row = Row.of(name);
        for (Cell peer : peers) {
            row = row.with(peer.mode().name() + ", s", peer.spread(Outcome::seconds));
        }
        return row.with("heddle, s", heddle.spread(Outcome::seconds))
                .with("clairvoyant, s", clairvoyant.spread(Outcome::seconds))
                .with(WORST, Spread.of(worst))
                .with(
                        "useless backups of stock, pause 1 s, % of task time",
                        peers.get(2).spread(UnusualJobsExperiment::useless))
                .with("useless backups of heddle, % of task time", heddle.spread(UnusualJobsExperiment::useless));
    }

    private static double useless(Outcome outcome) {
        return 100 * outcome.uselessShare();
    }
}
