// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.reservation;

import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.apache.hadoop.yarn.util.Clock;

/** What YARN's reservation system needs from a scheduler beyond {@code ResourceScheduler}. */
public interface PlanScheduler extends ResourceScheduler {
    PlanQueues planQueues();

    /** The scheduler's clock; it can be replaced later. */
    Clock getClock();
}
