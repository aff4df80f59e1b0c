// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.node;

import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.heddle.scheduler.engine.ContainerSize;
import org.heddle.scheduler.yarn.app.HeddleAttempt;

/** A promise: resources of a node that preemption frees for an ask, kept until its containers are placed. */
public interface PromisedResources {
    HeddleAttempt attempt();

    SchedulerRequestKey key();

    /** The size of one container. */
    ContainerSize size();

    /** The number of containers still to be placed. */
    int left();

    /** Whether other asks may not use these resources. */
    boolean holdsNode();
}
