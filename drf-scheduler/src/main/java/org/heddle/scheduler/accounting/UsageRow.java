// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.accounting;

import java.util.Map;

/**
 * What one application used in one queue within one hour.
 *
 * @param queue path of the queue
 * @param application its id
 * @param name the name under which it was submitted
 * @param type YARN's application type, such as MAPREDUCE
 * @param resourceMillis for each resource type, the amount held times the milliseconds for which it was held; memory in
 *     MiB
 * @param containers containers that ended
 * @param preempted those of them that were preempted
 */
public record UsageRow(
        String queue,
        String user,
        String application,
        String name,
        String type,
        Map<String, Long> resourceMillis,
        long containers,
        long preempted) {
    public UsageRow {
        resourceMillis = Map.copyOf(resourceMillis);
    }
}
