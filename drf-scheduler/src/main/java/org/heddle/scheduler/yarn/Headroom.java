// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn;

import org.heddle.scheduler.engine.Claim;

/** What the limits above an application leave it. Reads the books without a lock: a moment's staleness is harmless. */
final class Headroom {
    private Headroom() {}

    /** Cuts room, per resource, down to what the claim and all above it may still take. */
    static void withinLimits(long[] room, Claim claim) {
        for (Claim at = claim; at != null; at = at.parent()) {
            long[] limit = at.limit();
            if (limit != null) {
                for (int j = 0; j < room.length; j++) {
                    room[j] = Math.min(room[j], limit[j] - at.usage(j));
                }
            }
        }
        for (int j = 0; j < room.length; j++) {
            room[j] = Math.max(0, room[j]);
        }
    }
}
