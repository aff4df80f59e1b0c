// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.solve.malleable;

import org.heddle.packing.solve.JobTable;

/**
 * Upper concave hull of a job's speed 1 / F(n) over n = 0 .. N. A malleable job can run at any point of
 * the hull on average by switching between two VM counts.
 */
final class SpeedHull {
    private final int[] widths;
    private final double[] speeds;
    private int size;

    SpeedHull(JobTable table, int job) {
        widths = new int[table.slots + 1];
        speeds = new double[table.slots + 1];
        size = 1;
        for (int n = 1; n <= table.slots; n++) {
            double speed = 1 / table.seconds(job, n);
            if (speed <= speeds[size - 1]) {
                continue;
            }
            while (size > 1 && slope(size - 2, widths[size - 1], speeds[size - 1]) <= slope(size - 2, n, speed)) {
                size--;
            }
            widths[size] = n;
            speeds[size++] = speed;
        }
    }

    private double slope(int from, int width, double speed) {
        return (speed - speeds[from]) / (width - widths[from]);
    }

    /** The VM count that maximises speed(n) - price n among hull corners; the larger one on a tie. */
    int best(double price) {
        int low = 0;
        int high = size - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (slope(middle - 1, widths[middle], speeds[middle]) >= price) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return widths[low];
    }

    /** The steepest slope: beyond this price no VM is worth it. */
    double steepest() {
        return size > 1 ? slope(0, widths[1], speeds[1]) : 0;
    }
}
