// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve;

import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.heddle.packing.model.Plan;

/**
 * The limits of a search and the listener for its progress. A planner that must stop returns its best plan so far; it
 * always has one. Two threads may share a context; the listener is then called by one at a time.
 */
public final class SolveContext {
    /** Receives each improvement. */
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
     * @param cancelled returns true after the user has cancelled the search
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

    /** A search without a listener, with a time limit on the clock of the system. */
    public static SolveContext quiet(double limitSeconds) {
        return new SolveContext(
                System::nanoTime, limitSeconds, Plan.PROVEN, () -> false, (seconds, makespan, bound) -> {}, 1);
    }

    /**
     * A part of this search: a shorter time limit that starts now. Its makespans count here too, so the part must look
     * for plans that are plans of this search; its bounds do not, because it may look for fewer kinds of plans.
     */
    public SolveContext within(double seconds) {
        double left = Math.min(seconds, limitSeconds - elapsed());
        return new SolveContext(nanoTime, left, goodEnough, cancelled, (s, m, b) -> report(m, 0), seed);
    }

    /**
     * The same search for another thread, with what is left of the time limit. It ends early when this search is good
     * enough, or when {@code stop} returns true. Its makespans count here too, its bounds do not (see {@link #within}).
     */
    public SolveContext alongside(BooleanSupplier stop) {
        BooleanSupplier ended = () -> cancelled.getAsBoolean() || goodEnough() || stop.getAsBoolean();
        double left = Math.min(limitSeconds, limitSeconds - elapsed());
        return new SolveContext(nanoTime, left, goodEnough, ended, (s, m, b) -> report(m, 0), seed);
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

    public synchronized boolean goodEnough() {
        return makespan <= lowerBound * (1 + goodEnough) + 1e-12;
    }

    /** Calls the listener if one of the values is better than before. */
    public synchronized void report(double newMakespan, double newLowerBound) {
        if (newMakespan < makespan || newLowerBound > lowerBound) {
            makespan = Math.min(makespan, newMakespan);
            lowerBound = Math.max(lowerBound, newLowerBound);
            progress.improved(elapsed(), makespan, lowerBound);
        }
    }
}
