// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.outcome;

import java.util.Arrays;
import org.heddle.whatif.model.Size;

/** What was used over time, as means of equal intervals. */
final class UsageCurve {
    /** Where a replay takes longer, intervals become twice as long. */
    static final int MOST_INTERVALS = 2_048;

    private final long beginMillis;
    private long intervalMillis;
    private double[] memory = new double[64];
    private double[] vcores = new double[64];
    private long usedMb;
    private long usedVcores;
    private long settledMillis;

    /** @param beginMillis when the first interval begins, in milliseconds since 1970 */
    UsageCurve(long beginMillis, long intervalMillis) {
        this.beginMillis = beginMillis;
        this.settledMillis = beginMillis;
        this.intervalMillis = intervalMillis;
    }

    /** From a time on, so many containers of a size more are used; fewer if the number is negative. */
    void change(int containers, Size size, long nowMillis) {
        settle(nowMillis);
        usedMb += containers * size.memoryMb();
        usedVcores += (long) containers * size.vcores();
    }

    /** The share of the larger resource that is used now, 0 to 1. */
    double dominantShare(Size cluster) {
        return Math.max((double) usedMb / cluster.memoryMb(), (double) usedVcores / cluster.vcores());
    }

    private void settle(long nowMillis) {
        while (settledMillis < nowMillis) {
            long at = (settledMillis - beginMillis) / intervalMillis;
            if (at >= MOST_INTERVALS) {
                halve(memory);
                halve(vcores);
                intervalMillis *= 2;
                continue;
            }
            int interval = (int) at;
            if (interval == memory.length) {
                memory = Arrays.copyOf(memory, 2 * interval);
                vcores = Arrays.copyOf(vcores, 2 * interval);
            }
            long until = Math.min(nowMillis, beginMillis + (interval + 1) * intervalMillis);
            memory[interval] += (double) usedMb * (until - settledMillis);
            vcores[interval] += (double) usedVcores * (until - settledMillis);
            settledMillis = until;
        }
    }

    private static void halve(double[] amounts) {
        for (int i = 0; i < amounts.length; i++) {
            amounts[i] = 2 * i < amounts.length ? amounts[2 * i] + amounts[2 * i + 1] : 0;
        }
    }

    /** How long the intervals are when all is settled up to a time. */
    long intervalMillis(long endMillis) {
        settle(endMillis);
        return intervalMillis;
    }

    /** The mean share of the larger resource in each interval, up to a time; 0 to 1. */
    double[] dominantShares(Size cluster, long endMillis) {
        settle(endMillis);
        double[] shares = new double[intervals(endMillis)];
        for (int i = 0; i < shares.length; i++) {
            long from = beginMillis + i * intervalMillis;
            double millis = (double) (Math.min(endMillis, from + intervalMillis) - from);
            shares[i] = Math.max(memory[i] / millis / cluster.memoryMb(), vcores[i] / millis / cluster.vcores());
        }
        return shares;
    }

    /** The mean part of the cluster's memory that was used, up to a time; 0 to 1. */
    double memoryShare(Size cluster, long endMillis) {
        return part(memory, cluster.memoryMb(), endMillis);
    }

    /** The mean part of the cluster's vcores that was used, up to a time; 0 to 1. */
    double vcoresShare(Size cluster, long endMillis) {
        return part(vcores, cluster.vcores(), endMillis);
    }

    private double part(double[] used, long total, long endMillis) {
        settle(endMillis);
        double millis = (double) (endMillis - beginMillis);
        return millis == 0 ? 0 : Arrays.stream(used).sum() / millis / total;
    }

    private int intervals(long endMillis) {
        return (int) ((endMillis - beginMillis + intervalMillis - 1) / intervalMillis);
    }
}
