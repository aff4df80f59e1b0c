// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.rm;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.jspecify.annotations.Nullable;

/** One application's master, which never has enough, or wants a fixed number of containers. */
final class DrivenAppMaster {
    /** It asks for so many more as soon as half of them came. */
    static final int BACKLOG = 200;

    static final Priority PRIORITY = Priority.newInstance(1);

    final ApplicationAttemptId id;
    final int user;
    final Resource size;
    /** What it gets for each ask: the size, rounded up by the scheduler. */
    Resource granted;

    int holds;
    private final int most;
    private final @Nullable TaskList tasks;
    private int outstanding;

    /**
     * @param most how many containers it wants to hold at most
     * @param tasks where the tasks would rather run; null if nowhere
     */
    DrivenAppMaster(ApplicationAttemptId id, int user, Resource size, int most, @Nullable TaskList tasks) {
        this.id = id;
        this.user = user;
        this.size = size;
        this.granted = size;
        this.most = most;
        this.tasks = tasks;
    }

    /** What it says at its next heartbeat. */
    List<ResourceRequest> asks() {
        int backlog = Math.min(BACKLOG, most - holds);
        boolean more = outstanding < Math.min(BACKLOG / 2, backlog);
        if (tasks != null) {
            if (more) {
                tasks.add(backlog - outstanding);
                outstanding = backlog;
            }
            return tasks.changed(size);
        }
        List<ResourceRequest> asks = new ArrayList<>();
        if (more) {
            outstanding = backlog;
            asks.add(ResourceRequest.newInstance(PRIORITY, ResourceRequest.ANY, size, backlog));
        }
        return asks;
    }

    /** @return whether a task runs where it would rather */
    boolean given(Container container) {
        outstanding = Math.max(0, outstanding - 1);
        holds++;
        granted = container.getResource();
        NodeId node = container.getNodeId();
        return tasks != null && tasks.given(node.getHost());
    }
}
