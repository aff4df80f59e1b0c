// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master;

import java.util.concurrent.CompletableFuture;
import org.heddle.offers.model.Bundle;

/** A cluster that does nothing of what it need not do. */
abstract class StubCluster implements Cluster {
    @Override
    public void release(AppKey key, String containerId) {}

    @Override
    public void startAgent(AppKey key, AgentSpec agent) {}

    @Override
    public void resize(AppKey key, String containerId, Bundle size) {}

    @Override
    public CompletableFuture<QueueShare> share(AppKey key) {
        return CompletableFuture.completedFuture(new QueueShare("root.default", 1));
    }

    @Override
    public void finish(AppKey key, boolean succeeded, String diagnostics) {}
}
