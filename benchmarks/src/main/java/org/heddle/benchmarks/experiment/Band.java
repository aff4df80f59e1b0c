// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.experiment;

/**
 * How far two measurements of the same thing may be apart by chance. The larger of the two limits counts.
 *
 * @param relative part of the earlier value, such as 0.05
 * @param absolute in the unit of the value
 */
public record Band(double relative, double absolute) {
    /** For simulations: differences come from changes of the code, and rounding. */
    public static final Band EXACT = new Band(1e-9, 1e-9);

    public static Band within(double relative) {
        return new Band(relative, 0);
    }

    /**
     * Whether the later value may differ from the earlier one by chance. Two values that are not finite must be equal.
     */
    public boolean covers(double earlier, double later) {
        if (!Double.isFinite(earlier) || !Double.isFinite(later)) {
            return Double.compare(earlier, later) == 0;
        }
        return Math.abs(later - earlier) <= Math.max(absolute, relative * Math.abs(earlier));
    }
}
