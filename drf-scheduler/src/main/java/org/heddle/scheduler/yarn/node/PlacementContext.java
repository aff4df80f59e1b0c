// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.node;

import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.SchedulingMode;
import org.heddle.scheduler.model.LocalityDelay;
import org.heddle.scheduler.model.SchedulerSpec;

/**
 * The conditions under which room is offered to asks.
 *
 * @param locality how long an ask waits for other nodes
 * @param partitions whether asks for nodes without a label may use the node of a shared partition
 * @param nowMillis by the scheduler's clock
 */
public record PlacementContext(LocalityDelay locality, SchedulingMode partitions, long nowMillis) {
    /** Room is offered: first to asks that gain nothing if they wait for their nodes. */
    public static PlacementContext offer(SchedulerSpec spec, long nowMillis) {
        return of(spec.schedulingDelays().locality().asIfAllHadRoom(), nowMillis);
    }

    /** Room is kept for an ask that has waited long enough. */
    public static PlacementContext promise(long nowMillis) {
        return of(LocalityDelay.Time.NONE, nowMillis);
    }

    private static PlacementContext of(LocalityDelay locality, long nowMillis) {
        return new PlacementContext(locality, SchedulingMode.RESPECT_PARTITION_EXCLUSIVITY, nowMillis);
    }

    /** What these leave is offered: an ask waits for its nodes only as long as the configuration says. */
    public PlacementContext rest(SchedulerSpec spec) {
        return new PlacementContext(spec.schedulingDelays().locality(), partitions, nowMillis);
    }

    /** The same for asks for nodes without a label, which get the idle rest of a shared partition. */
    public PlacementContext lent() {
        return new PlacementContext(locality, SchedulingMode.IGNORE_PARTITION_EXCLUSIVITY, nowMillis);
    }
}
