// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.model;

/** Arithmetic on amounts, one element per resource. */
public final class Vectors {
    private Vectors() {}

    /** Whether the needed amounts are free. */
    public static boolean fit(long[] need, long[] free) {
        for (int j = 0; j < need.length; j++) {
            if (need[j] > free[j]) {
                return false;
            }
        }
        return true;
    }

    /** Adds {@code times * part} to a sum. */
    public static void add(long[] sum, long[] part, int times) {
        for (int j = 0; j < sum.length; j++) {
            sum[j] += times * part[j];
        }
    }
}
