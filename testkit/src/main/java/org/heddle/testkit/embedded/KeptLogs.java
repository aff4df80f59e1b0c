// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit.embedded;

import java.util.Set;
import org.apache.hadoop.service.AbstractService;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.event.EventHandler;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.application.ApplicationEvent;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.application.ApplicationEventType;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.loghandler.LogHandler;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.loghandler.event.LogHandlerAppFinishedEvent;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.loghandler.event.LogHandlerAppStartedEvent;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.loghandler.event.LogHandlerEvent;

/**
 * Leaves container logs where they are until the cluster's directory goes. The stock handler schedules their deletion
 * in some hours, and a node that stops waits 14 s for that.
 */
final class KeptLogs extends AbstractService implements LogHandler {
    private final EventHandler<ApplicationEvent> applications;

    KeptLogs(EventHandler<ApplicationEvent> applications) {
        super(KeptLogs.class.getName());
        this.applications = applications;
    }

    @Override
    public void handle(LogHandlerEvent event) {
        switch (event.getType()) {
            case APPLICATION_STARTED ->
                answer(
                        ((LogHandlerAppStartedEvent) event).getApplicationId(),
                        ApplicationEventType.APPLICATION_LOG_HANDLING_INITED);
            case APPLICATION_FINISHED ->
                answer(
                        ((LogHandlerAppFinishedEvent) event).getApplicationId(),
                        ApplicationEventType.APPLICATION_LOG_HANDLING_FINISHED);
            default -> {
                // Ends of containers and token updates concern handlers that move logs.
            }
        }
    }

    @Override
    public Set<ApplicationId> getInvalidTokenApps() {
        return Set.of();
    }

    private void answer(ApplicationId application, ApplicationEventType type) {
        applications.handle(new ApplicationEvent(application, type));
    }
}
