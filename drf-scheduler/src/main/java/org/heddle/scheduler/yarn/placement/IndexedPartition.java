// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.placement;

import java.util.HashMap;
import java.util.Map;
import org.heddle.scheduler.engine.RoomIndex;

/** The nodes of one partition in the {@link NodeIndex}. Guarded by the scheduler's lock. */
final class IndexedPartition {
    private final RoomIndex<IndexedNode> all;
    private final Map<String, RoomIndex<IndexedNode>> racks = new HashMap<>();
    private final HeadStart headStart;
    private final long[] total;

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

    /** A node has more, or less, of a resource. */
    void resize(int resource, long change) {
        total[resource] += change;
    }

    /** The largest part of a resource of the partition that such an amount is, 0 to 1. */
    double share(long[] amount) {
        double share = 0;
        for (int j = 0; j < total.length; j++) {
            if (total[j] > 0) {
                share = Math.max(share, (double) amount[j] / total[j]);
            }
        }
        return share;
    }
}
