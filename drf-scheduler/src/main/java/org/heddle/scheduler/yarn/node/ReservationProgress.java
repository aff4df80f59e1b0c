// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.node;

import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ContainerId;

/**
 * What a reserved node still lacked, as a part of what the ask needs, and since when no less. Guarded by the
 * scheduler's lock.
 */
final class ReservationProgress {
    final long sinceMillis;
    /** What ran there when it began: only that is waited for. */
    final Set<ContainerId> before = new HashSet<>();

    double missing;
    long atMillis;

    ReservationProgress(HeddleNode node, double missing, long nowMillis) {
        node.getCopiedListOfRunningContainers().forEach(container -> before.add(container.getContainerId()));
        this.sinceMillis = nowMillis;
        this.missing = missing;
        this.atMillis = nowMillis;
    }

    void update(double nowMissing, long nowMillis) {
        if (nowMissing < missing) {
            missing = nowMissing;
            atMillis = nowMillis;
        }
    }
}
