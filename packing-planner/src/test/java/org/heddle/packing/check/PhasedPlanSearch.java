// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.check;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.heddle.packing.model.Assignment;
import org.heddle.packing.model.Phase;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.PlanKind;

/**
 * Searches for a phased plan that is shorter than a given time, by random moves and swaps of jobs between phases. It
 * starts from the phases of a known plan, and uses no code of the planners.
 */
final class PhasedPlanSearch {
    private static final double WARM = 0.01;
    private static final int COOLING_STEPS = 20_000;
    private static final int REMEMBERED = 100_000;

    private final BoundTimes times;
    private final PhaseLength length;
    private final RandomGenerator random;
    private final Map<BitSet, Double> known = new HashMap<>();
    private final List<BitSet> start = new ArrayList<>();
    private List<BitSet> best = new ArrayList<>();
    private double bestSeconds = Double.POSITIVE_INFINITY;

    PhasedPlanSearch(BoundTimes times, Plan plan, RandomGenerator random) {
        this.times = times;
        this.random = random;
        length = new PhaseLength(times);
        Map<String, Integer> index = new HashMap<>();
        for (int j = 0; j < times.jobs; j++) {
            index.put(times.job(j).name(), j);
        }
        if (plan.kind() == PlanKind.PHASED) {
            for (Phase phase : plan.phases()) {
                BitSet set = new BitSet(times.jobs);
                for (Assignment assignment : phase.assignments()) {
                    set.set(index.getOrDefault(assignment.job(), 0));
                }
                start.add(set);
            }
        } else {
            for (int j = 0; j < times.jobs; j++) {
                BitSet alone = new BitSet(times.jobs);
                alone.set(j);
                start.add(alone);
            }
        }
    }

    /** Seconds of the first plan found below {@code goal}, else of the shortest one found before the stop. */
    double shorterThan(double goal, BooleanSupplier mustStop) {
        for (int round = 0; bestSeconds >= goal && !mustStop.getAsBoolean(); round++) {
            List<BitSet> current = new ArrayList<>(round % 3 == 0 ? start : best);
            if (round % 3 == 1) {
                current = allTogether();
            }
            double seconds = total(current);
            keep(current, seconds);
            for (int i = 0; i < COOLING_STEPS && bestSeconds >= goal && !mustStop.getAsBoolean(); i++) {
                List<BitSet> next = neighbour(current);
                double nextSeconds = total(next);
                double allowed = WARM * (1 - (double) i / COOLING_STEPS) * -Math.log(1 - random.nextDouble());
                if (nextSeconds <= seconds * (1 + allowed)) {
                    current = next;
                    seconds = nextSeconds;
                    keep(current, seconds);
                }
            }
        }
        return bestSeconds;
    }

    private List<BitSet> allTogether() {
        List<BitSet> phases = new ArrayList<>();
        for (int from = 0; from < times.jobs; from += times.slots) {
            BitSet set = new BitSet(times.jobs);
            set.set(from, Math.min(times.jobs, from + times.slots));
            phases.add(set);
        }
        return phases;
    }

    private void keep(List<BitSet> phases, double seconds) {
        if (seconds < bestSeconds) {
            best = new ArrayList<>(phases);
            bestSeconds = seconds;
        }
    }

    private double total(List<BitSet> phases) {
        double sum = 0;
        for (BitSet phase : phases) {
            sum += seconds(phase);
        }
        return sum;
    }

    private double seconds(BitSet phase) {
        if (known.size() > REMEMBERED) {
            known.clear();
        }
        Double seconds = known.get(phase);
        if (seconds == null) {
            seconds = length.quick(phase.stream().toArray());
            known.put(phase, seconds);
        }
        return seconds;
    }

    /**
     * The phases after one job has moved to another or a new phase, two jobs have changed places, or two phases merged.
     */
    private List<BitSet> neighbour(List<BitSet> phases) {
        List<BitSet> next = new ArrayList<>(phases);
        int a = random.nextInt(next.size());
        int b = random.nextInt(next.size() + 1);
        BitSet from = (BitSet) next.get(a).clone();
        boolean alone = b == a || b == next.size();
        BitSet to = alone ? new BitSet(times.jobs) : (BitSet) next.get(b).clone();
        double dice = random.nextDouble();
        if (dice < 0.15 && !to.isEmpty()) {
            to.or(from);
            from.clear();
        } else {
            int moved = member(from);
            int back = dice < 0.5 && !to.isEmpty() ? member(to) : -1;
            from.clear(moved);
            to.set(moved);
            if (back >= 0) {
                to.clear(back);
                from.set(back);
            }
        }
        next.set(a, from);
        if (b == a || b == next.size()) {
            next.add(to);
        } else {
            next.set(b, to);
        }
        next.removeIf(BitSet::isEmpty);
        return next;
    }

    private int member(BitSet set) {
        int at = set.nextSetBit(0);
        for (int skip = random.nextInt(set.cardinality()); skip > 0; skip--) {
            at = set.nextSetBit(at + 1);
        }
        return at;
    }

    /** The jobs of each phase of the shortest plan found. */
    List<int[]> phases() {
        return best.stream().map(set -> set.stream().toArray()).toList();
    }
}
