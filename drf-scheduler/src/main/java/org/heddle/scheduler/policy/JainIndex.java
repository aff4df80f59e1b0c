// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.policy;

/**
 * Jain's fairness index, {@code (sum x)^2 / (n * sum x^2)}: 1 when all are equal, 1/n when one has everything (Jain,
 * Chiu and Hawe, DEC-TR-301; Nexus 4.3 uses it over weighted dominant shares).
 */
public final class JainIndex {
    private JainIndex() {}

    /** The index of the first {@code n} values, each 0 or more; 1 for fewer than two values or all zero. */
    public static double of(double[] x, int n) {
        double sum = 0;
        double squares = 0;
        for (int i = 0; i < n; i++) {
            sum += x[i];
            squares += x[i] * x[i];
        }
        return squares == 0 ? 1 : sum * sum / (n * squares);
    }
}
