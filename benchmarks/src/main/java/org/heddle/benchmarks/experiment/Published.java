// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.experiment;

/**
 * A number of the paper, for comparison.
 *
 * @param row the row of the measurement beside which it stands; empty if it concerns the whole experiment
 * @param text the number with its unit and what it is
 * @param place section, figure or table; says so where the number is not printed but read from the figure
 */
public record Published(String row, String text, String place) {
    /** A number that concerns the whole experiment. */
    public static Published of(String text, String place) {
        return new Published("", text, place);
    }
}
