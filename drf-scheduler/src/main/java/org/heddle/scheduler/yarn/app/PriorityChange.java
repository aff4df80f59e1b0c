// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.app;

import org.apache.hadoop.thirdparty.com.google.common.util.concurrent.SettableFuture;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.recovery.records.ApplicationStateData;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;

/** Changes an application's priority while it runs, and stores it in the state store. Under the scheduler's lock. */
public final class PriorityChange {
    private PriorityChange() {}

    /** @return the priority that it has now */
    @SuppressWarnings("NullAway") // null completes a future without a value (CapacityScheduler does the same)
    public static Priority of(
            ApplicationLifecycle applicationLifecycle,
            ApplicationId id,
            Priority priority,
            RMContext context,
            SettableFuture<Object> whenStored)
            throws YarnException {
        HeddleApplication application = applicationLifecycle.application(id);
        RMApp rmApp = context.getRMApps().get(id);
        if (application == null || rmApp == null) {
            throw new YarnException("Application " + id + " is not present: its priority cannot be changed");
        }
        if (priority.equals(application.getPriority())) {
            whenStored.set(null);
            return priority;
        }
        rmApp.getApplicationSubmissionContext().setPriority(priority);
        ApplicationStateData state = ApplicationStateData.newInstance(
                rmApp.getSubmitTime(),
                rmApp.getStartTime(),
                rmApp.getApplicationSubmissionContext(),
                rmApp.getUser(),
                rmApp.getRealUser(),
                rmApp.getCallerContext());
        state.setApplicationTimeouts(rmApp.getApplicationTimeouts());
        state.setLaunchTime(rmApp.getLaunchTime());
        context.getStateStore().updateApplicationStateSynchronously(state, false, whenStored);
        applicationLifecycle.prioritize(application, priority);
        return priority;
    }
}
