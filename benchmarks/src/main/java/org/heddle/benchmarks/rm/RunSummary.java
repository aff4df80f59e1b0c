// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.rm;

import java.util.Locale;

/**
 * How fair and how full the cluster is.
 *
 * @param standing how the users share it
 * @param nodesWithRoom where something that is asked for would fit and nothing is reserved
 * @param local part of all containers that run where they would rather
 * @param newcomer containers freed for each one that a newcomer got until it had its share
 * @param nodeAddedMicros CPU of one NODE_ADDED
 * @param heapPerNode bytes, once a node is known
 * @param heapPerApplication bytes, with one attempt that has asked for nothing yet
 * @param heapPerContainer bytes, of a live one
 */
record RunSummary(
        Standing standing,
        int nodesWithRoom,
        double local,
        double newcomer,
        double nodeAddedMicros,
        long heapPerNode,
        long heapPerApplication,
        long heapPerContainer) {
    private static final String MARK = "summary ";

    String line() {
        return MARK
                + String.format(
                        Locale.ROOT,
                        "%s %s %s %d %s %s %s %d %d %d",
                        standing.jain(),
                        standing.leastToMean(),
                        standing.coresInUse(),
                        nodesWithRoom,
                        local,
                        newcomer,
                        nodeAddedMicros,
                        heapPerNode,
                        heapPerApplication,
                        heapPerContainer);
    }

    /** @throws IllegalArgumentException if it is no such line */
    static RunSummary parse(String line) {
        if (!line.startsWith(MARK)) {
            throw new IllegalArgumentException("no summary: " + line);
        }
        String[] f = line.substring(MARK.length()).split(" ", -1);
        return new RunSummary(
                new Standing(Double.parseDouble(f[0]), Double.parseDouble(f[1]), Double.parseDouble(f[2])),
                Integer.parseInt(f[3]),
                Double.parseDouble(f[4]),
                Double.parseDouble(f[5]),
                Double.parseDouble(f[6]),
                Long.parseLong(f[7]),
                Long.parseLong(f[8]),
                Long.parseLong(f[9]));
    }
}
