// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.node;

import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.SchedulingRequest;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.yarn.app.HeddleAttempt;
import org.heddle.scheduler.yarn.app.Veto;
import org.heddle.scheduler.yarn.compat.ResourceVectors;
import org.heddle.scheduler.yarn.queue.QueueTree;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Places containers on nodes that Hadoop's placement processor has chosen. The processor tests constraints only, so
 * this class also tests free resources, limits and reservations; the order among applications does not count. Under the
 * scheduler's lock.
 */
public final class DirectPlacement {
    private static final Logger LOG = LoggerFactory.getLogger(DirectPlacement.class);

    private final ShareEngine engine;
    private final QueueTree queues;
    private final ResourceVectors vectors;
    private final Feasibility feasibility;

    public DirectPlacement(ShareEngine engine, QueueTree queues, ResourceVectors vectors, Feasibility feasibility) {
        this.engine = engine;
        this.queues = queues;
        this.vectors = vectors;
        this.feasibility = feasibility;
    }

    /** Places one container; false if the attempt or the node is gone, or there is a veto. */
    public boolean place(@Nullable HeddleAttempt attempt, SchedulingRequest request, @Nullable HeddleNode node) {
        if (node == null || attempt == null || request.getResourceSizing() == null) {
            return false;
        }
        Resource size = request.getResourceSizing().getResources();
        long[] need = vectors.of(size);
        queues.limits().refresh();
        Veto veto = feasibility.test(attempt, request, need, node);
        if (veto != null) {
            LOG.debug("No container of {} on {}: {}", attempt.getApplicationAttemptId(), node.getNodeID(), veto);
            return false;
        }
        RMContainer container = attempt.allocate(node, request);
        if (container == null) {
            return false;
        }
        node.allocateContainer(container);
        engine.hold(attempt.application().schedulable(), need);
        return true;
    }
}
