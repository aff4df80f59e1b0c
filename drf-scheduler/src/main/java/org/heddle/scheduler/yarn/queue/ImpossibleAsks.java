// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.queue;

import java.util.List;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.records.ResourceSizing;
import org.apache.hadoop.yarn.api.records.SchedulingRequest;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.heddle.scheduler.yarn.compat.ResourceVectors;
import org.jspecify.annotations.Nullable;

/**
 * Asks that can never be served. A number of containers below 0 is always rejected: Hadoop would subtract it from what
 * is pending. A resource of which the queue's limit is 0 is rejected in FairScheduler compatibility mode, as
 * FairScheduler does; else such an ask waits, because limits can change. Reads the queues without a lock.
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
        if (app == null || what == null) {
            return null;
        }
        return "Application " + app.getApplicationId() + " is refused: its ApplicationMaster " + what;
    }

    /**
     * Why a heartbeat asks for an impossible number of containers, in one sentence; null if it does not.
     *
     * @param asks null for none
     * @param requests asks with placement constraints; null for none
     */
    public static @Nullable String negative(
            @Nullable List<ResourceRequest> asks, @Nullable List<SchedulingRequest> requests) {
        if (asks != null) {
            for (ResourceRequest ask : asks) {
                if (ask.getNumContainers() < 0) {
                    return negative(ask.getNumContainers(), ask.getPriority());
                }
            }
        }
        if (requests != null) {
            for (SchedulingRequest request : requests) {
                ResourceSizing sizing = request.getResourceSizing();
                if (sizing != null && sizing.getNumAllocations() < 0) {
                    return negative(sizing.getNumAllocations(), request.getPriority());
                }
            }
        }
        return null;
    }

    private static String negative(int count, Priority priority) {
        return "asks for " + count + " containers of priority " + priority.getPriority()
                + ": the number must be 0, which withdraws the ask, or more";
    }

    /** The same as {@link #refusal(RMApp, HeddleQueue)} for the asks of an ApplicationMaster. */
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
