// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.snapshot;

import java.util.Map;
import org.heddle.scheduler.model.QueueSettings;
import org.heddle.scheduler.model.QueueSpec;

/**
 * Figures of a queue that FairScheduler or CapacityScheduler reports and the scheduler itself does not need. Amounts
 * are per resource name, in the units of YARN's resource types.
 *
 * @param minimum its guarantee
 * @param largestContainer the largest container that may be requested
 * @param amUsage what its ApplicationMasters use; nothing for a parent queue
 * @param amLimit what they may use; nothing for a parent queue, or if there is no limit
 * @param steadyFairShare its share if all queues had running applications ({@code ComputeFairShares})
 * @param fairShare its share among the queues that have running applications now; nothing if it has none
 * @param pending what its applications ask for, also those that may not run yet
 * @param demand what its applications have and ask for, up to its maximum and those of the queues inside it
 * @param reserved reserved on nodes
 * @param pendingContainers containers that its applications ask for
 * @param allocatedContainers containers that it has
 * @param reservedContainers containers that nodes are reserved for
 * @param spec its settings
 * @param stopped whether it, or a queue above it, takes no new applications
 */
public record QueueDetails(
        Map<String, Long> minimum,
        Map<String, Long> largestContainer,
        Map<String, Long> amUsage,
        Map<String, Long> amLimit,
        Map<String, Long> steadyFairShare,
        Map<String, Long> fairShare,
        Map<String, Long> pending,
        Map<String, Long> demand,
        Map<String, Long> reserved,
        long pendingContainers,
        long allocatedContainers,
        long reservedContainers,
        QueueSpec spec,
        boolean stopped) {
    /** Details of a queue that has been removed in the meantime. */
    public static final QueueDetails NONE = new QueueDetails(
            Map.of(),
            Map.of(),
            Map.of(),
            Map.of(),
            Map.of(),
            Map.of(),
            Map.of(),
            Map.of(),
            Map.of(),
            0,
            0,
            0,
            QueueSpec.at("").with(QueueSettings.MAX_AM_SHARE, QueueSpec.UNLIMITED_AM_SHARE),
            false);
}
