// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.policy.statistics;

/**
 * The recent rate of an attempt in its current phase, as a share of the phase per millisecond: a plain average early, a
 * recency-weighted one later. Pauses do not count, and a change of the pace counts at once where rates are steady.
 */
public final class RecentRate {
    // Time constant of the average. Five reports at Hadoop's usual interval.
    public static final long WINDOW_MILLIS = 30_000;
    // A first report is late if it takes this many times the interval between two reports.
    private static final double SLOW_START = 2;
    // Three rates in a row below this part of the recent rate are the new pace.
    private static final double COLLAPSED = 0.4;
    // So are two that differ by at least this part, and by so many standard deviations of the kind's rates.
    private static final double CHANGED = 0.25;
    private static final double DEVIATIONS = 4;
    // A report after this many times the usual interval tells of a pause, and not of the pace, if the last ones came at
    // that interval.
    private static final double PAUSE = 1.5;
    private static final int USUAL_INTERVALS = 2;

    private final RateNoise noise;
    private double gain;
    private double time;
    // Rates between the last reports of the current phase; 0 if there was none.
    private double last;
    private double secondLast;
    private double beforeLast;
    // Before the attempt became slower; 0 if it has not in this phase.
    private double usual;
    private double slowdown = 1;
    private double shortestInterval = Double.POSITIVE_INFINITY;
    private int usualIntervals;

    /** @param noise of all attempts of the kind */
    public RecentRate(RateNoise noise) {
        this.noise = noise;
    }

    /** The attempt has needed {@code millis} for a first part of a phase. */
    public void enter(double part, double millis) {
        gain = part;
        time = millis;
        last = 0;
        secondLast = 0;
        beforeLast = 0;
        usual = 0;
    }

    /**
     * Adds a report in the same phase as the one before.
     *
     * @param more share of the phase that has been done since the last report
     * @param elapsed milliseconds since the last report
     * @param reports before this one
     * @param windowMillis time constant of the average
     * @param firstPhase whether it is the first phase
     */
    public void add(double more, double elapsed, int reports, long windowMillis, boolean firstPhase) {
        double rate = more / elapsed;
        if (last > 0) {
            noise.add(last, rate);
        }
        // The first report of an attempt includes the start of its JVM.
        beforeLast = secondLast;
        secondLast = last;
        last = reports > 0 ? rate : 0;
        if (reports == 1 && firstPhase && time > SLOW_START * elapsed) {
            // The first report was late because the JVM was starting, which says nothing about the pace.
            time = Math.min(time, gain / more * elapsed);
        }
        boolean paused = usualIntervals >= USUAL_INTERVALS && elapsed > PAUSE * shortestInterval;
        double moved = paused ? Math.min(elapsed, more * time / gain) : elapsed;
        double keep = Math.exp(-moved / (double) windowMillis);
        gain = gain * keep + more;
        time = time * keep + moved;
        shortestInterval = Math.min(shortestInterval, elapsed);
        usualIntervals = elapsed <= PAUSE * shortestInterval ? usualIntervals + 1 : 0;
        forgetFormerPace(elapsed);
    }

    private void forgetFormerPace(double elapsed) {
        if (secondLast <= 0 || usualIntervals < USUAL_INTERVALS || !noise.known()) {
            return;
        }
        double before = gain / time;
        double lower = Math.min(last, secondLast);
        double higher = Math.max(last, secondLast);
        double change = Math.max(CHANGED, DEVIATIONS * noise.usualDeviation());
        if (higher < (1 - change) * before) {
            goOnAt(higher, elapsed);
        } else if (before < (1 - change) * lower) {
            goOnAt(lower, elapsed);
        }
    }

    private void goOnAt(double rate, double elapsed) {
        if (usual <= 0) {
            usual = slowdown * gain / time;
        }
        slowdown = Math.max(1, usual / rate);
        time = 2 * elapsed;
        gain = rate * time;
    }

    /** How many times slower than before the attempt goes on; 1 if it has not become slower. */
    public double slowdown() {
        return slowdown;
    }

    /**
     * The rate.
     *
     * @param silentMillis length of a silence that counts as an observation without progress; 0 if there is none
     * @return NaN before the first report of this phase
     */
    public double rate(long silentMillis) {
        if (gain <= 0 && silentMillis <= 0) {
            return Double.NaN;
        }
        double keep = silentMillis > 0 ? Math.exp(-silentMillis / (double) WINDOW_MILLIS) : 1;
        double all = time * keep + silentMillis;
        double rate = all > 0 ? gain * keep / all : Double.NaN;
        return latest() < COLLAPSED * rate ? latest() : rate;
    }

    /** Whether the rates of the latest reports are far below the recent rate. */
    public boolean brokenDown() {
        return gain > 0 && latest() < COLLAPSED * gain / time;
    }

    /** The highest of the last three rates; infinite if there are fewer. */
    private double latest() {
        return beforeLast <= 0 ? Double.POSITIVE_INFINITY : Math.max(last, Math.max(secondLast, beforeLast));
    }
}
