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
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerFinishedEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerImpl;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerState;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ActiveUsersManager;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Allocation;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ContainerUpdates;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Queue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.QueueMetrics;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplication;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppAddedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppAttemptAddedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppAttemptRemovedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppRemovedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeAddedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeRemovedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeUpdateSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEvent;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.apache.hadoop.yarn.server.utils.BuilderUtils;
import org.apache.hadoop.yarn.util.resource.DominantResourceCalculator;
import org.apache.hadoop.yarn.util.resource.ResourceCalculator;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.jspecify.annotations.Nullable;

/**
 * A baseline without any policy: it serves applications in a fixed circle, and leaves a node after a few that do not
 * fit. Its cost is what the ResourceManager demands of every scheduler: containers with their states, events and
 * tokens, the attempt's usage, and the metrics of the root. It knows one ask for each application, and no places.
 * Frozen (docs/decisions/0046): a change makes ratios incomparable.
 */
public final class BaselineScheduler extends AbstractYarnScheduler<BaselineScheduler.FloorAttempt, FiCaSchedulerNode> {
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

    /**
     * What one attempt asks for, and the books that the ResourceManager reads: no lists of places, no account of
     * requests.
     */
    static final class FloorAttempt extends SchedulerApplicationAttempt {
        /** The only ask. */
        private @Nullable SchedulerRequestKey key;

        private Resource size = Resources.none();
        private int outstanding;

        FloorAttempt(ApplicationAttemptId id, String user, Queue queue, ActiveUsersManager users, RMContext context) {
            super(id, user, queue, users, context);
        }

        void ask(List<ResourceRequest> asks) {
            for (ResourceRequest ask : asks) {
                if (ask.getResourceName().equals(ResourceRequest.ANY)) {
                    QueueMetrics metrics = queue.getMetrics();
                    metrics.decrPendingResources("", getUser(), outstanding, size);
                    key = SchedulerRequestKey.create(ask);
                    size = ask.getCapability();
                    outstanding = ask.getNumContainers();
                    metrics.incrPendingResources("", getUser(), outstanding, size);
                }
            }
        }

        @Nullable
        RMContainer place(FiCaSchedulerNode node) {
            Resource free = node.getUnallocatedResource();
            SchedulerRequestKey asked = key;
            if (outstanding <= 0
                    || asked == null
                    || size.getMemorySize() > free.getMemorySize()
                    || size.getVirtualCores() > free.getVirtualCores()) {
                return null;
            }
            writeLock.lock();
            try {
                ContainerId id = BuilderUtils.newContainerId(getApplicationAttemptId(), getNewContainerId());
                Container container = BuilderUtils.newContainer(
                        id,
                        node.getNodeID(),
                        node.getHttpAddress(),
                        size,
                        asked.getPriority(),
                        null,
                        asked.getAllocationRequestId());
                RMContainerImpl placed = new RMContainerImpl(
                        container,
                        asked,
                        getApplicationAttemptId(),
                        node.getNodeID(),
                        getUser(),
                        rmContext,
                        node.getPartition());
                placed.setQueueName(queue.getQueueName());
                newlyAllocatedContainers.add(placed);
                liveContainers.put(id, placed);
                outstanding--;
                queue.getMetrics().allocateResources(node.getPartition(), getUser(), 1, size, true);
                attemptResourceUsage.incUsed(node.getPartition(), size);
                placed.handle(new RMContainerEvent(id, RMContainerEventType.START));
                return placed;
            } finally {
                writeLock.unlock();
            }
        }

        /** @return whether the container was alive */
        boolean completed(RMContainer container, ContainerStatus status, RMContainerEventType event, String partition) {
            writeLock.lock();
            try {
                if (liveContainers.remove(container.getContainerId()) == null) {
                    return false;
                }
                if (container.getState() == RMContainerState.ALLOCATED) {
                    newlyAllocatedContainers.remove(container);
                }
                container.handle(new RMContainerFinishedEvent(container.getContainerId(), status, event));
                Resource released = container.getContainer().getResource();
                queue.getMetrics().releaseResources(partition, getUser(), 1, released);
                attemptResourceUsage.decUsed(partition, released);
                return true;
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
                SchedulerApplication<FloorAttempt> application =
                        Objects.requireNonNull(applications.get(id.getApplicationId()));
                FloorAttempt attempt = new FloorAttempt(id, application.getUser(), queue, users, rmContext);
                application.setCurrentAppAttempt(attempt);
                circle.add(attempt);
            } else {
                leave(event);
            }
        } finally {
            writeLock.unlock();
        }
    }

    /** What the race does not have: nodes and applications that leave. */
    private void leave(SchedulerEvent event) {
        if (event instanceof NodeRemovedSchedulerEvent removed) {
            nodeTracker.removeNode(removed.getRemovedRMNode().getNodeID());
        } else if (event instanceof AppAttemptRemovedSchedulerEvent removed) {
            circle.remove(getApplicationAttempt(removed.getApplicationAttemptID()));
            next = 0;
        } else if (event instanceof AppRemovedSchedulerEvent removed) {
            applications.remove(removed.getApplicationID());
        } else {
            throw new IllegalArgumentException("the driver sends no " + event.getType());
        }
    }

    private void fill(FiCaSchedulerNode node) {
        int misses = 0;
        while (misses < MOST_MISSES) {
            FloorAttempt attempt = circle.get(next);
            next = (next + 1) % circle.size();
            RMContainer placed = attempt.place(node);
            if (placed == null) {
                misses++;
            } else {
                node.allocateContainer(placed);
            }
        }
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
        FloorAttempt attempt = getApplicationAttempt(id);
        attempt.ask(asks);
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
        FloorAttempt attempt = getCurrentAttemptForContainer(container.getContainerId());
        FiCaSchedulerNode node = getSchedulerNode(container.getAllocatedNode());
        if (attempt != null && attempt.completed(container, status, event, node.getPartition())) {
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
