// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.app;

import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerState;

/** What the ResourceManager knows of ApplicationMasters beyond their attempts. */
final class Masters {
    private Masters() {}

    /** Whether a recovered container is that of its application's present ApplicationMaster. */
    static boolean isMaster(RMContext context, RMContainer container) {
        RMApp app = context.getRMApps().get(container.getApplicationAttemptId().getApplicationId());
        RMAppAttempt attempt = app == null ? null : app.getCurrentAppAttempt();
        return attempt != null
                && attempt.getMasterContainer() != null
                && attempt.getMasterContainer().getId().equals(container.getContainerId());
    }

    /**
     * Whether containers of the attempt end with its ApplicationMaster: all, or, if the application keeps containers
     * across attempts, those that do not run yet.
     */
    static boolean takesContainersAlong(RMContext context, HeddleAttempt attempt) {
        RMApp app = context.getRMApps().get(attempt.getApplicationId());
        return app == null
                || !app.getApplicationSubmissionContext().getKeepContainersAcrossApplicationAttempts()
                || attempt.getLiveContainers().stream()
                        .anyMatch(container ->
                                container.getState() != RMContainerState.RUNNING && !container.isAMContainer());
    }
}
