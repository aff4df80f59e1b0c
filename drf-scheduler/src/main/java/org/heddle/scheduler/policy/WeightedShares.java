// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.policy;

/**
 * Weighted max-min shares of one resource with a minimum and a maximum for each: {@code s_i = min(most_i, max(least_i,
 * r * weight_i))} with the r for which they add up to the total (Bertsekas and Gallager, Data Networks, 6.5.2; what
 * FairScheduler calls fair shares).
 */
public final class WeightedShares {
    private static final int HALVINGS = 60;

    private WeightedShares() {}

    /**
     * The shares. A weight of 0 gets the minimum.
     *
     * @param total to be divided, 0 or more
     * @param weight 0 or more
     * @param least 0 or more
     * @param most no less than least
     */
    public static double[] of(double total, double[] weight, double[] least, double[] most) {
        double proportion = proportion(total, weight, least, most);
        double ratio = proportion > 0 ? proportion : search(total, weight, least, most);
        double[] share = new double[weight.length];
        for (int i = 0; i < share.length; i++) {
            share[i] = share(ratio, weight[i], least[i], most[i]);
        }
        return share;
    }

    /** The r with which no share meets its minimum or its maximum; 0 if there is none. */
    private static double proportion(double total, double[] weight, double[] least, double[] most) {
        double sum = 0;
        for (double one : weight) {
            sum += one;
        }
        double ratio = sum > 0 ? total / sum : 0;
        for (int i = 0; i < weight.length; i++) {
            if (ratio * weight[i] < least[i] || ratio * weight[i] > most[i]) {
                return 0;
            }
        }
        return ratio;
    }

    private static double search(double total, double[] weight, double[] least, double[] most) {
        double ratio = 1;
        while (ratio < Double.MAX_VALUE / 4 && sum(ratio, weight, least, most) < total) {
            double before = sum(ratio, weight, least, most);
            ratio *= 2;
            if (sum(ratio, weight, least, most) == before && ratio > 1e18) {
                break; // each has its maximum
            }
        }
        double low = 0;
        double high = ratio;
        for (int i = 0; i < HALVINGS; i++) {
            double middle = (low + high) / 2;
            if (sum(middle, weight, least, most) < total) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return high;
    }

    private static double sum(double ratio, double[] weight, double[] least, double[] most) {
        double sum = 0;
        for (int i = 0; i < weight.length; i++) {
            sum += share(ratio, weight[i], least[i], most[i]);
        }
        return sum;
    }

    private static double share(double ratio, double weight, double least, double most) {
        return Math.min(most, Math.max(least, ratio * weight));
    }
}
