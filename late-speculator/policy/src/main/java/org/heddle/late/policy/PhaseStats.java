// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.heddle.late.policy.statistics.Sample;

/**
 * How long the phases of a kind typically take, from all attempts that have completed a phase or a part of it (paper,
 * 4.2: "the average progress rate of those phases from other reduce tasks"; here the median, on which one straggler has
 * no effect).
 *
 * <p>The first phase of a reduce counts from the end of the maps: before that time the reduce waits.
 */
final class PhaseStats {
    // An attempt in the middle of a phase counts if at least this part of the phase is done.
    private static final double FRACTION_TO_JUDGE = 0.1;
    // Progress that comes in steps is no silence. So many attempts show how long the steps are, and this many times as
    // long is late.
    private static final int ENOUGH = 3;
    private static final int LATEST = 500;
    private static final double LATE_STEP = 1.5;
    // Nor is a pause that many attempts make which then end well.
    private static final double PERCENT_WITHOUT_PAUSE = 90;
    private static final int ENOUGH_PAUSES = 10;
    private static final double LATE_PAUSE = 1.2;

    private final double[] typicalMillis;
    private final double fullShuffleMillis;
    private final double longestFinishMillis;
    private final double typicalGapMillis;
    private final double usualPauseMillis;
    private final double typicalFirstMillis;
    private final List<Optional<SlowBeginning>> slowBeginnings = new ArrayList<>();

    /** @param mapsDoneAt when the last map ended; -1 while a map still runs */
    private PhaseStats(AttemptRegistry.KindIndex index, TaskKind kind, long mapsDoneAt) {
        int phases = index.phases.count();
        this.typicalMillis = new double[phases];
        this.typicalFirstMillis = kind == TaskKind.MAP ? typical(index, AttemptRecord::firstProgressMillis) : 0;
        this.typicalGapMillis = typical(index, AttemptRecord::longestGapMillis);
        this.usualPauseMillis = usualPauseMillis(index);
        this.longestFinishMillis = index.finished.isEmpty() ? Double.POSITIVE_INFINITY : (double) index.longestFinish;
        Sample full = new Sample(index.finished.size() + index.liveAttempts);
        for (int p = 0; p < phases; p++) {
            if (p == 0 && kind == TaskKind.REDUCE) {
                typicalMillis[p] = typicalMillis(index, p, mapsDoneAt, full);
                // How fast a reduce fetches depends on the maps.
                slowBeginnings.add(Optional.empty());
            } else {
                typicalMillis[p] = typicalMillis(index, p, 0, full);
                double firstMillis = p == 0 ? typicalFirstMillis : 0;
                slowBeginnings.add(SlowBeginning.of(index.finished, p, typicalMillis[p], firstMillis));
            }
        }
        this.fullShuffleMillis = full.median();
    }

    static PhaseStats of(AttemptRegistry registry, TaskKind kind) {
        return new PhaseStats(registry.of(kind), kind, registry.mapsDoneAt());
    }

    private static double typicalMillis(AttemptRegistry.KindIndex index, int phase, long notBefore, Sample full) {
        Sample all = new Sample(index.finished.size() + index.liveAttempts);
        for (AttemptRecord attempt : index.finished) {
            collect(attempt, phase, notBefore, all, full);
        }
        for (TaskRecord task : index.running.values()) {
            for (AttemptRecord attempt : task.live) {
                collect(attempt, phase, notBefore, all, full);
            }
        }
        return all.median();
    }

    /**
     * Median over the running and the latest finished attempts that have the number, which is positive; 0 if there are
     * too few.
     */
    private static double typical(AttemptRegistry.KindIndex index, ToLongFunction<AttemptRecord> number) {
        Sample known = new Sample(index.liveAttempts);
        int finished = index.finished.size();
        for (AttemptRecord attempt : index.finished.subList(Math.max(0, finished - LATEST), finished)) {
            add(number.applyAsLong(attempt), known);
        }
        for (TaskRecord task : index.running.values()) {
            for (AttemptRecord attempt : task.live) {
                add(number.applyAsLong(attempt), known);
            }
        }
        return known.size() < ENOUGH ? 0 : known.median();
    }

    /** The longest time without progress in most attempts that have ended; 0 if there are too few. */
    private static double usualPauseMillis(AttemptRegistry.KindIndex index) {
        Sample gaps = new Sample(LATEST);
        int finished = index.finished.size();
        for (AttemptRecord attempt : index.finished.subList(Math.max(0, finished - LATEST), finished)) {
            add(attempt.longestGapMillis(), gaps);
        }
        return gaps.size() < ENOUGH_PAUSES ? 0 : gaps.percentile(PERCENT_WITHOUT_PAUSE);
    }

    private static void add(long millis, Sample known) {
        if (millis > 0) {
            known.add((double) millis);
        }
    }

    private static void collect(AttemptRecord attempt, int phase, long notBefore, Sample all, Sample full) {
        if (notBefore < 0) {
            return; // maps still run: the times of shuffles say nothing
        }
        long from = attempt.enteredAt(phase);
        if (from < 0) {
            return;
        }
        long counted = Math.max(from, notBefore);
        long until = attempt.enteredAt(phase + 1);
        double millis;
        if (until >= 0) {
            millis = Math.max(0, until - counted);
        } else if (attempt.live()
                && attempt.phase() == phase
                && attempt.phaseFraction() >= FRACTION_TO_JUDGE
                && from >= notBefore) {
            millis = (attempt.reportedAt() - from) / attempt.phaseFraction();
        } else {
            return;
        }
        all.add(millis);
        if (phase == 0 && from >= notBefore) {
            full.add(millis);
        }
    }

    /** Typical milliseconds of a phase; NaN if no attempt has been in it. */
    double typicalMillis(int phase) {
        return typicalMillis[phase];
    }

    /** Typical milliseconds of all phases in which an attempt has been. */
    double typicalMillis() {
        double sum = 0;
        for (double millis : typicalMillis) {
            if (!Double.isNaN(millis)) {
                sum += millis;
            }
        }
        return sum;
    }

    /** The longest time from a report of 1.0 to the end of an attempt; infinite if no attempt has ended. */
    double longestFinishMillis() {
        return longestFinishMillis;
    }

    /** How a phase begins in all attempts, if that is slow. */
    Optional<SlowBeginning> slowBeginning(int phase) {
        return slowBeginnings.get(phase);
    }

    /** Milliseconds from the start of a map to its first progress, typically; 0 if unknown. */
    double typicalFirstMillis() {
        return typicalFirstMillis;
    }

    /**
     * Milliseconds without progress after which an attempt has probably stopped.
     *
     * @param configured at least so long
     */
    double silenceMillis(double configured) {
        return Math.max(configured, Math.max(LATE_STEP * typicalGapMillis, LATE_PAUSE * usualPauseMillis));
    }

    /** Typical milliseconds of a first phase without waiting for maps; NaN if there was none. */
    double fullFirstPhaseMillis() {
        return fullShuffleMillis;
    }
}
