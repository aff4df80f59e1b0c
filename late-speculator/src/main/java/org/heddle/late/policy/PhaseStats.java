// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.policy;

/**
 * How long the phases of a kind typically take, from every attempt that has completed or at least tasted them (paper,
 * 4.2: "the average progress rate of those phases from other reduce tasks"; here the median, which one straggler
 * cannot move).
 *
 * <p>The first phase of a reduce is counted from the end of the maps: before that it waits, it does not work.
 */
final class PhaseStats {
    // An attempt in the middle of a phase says something about it once a tenth is done.
    private static final double TASTED = 0.1;

    private final double[] typicalMillis;
    private final double fullShuffleMillis;

    private PhaseStats(double[] typicalMillis, double fullShuffleMillis) {
        this.typicalMillis = typicalMillis;
        this.fullShuffleMillis = fullShuffleMillis;
    }

    static PhaseStats of(AttemptRegistry book, TaskKind kind) {
        AttemptRegistry.KindBook kindBook = book.of(kind);
        int phases = kindBook.phases.count();
        int most = kindBook.finished.size() + kindBook.liveAttempts;
        double[] typical = new double[phases];
        double full = Double.NaN;
        long mapsDone = kind == TaskKind.REDUCE ? book.mapsDoneAt() : 0;
        for (int p = 0; p < phases; p++) {
            Sample durations = new Sample(most);
            Sample fullDurations = new Sample(p == 0 ? most : 0);
            boolean waiting = p == 0 && kind == TaskKind.REDUCE;
            for (AttemptRecord attempt : kindBook.finished) {
                collect(attempt, p, waiting ? mapsDone : 0, durations, fullDurations);
            }
            for (TaskRecord task : kindBook.running.values()) {
                for (AttemptRecord attempt : task.live) {
                    collect(attempt, p, waiting ? mapsDone : 0, durations, fullDurations);
                }
            }
            typical[p] = durations.median();
            if (p == 0) {
                full = fullDurations.median();
            }
        }
        return new PhaseStats(typical, full);
    }

    private static void collect(AttemptRecord attempt, int phase, long notBefore, Sample all, Sample full) {
        if (notBefore < 0) {
            return; // maps still run: no shuffle is worth learning from
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
                && attempt.phaseFraction() >= TASTED
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

    /** Typical milliseconds of a phase; NaN when nobody has been in it. */
    double typicalMillis(int phase) {
        return typicalMillis[phase];
    }

    /** Typical milliseconds of all phases that somebody has been in. */
    double typicalMillis() {
        double sum = 0;
        for (double millis : typicalMillis) {
            sum += Double.isNaN(millis) ? 0 : millis;
        }
        return sum;
    }

    /** Typical milliseconds of a first phase that did not overlap with waiting; NaN when none was seen. */
    double fullFirstPhaseMillis() {
        return fullShuffleMillis;
    }
}
