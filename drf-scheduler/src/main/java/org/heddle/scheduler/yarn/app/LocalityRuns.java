// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.app;

import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.NodeType;
import org.heddle.scheduler.yarn.queue.OffNodeCost;
import org.jspecify.annotations.Nullable;

/**
 * How long those containers of an attempt run whose requests named nodes, on these nodes and elsewhere: for
 * {@link OffNodeCost}. Containers of the same priority are taken to be alike. Guarded by the scheduler's lock.
 */
final class LocalityRuns {
    private record Run(Priority priority, boolean onNode, long sinceMillis) {}

    /** Of the containers on their nodes. */
    private static final class Mean {
        private long ended;
        private double millis;

        private void add(long ran) {
            millis += (ran - millis) / ++ended;
        }
    }

    private final Map<ContainerId, Run> running = new HashMap<>();
    private final Map<Priority, Mean> means = new HashMap<>();

    void began(ContainerId id, NodeType type, Priority priority, long nowMillis) {
        running.put(id, new Run(priority, type == NodeType.NODE_LOCAL, nowMillis));
    }

    /** @param succeeded whether its length says something about others of its kind */
    void ended(ContainerId id, boolean succeeded, OffNodeCost cost, long nowMillis) {
        Run run = running.remove(id);
        if (run == null || !succeeded) {
            return;
        }
        long ran = Math.max(0, nowMillis - run.sinceMillis());
        @Nullable Mean onNodes = means.get(run.priority());
        if (run.onNode()) {
            means.computeIfAbsent(run.priority(), unused -> new Mean()).add(ran);
        } else if (onNodes != null && onNodes.millis > 0) {
            cost.ended(ran / onNodes.millis);
        }
    }
}
