// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.policy;

import java.util.Arrays;
import org.heddle.late.policy.statistics.RateNoise;
import org.heddle.late.policy.statistics.RecentRate;

/**
 * What is known about one attempt: its node, its progress, when it entered each phase, and its recent rate in the
 * current phase. Only {@link AttemptRegistry} changes it.
 */
public final class AttemptRecord {
    // From so many reports on, the reports of an attempt show its pace.
    static final int REPORTS_OF_A_PACE = 2;
    // Scores are floats on the wire.
    private static final double FUZZ = 1e-6;
    // So many impossible reports without a usable one in between show that the attempt lives; further ones show
    // nothing.
    private static final int MOST_EXCUSES = 4;
    // So many ascending reports below the score show that the score is wrong.
    private static final int LOWER_TO_BELIEVE = 4;

    // After wrong reports the recent rate may have been too high. One that has become slower is below its mean, too.
    private static final double SLOWED = 0.85;

    private final String id;
    private final TaskRecord task;
    private final NodeRecord node;
    private final long startedAt;
    private final boolean backup;
    private final PhaseModel phases;
    private final long[] enteredAt;
    private final RecentRate recent;
    // Milliseconds from the start to the parts of each phase's score; -1 before them.
    private final int[] noted;

    private double score;
    private long reportedAt;
    private int readings;
    // The longest time between two of these reports, or the last one and the end.
    private long longestGap;
    // From the start to the first of these reports; -1 before it.
    private long firstProgress = -1;
    private long endedAt = -1;
    private int phase;
    // The attempt has reported 1.0, which is believed until a lower report follows; -1 if it has not.
    private long completeAt = -1;
    private long excusedAt;
    private int excuses;
    private int lowerReports;
    private double lowerFirst;
    private long lowerFirstAt;
    private double lowerLast;

    AttemptRecord(
            String id,
            TaskRecord task,
            NodeRecord node,
            long startedAt,
            boolean backup,
            PhaseModel phases,
            RateNoise noise) {
        this.id = id;
        this.task = task;
        this.node = node;
        this.startedAt = startedAt;
        this.reportedAt = startedAt;
        this.excusedAt = startedAt;
        this.backup = backup;
        this.phases = phases;
        this.recent = new RecentRate(noise);
        this.noted = new int[phases.count() * SlowBeginning.SCORES.length];
        Arrays.fill(noted, -1);
        this.enteredAt = new long[phases.count() + 1];
        Arrays.fill(enteredAt, -1);
        enteredAt[0] = startedAt;
    }

    /**
     * Adds a report. A report without progress changes nothing: the estimators look at the length of the silence. A
     * report that is no score in [0, 1], or is below the score, says nothing about the progress, but shows that the
     * attempt lives.
     */
    void report(double newScore, long at) {
        if (at < reportedAt) {
            return;
        }
        if (!(newScore >= 0 && newScore <= 1 + FUZZ)) {
            excuse(at);
        } else if (newScore >= 1) {
            if (completeAt < 0) {
                completeAt = at;
            }
        } else {
            completeAt = -1;
            if (newScore > score) {
                advance(newScore, at, RecentRate.WINDOW_MILLIS);
            } else if (newScore < score) {
                lower(newScore, at);
            }
        }
    }

    private void excuse(long at) {
        if (excuses < MOST_EXCUSES) {
            excuses++;
            excusedAt = at;
        }
    }

    private void lower(double newScore, long at) {
        excuse(at);
        if (lowerReports == 0 || newScore <= lowerLast) {
            lowerReports = 0;
            lowerFirst = newScore;
            lowerFirstAt = at;
        }
        lowerReports++;
        lowerLast = newScore;
        if (lowerReports >= LOWER_TO_BELIEVE) {
            phase = phases.phaseOf(lowerFirst);
            Arrays.fill(enteredAt, phase + 1, enteredAt.length, -1);
            score = lowerFirst;
            reportedAt = lowerFirstAt;
            recent.enter(phases.fraction(phase, score), (double) Math.max(1, lowerFirstAt - enteredAt[phase]));
            advance(newScore, at, RecentRate.WINDOW_MILLIS);
        }
    }

    private void advance(double newScore, long at, long windowMillis) {
        excuses = 0;
        lowerReports = 0;
        double gain = newScore - score;
        double elapsed = (double) Math.max(1, at - reportedAt);
        if (readings > 0) {
            longestGap = Math.max(longestGap, at - reportedAt);
        } else {
            firstProgress = at - startedAt;
        }
        note(newScore, elapsed);
        int entered = phases.phaseOf(newScore);
        for (int p = phase + 1; p <= entered; p++) {
            enteredAt[p] = reportedAt + Math.round((phases.from(p) - score) / gain * elapsed);
        }
        if (entered > phase) {
            recent.enter(phases.fraction(entered, newScore), (double) Math.max(0, at - enteredAt[entered]));
            phase = entered;
        } else {
            recent.add(gain / phases.width(phase), elapsed, readings, windowMillis, phase == 0);
        }
        score = newScore;
        reportedAt = at;
        readings++;
    }

    /** How many times slower than before the attempt goes on; 1 if it has not become slower. */
    double slowdown() {
        boolean shown = recentRate(0) < SLOWED * phaseRate();
        return shown ? recent.slowdown() : 1;
    }

    private void note(double newScore, double elapsed) {
        for (int i = phase * SlowBeginning.SCORES.length; i < noted.length; i++) {
            int p = i / SlowBeginning.SCORES.length;
            double at = phases.from(p) + SlowBeginning.SCORES[i % SlowBeginning.SCORES.length] * phases.width(p);
            if (at > newScore) {
                return;
            }
            if (noted[i] < 0) {
                // The first report includes the start of the JVM, so it says only that this part came before.
                double share = readings == 0 ? 1 : Math.max(0, at - score) / (newScore - score);
                noted[i] = (int) Math.min(Integer.MAX_VALUE, reportedAt - startedAt + share * elapsed);
            }
        }
    }

    /** Part of a phase's time that had passed at a part of its score; NaN if the attempt has not ended the phase. */
    double timeAt(int p, int part) {
        int millis = noted[p * SlowBeginning.SCORES.length + part];
        double length = (double) (enteredAt[p + 1] - enteredAt[p]);
        boolean known = millis >= 0 && enteredAt[p] >= 0 && length > 0;
        return known ? (startedAt + millis - enteredAt[p]) / length : Double.NaN;
    }

    /** Whether the rates of the latest reports are far below the recent rate. */
    boolean brokenDown() {
        return recent.brokenDown();
    }

    void end(long at, boolean success) {
        endedAt = at;
        if (success) {
            boolean reported = readings > 0;
            if (score < 1) {
                advance(1.0, at, Long.MAX_VALUE);
            }
            if (!reported) {
                // As after a restart of the ApplicationMaster: nothing is known of the run but its length.
                firstProgress = -1;
                Arrays.fill(noted, -1);
            }
            enteredAt[phases.count()] = at;
            for (int p = phases.count() - 1; p > 0; p--) {
                if (enteredAt[p] < 0) {
                    enteredAt[p] = enteredAt[p + 1];
                }
            }
        }
    }

    public String id() {
        return id;
    }

    public TaskRecord task() {
        return task;
    }

    public String node() {
        return node.name();
    }

    NodeRecord on() {
        return node;
    }

    public long startedAt() {
        return startedAt;
    }

    /** Whether another attempt of the task was live when this one started. */
    public boolean backup() {
        return backup;
    }

    /** Progress score in [0, 1]. */
    public double score() {
        return complete() ? 1 : score;
    }

    /** Whether the attempt has reported 1.0. It may still commit its output, or the report may be wrong. */
    public boolean complete() {
        return completeAt >= 0;
    }

    /** Milliseconds from the report of 1.0 to the end; 0 for attempts that end without such a report. */
    long millisAfterComplete() {
        return completeAt < 0 || endedAt < 0 ? 0 : Math.max(0, endedAt - completeAt);
    }

    /** When the last report with new progress below 1.0 came; the start of the attempt if there was none. */
    public long reportedAt() {
        return reportedAt;
    }

    /** Reports with new progress below 1.0 so far. */
    public int readings() {
        return readings;
    }

    boolean showsPace() {
        return readings >= REPORTS_OF_A_PACE;
    }

    /** From the start to the first report with progress; -1 before it. */
    long firstProgressMillis() {
        return firstProgress;
    }

    /** The longest time between two reports with new progress so far; 0 if there were not two. */
    long longestGapMillis() {
        return longestGap;
    }

    public boolean live() {
        return endedAt < 0;
    }

    public long endedAt() {
        return endedAt;
    }

    public PhaseModel phases() {
        return phases;
    }

    /** Index of the phase the attempt is in. */
    public int phase() {
        return phase;
    }

    /** When the attempt entered phase {@code p}; -1 if it has not. {@code p == count} is the end. */
    public long enteredAt(int p) {
        return enteredAt[p];
    }

    /** Share of the current phase that is done, in [0, 1]. */
    public double phaseFraction() {
        return phases.fraction(phase, score);
    }

    /** Milliseconds without new progress at {@code now}; a few impossible reports excuse the attempt for a while. */
    public long silentFor(long now) {
        return Math.max(0, now - Math.max(reportedAt, Math.max(completeAt, excusedAt)));
    }

    /**
     * Recent rate in the current phase, as a share of the phase per millisecond.
     *
     * @param silentMillis length of a silence that counts as an observation without progress; 0 if there is none
     * @return the rate, or NaN before the first reading of this phase
     */
    public double recentRate(long silentMillis) {
        return recent.rate(silentMillis);
    }

    /** Mean share of the phase per millisecond since the attempt entered it; NaN before any progress in it. */
    public double phaseRate() {
        double fraction = phaseFraction();
        long elapsed = reportedAt - enteredAt[phase];
        return fraction > 0 && elapsed > 0 ? fraction / elapsed : Double.NaN;
    }
}
