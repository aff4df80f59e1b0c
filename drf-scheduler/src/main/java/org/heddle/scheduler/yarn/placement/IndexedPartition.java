// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.placement;

import java.util.HashMap;
import java.util.Map;
import org.heddle.scheduler.engine.ContainerSize;
import org.heddle.scheduler.engine.RoomIndex;
import org.heddle.scheduler.engine.Schedulable;
import org.jspecify.annotations.Nullable;

/** The nodes of one partition in the {@link NodeIndex}. Guarded by the scheduler's lock. */
final class IndexedPartition {
    private final RoomIndex<IndexedNode> all;
    private final Map<String, RoomIndex<IndexedNode>> racks = new HashMap<>();
    private final HeadStart headStart;
    private final long[] total;
    private @Nullable Schedulable leftToHeartbeats;

    IndexedPartition(RoomIndex<IndexedNode> all, int resources, HeadStart headStart) {
        this.all = all;
        this.headStart = headStart;
        this.total = new long[resources];
    }

    RoomIndex<IndexedNode> all() {
        return all;
    }

    /** By the name of the rack. */
    Map<String, RoomIndex<IndexedNode>> racks() {
        return racks;
    }

    HeadStart headStart() {
        return headStart;
    }

    /** Begins a pass at this time. */
    void begin(long nowMillis) {
        headStart.fill(nowMillis);
        leftToHeartbeats = null;
    }

    /**
     * An application has had its part of the head start: it waits for heartbeats. The first one of a pass is
     * remembered.
     */
    void leaveToHeartbeats(Schedulable application) {
        if (leftToHeartbeats == null) {
            leftToHeartbeats = application;
        }
    }

    /** The first application in this pass that waits for heartbeats; null if none does. */
    @Nullable
    Schedulable leftToHeartbeats() {
        return leftToHeartbeats;
    }

    /** A node has more, or less, of a resource. */
    void resize(int resource, long change) {
        total[resource] += change;
    }

    /** The largest part of a resource of the partition that such an amount is, 0 to 1. */
    double share(long[] amount) {
        double share = 0;
        for (int j = 0; j < total.length; j++) {
            share = Math.max(share, part(j, amount[j]));
        }
        return share;
    }

    double share(ContainerSize size) {
        double share = 0;
        for (int j = 0; j < total.length; j++) {
            share = Math.max(share, part(j, size.need(j)));
        }
        return share;
    }

    /** The same of what one has, wherever it has it. */
    double shareOf(Schedulable holder) {
        double share = 0;
        for (int j = 0; j < total.length; j++) {
            share = Math.max(share, part(j, holder.usage(j)));
        }
        return share;
    }

    private double part(int resource, long amount) {
        return total[resource] > 0 ? (double) amount / total[resource] : 0;
    }
}
