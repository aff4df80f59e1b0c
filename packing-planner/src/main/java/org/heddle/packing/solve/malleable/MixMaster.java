// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve.malleable;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.heddle.packing.solve.JobTable;
import org.heddle.packing.solve.bound.CoveringLp;
import org.heddle.packing.solve.phased.PhaseChoice;

/**
 * The master problem of the column generation: how long does each known mix run, so that every group of jobs gets its
 * work done in the least time? It keeps all mixes it was offered and tries them again after the basis has changed.
 */
final class MixMaster {
    /** Shorter parts of the plan are dropped. */
    private static final double NEGLIGIBLE = 1e-7;

    private static final int MOST_KEPT = 2_000;

    private final BooleanSupplier mustStop;
    private final JobTable table;
    private final JobGroups groups;
    private final double scale;
    private final CoveringLp<Mix> lp;
    private final List<Column> kept = new ArrayList<>();

    @SuppressWarnings("ArrayRecordComponent") // a pair, never compared
    private record Column(Mix mix, double[] work) {}

    /**
     * @param scale the unit of time, seconds
     * @param mustStop whether no more time is left
     */
    MixMaster(JobTable table, double scale, RandomGenerator random, BooleanSupplier mustStop) {
        this.mustStop = mustStop;
        this.table = table;
        this.scale = scale;
        groups = new JobGroups(table);
        int rows = groups.count();
        double[] rates = new double[rows];
        double[] costs = new double[rows];
        Mix[] alone = new Mix[rows];
        for (int g = 0; g < rows; g++) {
            int first = groups.first(g);
            rates[g] = scale / table.fastest(first) / groups.size(g);
            costs[g] = 1;
            alone[g] = Mix.of(table, PhaseChoice.alone(table, first));
        }
        lp = new CoveringLp<>(rates, costs, alone, random, mustStop);
    }

    /** Makes the mix part of the solution if that shortens the plan, and keeps it for later otherwise. */
    boolean offer(Mix mix) {
        Column column = new Column(mix, work(mix));
        if (kept.size() == MOST_KEPT) {
            kept.subList(0, MOST_KEPT / 2).clear();
        }
        kept.add(column);
        return lp.enter(column.work(), 1, mix);
    }

    /** Solves the problem with all kept mixes. */
    void solve() {
        boolean entered = true;
        for (int round = 0; entered && round < 50 && !mustStop.getAsBoolean(); round++) {
            entered = false;
            for (Column column : kept) {
                entered |= lp.enter(column.work(), 1, column.mix());
            }
        }
    }

    /** The fractions of the work of each group that {@code scale} seconds of the mix do. */
    private double[] work(Mix mix) {
        PhaseChoice phase = mix.asPhase(table);
        double[] work = new double[groups.count()];
        for (int i = 0; i < phase.jobs().length; i++) {
            int group = groups.of(phase.jobs()[i]);
            work[group] += scale / phase.jobSeconds()[i] / groups.size(group);
        }
        return work;
    }

    /** What a second of each job at speed 1 / s is worth, for pricing. Their sum is the makespan by duality. */
    double[] prices() {
        double[] prices = new double[table.jobs];
        for (int j = 0; j < table.jobs; j++) {
            int group = groups.of(j);
            prices[j] = Math.max(0, lp.duals()[group]) * scale / groups.size(group);
        }
        return prices;
    }

    /** Seconds. */
    double makespan() {
        return lp.objective() * scale;
    }

    /** The solution; members of a group take turns. */
    List<Part> parts() {
        List<Part> parts = new ArrayList<>();
        double least = NEGLIGIBLE * makespan();
        lp.forEach((mix, value) -> {
            if (value * scale >= least) {
                groups.turns(mix).forEach(turn -> parts.add(new Part(turn.mix(), value * scale * turn.part())));
            }
        });
        return parts;
    }
}
