// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.queue;

import java.util.List;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.heddle.scheduler.yarn.compat.ResourceVectors;
import org.jspecify.annotations.Nullable;

/**
 * Asks for a resource of which the queue's limit is 0. In FairScheduler compatibility mode they are rejected, as
 * FairScheduler does; else they wait, because limits can change. Reads the queues without a lock.
 */
public final class ImpossibleAsks {
    private final QueueTree queues;
    private final ResourceVectors vectors;

    public ImpossibleAsks(QueueTree queues, ResourceVectors vectors) {
        this.queues = queues;
        this.vectors = vectors;
    }

    /** Why the ask for an application's ApplicationMaster is rejected, in one sentence; null if it is not. */
    @Nullable
    public String refusal(@Nullable RMApp app, HeddleQueue leaf) {
        List<ResourceRequest> asks = app == null ? null : app.getAMResourceRequests();
        String what = asks == null ? null : refusal(asks, leaf);
        return app == null || what == null
                ? null
                : "Application " + app.getApplicationId() + " is refused: its ApplicationMaster " + what;
    }

    /** The same for the asks of an ApplicationMaster. */
    @Nullable
    public String refusal(List<ResourceRequest> asks, HeddleQueue leaf) {
        if (!queues.rules().likeFairScheduler() || leaf.spec().maxResources().isUnlimited()) {
            return null;
        }
        long[] limit = queues.limits().of(leaf.spec());
        for (ResourceRequest ask : asks) {
            long[] need = vectors.of(ask.getCapability());
            for (int j = 0; limit != null && j < need.length; j++) {
                if (need[j] > 0 && limit[j] == 0) {
                    return "asks for " + vectors.names().get(j) + ", of which queue " + leaf.getQueueName()
                            + " may hold none: raise its maxResources or ask for less";
                }
            }
        }
        return null;
    }
}
