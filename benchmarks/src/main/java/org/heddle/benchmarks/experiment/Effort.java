// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.experiment;

/**
 * What an experiment costs.
 *
 * @param timed whether its figures depend on the speed of the machine and on what else runs there
 * @param quickMinutes estimate for the quick scale; 0 if the experiment is not in it
 * @param quickRepetitions seeds or repetitions at the quick scale
 * @param fullMinutes estimate for the full scale
 * @param fullRepetitions seeds or repetitions at the full scale
 */
public record Effort(
        boolean timed, double quickMinutes, int quickRepetitions, double fullMinutes, int fullRepetitions) {
    /** A simulation: the same result on every machine. */
    public static Effort simulated(double quickMinutes, int quickRepetitions, double fullMinutes, int fullRepetitions) {
        return new Effort(false, quickMinutes, quickRepetitions, fullMinutes, fullRepetitions);
    }

    /** A measurement that needs a quiet machine, so it is in the full scale only. */
    public static Effort quiet(double minutes, int repetitions) {
        return new Effort(true, 0, 0, minutes, repetitions);
    }

    public boolean isIn(Scale scale) {
        return scale == Scale.FULL || quickMinutes > 0;
    }

    public double minutes(Scale scale) {
        return scale == Scale.FULL ? fullMinutes : quickMinutes;
    }

    public int repetitions(Scale scale) {
        return scale == Scale.FULL ? fullRepetitions : quickRepetitions;
    }
}
