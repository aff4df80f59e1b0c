// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.policy;

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

    private final double[] typicalMillis;
    private final double fullShuffleMillis;
    private final double longestFinishMillis;

    private PhaseStats(double[] typicalMillis, double fullShuffleMillis, double longestFinishMillis) {
        this.typicalMillis = typicalMillis;
        this.fullShuffleMillis = fullShuffleMillis;
        this.longestFinishMillis = longestFinishMillis;
    }

    static PhaseStats of(AttemptRegistry registry, TaskKind kind) {
        AttemptRegistry.KindIndex index = registry.of(kind);
        int phases = index.phases.count();
        int most = index.finished.size() + index.liveAttempts;
        double[] typical = new double[phases];
        double full = Double.NaN;
        long mapsDone = kind == TaskKind.REDUCE ? registry.mapsDoneAt() : 0;
        for (int p = 0; p < phases; p++) {
            Sample durations = new Sample(most);
            Sample fullDurations = new Sample(p == 0 ? most : 0);
            boolean waiting = p == 0 && kind == TaskKind.REDUCE;
            for (AttemptRecord attempt : index.finished) {
                collect(attempt, p, waiting ? mapsDone : 0, durations, fullDurations);
            }
            for (TaskRecord task : index.running.values()) {
                for (AttemptRecord attempt : task.live) {
                    collect(attempt, p, waiting ? mapsDone : 0, durations, fullDurations);
                }
            }
            typical[p] = durations.median();
            if (p == 0) {
                full = fullDurations.median();
            }
        }
        double longestFinish = index.finished.isEmpty() ? Double.POSITIVE_INFINITY : (double) index.longestFinish;
        return new PhaseStats(typical, full, longestFinish);
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
            sum += Double.isNaN(millis) ? 0 : millis;
        }
        return sum;
    }

    /** The longest time from a report of 1.0 to the end of an attempt; infinite if no attempt has ended. */
    double longestFinishMillis() {
        return longestFinishMillis;
    }

    /** Typical milliseconds of a first phase without waiting for maps; NaN if there was none. */
    double fullFirstPhaseMillis() {
        return fullShuffleMillis;
    }
}
