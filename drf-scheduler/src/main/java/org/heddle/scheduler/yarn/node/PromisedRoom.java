// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.node;

import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.heddle.scheduler.engine.ContainerSize;
import org.heddle.scheduler.yarn.app.HeddleAttempt;

/** Room on a node that is made for an ask and kept for it until its containers are placed. */
public interface PromisedRoom {
    HeddleAttempt attempt();

    SchedulerRequestKey key();

    /** The size of one container. */
    ContainerSize size();

    /** How many containers are still to be placed. */
    int left();

    /** Whether the node's room is kept from others. */
    boolean holdsNode();
}
