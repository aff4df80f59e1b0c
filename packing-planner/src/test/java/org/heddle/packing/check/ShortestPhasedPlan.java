// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.check;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.BooleanSupplier;

/**
 * The makespan of the shortest phased plan of few jobs, by dynamic programming over sets of jobs with all roles tried,
 * and without code of the planners.
 */
final class ShortestPhasedPlan {
    /** What can be solved at all: it takes minutes, and some hundred megabytes. */
    static final int MOST_JOBS = 22;
    /** What takes about a second. */
    static final int FEW_JOBS = 15;

    private final BoundTimes times;
    private final double[] best;
    private final double[] phase;
    private final double[] atLeast;
    private final int[] first;

    ShortestPhasedPlan(BoundTimes times) {
        if (times.jobs > MOST_JOBS) {
            throw new IllegalArgumentException(times.jobs + " jobs: at most " + MOST_JOBS);
        }
        this.times = times;
        int sets = 1 << times.jobs;
        best = new double[sets];
        phase = new double[sets];
        atLeast = new double[sets];
        first = new int[sets];
    }

    /** The makespan, seconds; empty if {@code mustStop} returned true before. */
    OptionalDouble seconds(BooleanSupplier mustStop) {
        PhaseLength length = new PhaseLength(times);
        for (int set = 1; set < best.length; set++) {
            if (mustStop.getAsBoolean()) {
                return OptionalDouble.empty();
            }
            solve(set, length);
        }
        return OptionalDouble.of(best[best.length - 1]);
    }

    private void solve(int set, PhaseLength length) {
        int lowest = Integer.lowestOneBit(set);
        int others = set - lowest;
        double split = Double.POSITIVE_INFINITY;
        for (int later = others; later != 0; later = (later - 1) & others) {
            double together = phase[set - later] + best[later];
            if (together < split) {
                split = together;
                first[set] = set - later;
            }
        }
        for (int left = set; left != 0; left &= left - 1) {
            atLeast[set] = Math.max(atLeast[set], atLeast[set - Integer.lowestOneBit(left)]);
        }
        phase[set] = Double.POSITIVE_INFINITY;
        if (atLeast[set] < split) {
            phase[set] = length.least(PhaseLength.members(set), Math.min(split, Double.MAX_VALUE));
            atLeast[set] = Math.min(phase[set], split) * (1 - 1e-8);
        }
        if (phase[set] < split) {
            first[set] = set;
        }
        best[set] = Math.min(phase[set], split);
    }

    /** The jobs of each phase; after {@link #seconds}. */
    List<int[]> phases() {
        List<int[]> phases = new ArrayList<>();
        for (int left = best.length - 1; left != 0; left -= first[left]) {
            phases.add(PhaseLength.members(first[left]));
        }
        return phases;
    }
}
