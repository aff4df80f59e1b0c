// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.node;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.heddle.scheduler.model.Vectors;
import org.heddle.scheduler.yarn.app.HeddleAttempt;
import org.jspecify.annotations.Nullable;

/** A node, and who it is held for. */
public final class HeddleNode extends SchedulerNode {
    private @Nullable HeddleAttempt reservedFor;
    private long reservedSinceMillis;
    private boolean marked;
    private final List<PromisedRoom> promises = new ArrayList<>();

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

    public void setMarked(boolean now) {
        marked = now;
    }

    /** The room that is promised here, in order. */
    public List<PromisedRoom> promises() {
        return Collections.unmodifiableList(promises);
    }

    public void promise(PromisedRoom room) {
        promises.add(room);
    }

    public void withdraw(PromisedRoom room) {
        promises.remove(room);
    }

    /** Whether it is reserved, or room on it is kept, for any ask. */
    boolean isKept() {
        return getReservedContainer() != null || promises.stream().anyMatch(PromisedRoom::holdsNode);
    }

    /** Whether it is reserved, or room on it is kept, for other asks only. On the path of every heartbeat. */
    boolean isKeptFrom(HeddleAttempt attempt, SchedulerRequestKey key) {
        if (getReservedContainer() != null && !isReservedFor(attempt, key)) {
            return true;
        }
        boolean kept = false;
        for (int i = 0; i < promises.size(); i++) {
            PromisedRoom room = promises.get(i);
            if (room.holdsNode()) {
                if (room.attempt().equals(attempt) && room.key().equals(key)) {
                    return false;
                }
                kept = true;
            }
        }
        return kept;
    }

    /**
     * Takes the room that is promised to others first from what is free.
     *
     * @return whether room is promised to the ask, too; if not, the array is as it was
     */
    public boolean takeEarlierPromises(HeddleAttempt attempt, SchedulerRequestKey key, long[] free) {
        List<PromisedRoom> earlier = new ArrayList<>();
        for (PromisedRoom room : promises) {
            if (room.holdsNode() && room.attempt().equals(attempt) && room.key().equals(key)) {
                earlier.forEach(first -> Vectors.add(free, first.size().need(), -first.left()));
                return true;
            }
            if (room.holdsNode()) {
                earlier.add(room);
            }
        }
        return false;
    }

    public boolean isReservedFor(HeddleAttempt attempt, SchedulerRequestKey key) {
        RMContainer reserved = getReservedContainer();
        return reserved != null && attempt.equals(reservedFor) && key.equals(reserved.getReservedSchedulerKey());
    }

    public void setReservedSince(long nowMillis) {
        reservedSinceMillis = nowMillis;
    }

    public long reservedSince() {
        return reservedSinceMillis;
    }
}
