// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.chart;

/**
 * The actual times of a job on the cluster, for the comparison below a chart.
 *
 * @param job its name
 * @param start seconds from the start of the plan
 * @param seconds how long it ran
 */
public record Actual(String job, double start, double seconds) {
    public double end() {
        return start + seconds;
    }
}
