// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.node;

import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.SchedulingRequest;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.constraint.InvalidAllocationTagsQueryException;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.constraint.PlacementConstraintsUtil;
import org.apache.hadoop.yarn.util.resource.DominantResourceCalculator;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.heddle.scheduler.engine.Schedulable;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.yarn.app.HeddleAttempt;
import org.heddle.scheduler.yarn.compat.ResourceVectors;
import org.heddle.scheduler.yarn.queue.QueueTree;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Places containers on nodes that Hadoop's placement processor has chosen. The processor looks at constraints only, so
 * room, limits and promises to others are looked at here; whose turn it is, is not. Under the scheduler's lock.
 */
public final class DirectPlacement {
    private static final Logger LOG = LoggerFactory.getLogger(DirectPlacement.class);

    private final ShareEngine engine;
    private final QueueTree queues;
    private final ResourceVectors vectors;
    private final RMContext context;

    public DirectPlacement(ShareEngine engine, QueueTree queues, ResourceVectors vectors, RMContext context) {
        this.engine = engine;
        this.queues = queues;
        this.vectors = vectors;
        this.context = context;
    }

    /** Places one container; false if the attempt or the node is gone or something stands against it. */
    public boolean place(@Nullable HeddleAttempt attempt, SchedulingRequest request, @Nullable HeddleNode node) {
        if (node == null
                || attempt == null
                || request.getResourceSizing() == null
                || node.getReservedContainer() != null
                || !node.deals().isEmpty()
                || !satisfies(attempt, request, node)) {
            return false;
        }
        Resource size = request.getResourceSizing().getResources();
        long[] need = vectors.of(size);
        queues.limits().refresh();
        Schedulable claim = attempt.application().claim();
        for (Schedulable at = claim; at != null; at = at.parent()) {
            if (at.exceedsLimitWith(need)) {
                return false;
            }
        }
        if (!Resources.fitsIn(new DominantResourceCalculator(), size, node.getUnallocatedResource())) {
            return false;
        }
        RMContainer container = attempt.allocate(node, request);
        if (container == null) {
            return false;
        }
        node.allocateContainer(container);
        engine.hold(claim, need);
        return true;
    }

    private boolean satisfies(HeddleAttempt attempt, SchedulingRequest request, HeddleNode node) {
        try {
            return PlacementConstraintsUtil.canSatisfyConstraints(
                    attempt.getApplicationId(),
                    request,
                    node,
                    context.getPlacementConstraintManager(),
                    context.getAllocationTagsManager());
        } catch (InvalidAllocationTagsQueryException e) {
            LOG.info(
                    "{} asks for constraints that cannot be looked up: {}",
                    attempt.getApplicationAttemptId(),
                    e.getMessage());
            return false;
        }
    }
}
