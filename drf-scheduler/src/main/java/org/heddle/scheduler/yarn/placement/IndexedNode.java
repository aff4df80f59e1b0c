// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.placement;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.heddle.scheduler.engine.ContainerSize;
import org.heddle.scheduler.engine.RoomIndex;
import org.heddle.scheduler.model.SchedulerSpec;
import org.heddle.scheduler.yarn.compat.ResourceVectors;
import org.heddle.scheduler.yarn.node.HeddleNode;

/** A node in the {@link NodeIndex}. Guarded by the scheduler's lock, except for {@link #touched}. */
final class IndexedNode {
    final HeddleNode node;
    /** Whether the node has changed since {@link #read}; any thread may set it. */
    final AtomicBoolean touched = new AtomicBoolean();

    final IndexedPartition partition;
    private final ResourceVectors vectors;
    private final RoomIndex<IndexedNode> ofRack;
    private final long[] free;
    private final long[] total;
    private final long[] shown;
    private final long[] atHeartbeat;
    private final long[] ended;
    private int handleInPartition;
    private int handleInRack;
    private int assigned;
    private boolean hidden;
    private long heardMillis;

    IndexedNode(
            HeddleNode node,
            ResourceVectors vectors,
            IndexedPartition partition,
            RoomIndex<IndexedNode> ofRack,
            long nowMillis) {
        int resources = vectors.size();
        this.node = node;
        this.vectors = vectors;
        this.partition = partition;
        this.ofRack = ofRack;
        this.free = new long[resources];
        this.total = new long[resources];
        this.shown = new long[resources];
        this.atHeartbeat = new long[resources];
        this.ended = new long[resources];
        this.heardMillis = nowMillis;
    }

    /** Adds the node to the indices of its partition and rack. */
    void enter() {
        handleInPartition = -1;
        read();
        System.arraycopy(free, 0, atHeartbeat, 0, free.length);
        handleInPartition = partition.all().add(this, shown, load());
        handleInRack = ofRack.add(this, shown, load());
    }

    void leave() {
        partition.all().remove(handleInPartition);
        ofRack.remove(handleInRack);
        for (int j = 0; j < total.length; j++) {
            partition.resize(j, -total[j]);
        }
        Arrays.fill(shown, -1); // who remembers it sees no room
    }

    /**
     * Takes over what is free on the node, and shows it again if it was hidden.
     *
     * @return whether more is free than before
     */
    boolean read() {
        readTotal();
        System.arraycopy(free, 0, ended, 0, free.length);
        vectors.readRoom(node.getUnallocatedResource(), free);
        for (int j = 0; j < free.length; j++) {
            ended[j] = Math.max(0, free[j] - ended[j]);
        }
        partition.headStart().giveBack(partition.share(ended));
        hidden = false;
        return show();
    }

    private void readTotal() {
        for (int j = 0; j < total.length; j++) {
            partition.resize(j, -total[j]);
        }
        vectors.readRoom(node.getTotalResource(), total);
        for (int j = 0; j < total.length; j++) {
            partition.resize(j, total[j]);
        }
    }

    /** Leaves the node out until it changes or its heartbeat comes. */
    void hide() {
        hidden = true;
        show();
    }

    private boolean show() {
        boolean more = false;
        for (int j = 0; j < free.length; j++) {
            long now = hidden ? -1 : free[j];
            more |= now > shown[j];
            shown[j] = now;
        }
        if (handleInPartition >= 0) {
            double load = load();
            partition.all().update(handleInPartition, shown, load);
            ofRack.update(handleInRack, shown, load);
        }
        return more;
    }

    /** The largest part of a resource that is in use; 0 for an empty node. */
    double load() {
        double load = 0;
        for (int j = 0; j < free.length; j++) {
            if (total[j] > 0) {
                load = Math.max(load, 1 - (double) free[j] / total[j]);
            }
        }
        return load;
    }

    /** What is free, per resource; not to be changed. */
    long[] free() {
        return free;
    }

    boolean fits(ContainerSize size) {
        return size.fits(shown);
    }

    /** The node's heartbeat has come: it may get as many containers as max-assign allows, again. */
    void heard(long nowMillis) {
        heardMillis = nowMillis;
        assigned = 0;
        vectors.readRoom(node.getUnallocatedResource(), atHeartbeat);
    }

    /** A container was placed on it ahead of its heartbeat. */
    void placed(ContainerSize size) {
        assigned(1);
        partition.headStart().take(partition.share(size));
    }

    /** Containers were placed on it. */
    void assigned(int containers) {
        assigned += containers;
    }

    /**
     * Whether the node may get a container now, apart from what an ask wants: it runs, its last heartbeat is not too
     * old, nothing keeps its resources for another ask, and it has not got as many containers as it may between two
     * heartbeats.
     */
    boolean isUsable(SchedulerSpec spec, long nowMillis, long silenceMillis) {
        return node.getRMNode().getState() == NodeState.RUNNING
                && nowMillis - heardMillis <= silenceMillis
                && !node.isKept()
                && assigned < spec.maxAssign()
                && !(spec.rules().dynamicMaxAssign() && isHalfUsed());
    }

    private boolean isHalfUsed() {
        for (int j = 0; j < free.length; j++) {
            if (atHeartbeat[j] - free[j] > atHeartbeat[j] / 2) {
                return true;
            }
        }
        return false;
    }

    @Override
    public String toString() {
        return node.getNodeID() + " with " + Arrays.toString(shown);
    }
}
