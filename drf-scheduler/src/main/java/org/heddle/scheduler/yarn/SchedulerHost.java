// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn;

import java.util.concurrent.locks.ReentrantReadWriteLock.WriteLock;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ClusterNodeTracker;
import org.heddle.scheduler.model.SchedulerSpec;
import org.heddle.scheduler.yarn.app.HeddleAttempt;
import org.heddle.scheduler.yarn.app.SchedulerContext;
import org.heddle.scheduler.yarn.node.HeddleNode;
import org.jspecify.annotations.Nullable;

/** What the parts in this package need from {@link HeddleScheduler}. */
interface SchedulerHost extends SchedulerContext {
    /** The scheduler's lock. */
    WriteLock lock();

    /** What must not reach the ResourceManager's dispatcher. */
    EventGuard guard();

    ClusterNodeTracker<HeddleNode> nodes();

    /** The current attempt of a container's application; null if it has ended. */
    @Nullable
    HeddleAttempt attempt(ContainerId container);

    /** Ends a container as preempted. */
    void kill(RMContainer container);

    /** What comes into force where this is configured. */
    SchedulerSpec adapt(SchedulerSpec configured);

    /** Another specification is in force. */
    void reconfigured();

    /** The cluster has more or less than before. */
    void capacityChanged(long[] capacity);
}
