// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.policy;

import java.util.Arrays;

/**
 * How a progress score divides into phases. MapReduce scores a reduce as thirds for shuffle, sort and reduce (paper,
 * section 2.1), a map with reducers as 0.667 for reading and 0.333 for sorting, a map without as one phase.
 */
public final class PhaseModel {
    /** One phase. */
    public static final PhaseModel SINGLE = new PhaseModel(0, 1);
    /** Map of a job that has reducers. */
    public static final PhaseModel MAP_AND_SORT = new PhaseModel(0, 0.667, 1);
    /** Shuffle, sort, reduce. */
    public static final PhaseModel THIRDS = new PhaseModel(0, 1.0 / 3, 2.0 / 3, 1);

    // Scores are floats on the wire: 0.33333334 must count as the end of the first third, and so must 0.3333333.
    private static final double FUZZ = 1e-6;

    private final double[] bounds;

    /**
     * @param bounds scores at which phases begin, then 1; ascending, from 0
     * @throws IllegalArgumentException when they are not
     */
    public PhaseModel(double... bounds) {
        boolean ok = bounds.length >= 2 && bounds[0] == 0 && bounds[bounds.length - 1] == 1;
        for (int i = 1; ok && i < bounds.length; i++) {
            ok = bounds[i] > bounds[i - 1];
        }
        if (!ok) {
            throw new IllegalArgumentException(
                    "phase bounds " + Arrays.toString(bounds) + ": must ascend from 0 to 1, e.g. [0, 0.5, 1]");
        }
        this.bounds = bounds.clone();
    }

    public int count() {
        return bounds.length - 1;
    }

    public double from(int phase) {
        return bounds[phase];
    }

    public double width(int phase) {
        return bounds[phase + 1] - bounds[phase];
    }

    /** The phase a task with this score is in; a score on a bound is in the phase that begins there. */
    public int phaseOf(double score) {
        int phase = 0;
        while (phase < count() - 1 && score >= bounds[phase + 1] - FUZZ) {
            phase++;
        }
        return phase;
    }

    /** Share of {@code phase} done at {@code score}, in [0, 1]. */
    public double fraction(int phase, double score) {
        return Math.min(1, Math.max(0, (score - bounds[phase]) / width(phase)));
    }
}
