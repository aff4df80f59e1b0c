// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.examples;

import org.heddle.scheduler.policy.ClaimView;
import org.heddle.scheduler.policy.ShareOrder;

/**
 * Dominant shares until everyone has its entitlement, then whatever leaves the resources most evenly used (Nexus 4.1). An
 * example of an order that looks at shapes. Can be gamed, as the report says.
 */
final class MaxUtilizationOrder implements ShareOrder {
    @Override
    public String name() {
        return "example-max-utilization";
    }

    /** Below the entitlement the standing; from there on all are alike and the shape decides. */
    @Override
    public double key(ClaimView child) {
        return Math.min(1, child.standing());
    }

    @Override
    public boolean looksAtShapes() {
        return true;
    }

    @Override
    public double keyForShape(double key, long[] need, long[] used, long[] capacity) {
        return key < 1 ? key : 1 + variance(need, used, capacity);
    }

    /** Of the resources' utilisation, were one more such container placed. */
    static double variance(long[] need, long[] used, long[] capacity) {
        double sum = 0;
        double squares = 0;
        for (int j = 0; j < need.length; j++) {
            double utilisation = (double) (used[j] + need[j]) / capacity[j];
            sum += utilisation;
            squares += utilisation * utilisation;
        }
        double mean = sum / need.length;
        return squares / need.length - mean * mean;
    }
}
