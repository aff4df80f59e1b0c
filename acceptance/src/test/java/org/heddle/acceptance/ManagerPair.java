// SPDX-License-Identifier: Apache-2.0
package org.heddle.acceptance;

import java.io.IOException;
import java.util.Objects;

/**
 * The steps of docs/install.md, "A pair of ResourceManagers", on a running pair.
 *
 * @param cluster with two ResourceManagers
 */
record ManagerPair(Cluster cluster) {
    String active() {
        return Objects.requireNonNull(cluster.activeManager(), "no ResourceManager is active");
    }

    String standby() {
        return "rm1".equals(cluster.activeManager()) ? "rm2" : "rm1";
    }

    /** Starts the ResourceManager that is not active anew. */
    void restartStandby() throws IOException {
        String standby = standby();
        cluster.daemon(standby).stop();
        cluster.daemon(standby).start();
    }

    /** Waits until the other one stands by. */
    void awaitStandby() {
        String standby = standby();
        cluster.await(
                standby + " to stand by",
                () -> Rest.json(cluster.manager(standby, "/ws/v1/cluster/info"))
                        .at("/clusterInfo/haState")
                        .asText()
                        .equals("STANDBY"));
    }

    /** Starts the active ResourceManager anew, so that the other one takes over. */
    void restartActive() throws IOException {
        awaitStandby();
        String active = active();
        String standby = standby();
        cluster.daemon(active).stop();
        cluster.await(standby + " to take over", () -> standby.equals(cluster.activeManager()));
        cluster.daemon(active).start();
        cluster.awaitReady();
    }
}
