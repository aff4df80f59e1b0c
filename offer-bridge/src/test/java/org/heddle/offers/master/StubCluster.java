// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master;

import java.util.concurrent.CompletableFuture;
import org.heddle.offers.master.cluster.ApplicationKey;
import org.heddle.offers.master.cluster.Cluster;
import org.heddle.offers.model.Resources;

/** A cluster that does nothing of what it need not do. */
abstract class StubCluster implements Cluster {
    @Override
    public void release(ApplicationKey key, String containerId) {}

    @Override
    public void startAgent(ApplicationKey key, AgentSpec agent) {}

    @Override
    public void resize(ApplicationKey key, String containerId, Resources size) {}

    @Override
    public boolean resizesContainers() {
        return false;
    }

    @Override
    public CompletableFuture<QueueShare> share(ApplicationKey key) {
        return CompletableFuture.completedFuture(new QueueShare("root.default", 1));
    }

    @Override
    public void finish(ApplicationKey key, boolean succeeded, String diagnostics) {}
}
