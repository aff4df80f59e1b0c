// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.rm;

import java.util.Locale;

/**
 * How fair and how full the cluster is.
 *
 * @param jain Jain's index over the users' dominant shares
 * @param leastToMean the smallest share by the mean one
 * @param coresInUse part of all
 * @param nodesWithRoom where something that is asked for would fit and nothing is reserved
 * @param newcomer containers freed for each one that a newcomer got until it had its share
 * @param nodeAddedMicros CPU of one NODE_ADDED
 */
record Standing(
        double jain,
        double leastToMean,
        double coresInUse,
        int nodesWithRoom,
        double newcomer,
        double nodeAddedMicros) {
    private static final String MARK = "standing ";

    String line() {
        return MARK
                + String.format(
                        Locale.ROOT,
                        "%s %s %s %d %s %s",
                        jain,
                        leastToMean,
                        coresInUse,
                        nodesWithRoom,
                        newcomer,
                        nodeAddedMicros);
    }

    /** @throws IllegalArgumentException if it is no such line */
    static Standing parse(String line) {
        if (!line.startsWith(MARK)) {
            throw new IllegalArgumentException("no standing: " + line);
        }
        String[] f = line.substring(MARK.length()).split(" ", -1);
        return new Standing(
                Double.parseDouble(f[0]),
                Double.parseDouble(f[1]),
                Double.parseDouble(f[2]),
                Integer.parseInt(f[3]),
                Double.parseDouble(f[4]),
                Double.parseDouble(f[5]));
    }
}
