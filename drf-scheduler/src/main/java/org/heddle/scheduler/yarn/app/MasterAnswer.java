// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.app;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Allocation;

/** The answer to an ApplicationMaster's heartbeat: what its attempt has got, and what it may still get. */
public final class MasterAnswer {
    private MasterAnswer() {}

    /**
     * Pulling containers makes the tokens for their nodes, so those are pulled last.
     *
     * @param forMaster the ask is for the ApplicationMaster's own container, which is pulled elsewhere
     * @param headroom is asked after the containers are pulled
     * @param nowMillis by the monotonic clock
     */
    public static Allocation of(HeddleAttempt attempt, boolean forMaster, Supplier<Resource> headroom, long nowMillis) {
        List<Container> fromBefore = attempt.pullPreviousAttemptContainers();
        List<Container> newContainers = forMaster ? new ArrayList<>() : attempt.pullNewlyAllocatedContainers();
        if (!newContainers.isEmpty()) {
            attempt.recordContainerAllocationTime(nowMillis);
        }
        // Hadoop forgets a decrease when an increase of the same container is pulled: so decreases first
        List<Container> decreased = attempt.pullNewlyDecreasedContainers();
        List<Container> promoted = attempt.pullNewlyPromotedContainers();
        List<Container> increased = attempt.pullNewlyIncreasedContainers();
        List<Container> demoted = attempt.pullNewlyDemotedContainers();
        Resource room = headroom.get();
        attempt.setApplicationHeadroomForMetrics(room);
        return new Allocation(
                newContainers,
                room,
                attempt.preempting(false),
                attempt.preempting(true),
                attempt.negotiable(),
                attempt.pullUpdatedNMTokens(),
                increased,
                decreased,
                promoted,
                demoted,
                fromBefore,
                null);
    }
}
