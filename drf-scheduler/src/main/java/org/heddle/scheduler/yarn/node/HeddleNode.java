// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.node;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.heddle.scheduler.yarn.app.HeddleAttempt;
import org.heddle.scheduler.yarn.preemption.PendingPreemption;
import org.jspecify.annotations.Nullable;

/** A node, and who it is held for. */
public final class HeddleNode extends SchedulerNode {
    private @Nullable HeddleAttempt reservedFor;
    private long reservedSinceMillis;
    private boolean marked;
    private final List<PendingPreemption> deals = new ArrayList<>();

    public HeddleNode(RMNode node, boolean usePortForNodeName) {
        super(node, usePortForNodeName, node.getNodeLabels());
    }

    @Override
    public synchronized void reserveResource(
            SchedulerApplicationAttempt attempt, SchedulerRequestKey schedulerKey, RMContainer container) {
        RMContainer present = getReservedContainer();
        if (present != null && !present.getApplicationAttemptId().equals(container.getApplicationAttemptId())) {
            throw new IllegalStateException("node " + getNodeID() + " is reserved for "
                    + present.getApplicationAttemptId() + ", not for " + container.getApplicationAttemptId());
        }
        setReservedContainer(container);
        reservedFor = (HeddleAttempt) attempt;
    }

    @Override
    public synchronized void unreserveResource(SchedulerApplicationAttempt attempt) {
        if (reservedFor != null && !reservedFor.equals(attempt)) {
            throw new IllegalStateException("node " + getNodeID() + " is reserved for "
                    + reservedFor.getApplicationAttemptId() + ", not for " + attempt.getApplicationAttemptId());
        }
        setReservedContainer(null);
        reservedFor = null;
    }

    /** The attempt that the node is held for; null if it is free to all. */
    @Nullable
    public HeddleAttempt reservedFor() {
        return reservedFor;
    }

    /** Whether masters have been told that containers here are going to be taken. */
    public boolean isMarked() {
        return marked;
    }

    public void marked(boolean now) {
        marked = now;
    }

    /** What is promised here, in order. */
    public List<PendingPreemption> deals() {
        return deals;
    }

    public void reservedSince(long nowMillis) {
        reservedSinceMillis = nowMillis;
    }

    public long reservedSince() {
        return reservedSinceMillis;
    }
}
