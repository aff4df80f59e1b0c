// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.late;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.heddle.benchmarks.experiment.Description;
import org.heddle.benchmarks.experiment.Effort;
import org.heddle.benchmarks.experiment.Experiment;
import org.heddle.benchmarks.experiment.Measurement;
import org.heddle.benchmarks.experiment.Paper;
import org.heddle.benchmarks.experiment.Row;
import org.heddle.benchmarks.experiment.Run;
import org.heddle.benchmarks.experiment.Spread;
import org.heddle.late.sim.Mode;
import org.heddle.late.sim.Scenario;
import org.heddle.late.sim.Scenarios;
import org.heddle.late.sim.Simulation;

/**
 * The worst runs of LATE on seeds that nobody tuned it on. The best of four peers in a run is chosen after the run, so
 * it has four draws of the durations. Therefore the best peer over all seeds stands beside it, and that peer against
 * the best of four draws of its own.
 */
public final class UnseenSeedsExperiment implements Experiment {
    private static final List<Mode> PEERS = List.of(Mode.NONE, Mode.STOCK, Mode.STOCK_1S, Mode.STOCK_SMOOTH);
    private static final long FIRST_SEED = 80_001;
    // Other durations on the same nodes and sizes.
    private static final long NEXT_DRAW = 1_000_003;
    private static final double SLOWER = 1.01;

    @Override
    public Description description() {
        return new Description(
                "late-unseen",
                "LATE: the worst run on unseen seeds",
                Paper.NONE,
                "",
                List.of(),
                "No paper has this: seeds from " + FIRST_SEED
                        + " on, which no rule was tuned on; the peers are none, stock,"
                        + " stock with a pause of 1 s and the exponential estimator; four draws of a peer differ in the"
                        + " durations of attempts only.");
    }

    @Override
    public Effort effort() {
        return Effort.simulated(1.5, 30, 1.5, 30);
    }

    @Override
    public Measurement run(Run run) {
        List<Long> seeds = Cell.seeds(FIRST_SEED, run.seeds().size());
        Map<String, LongFunction<Scenario>> scenarios = new LinkedHashMap<>();
        scenarios.put("paper 5.4", seed -> Scenarios.paper54(false, seed));
        scenarios.put("paper 5.4, score in thirds", seed -> Scenarios.paper54(true, seed));
        scenarios.putAll(LargeAndSmall.scenarios());
        List<Row> rows = new ArrayList<>();
        scenarios.forEach((name, scenario) -> {
            run.tell(name);
            rows.add(row(name, scenario, seeds));
        });
        return Measurement.of(rows);
    }

    private static Row row(String name, LongFunction<Scenario> scenario, List<Long> seeds) {
        Cell heddle = Cell.run(scenario, Mode.HEDDLE, seeds);
        List<Cell> peers =
                PEERS.stream().map(mode -> Cell.run(scenario, mode, seeds)).toList();
        Cell best = peers.stream()
                .min(Comparator.comparingDouble(Cell::meanSeconds))
                .orElseThrow();
        double[] afterwards = new double[seeds.size()];
        double[] overSeeds = new double[seeds.size()];
        double[] ofItself = new double[seeds.size()];
        for (int i = 0; i < seeds.size(); i++) {
            double seconds = heddle.outcomes().get(i).seconds();
            double peer = best.outcomes().get(i).seconds();
            afterwards[i] = seconds / Cell.leastSeconds(peers, i);
            overSeeds[i] = seconds / peer;
            ofItself[i] = peer / leastOfFourDraws(scenario.apply(seeds.get(i)), best.mode(), seeds.get(i));
        }
        return Row.of(name)
                .with("heddle / best peer of that run", Spread.of(afterwards))
                .with(
                        "runs more than 1 % slower than that, % of runs",
                        100.0
                                * Arrays.stream(afterwards)
                                        .filter(x -> x > SLOWER)
                                        .count()
                                / seeds.size())
                .with("heddle / peer that is best over the seeds", Spread.of(overSeeds))
                .with("that peer / best of four draws of itself", Spread.of(ofItself))
                .with("useless backups of heddle, % of task time", heddle.spread(o -> 100 * o.uselessShare()));
    }

    private static double leastOfFourDraws(Scenario scenario, Mode mode, long seed) {
        return LongStream.rangeClosed(1, PEERS.size())
                .mapToDouble(draw ->
                        Simulation.run(scenario, mode, seed + draw * NEXT_DRAW).seconds())
                .min()
                .orElseThrow();
    }
}
