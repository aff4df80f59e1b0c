// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.app;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationResourceUsageReport;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.records.SchedulingRequest;
import org.apache.hadoop.yarn.api.records.UpdateContainerError;
import org.apache.hadoop.yarn.server.resourcemanager.RMAuditLogger;
import org.apache.hadoop.yarn.server.resourcemanager.RMAuditLogger.AuditConstants;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptState;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerFinishedEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerImpl;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AppSchedulingInfo;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.NodeType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Queue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.QueueMetrics;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerUtils;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ContainerRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.PendingAsk;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.apache.hadoop.yarn.server.utils.BuilderUtils;
import org.heddle.scheduler.engine.Schedulable;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.model.QueueSettings;
import org.heddle.scheduler.yarn.compat.InvalidAsk;
import org.heddle.scheduler.yarn.compat.ResourceVectors;
import org.heddle.scheduler.yarn.queue.HeddleQueue;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of an application: its live containers and asks, based on Hadoop's own class. Long because all code that
 * changes the state of that class has to be in its subclass.
 *
 * <p>Locks: changes of containers are made under the scheduler's lock and then, inside it, the attempt's. Asks are
 * changed by the ApplicationMaster's heartbeat under the attempt's lock alone; a flag tells the scheduler to take them
 * over ({@link #syncAsks}) before its next choice.
 */
public final class HeddleAttempt extends SchedulerApplicationAttempt {
    private final HeddleApplication application;
    private final ShareEngine engine;
    private final ResourceVectors vectors;
    private final Consumer<HeddleAttempt> whenAsksChange;
    private final AtomicBoolean asksChanged = new AtomicBoolean();
    private final LongSupplier clock;
    private volatile long asksChangedMillis;

    private final PendingAsks asks;
    private final PreemptionNotice notice = new PreemptionNotice();

    private final PendingMetrics pendingMetrics;
    private final ContainerBookings bookings;
    private final LocalityRuns runs = new LocalityRuns();
    private final List<SchedulerNode> blacklistedNodes = new ArrayList<>();

    HeddleAttempt(
            ApplicationAttemptId id,
            HeddleApplication application,
            RMContext context,
            ShareEngine engine,
            ResourceVectors vectors,
            Consumer<HeddleAttempt> whenAsksChange,
            LongSupplier clock) {
        super(id, application.getUser(), application.leaf(), application.leaf().getAbstractUsersManager(), context);
        this.application = application;
        this.engine = engine;
        this.vectors = vectors;
        this.whenAsksChange = whenAsksChange;
        this.clock = clock;
        this.asks = new PendingAsks(engine, vectors, () -> application.leaf().offNodeCost());
        this.pendingMetrics = new PendingMetrics(appSchedulingInfo, application.leaf());
        this.bookings = new ContainerBookings(application.getUser());
        setPriority(application.getPriority());
    }

    public HeddleApplication application() {
        return application;
    }

    private Schedulable schedulable() {
        return application.schedulable();
    }

    public DelayScheduling delay() {
        return asks.delay();
    }

    /** The number of containers asked for under a key. */
    public long asked(SchedulerRequestKey key) {
        return getPendingAsk(key, ResourceRequest.ANY).getCount();
    }

    /** The asks in order of priority, as of the last {@link #syncAsks}. */
    public Collection<Ask> asks() {
        return asks.asks();
    }

    /** The ask under a key; null if there is none. */
    @Nullable
    public Ask ask(SchedulerRequestKey key) {
        return asks.ask(key);
    }

    // ---- asks ----

    @Override
    public boolean updateResourceRequests(List<ResourceRequest> requests) {
        boolean changed = super.updateResourceRequests(requests);
        noteAsks();
        return changed;
    }

    /** @throws RuntimeException {@link InvalidAsk}: the requests before the wrong one are in force */
    @Override
    public boolean updateSchedulingRequests(List<SchedulingRequest> requests) {
        try {
            return super.updateSchedulingRequests(requests);
        } finally {
            noteAsks();
        }
    }

    /**
     * Asks again for a container that has been killed before the ApplicationMaster got it, unless that asks for another
     * now.
     */
    @Override
    public void recoverResourceRequestsForContainer(ContainerRequest request) {
        InvalidAsk.ignore(() -> super.recoverResourceRequestsForContainer(request));
        noteAsks();
    }

    /**
     * To be called after each change of asks: the gauges show it, and the scheduler takes it over before its next
     * choice.
     */
    public void noteAsks() {
        pendingMetrics.publish();
        askToTakeOver();
    }

    private void askToTakeOver() {
        if (!asksChanged.get()) {
            asksChangedMillis = clock.getAsLong(); // before the flag: it is read when the flag is set
        }
        if (asksChanged.compareAndSet(false, true)) {
            whenAsksChange.accept(this);
        }
    }

    /** Takes the asks over into the engine. Under the scheduler's lock. */
    public void syncAsks() {
        long since = asksChanged.getAndSet(false) ? asksChangedMillis : clock.getAsLong();
        asks.sync(this, !isStopped() && application.isRunnable() && equals(application.getCurrentAppAttempt()), since);
    }

    // ---- containers ----

    /**
     * Turns an ask into a container. The caller adds it to the engine and to the node.
     *
     * @param reserved the container for which the node was reserved until now; null creates a new one
     * @return null if the ask is gone or has changed meanwhile
     */
    @Nullable
    public RMContainer allocate(NodeType type, SchedulerNode node, Ask wanted, @Nullable Container reserved) {
        SchedulerRequestKey key = wanted.key();
        writeLock.lock();
        try {
            PendingAsk ask = appSchedulingInfo.getPendingAsk(key, ResourceRequest.ANY);
            if (isStopped
                    || ask.getCount() <= 0
                    || !ResourceVectors.same(
                            ask.getPerAllocationResource(), wanted.size().need())
                    || !appSchedulingInfo.checkAllocation(type, node, key)) {
                askToTakeOver();
                return null;
            }
            Container container = reserved == null ? newContainer(node, ask.getPerAllocationResource(), key) : reserved;
            RMContainerImpl rmContainer = add(container, key, node);
            if (appSchedulingInfo.getAppPlacementAllocator(key).getUniqueLocationAsks() > 1) {
                runs.began(container.getId(), type, key.getPriority(), clock.getAsLong());
            }
            ContainerRequest request = appSchedulingInfo.allocate(type, node, key, rmContainer);
            pendingMetrics.publish(key);
            String partition = bookedFor(rmContainer, node);
            attemptResourceUsage.incUsed(partition, container.getResource());
            application.leaf().countUsage(partition, wanted.size().need(), 1);
            rmContainer.setContainerRequest(request);
            if (request.getSchedulingRequest() != null) {
                rmContainer.setAllocationTags(request.getSchedulingRequest().getAllocationTags());
            }
            rmContainer.handle(new RMContainerEvent(container.getId(), RMContainerEventType.START));
            audit(AuditConstants.ALLOC_CONTAINER, container.getId(), container.getResource());
            if (getPendingAsk(key, ResourceRequest.ANY).getCount() == 0) {
                askToTakeOver();
            }
            return rmContainer;
        } finally {
            writeLock.unlock();
        }
    }

    /**
     * Creates a container for a request that is not among the asks: Hadoop's placement processor keeps the requests
     * that it handles, and has chosen the node itself. The caller adds the container to the engine and to the node.
     *
     * @return null if the attempt has ended
     */
    @Nullable
    public RMContainer allocate(SchedulerNode node, SchedulingRequest request) {
        writeLock.lock();
        try {
            if (isStopped) {
                return null;
            }
            Resource size = request.getResourceSizing().getResources();
            SchedulerRequestKey key = SchedulerRequestKey.create(request);
            RMContainerImpl rmContainer = add(newContainer(node, size, key), key, node);
            rmContainer.setAllocationTags(new LinkedHashSet<>(request.getAllocationTags()));
            AppSchedulingInfo.updateMetrics(
                    getApplicationId(), NodeType.OFF_SWITCH, node, rmContainer, getUser(), queue);
            attemptResourceUsage.incUsed(node.getPartition(), size);
            application.leaf().countUsage(node.getPartition(), vectors.of(size), 1);
            rmContainer.handle(new RMContainerEvent(rmContainer.getContainerId(), RMContainerEventType.START));
            return rmContainer;
        } finally {
            writeLock.unlock();
        }
    }

    private RMContainerImpl add(Container container, SchedulerRequestKey key, SchedulerNode node) {
        RMContainerImpl rmContainer = new RMContainerImpl(
                container, key, getApplicationAttemptId(), node.getNodeID(), getUser(), rmContext, node.getPartition());
        rmContainer.setQueueName(getQueueName());
        addToNewlyAllocatedContainers(node, rmContainer);
        liveContainers.put(container.getId(), rmContainer);
        return rmContainer;
    }

    /**
     * The partition in which a new container counts; an increase counts in the partition of the container that grows.
     */
    private String bookedFor(RMContainer container, SchedulerNode node) {
        String here = node.getPartition();
        for (Map.Entry<ContainerId, RMContainer> update : newlyPromotedContainers.entrySet()) {
            RMContainer promoted = getRMContainer(update.getKey());
            if (update.getValue() == container && promoted != null) {
                bookings.setPartition(promoted, here);
            }
        }
        for (Map.Entry<ContainerId, RMContainer> update : newlyIncreasedContainers.entrySet()) {
            RMContainer increased = getRMContainer(update.getKey());
            if (update.getValue() == container && increased != null) {
                String there = bookings.partitionOf(increased);
                bookings.setPartition(container, there);
                bookings.moveToPartition(
                        queue.getMetrics(), container.getContainer().getResource(), here, there);
                return there;
            }
        }
        return here;
    }

    private Container newContainer(SchedulerNode node, Resource size, SchedulerRequestKey key) {
        return BuilderUtils.newContainer(
                BuilderUtils.newContainerId(getApplicationAttemptId(), getNewContainerId()),
                node.getNodeID(),
                node.getHttpAddress(),
                size,
                key.getPriority(),
                null,
                key.getAllocationRequestId());
    }

    /**
     * Ends a container and subtracts it.
     *
     * @return whether it was alive
     */
    public boolean completed(RMContainer rmContainer, ContainerStatus status, RMContainerEventType event) {
        ContainerId id = rmContainer.getContainerId();
        writeLock.lock();
        try {
            if (liveContainers.remove(id) == null) {
                return false;
            }
            runs.ended(
                    id,
                    status.getExitStatus() == ContainerExitStatus.SUCCESS,
                    application.leaf().offNodeCost(),
                    clock.getAsLong());
            String partition = bookings.partitionOf(rmContainer);
            bookings.remove(id);
            if (bookings.removeStandIn(id)) {
                giveBackPart(rmContainer.getContainer().getResource(), partition);
                return true;
            }
            newlyAllocatedContainers.remove(rmContainer);
            ContainerChanges.askAgain(this, newlyIncreasedContainers, rmContainer);
            ContainerChanges.askAgain(this, newlyPromotedContainers, rmContainer);
            if (rmContainer.getState() != RMContainerState.NEW) { // NEW: the temporary container of a demotion
                rmContainer.handle(new RMContainerFinishedEvent(id, status, event));
            }
            notice.remove(id);
            if (SchedulerUtils.PREEMPTED_CONTAINER.equals(status.getDiagnostics())) {
                queue.getMetrics().preemptContainer();
            }
            Resource size = rmContainer.getContainer().getResource();
            audit(AuditConstants.RELEASE_CONTAINER, id, size);
            queue.getMetrics().releaseResources(partition, getUser(), 1, size);
            attemptResourceUsage.decUsed(partition, size);
            lastMemoryAggregateAllocationUpdateTime = -1;
            long[] amount = vectors.of(size);
            application.leaf().countUsage(partition, amount, -1);
            engine.release(schedulable(), amount);
            return true;
        } finally {
            writeLock.unlock();
        }
    }

    private void audit(String operation, ContainerId id, Resource size) {
        RMAuditLogger.logSuccess(
                getUser(), operation, "SchedulerApp", getApplicationId(), id, size, getQueueName(), null);
    }

    /** Whether an increase of a container has been granted but not yet reported to the ApplicationMaster. */
    boolean hasGrown(ContainerId id) {
        return newlyIncreasedContainers.containsKey(id);
    }

    /** Tells the master why a container is not changed. */
    void refuse(UpdateContainerError error) {
        addToUpdateContainerErrors(error);
    }

    /** Subtracts the released part of a container that shrank. */
    private void giveBackPart(Resource part, String partition) {
        bookings.shrink(queue.getMetrics(), part, partition);
        attemptResourceUsage.decUsed(partition, part);
        lastMemoryAggregateAllocationUpdateTime = -1;
        long[] amount = vectors.of(part);
        application.leaf().countUsage(partition, amount, -1);
        for (int j = 0; j < amount.length; j++) {
            amount[j] = -amount[j];
        }
        engine.resize(schedulable(), amount);
    }

    List<RMContainer> standIns() {
        return bookings.standIns();
    }

    @Override
    public synchronized void addToNewlyDecreasedContainers(ContainerId id, RMContainer standIn) {
        bookings.addStandIn(standIn);
        countsWith(id, standIn);
        super.addToNewlyDecreasedContainers(id, standIn);
    }

    @Override
    public synchronized void addToNewlyDemotedContainers(ContainerId id, RMContainer standIn) {
        countsWith(id, standIn);
        super.addToNewlyDemotedContainers(id, standIn);
    }

    private void countsWith(ContainerId id, RMContainer standIn) {
        RMContainer changed = getRMContainer(id);
        if (changed != null) {
            bookings.setPartition(standIn, bookings.partitionOf(changed));
        }
    }

    @Override
    public void move(Queue target) {
        writeLock.lock();
        try {
            QueueMetrics from = queue.getMetrics();
            pendingMetrics.move((HeddleQueue) target);
            super.move(target);
            QueueMetrics to = target.getMetrics();
            for (String partition : attemptResourceUsage.getExistingNodeLabels()) {
                long[] used = vectors.of(attemptResourceUsage.getUsed(partition));
                application.leaf().countUsage(partition, used, -1);
                ((HeddleQueue) target).countUsage(partition, used, 1);
            }
            liveContainers.forEach((id, container) -> bookings.correctMoved(id, container, from, to));
        } finally {
            writeLock.unlock();
        }
    }

    @Override
    public void stop(RMAppAttemptState state) {
        super.stop(state);
        pendingMetrics.end();
    }

    @Override
    public void transferStateFromPreviousAttempt(SchedulerApplicationAttempt before) {
        super.transferStateFromPreviousAttempt(before);
        bookings.takeOver(((HeddleAttempt) before).bookings);
    }

    @Override
    public boolean recoverContainer(SchedulerNode node, RMContainer rmContainer) {
        writeLock.lock();
        try {
            boolean recovered = super.recoverContainer(node, rmContainer);
            if (recovered && rmContainer.getExecutionType() == ExecutionType.GUARANTEED) {
                engine.hold(schedulable(), vectors.of(rmContainer.getContainer().getResource()));
                bookWhereItStarted(rmContainer, node.getPartition());
                if (!isAmRunning() && !getUnmanagedAM() && Masters.isMaster(rmContext, rmContainer)) {
                    amStarted(rmContainer.getContainer().getResource());
                }
            }
            return recovered;
        } finally {
            writeLock.unlock();
        }
    }

    /**
     * Hadoop adds a recovered container to the present partition of its node, and later subtracts it from the partition
     * in which it started; here it moves to the latter.
     */
    private void bookWhereItStarted(RMContainer container, String now) {
        String then = container.getNodeLabelExpression();
        Resource size = container.getAllocatedResource();
        bookings.moveToPartition(queue.getMetrics(), size, now, then);
        attemptResourceUsage.decUsed(now, size);
        attemptResourceUsage.incUsed(then, size);
        application.leaf().countUsage(then, vectors.of(size), 1);
    }

    // ---- ApplicationMaster ----

    /** The scheduler's clock. */
    long nowMillis() {
        return clock.getAsLong();
    }

    /** Whether the next container is to run this attempt's ApplicationMaster. */
    public boolean awaitsMaster() {
        return !isAmRunning() && !getUnmanagedAM();
    }

    /**
     * To be called when the ApplicationMaster has its container: it counts in the leaf's usage by ApplicationMasters.
     */
    public void amStarted(Resource size) {
        setAMResource(size);
        setAmRunning(true);
        application.masterStarted(nowMillis());
        bookMaster(application.leaf(), 1);
    }

    /** Adds this attempt's ApplicationMaster to the leaf's usage (1), or subtracts it (-1). */
    void bookMaster(HeddleQueue leaf, int sign) {
        leaf.countMaster(getUser(), vectors.of(getAMResource()), sign);
    }

    /** Whether containers of the attempt end when its ApplicationMaster ends. */
    public boolean endsWithItsMaster() {
        return Masters.takesContainersAlong(rmContext, this);
    }

    /** Whether it has containers that the engine does not count. */
    public boolean holdsOpportunistic() {
        return getLiveContainers().stream()
                .anyMatch(container -> container.getExecutionType() == ExecutionType.OPPORTUNISTIC);
    }

    // ---- reservation ----

    /** Reserves a node for an ask until {@link #unreserve}. */
    public void reserve(SchedulerNode node, SchedulerRequestKey key, Resource size) {
        writeLock.lock();
        try {
            Container container = newContainer(node, size, key);
            queue.getMetrics().reserveResource(node.getPartition(), getUser(), size);
            RMContainer reserved = reserve(node, key, null, container);
            node.reserveResource(this, key, reserved);
        } finally {
            writeLock.unlock();
        }
    }

    /** Ends the reservation of a node. */
    public void unreserve(SchedulerNode node) {
        writeLock.lock();
        try {
            RMContainer reserved = node.getReservedContainer();
            if (reserved == null) {
                return;
            }
            SchedulerRequestKey key = reserved.getReservedSchedulerKey();
            Map<NodeId, RMContainer> ofKey = reservedContainers.get(key);
            if (ofKey != null) {
                ofKey.remove(node.getNodeID());
                if (ofKey.isEmpty()) {
                    reservedContainers.remove(key);
                }
            }
            resetReReservations(key);
            Resource size = reserved.getContainer().getResource();
            attemptResourceUsage.decReserved(node.getPartition(), size);
            queue.getMetrics().unreserveResource(node.getPartition(), getUser(), size);
            node.unreserveResource(this);
        } finally {
            writeLock.unlock();
        }
    }

    // ---- preemption ----

    /** Tells the ApplicationMaster in its next heartbeats that a container is marked for preemption. */
    public void markForPreemption(RMContainer container, boolean negotiable) {
        writeLock.lock();
        try {
            if (liveContainers.containsKey(container.getContainerId())) {
                notice.add(container.getContainerId(), negotiable);
            }
        } finally {
            writeLock.unlock();
        }
    }

    /** Ends the mark: the container will not be preempted. */
    public void unmark(ContainerId container) {
        notice.remove(container);
    }

    /**
     * The containers marked for preemption on these terms; null if none, so that the ApplicationMaster gets no empty
     * message.
     */
    @Nullable
    public Set<ContainerId> preempting(boolean negotiable) {
        return notice.of(negotiable);
    }

    /**
     * The resources to return where the ApplicationMaster may choose the containers: one request for each container
     * size; null if none.
     */
    @Nullable
    public List<ResourceRequest> negotiable() {
        return notice.asRequests(liveContainers, getPriority() == null ? Priority.newInstance(0) : getPriority());
    }

    // ---- reports ----

    /** Corrects Hadoop's value, which takes the queue's part of its parent as its part of the cluster. */
    @Override
    public ApplicationResourceUsageReport getResourceUsageReport() {
        ApplicationResourceUsageReport report = super.getResourceUsageReport();
        double part = application.leaf().partOfCluster();
        report.setQueueUsagePercentage(part > 0 ? (float) (report.getClusterUsagePercentage() / part) : 0);
        return report;
    }

    // ---- headroom ----

    /** The partitions of its asks; without an ask, the default partition of its queue. */
    public Set<String> askedPartitions() {
        readLock.lock();
        try {
            Set<String> asked = new LinkedHashSet<>(appSchedulingInfo.getRequestedPartitions());
            if (asked.isEmpty()) {
                asked.add(application.leaf().spec().get(QueueSettings.DEFAULT_NODE_LABEL));
            }
            return asked;
        } finally {
            readLock.unlock();
        }
    }

    /** The blacklisted nodes of this attempt, looked up again only when the blacklist has changed. */
    public List<SchedulerNode> blacklistedNodes(Supplier<? extends List<? extends SchedulerNode>> lookUp) {
        writeLock.lock();
        try {
            if (appSchedulingInfo.getAndResetBlacklistChanged()) {
                blacklistedNodes.clear();
                blacklistedNodes.addAll(lookUp.get());
            }
            return new ArrayList<>(blacklistedNodes);
        } finally {
            writeLock.unlock();
        }
    }
}
