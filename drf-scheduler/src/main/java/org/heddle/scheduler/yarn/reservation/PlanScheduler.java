// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.reservation;

import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.apache.hadoop.yarn.util.Clock;

/** What YARN's reservation system needs of a scheduler, beyond what every scheduler of YARN has. */
public interface PlanScheduler extends ResourceScheduler {
    PlanQueues planQueues();

    /** The scheduler's clock; it may be replaced later. */
    Clock getClock();
}
