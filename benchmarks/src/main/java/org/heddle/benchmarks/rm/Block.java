// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.rm;

import java.util.Locale;

/**
 * What some rounds cost. Times are of the calling thread's CPU, in nanoseconds.
 *
 * @param containers that masters were given
 * @param nodeNanos of all node heartbeats together
 * @param masterNanos of all ApplicationMaster heartbeats together
 * @param processNanos CPU of the whole process, the driver included
 * @param nodeMedian of one node heartbeat
 * @param nodeTail 99 of 100 node heartbeats take no longer
 * @param masterMedian of one ApplicationMaster heartbeat
 * @param masterTail 99 of 100 ApplicationMaster heartbeats take no longer
 */
public record Block(
        long containers,
        long nodeNanos,
        long masterNanos,
        long processNanos,
        long nodeMedian,
        long nodeTail,
        long masterMedian,
        long masterTail) {
    private static final String MARK = "block ";

    public double microsPerContainer() {
        return (nodeNanos + masterNanos) / 1e3 / Math.max(1, containers);
    }

    double processMicrosPerContainer() {
        return processNanos / 1e3 / Math.max(1, containers);
    }

    String line() {
        return MARK
                + String.format(
                        Locale.ROOT,
                        "%d %d %d %d %d %d %d %d",
                        containers,
                        nodeNanos,
                        masterNanos,
                        processNanos,
                        nodeMedian,
                        nodeTail,
                        masterMedian,
                        masterTail);
    }

    /** @throws IllegalArgumentException if it is no such line */
    static Block parse(String line) {
        if (!line.startsWith(MARK)) {
            throw new IllegalArgumentException("no block: " + line);
        }
        String[] f = line.substring(MARK.length()).split(" ", -1);
        return new Block(
                Long.parseLong(f[0]),
                Long.parseLong(f[1]),
                Long.parseLong(f[2]),
                Long.parseLong(f[3]),
                Long.parseLong(f[4]),
                Long.parseLong(f[5]),
                Long.parseLong(f[6]),
                Long.parseLong(f[7]));
    }
}
