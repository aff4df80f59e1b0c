// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn;

import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.NodeType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerAppUtils;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.SchedulingMode;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.heddle.scheduler.engine.Claim;
import org.heddle.scheduler.engine.Placer;
import org.heddle.scheduler.engine.Shape;
import org.heddle.scheduler.model.Waits;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One node's turn: says whether the application that the engine has chosen can use this node, and if so makes the
 * container. The only place where containers come into being. Guarded by the scheduler's lock; one instance serves all
 * nodes, one after another.
 */
final class NodePass implements Placer {
    private static final Logger LOG = LoggerFactory.getLogger(NodePass.class);

    private static final Waits NO_WAITS = new Waits(0, 0, 0, 0, 0);

    private final AmShare amShare;
    private HeddleNode node;
    private Waits waits = Waits.DEFAULT;
    private long nowMillis;
    private boolean masterPlaced;

    @SuppressWarnings("NullAway.Init") // node is set by on() before each use
    NodePass(AmShare amShare) {
        this.amShare = amShare;
    }

    /** Begins a node's turn. */
    NodePass on(HeddleNode newNode, Waits newWaits, long newNowMillis) {
        node = newNode;
        waits = newWaits;
        nowMillis = newNowMillis;
        masterPlaced = false;
        return this;
    }

    /** The same for what has been promised to somebody, who has waited long enough for a better place. */
    NodePass onAnyTerms(HeddleNode newNode, long newNowMillis) {
        return on(newNode, NO_WAITS, newNowMillis);
    }

    @Override
    public @Nullable Shape place(Claim claim, Gate gate) {
        HeddleApplication application = (HeddleApplication) claim.owner();
        HeddleAttempt attempt = application == null ? null : application.getCurrentAppAttempt();
        if (attempt == null || attempt.isStopped() || SchedulerAppUtils.isPlaceBlacklisted(attempt, node, LOG)) {
            return null;
        }
        for (Map.Entry<SchedulerRequestKey, Shape> ask : attempt.shapes().entrySet()) {
            Shape shape = ask.getValue();
            if (gate.admits(shape) && place(attempt, ask.getKey(), shape)) {
                return shape;
            }
        }
        return null;
    }

    /** Places one container for an ask if the node suits it. */
    boolean place(HeddleAttempt attempt, SchedulerRequestKey key, Shape shape) {
        boolean master = attempt.awaitsMaster();
        NodeType type = suits(attempt, key, shape);
        if (type == null) {
            return false;
        }
        RMContainer container = attempt.allocate(type, node, key, shape);
        if (container == null) {
            return false;
        }
        node.allocateContainer(container);
        attempt.delay().served(key, type, waits, nowMillis);
        if (master) {
            Resource size = container.getContainer().getResource();
            attempt.amStarted(size);
            masterPlaced = true;
        }
        return true;
    }

    /** How near to its place an ask would be on this node; null if too far, wrong partition, or no master allowed. */
    @Nullable
    NodeType suits(HeddleAttempt attempt, SchedulerRequestKey key, Shape shape) {
        if (attempt.awaitsMaster() && (masterPlaced || !amShare.admits(attempt, shape))) {
            return null;
        }
        if (!attempt.getAppSchedulingInfo()
                .precheckNode(key, node, SchedulingMode.RESPECT_PARTITION_EXCLUSIVITY, Optional.empty())) {
            return null;
        }
        return attempt.delay().nearness(attempt.getAppSchedulingInfo(), key, node, waits, nowMillis);
    }
}
