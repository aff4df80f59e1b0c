// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve;

import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.BooleanSupplier;

/**
 * An exact solver for plans with fixed VM counts and free starts, used by the planner {@code nonphased} where one is on
 * the class path (found by {@link ServiceLoader}). Each job takes one of its modes for its whole run; at each instant
 * the first demands of running jobs and their second demands stay within the capacity.
 */
public interface TimedSolver {
    /**
     * The problem of the solver.
     *
     * @param seconds run time by job and mode
     * @param first demand under the first capacity rule by job and mode
     * @param second demand under the second rule
     * @param capacity of both rules
     * @param mode of each job in a known schedule
     * @param start of each job in it, seconds
     * @param makespan of it
     * @param lowerBound known so far
     */
    @SuppressWarnings("ArrayRecordComponent") // columns, never compared
    record Instance(
            double[][] seconds,
            int[][] first,
            int[][] second,
            int capacity,
            int[] mode,
            double[] start,
            double makespan,
            double lowerBound) {}

    /**
     * The result of the solver.
     *
     * @param mode of each job in the best schedule; empty if there is none better than the known one
     * @param start of each job in it, seconds; ends may overlap following starts by rounding
     * @param lowerBound proven, seconds
     */
    @SuppressWarnings("ArrayRecordComponent") // columns, never compared
    record Answer(int[] mode, double[] start, double lowerBound) {}

    /** Name and version, as text for the user. */
    String name();

    /** Searches until the schedule is proven optimal, the time is over or {@code stop} returns true. */
    Answer solve(Instance instance, double limitSeconds, BooleanSupplier stop);

    /** The solver on the class path, if there is one and it can be loaded on this machine. */
    static Optional<TimedSolver> ifPresent() {
        try {
            return ServiceLoader.load(TimedSolver.class).findFirst();
        } catch (ServiceConfigurationError e) {
            return Optional.empty();
        }
    }
}
