// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.http;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.heddle.scheduler.snapshot.QueueDetails;
import org.heddle.scheduler.snapshot.SchedulerSnapshot.Kind;
import org.heddle.scheduler.snapshot.SchedulerSnapshot.SchedulableReport;

/**
 * What a table of queues shows besides the tree: limits, and what counts against them. Amounts are per resource name.
 *
 * @param path of the queue
 * @param minimum its guarantee; absent where it has none
 * @param maximum its own limit; absent where not limited
 * @param mastersUsed by the ApplicationMasters of a leaf
 * @param mastersLimit what these may use; empty if there is no limit
 * @param reserved on nodes
 * @param users that have applications here
 */
record QueueRow(
        String path,
        Map<String, Long> minimum,
        Map<String, Long> maximum,
        Map<String, Long> mastersUsed,
        Map<String, Long> mastersLimit,
        Map<String, Long> reserved,
        int users) {
    /** All queues, each before those inside it. */
    static List<QueueRow> of(SnapshotSource source) {
        List<QueueRow> rows = new ArrayList<>();
        add(source.snapshot().root(), source.queueDetails(), rows);
        return rows;
    }

    private static Set<String> add(SchedulableReport queue, Map<String, QueueDetails> details, List<QueueRow> rows) {
        int place = rows.size();
        Set<String> users = new HashSet<>();
        for (SchedulableReport child : queue.children()) {
            if (child.kind() == Kind.QUEUE) {
                users.addAll(add(child, details, rows));
            } else if (child.applications(false) > 0) {
                users.add(child.user());
            }
        }
        QueueDetails more = details.getOrDefault(queue.path(), QueueDetails.NONE);
        rows.add(
                place,
                new QueueRow(
                        queue.path(),
                        queue.guarantee(),
                        queue.limit(),
                        more.amUsage(),
                        more.amLimit(),
                        more.reserved(),
                        users.size()));
        return users;
    }
}
