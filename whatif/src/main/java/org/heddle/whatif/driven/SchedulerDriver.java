// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.driven;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.server.resourcemanager.placement.ApplicationPlacementContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ContainerUpdates;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppAddedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppAttemptAddedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppAttemptRemovedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppRemovedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeAddedSchedulerEvent;
import org.jspecify.annotations.Nullable;

/** Calls the scheduler of a ResourceManager as the ResourceManager does, from the caller's thread. */
public final class SchedulerDriver {

    private final ResourceManager manager;

    /** @param manager started, or started before the first call */
    public SchedulerDriver(ResourceManager manager) {
        this.manager = manager;
    }

    /** Has a ResourceManager listen on free ports of this machine only. */
    public static void takeFreePorts(Configuration conf) {
        for (String address : List.of(
                YarnConfiguration.RM_ADDRESS,
                YarnConfiguration.RM_SCHEDULER_ADDRESS,
                YarnConfiguration.RM_RESOURCE_TRACKER_ADDRESS,
                YarnConfiguration.RM_ADMIN_ADDRESS,
                YarnConfiguration.RM_WEBAPP_ADDRESS)) {
            conf.set(address, "127.0.0.1:0");
        }
    }

    public AbstractYarnScheduler<?, ?> scheduler() {
        return (AbstractYarnScheduler<?, ?>) manager.getResourceScheduler();
    }

    public RMContext context() {
        return manager.getRMContext();
    }

    public void add(DrivenNode node) {
        scheduler().handle(new NodeAddedSchedulerEvent(node));
    }

    /**
     * Gives an application to the scheduler, which may reject it: the application's listener is told.
     *
     * @param queue as named at the submission, or as the placement rules changed it
     * @param placement what the placement rules found; null if there are no such rules
     */
    public void submit(
            SubmittedApplication application,
            String user,
            String queue,
            @Nullable ApplicationPlacementContext placement) {
        ApplicationId id = application.submission().getApplicationId();
        context().getRMApps().put(id, application.app());
        Priority priority = application.submission().getPriority();
        scheduler().handle(new AppAddedSchedulerEvent(id, queue, user, false, null, priority, placement));
    }

    /** Submits an application whose master runs outside the cluster, to a queue that exists, and begins its attempt. */
    public void start(ApplicationAttemptId attempt, String user, String queue) {
        submit(
                SubmittedApplication.unmanaged(attempt, user, queue, context()),
                user,
                queue,
                new ApplicationPlacementContext(queue));
        begin(attempt);
    }

    /** Begins an attempt of an application that the scheduler has accepted. */
    public void begin(ApplicationAttemptId attempt) {
        context().getNMTokenSecretManager().registerApplicationAttempt(attempt);
        scheduler().handle(new AppAttemptAddedSchedulerEvent(attempt, false));
    }

    /** A master's heartbeat: the containers that it has been allocated. */
    public List<Container> allocate(ApplicationAttemptId attempt, List<ResourceRequest> asks) {
        return scheduler()
                .allocate(attempt, asks, List.of(), List.of(), List.of(), List.of(), new ContainerUpdates())
                .getContainers();
    }

    /** A master gives a container back. */
    public void release(ApplicationAttemptId attempt, ContainerId container) {
        scheduler()
                .allocate(
                        attempt,
                        List.of(),
                        List.of(),
                        List.of(container),
                        List.of(),
                        List.of(),
                        new ContainerUpdates());
    }

    /** Ends an attempt with all its containers. */
    public void end(ApplicationAttemptId attempt, RMAppAttemptState state) {
        scheduler().handle(new AppAttemptRemovedSchedulerEvent(attempt, state, false));
        context().getNMTokenSecretManager().unregisterApplicationAttempt(attempt);
    }

    /** Ends an application whose attempts have ended. */
    public void remove(ApplicationId application) {
        scheduler().handle(new AppRemovedSchedulerEvent(application, RMAppState.FINISHED));
    }
}
