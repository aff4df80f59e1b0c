// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.soak;

import java.io.IOException;
import org.heddle.benchmarks.offers.ProcessBridge;
import org.heddle.testkit.ProcessCluster;

/** The offer bridge in the queue of an account of its own. */
final class Offers {
    static final String QUEUE = "offers";

    private Offers() {}

    /** Starts it and waits until it answers. */
    static void start(ProcessCluster cluster) throws IOException {
        ProcessBridge.start(cluster, "heddle.bridge.queues=*=root." + QUEUE, "heddle.bridge.queue.other=root." + QUEUE);
    }
}
