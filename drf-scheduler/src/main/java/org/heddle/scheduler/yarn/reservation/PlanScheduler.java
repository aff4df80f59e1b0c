// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.reservation;

import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;

/** What YARN's reservation system needs from a scheduler beyond {@code ResourceScheduler}. */
public interface PlanScheduler extends ResourceScheduler {
    PlanQueues planQueues();

    /** The date by the scheduler's wall clock, milliseconds since 1970. */
    long date();
}
