// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.policy;

/**
 * Dominant shares until every child has its entitlement, 1/n of its dominant resource; then the container size that
 * leaves the most even use of resources, by the variance of their utilisation (Nexus 4.1). Uses a cluster well, but
 * users can abuse it: a child with asks that match the free resources is always next.
 */
public final class MaxUtilizationOrder implements ShareOrder {
    public static final String NAME = "max-utilization";

    @Override
    public String name() {
        return NAME;
    }

    /**
     * Below the entitlement the normalized share; above it a constant, so that the container size decides. Weight 0 is
     * last.
     */
    @Override
    public double key(SchedulableView child) {
        double normalizedShare = child.normalizedShare();
        return normalizedShare == Double.POSITIVE_INFINITY ? normalizedShare : Math.min(1, normalizedShare);
    }

    @Override
    public boolean looksAtSizes() {
        return true;
    }

    @Override
    public double keyForSize(double key, long[] need, long[] used, long[] capacity) {
        return key == 1 ? 1 + variance(need, used, capacity) : key;
    }

    /** Variance of the resources' utilisation after one more container of this size; 0 or more. */
    static double variance(long[] need, long[] used, long[] capacity) {
        double sum = 0;
        double squares = 0;
        int counted = 0;
        for (int j = 0; j < need.length; j++) {
            if (capacity[j] > 0) {
                double utilisation = (double) (used[j] + need[j]) / capacity[j];
                sum += utilisation;
                squares += utilisation * utilisation;
                counted++;
            }
        }
        double mean = counted == 0 ? 0 : sum / counted;
        return counted == 0 ? 0 : Math.max(0, squares / counted - mean * mean);
    }
}
