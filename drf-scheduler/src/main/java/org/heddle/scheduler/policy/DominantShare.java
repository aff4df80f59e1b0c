// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.policy;

/**
 * Dominant shares (Ghodsi et al., NSDI 2011) with weights per resource (Nexus, UCB/EECS-2009-158, 4.2).
 *
 * <p>The weighted dominant share of schedulable i is {@code x_i = max_j s_ij / (w_ij / sum_k w_kj)}: the part {@code
 * s_ij} that it holds of resource j, relative to the part that it is entitled to. 1 means that it holds exactly its
 * entitlement. (The report prints the expression without usage; this is what it means.)
 *
 * <p>All functions are pure; vectors have one element per resource. Ties between resources go to the first.
 */
public final class DominantShare {
    private DominantShare() {}

    /** The largest part held of any resource, 0 or more. A resource of which there is none does not count. */
    public static double of(long[] usage, long[] capacity) {
        int j = dominant(usage, capacity);
        return j < 0 ? 0 : (double) usage[j] / capacity[j];
    }

    /** Index of the resource of which the largest part is held; -1 if nothing is. */
    public static int dominant(long[] usage, long[] capacity) {
        int best = -1;
        double most = 0;
        for (int j = 0; j < usage.length; j++) {
            if (capacity[j] > 0) {
                double part = (double) usage[j] / capacity[j];
                if (part > most) {
                    most = part;
                    best = j;
                }
            }
        }
        return best;
    }

    /**
     * Weighted share of one unit of a resource: {@code 1 / (capacity * entitlement)}.
     *
     * @param capacity total of the resource in the cluster
     * @param entitlement part of the total to which the schedulable is entitled, 0 to 1
     * @return positive infinity if the schedulable is entitled to nothing
     */
    public static double price(long capacity, double entitlement) {
        double due = capacity * entitlement;
        return due > 0 ? 1 / due : Double.POSITIVE_INFINITY;
    }

    /** The weighted dominant share of a usage, at the given {@link #price} per resource; unused resources are free. */
    public static double weighted(long[] usage, double[] price) {
        double most = 0;
        for (int j = 0; j < usage.length; j++) {
            if (usage[j] > 0) {
                most = Math.max(most, usage[j] * price[j]);
            }
        }
        return most;
    }

    /** The same for a usage in fractions of units, as rescaled vectors are. */
    public static double weighted(double[] usage, double[] price) {
        double most = 0;
        for (int j = 0; j < usage.length; j++) {
            if (usage[j] > 0) {
                most = Math.max(most, usage[j] * price[j]);
            }
        }
        return most;
    }
}
