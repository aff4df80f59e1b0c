// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.rm;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.QueueACL;
import org.apache.hadoop.yarn.api.records.QueueInfo;
import org.apache.hadoop.yarn.api.records.QueueUserACLInfo;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.records.SchedulingRequest;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.recovery.RMStateStore.RMState;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerImpl;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ActiveUsersManager;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Allocation;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ContainerUpdates;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.NodeType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Queue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.QueueMetrics;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplication;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppAddedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppAttemptAddedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeAddedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeUpdateSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEvent;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.apache.hadoop.yarn.server.utils.BuilderUtils;
import org.apache.hadoop.yarn.util.resource.DominantResourceCalculator;
import org.apache.hadoop.yarn.util.resource.ResourceCalculator;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.jspecify.annotations.Nullable;

/**
 * A baseline without any policy: it serves applications in a fixed circle, and leaves a node after a few that do not fit. Its
 * cost is YARN's own bookkeeping, which every scheduler has.
 */
public final class BaselineScheduler extends AbstractYarnScheduler<FiCaSchedulerApp, FiCaSchedulerNode> {
    private static final int MOST_MISSES = 8;
    private static final ResourceCalculator CALCULATOR = new DominantResourceCalculator();

    private final List<FloorAttempt> circle = new ArrayList<>();
    private int next;
    private QueueMetrics metrics;
    private Queue queue;
    private ActiveUsersManager users;

    @SuppressWarnings("NullAway.Init") // set in serviceInit
    public BaselineScheduler() {
        super(BaselineScheduler.class.getName());
    }

    /** YARN's books of one attempt. */
    private static final class FloorAttempt extends FiCaSchedulerApp {
        FloorAttempt(ApplicationAttemptId id, String user, Queue queue, ActiveUsersManager users, RMContext context) {
            super(id, user, queue, users, context);
        }

        @Nullable
        RMContainer place(FiCaSchedulerNode node, SchedulerRequestKey key, Resource size) {
            writeLock.lock();
            try {
                if (isStopped || getOutstandingAsksCount(key) <= 0) {
                    return null;
                }
                Container container = BuilderUtils.newContainer(
                        BuilderUtils.newContainerId(getApplicationAttemptId(), getNewContainerId()),
                        node.getNodeID(),
                        node.getHttpAddress(),
                        size,
                        key.getPriority(),
                        null,
                        key.getAllocationRequestId());
                RMContainerImpl placed = new RMContainerImpl(
                        container,
                        key,
                        getApplicationAttemptId(),
                        node.getNodeID(),
                        getUser(),
                        rmContext,
                        node.getPartition());
                placed.setQueueName(getQueueName());
                addToNewlyAllocatedContainers(node, placed);
                liveContainers.put(container.getId(), placed);
                placed.setContainerRequest(appSchedulingInfo.allocate(NodeType.OFF_SWITCH, node, key, placed));
                attemptResourceUsage.incUsed(node.getPartition(), size);
                placed.handle(new RMContainerEvent(container.getId(), RMContainerEventType.START));
                return placed;
            } finally {
                writeLock.unlock();
            }
        }
    }

    @Override
    public void serviceInit(Configuration conf) throws Exception {
        minimumAllocation = Resource.newInstance(1, 1);
        initMaximumResourceCapability(Resource.newInstance(1 << 20, 1 << 10));
        applications = new ConcurrentHashMap<>();
        metrics = QueueMetrics.forQueue("default", null, false, conf);
        users = new ActiveUsersManager(metrics);
        queue = new OneQueue(metrics, users);
        super.serviceInit(conf);
    }

    @Override
    public void handle(SchedulerEvent event) {
        writeLock.lock();
        try {
            if (event instanceof NodeUpdateSchedulerEvent update) {
                nodeUpdate(update.getRMNode());
                fill(getSchedulerNode(update.getRMNode().getNodeID()));
            } else if (event instanceof NodeAddedSchedulerEvent added) {
                RMNode node = added.getAddedRMNode();
                nodeTracker.addNode(new FiCaSchedulerNode(node, false));
                metrics.setAvailableResourcesToQueue(getClusterResource());
            } else if (event instanceof AppAddedSchedulerEvent added) {
                applications.put(added.getApplicationId(), new SchedulerApplication<>(queue, added.getUser(), true));
            } else if (event instanceof AppAttemptAddedSchedulerEvent added) {
                ApplicationAttemptId id = added.getApplicationAttemptId();
                SchedulerApplication<FiCaSchedulerApp> application =
                        Objects.requireNonNull(applications.get(id.getApplicationId()));
                FloorAttempt attempt = new FloorAttempt(id, application.getUser(), queue, users, rmContext);
                application.setCurrentAppAttempt(attempt);
                circle.add(attempt);
            } else {
                throw new IllegalArgumentException("the driver sends no " + event.getType());
            }
        } finally {
            writeLock.unlock();
        }
    }

    private void fill(FiCaSchedulerNode node) {
        int misses = 0;
        while (misses < MOST_MISSES) {
            FloorAttempt attempt = circle.get(next);
            next = (next + 1) % circle.size();
            if (!placeOne(attempt, node)) {
                misses++;
            }
        }
    }

    private static boolean placeOne(FloorAttempt attempt, FiCaSchedulerNode node) {
        for (SchedulerRequestKey key : attempt.getSchedulerKeys()) {
            Resource size = attempt.getPendingAsk(key, ResourceRequest.ANY).getPerAllocationResource();
            if (attempt.getOutstandingAsksCount(key) > 0
                    && Resources.fitsIn(CALCULATOR, size, node.getUnallocatedResource())) {
                RMContainer placed = attempt.place(node, key, size);
                if (placed != null) {
                    node.allocateContainer(placed);
                    return true;
                }
            }
        }
        return false;
    }

    @Override
    public Allocation allocate(
            ApplicationAttemptId id,
            List<ResourceRequest> asks,
            List<SchedulingRequest> schedulingRequests,
            List<ContainerId> releases,
            List<String> blacklistAdditions,
            List<String> blacklistRemovals,
            ContainerUpdates updates) {
        FiCaSchedulerApp attempt = getApplicationAttempt(id);
        if (!asks.isEmpty()) {
            attempt.updateResourceRequests(asks);
        }
        return new Allocation(
                attempt.pullNewlyAllocatedContainers(),
                Resources.none(),
                null,
                null,
                null,
                attempt.pullUpdatedNMTokens());
    }

    @Override
    protected void completedContainerInternal(
            RMContainer container, ContainerStatus status, RMContainerEventType event) {
        FiCaSchedulerApp attempt = getCurrentAttemptForContainer(container.getContainerId());
        FiCaSchedulerNode node = getSchedulerNode(container.getAllocatedNode());
        if (attempt != null && attempt.containerCompleted(container, status, event, node.getPartition())) {
            node.releaseContainer(container.getContainerId(), true);
        }
    }

    // ---- methods that the race does not call ----

    @Override
    public int getNumClusterNodes() {
        return nodeTracker.nodeCount();
    }

    @Override
    public void setRMContext(RMContext context) {
        rmContext = context;
    }

    @Override
    public QueueMetrics getRootQueueMetrics() {
        return metrics;
    }

    @Override
    public ResourceCalculator getResourceCalculator() {
        return CALCULATOR;
    }

    @Override
    public void reinitialize(Configuration conf, RMContext context) {}

    @Override
    public void recover(RMState state) {}

    @Override
    public void killContainer(RMContainer container) {}

    @Override
    public QueueInfo getQueueInfo(String name, boolean children, boolean recursive) {
        return queue.getQueueInfo(children, recursive);
    }

    @Override
    public List<QueueUserACLInfo> getQueueUserAclInfo() {
        return List.of();
    }

    @Override
    public boolean checkAccess(UserGroupInformation caller, QueueACL acl, String name) {
        return true;
    }

    @Override
    public List<ApplicationAttemptId> getAppsInQueue(String name) {
        return List.of();
    }
}
