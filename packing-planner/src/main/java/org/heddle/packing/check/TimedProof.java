// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.check;

import java.util.function.BooleanSupplier;

/**
 * An exact solver for plans with fixed VM counts and free starts, from elsewhere. It solves again what a planner claims to
 * have solved; the problem is made by the checker.
 */
public interface TimedProof {
    /**
     * The problem: each job takes one of its modes; at each instant the first demands of the running jobs, and their second
     * demands, stay within the capacity.
     *
     * @param seconds run time by job and mode
     * @param first demand under the first capacity rule by job and mode
     * @param second demand under the second rule
     * @param capacity of both rules
     * @param mode of each job in the plan that is checked
     * @param start of each job in it, seconds
     * @param makespan of it
     */
    @SuppressWarnings("ArrayRecordComponent") // columns, never compared
    record Question(
            double[][] seconds,
            int[][] first,
            int[][] second,
            int capacity,
            int[] mode,
            double[] start,
            double makespan) {}

    /** Name, as text for the user. */
    String name();

    /** Seconds that no schedule can beat, as far as the time allows to prove. */
    double lowerBound(Question question, double limitSeconds, BooleanSupplier mustStop);
}
