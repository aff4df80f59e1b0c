// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve;

import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.heddle.packing.model.Plan;

/**
 * How long a planner may search, and who wants to hear about it. A planner that must stop returns the
 * best plan it has; it always has one.
 */
public final class SolveContext {
    /** Hears of each improvement. */
    public interface Progress {
        /**
         * @param seconds since the planner started
         * @param makespan of the best plan so far, seconds
         * @param lowerBound best proven so far, seconds
         */
        void improved(double seconds, double makespan, double lowerBound);
    }

    private final LongSupplier nanoTime;
    private final long started;
    private final double limitSeconds;
    private final double goodEnough;
    private final BooleanSupplier cancelled;
    private final Progress progress;
    private final long seed;
    private double makespan = Double.POSITIVE_INFINITY;
    private double lowerBound;

    /**
     * @param nanoTime a clock like {@link System#nanoTime()}
     * @param limitSeconds search time
     * @param goodEnough relative gap at which a search stops early
     * @param cancelled true once the user has asked to stop
     * @param seed for planners that draw random numbers
     */
    public SolveContext(
            LongSupplier nanoTime,
            double limitSeconds,
            double goodEnough,
            BooleanSupplier cancelled,
            Progress progress,
            long seed) {
        this.nanoTime = nanoTime;
        this.limitSeconds = limitSeconds;
        this.goodEnough = goodEnough;
        this.cancelled = cancelled;
        this.progress = progress;
        this.seed = seed;
        started = nanoTime.getAsLong();
    }

    /** A quiet search with the given time limit on the real clock. */
    public static SolveContext quiet(double limitSeconds) {
        return new SolveContext(
                System::nanoTime, limitSeconds, Plan.PROVEN, () -> false, (seconds, makespan, bound) -> {}, 1);
    }

    /** The same search under a shorter time limit that starts now, quiet. */
    public SolveContext within(double seconds) {
        double left = Math.min(seconds, limitSeconds - elapsed());
        return new SolveContext(nanoTime, left, goodEnough, cancelled, (s, m, b) -> {}, seed);
    }

    public double elapsed() {
        return (nanoTime.getAsLong() - started) / 1e9;
    }

    public double limitSeconds() {
        return limitSeconds;
    }

    public long seed() {
        return seed;
    }

    public boolean mustStop() {
        return cancelled.getAsBoolean() || elapsed() >= limitSeconds;
    }

    public boolean goodEnough() {
        return makespan <= lowerBound * (1 + goodEnough) + 1e-12;
    }

    /** Tells the listener if either value is news. */
    public void report(double newMakespan, double newLowerBound) {
        if (newMakespan < makespan || newLowerBound > lowerBound) {
            makespan = Math.min(makespan, newMakespan);
            lowerBound = Math.max(lowerBound, newLowerBound);
            progress.improved(elapsed(), makespan, lowerBound);
        }
    }
}
