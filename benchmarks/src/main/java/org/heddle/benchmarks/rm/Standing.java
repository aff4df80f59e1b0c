// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.rm;

import java.util.Arrays;

/**
 * How evenly users share a cluster, and how full it is.
 *
 * @param jain Jain's index over the users' dominant shares
 * @param leastToMean the smallest share by the mean one
 * @param coresInUse part of all
 */
public record Standing(double jain, double leastToMean, double coresInUse) {
    /** @param shares dominant share of each user */
    static Standing of(double[] shares, double coresInUse) {
        double sum = Arrays.stream(shares).sum();
        double squares = Arrays.stream(shares).map(share -> share * share).sum();
        double least = Arrays.stream(shares).min().orElse(0);
        return new Standing(sum * sum / shares.length / squares, least * shares.length / sum, coresInUse);
    }
}
