// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.soak;

import org.heddle.testkit.ProcessCluster;

/**
 * Something that runs on the cluster over and over: jobs, a batch, a framework. One is a class that implements this and
 * a line in {@link Soak#WORKLOADS}.
 */
interface Workload {
    /** One word, for the summary. */
    String name();

    /** Begins on a cluster that is up. */
    default void begin(ProcessCluster cluster) throws Exception {}

    /**
     * Runs one unit to its end, while daemons are killed.
     *
     * @throws Exception if it was lost, or ended with a wrong result; the message goes into the summary
     */
    void once(ProcessCluster cluster, int number) throws Exception;

    /** What the summary says of it besides the number of units; empty for nothing. */
    default String note() {
        return "";
    }

    /** Ends what {@link #begin} began, when no unit runs any more. */
    default void end() throws Exception {}
}
