// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.result;

/**
 * How busy the machine was.
 *
 * @param before load average of the last minute before the run; NaN where the system has none
 * @param during mean of the load averages that were seen during the run
 * @param othersCores processors that other programs used on average during the run, virtual machines beside this one
 *     included; NaN where that cannot be found out
 */
public record Load(double before, double during, double othersCores) {
    /** A tenth of the machine: below it are the system's own programs. */
    private static final double MOST_OF_OTHERS = 0.1;

    /** Whether other programs used so much of the machine that times cannot be trusted. */
    public boolean fromOthers(int cores) {
        return othersCores > MOST_OF_OTHERS * cores;
    }
}
