// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.app;

import java.util.concurrent.ConcurrentMap;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerEventType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplication;
import org.heddle.settings.Clocks;

/**
 * What the parts of the scheduler need from the class that the ResourceManager has loaded. Under the scheduler's lock.
 */
public interface SchedulerContext {
    RMContext resourceManager();

    ConcurrentMap<ApplicationId, SchedulerApplication<HeddleAttempt>> applications();

    Clocks clocks();

    /** Whether an application may be submitted even if its queue's access list forbids it. */
    boolean isAdmitted(ApplicationId application);

    /** Ends a container, and says why. */
    void end(RMContainer container, String diagnostics, RMContainerEventType event);
}
