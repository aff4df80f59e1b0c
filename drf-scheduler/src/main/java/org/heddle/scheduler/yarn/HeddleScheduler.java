// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantReadWriteLock.WriteLock;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceOption;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.records.ResourceSizing;
import org.apache.hadoop.yarn.api.records.SchedulingRequest;
import org.apache.hadoop.yarn.api.resource.PlacementConstraint;
import org.apache.hadoop.yarn.api.resource.PlacementConstraints;
import org.apache.hadoop.yarn.server.api.protocolrecords.NMContainerStatus;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.recovery.RMStateStore.RMState;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerState;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Allocation;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ClusterNodeTracker;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ContainerUpdates;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplication;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerUtils;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppAddedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppAttemptAddedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppAttemptRemovedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppRemovedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.ContainerExpiredSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.ContainerPreemptEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeAddedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeAttributesUpdateSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeLabelsUpdateSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeRemovedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeResourceUpdateSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeUpdateSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.ReleaseContainerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEvent;
import org.apache.hadoop.yarn.util.Clock;
import org.heddle.scheduler.config.SchedulerKeys;
import org.heddle.scheduler.engine.Schedulable;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.http.WebHooks;
import org.heddle.scheduler.model.ClusterRules;
import org.heddle.scheduler.model.SchedulerSpec;
import org.heddle.scheduler.model.WorkProtection;
import org.heddle.scheduler.policy.ShareOrder;
import org.heddle.scheduler.policy.ShareOrders;
import org.heddle.scheduler.yarn.app.ContainerChanges;
import org.heddle.scheduler.yarn.app.HeddleAttempt;
import org.heddle.scheduler.yarn.app.MasterAnswer;
import org.heddle.scheduler.yarn.compat.AskAutocorrect;
import org.heddle.scheduler.yarn.compat.CapacityMonitor;
import org.heddle.scheduler.yarn.compat.InvalidAsk;
import org.heddle.scheduler.yarn.node.Feasibility;
import org.heddle.scheduler.yarn.node.HeddleNode;
import org.heddle.scheduler.yarn.queue.HeddlePlacementRule;
import org.heddle.scheduler.yarn.queue.HeddleQueue;
import org.heddle.scheduler.yarn.queue.ImpossibleAsks;
import org.heddle.scheduler.yarn.report.HealthRecorder;
import org.heddle.scheduler.yarn.report.SchedulerMetrics;
import org.heddle.scheduler.yarn.reservation.HeddleReservationSystem;
import org.heddle.settings.Clocks;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The scheduler class that the ResourceManager loads. It receives the ResourceManager's events, the {@link ShareEngine}
 * chooses among the asks, and it allocates the containers. It extends {@code AbstractYarnScheduler} because the
 * ResourceManager casts to that class. It is long because that class demands many methods of one subclass; each of them
 * is short or delegates.
 *
 * <p>Lock rule: {@code writeLock} owns the engine, queues, applications and reservations, and an attempt's own lock is
 * taken inside it, never around it. ApplicationMasters' heartbeats ({@link #allocate}) take only their attempt's lock,
 * except to release or resize containers; their new asks are taken over at the next node heartbeat, or at once with
 * immediate allocation, for which they wait a limited time for the lock ({@link PlacementTrigger}). No exception of
 * ours reaches the ResourceManager's dispatcher, which would end the process ({@link EventGuard}).
 */
public abstract class HeddleScheduler extends ClientFacingScheduler {
    private static final Logger LOG = LoggerFactory.getLogger(HeddleScheduler.class);

    private final HealthRecorder health =
            new HealthRecorder(schedulerHealth, () -> compatibility() == ClusterRules.Compatibility.CAPACITY_SCHEDULER);
    private final EventGuard guard = new EventGuard();
    private final ContainerChanges containerChanges = new ContainerChanges(this::getSchedulerNode);
    private volatile Clocks sourceOfTime = Clocks.SYSTEM;
    private final Clocks clocks = new Clocks(() -> sourceOfTime.millis(), () -> sourceOfTime.date());
    private final SchedulerHost host = new Host();
    private AskAutocorrect askAutocorrect;

    /** @param name how the scheduler is called in logs and queue reports */
    @SuppressWarnings("NullAway.Init") // set in serviceInit, before anything else can be called
    protected HeddleScheduler(String name) {
        super(name);
    }

    // ---- service ----

    @Override
    public void serviceInit(Configuration conf) throws Exception {
        updateInterval = SchedulerKeys.UPDATE_INTERVAL_MS.read(conf::get);
        writeLock.lock();
        try {
            minimumAllocation = getMinimumAllocation();
            initMaximumResourceCapability(getMaximumAllocation());
            applications = new ConcurrentHashMap<>();
            ShareOrders orders =
                    ShareOrders.discover(getClass().getClassLoader()).containing(guard::contain);
            parts = new SchedulerParts(host, new ConfiguredQueues(host, orders, conf, getName()), conf);
            activitiesManager = parts.activities;
            askAutocorrect = AskAutocorrect.of(this, MethodHandles.lookup(), conf);
            // QueueMetrics registers its sources on first use, and two threads that do so at once fail: do it now.
            parts.available.publish();
        } finally {
            writeLock.unlock();
        }
        if (rmContext.getQueuePlacementManager() != null) {
            rmContext.getQueuePlacementManager().updateRules(List.of(new HeddlePlacementRule(parts.queues)));
        }
        parts.configured.configuration.logOrigin();
        if (parts.configured.shadow != null) {
            LOG.warn("Shadow mode ({} is true): limits and preemption are only reported", SchedulerKeys.SHADOW.name());
        }
        SchedulerMetrics.register(this::snapshot);
        schedulingMonitorManager.initialize(rmContext, CapacityMonitor.without(conf));
        WebHooks.install(conf);
        super.serviceInit(conf);
        initialised = true;
    }

    @Override
    public void serviceStart() throws Exception {
        parts.usage.startAccounting(getConfig(), host, this::currentAttempts);
        parts.activities.start();
        super.serviceStart();
        parts.usage.startReading();
    }

    @Override
    public void serviceStop() throws Exception {
        SchedulerMetrics.unregister();
        if (parts != null) { // null if the configuration was refused
            parts.activities.stop();
        }
        super.serviceStop();
        if (parts != null) {
            parts.usage.stop(writeLock);
            parts.configured.configuration.close();
        }
    }

    @Override
    public void setRMContext(RMContext context) {
        this.rmContext = context;
        HeddleReservationSystem.install(context.getYarnConfiguration());
    }

    @Override
    public void recover(RMState state) {
        parts.applications.recover(state);
    }

    /**
     * Reads the configuration file again, as {@code yarn rmadmin -refreshQueues} asks for.
     *
     * <p>A manager that is told to lead while it is still standing back ({@code AdminService.transitionToActive}) asks
     * for this before the scheduler is initialised, which reads the file anyway. A failure here would be fatal: the
     * manager's dispatcher would wait for the monitor of the thread that waits for the dispatcher to end.
     */
    @Override
    public void reinitialize(Configuration conf, RMContext context) throws IOException {
        if (!initialised) {
            return;
        }
        super.reinitialize(CapacityMonitor.without(conf), context);
        refreshMaximumAllocation(getMaximumAllocation());
        parts.configured.configuration.reload();
    }

    /** Housekeeping, by the base class's update thread. */
    @Override
    public void update() {
        guard.run(() -> "housekeeping", () -> {
            boolean more;
            writeLock.lock();
            try {
                parts.queues.dropEmptyNewQueues();
                parts.reports.sample();
                parts.available.publish();
                parts.takeOverAsks();
                parts.queues.limits().refresh();
                parts.usage.tickWeights();
                more = preempt();
                if (parts.configured.shadow != null) {
                    parts.configured.shadow.tick();
                }
                parts.usage.tickAccounting();
                parts.placement.asksArrived(); // limits and delays may have changed with time
                parts.trigger.run();
            } finally {
                writeLock.unlock();
            }
            while (more) {
                writeLock.lock(); // others may have it between two rounds
                try {
                    parts.takeOverAsks();
                    more = preempt();
                } finally {
                    writeLock.unlock();
                }
            }
            parts.configured.configuration.lookFromTimeToTime();
        });
    }

    /**
     * One round of preemption; true if another one should follow at once, because FairScheduler has no limit in a
     * second.
     */
    private boolean preempt() {
        return parts.preemptor.tick(parts.queues.spec().preemption())
                && parts.queues.rules().likeFairScheduler();
    }

    // ---- for schedulers that steer this one while it runs; all under the scheduler's lock ----

    /**
     * What a subclass makes of the configured specification before it comes into force: it may add queues, for example.
     * Called for the first time during {@code serviceInit}.
     */
    protected SchedulerSpec adapt(SchedulerSpec configured) {
        return configured;
    }

    /** Adapts the configured specification anew and puts it into force; why not, in one sentence, or null. */
    protected final @Nullable String adaptAgain() {
        return parts.configured.takeEffect(parts.configured.configuration.spec());
    }

    /** Queues may have come or gone, and their weights and orders are as configured again. */
    protected void queuesChanged() {}

    /** The cluster has more or less than before. */
    protected void capacityChanged(long[] capacity) {}

    public final ShareEngine engine() {
        return parts.engine;
    }

    /** A share order by its name in the configuration. */
    protected final ShareOrder newOrder(String name) {
        return parts.configured.orders.create(name, parts.configured.random);
    }

    /** Names of the resource types, in the order of the engine's vectors. */
    protected final List<String> resourceNames() {
        return parts.vectors.names();
    }

    /** Schedulables of the queues that take applications, by path from the root. */
    protected final Map<String, Schedulable> leafSchedulables() {
        Map<String, Schedulable> schedulables = new TreeMap<>();
        for (HeddleQueue queue : parts.queues.all()) {
            if (queue.isLeaf()) {
                schedulables.put(queue.getQueueName(), queue.schedulable());
            }
        }
        return schedulables;
    }

    /** How much work preemption may lose now, after its last round. */
    protected final WorkProtection.Credit lostWorkCredit() {
        return parts.preemptor.lostWorkCredit();
    }

    /** Changes whenever a queue comes or goes, so that {@link #leafSchedulables} need not be asked all the time. */
    protected final long queueGeneration() {
        return parts.queues.generation();
    }

    /** The clocks of this scheduler, whatever replaces them. */
    protected final Clocks clocks() {
        return clocks;
    }

    /** Milliseconds of the monotonic clock. */
    private long now() {
        return clocks.millis();
    }

    /** The clock that everything waits by: monotonic, and its milliseconds are no date. */
    @Override
    public Clock getClock() {
        return clocks::millis;
    }

    @Override
    public long date() {
        return clocks.date();
    }

    /** For Hadoop's tests and for replays: one clock in place of both. */
    @Override
    public void setClock(Clock clock) {
        setClocks(new Clocks(clock::getTime, clock::getTime));
    }

    /** May be called after {@code serviceInit}. */
    public void setClocks(Clocks next) {
        sourceOfTime = next;
    }

    // ---- events ----

    @Override
    public void handle(SchedulerEvent event) {
        guard.run(() -> String.valueOf(event), () -> dispatch(event));
    }

    private void dispatch(SchedulerEvent event) {
        writeLock.lock();
        try {
            if (event instanceof NodeUpdateSchedulerEvent update) {
                nodeUpdate(update.getRMNode());
            } else if (event instanceof NodeAddedSchedulerEvent added) {
                parts.nodes.add(added.getAddedRMNode());
                recoverContainersOnNode(added.getContainerReports(), added.getAddedRMNode());
                endReleased(added.getAddedRMNode().getNodeID());
                accountRecovered(added.getContainerReports());
            } else if (event instanceof NodeRemovedSchedulerEvent removed) {
                parts.nodes.remove(removed.getRemovedRMNode());
            } else if (event instanceof NodeResourceUpdateSchedulerEvent resized) {
                updateNodeResource(resized.getRMNode(), resized.getResourceOption());
            } else if (event instanceof NodeLabelsUpdateSchedulerEvent relabelled) {
                parts.nodes.relabel(relabelled.getUpdatedNodeToLabels());
            } else if (event instanceof NodeAttributesUpdateSchedulerEvent changed) {
                parts.nodes.attributes(changed.getUpdatedNodeToAttributes());
            } else if (event instanceof AppAddedSchedulerEvent added) {
                parts.applications.add(added);
            } else if (event instanceof AppRemovedSchedulerEvent removed) {
                parts.applications.remove(removed.getApplicationID(), removed.getFinalState());
            } else if (event instanceof AppAttemptAddedSchedulerEvent added) {
                parts.applications.addAttempt(added);
            } else if (event instanceof AppAttemptRemovedSchedulerEvent removed) {
                parts.applications.removeAttempt(
                        removed.getApplicationAttemptID(),
                        removed.getFinalAttemptState(),
                        removed.getKeepContainersAcrossAppAttempts());
            } else if (event instanceof ContainerExpiredSchedulerEvent expired) {
                expire(expired);
            } else if (event instanceof ReleaseContainerEvent released) {
                host.end(released.getContainer(), SchedulerUtils.RELEASED_CONTAINER, RMContainerEventType.RELEASED);
            } else if (event instanceof ContainerPreemptEvent preempt) {
                preempt(preempt);
            } else {
                LOG.debug("Nothing to do for {}", event);
            }
            parts.trigger.afterEvent(event);
        } finally {
            writeLock.unlock();
        }
    }

    private void updateContainers(HeddleAttempt attempt, ContainerUpdates updates) {
        if (ContainerChanges.isEmpty(updates)) {
            return;
        }
        writeLock.lock();
        try {
            if (!attempt.isStopped()) {
                containerChanges.change(attempt, updates, () -> handleContainerUpdates(attempt, updates));
            }
        } finally {
            writeLock.unlock();
        }
    }

    /**
     * The ApplicationMaster has not used in time what it was given: a container, or only its increase. One that began
     * to run when its time was over goes on: Hadoop would free its resources here and leave it running on its node.
     */
    private void expire(ContainerExpiredSchedulerEvent event) {
        if (event.isIncrease()) {
            ContainerId id = event.getContainerId();
            HeddleAttempt attempt = getCurrentAttemptForContainer(id);
            if (attempt != null) {
                containerChanges.resize(attempt, List.of(id), () -> rollbackContainerUpdate(id));
            }
            return;
        }
        RMContainer container = getRMContainer(event.getContainerId());
        if (container != null && container.getState() != RMContainerState.RUNNING) {
            completedContainer(
                    container,
                    SchedulerUtils.createAbnormalContainerStatus(
                            event.getContainerId(), SchedulerUtils.EXPIRED_CONTAINER),
                    RMContainerEventType.EXPIRE);
        }
    }

    private void preempt(ContainerPreemptEvent event) {
        switch (event.getType()) {
            case MARK_CONTAINER_FOR_PREEMPTION -> {
                HeddleAttempt attempt = getApplicationAttempt(event.getAppId());
                HeddleNode node = getSchedulerNode(event.getContainer().getNodeId());
                if (attempt != null && node != null) {
                    node.setMarked(true);
                    attempt.markForPreemption(event.getContainer(), false);
                }
            }
            case MARK_CONTAINER_FOR_KILLABLE -> killContainer(event.getContainer());
            default -> LOG.debug("Nothing to do for {}", event);
        }
    }

    // ---- nodes ----

    /**
     * Ends containers that an ApplicationMaster released before their node registered: the base class only moves them
     * to the state RELEASED when it recovers them.
     */
    private void endReleased(NodeId id) {
        HeddleNode node = getSchedulerNode(id);
        if (node != null) {
            for (RMContainer container : node.getCopiedListOfRunningContainers()) {
                if (container.getState() == RMContainerState.RELEASED) {
                    host.end(container, SchedulerUtils.RELEASED_CONTAINER, RMContainerEventType.RELEASED);
                }
            }
        }
    }

    @Override
    public void updateNodeResource(RMNode rmNode, ResourceOption option) {
        writeLock.lock();
        try {
            super.updateNodeResource(rmNode, option);
            parts.nodes.resized(rmNode.getNodeID());
        } finally {
            writeLock.unlock();
        }
    }

    /** Handles a node's heartbeat: takes over its report, then offers its free resources. */
    @Override
    protected void nodeUpdate(RMNode rmNode) {
        writeLock.lock();
        long began = System.nanoTime();
        try {
            setLastNodeUpdateTime(clocks.date());
            super.nodeUpdate(rmNode);
            HeddleNode node = getSchedulerNode(rmNode.getNodeID());
            if (node != null) {
                parts.nodes.spareIfRoomAgain(node);
                if (Feasibility.takesContainers(node) && parts.mayAllocate()) {
                    parts.takeOverAsks();
                    parts.placement.heard(node, now());
                    parts.trigger.beforeOffer();
                    parts.activities.beforeOffer(node);
                    health.beforeOffer(node);
                    int placed = parts.nodeAllocation.offer(node, now());
                    health.afterOffer(node, placed, clocks.date());
                    parts.placement.offered(node, placed);
                    parts.activities.afterOffer(node);
                }
                parts.headroom.look(node);
            }
            parts.nodes.publishRoot();
        } finally {
            parts.nodeHeartbeats.endedNow(began);
            writeLock.unlock();
        }
    }

    // ---- containers ----

    @Override
    protected void completedContainerInternal(
            RMContainer rmContainer, ContainerStatus status, RMContainerEventType event) {
        writeLock.lock();
        try {
            HeddleAttempt attempt = getCurrentAttemptForContainer(rmContainer.getContainerId());
            HeddleNode node = getSchedulerNode(rmContainer.getContainer().getNodeId());
            if (attempt == null) {
                LOG.info("Container {} of an application that has ended completed", rmContainer.getContainerId());
                if (node != null) {
                    node.releaseContainer(rmContainer.getContainerId(), false);
                }
            } else if (rmContainer.getState() == RMContainerState.RESERVED) {
                if (node != null) {
                    parts.reservations.release(node);
                }
            } else if (attempt.completed(rmContainer, status, event)) {
                if (node != null) {
                    parts.reservations.ended(node, rmContainer, now());
                    node.releaseContainer(rmContainer.getContainerId(), false);
                }
                parts.preemptor.ended(rmContainer, node, now());
                parts.usage.ended(attempt, rmContainer, status);
                health.ended(rmContainer, status, clocks.date());
                parts.nodes.publishRoot();
            }
        } finally {
            writeLock.unlock();
        }
    }

    private List<HeddleAttempt> currentAttempts() {
        List<HeddleAttempt> attempts = new ArrayList<>(applications.size());
        for (SchedulerApplication<HeddleAttempt> application : applications.values()) {
            HeddleAttempt attempt = application.getCurrentAppAttempt();
            if (attempt != null) {
                attempts.add(attempt);
            }
        }
        return attempts;
    }

    /** @param containers null if the node reports none */
    private void accountRecovered(@Nullable List<NMContainerStatus> containers) {
        if (containers == null) {
            return;
        }
        for (NMContainerStatus status : containers) {
            RMContainer container = getRMContainer(status.getContainerId());
            HeddleAttempt attempt = getCurrentAttemptForContainer(status.getContainerId());
            if (container != null && attempt != null) {
                parts.usage.recovered(attempt, container);
            }
        }
    }

    /** Ends a container as preempted, which does not count as a failure of the ApplicationMaster. */
    @Override
    public void killContainer(RMContainer container) {
        completedContainer(
                container,
                SchedulerUtils.createPreemptedContainerStatus(
                        container.getContainerId(), SchedulerUtils.PREEMPTED_CONTAINER),
                RMContainerEventType.KILL);
    }

    /** An ApplicationMaster's heartbeat; also called by the ResourceManager's dispatcher, for masters' containers. */
    @Override
    public Allocation allocate(
            ApplicationAttemptId id,
            List<ResourceRequest> asks,
            List<SchedulingRequest> schedulingRequests,
            List<ContainerId> releases,
            List<String> blacklistAdditions,
            List<String> blacklistRemovals,
            ContainerUpdates updates) {
        refuseUnservable(id, asks, schedulingRequests);
        long began = System.nanoTime();
        try {
            return guard.getUnlessRefused(
                    () -> "a heartbeat of " + id,
                    () -> answer(
                            id, asks, schedulingRequests, releases, blacklistAdditions, blacklistRemovals, updates),
                    EMPTY_ALLOCATION);
        } finally {
            parts.allocateCalls.endedNow(began);
        }
    }

    /** Outside the guard: the ApplicationMaster is to see it. */
    private void refuseUnservable(
            ApplicationAttemptId id, List<ResourceRequest> asks, @Nullable List<SchedulingRequest> requests) {
        HeddleAttempt attempt = getApplicationAttempt(id);
        if (attempt == null) {
            return;
        }
        String negative = ImpossibleAsks.negative(asks, requests);
        String refusal;
        if (negative == null) {
            refusal = parts.impossibleAsks.refusal(asks, attempt.application().leaf());
        } else {
            refusal = negative;
        }
        if (refusal != null) {
            throw InvalidAsk.exception("Application " + id.getApplicationId() + " " + refusal);
        }
    }

    /** Sizes are rounded up to the configured steps; without them the least allocation is the step. */
    @Override
    public Resource getNormalizedResource(Resource requested, Resource most) {
        Resource least = getMinimumResourceCapability();
        if (parts.terms.hasIncrements()) {
            return SchedulerUtils.getNormalizedResource(
                    requested, getResourceCalculator(), least, most, parts.terms.increment(least));
        }
        return super.getNormalizedResource(requested, most);
    }

    /** Hadoop hands over the same requests for each ApplicationMaster of an application, and changes them before. */
    private static List<ResourceRequest> copies(List<ResourceRequest> asks) {
        return asks.stream().map(ResourceRequest::clone).toList();
    }

    private Allocation answer(
            ApplicationAttemptId id,
            List<ResourceRequest> given,
            @Nullable List<SchedulingRequest> schedulingRequests,
            List<ContainerId> releases,
            List<String> blacklistAdditions,
            List<String> blacklistRemovals,
            ContainerUpdates updates) {
        // 1. Identify the application.
        HeddleAttempt attempt = getApplicationAttempt(id);
        if (attempt == null
                || attempt.isStopped()
                || !attempt.getApplicationAttemptId().equals(id)) {
            LOG.error("{} is not a current attempt: it gets nothing", id);
            return EMPTY_ALLOCATION;
        }
        // 2. Changes of containers that it has, under the scheduler's lock
        updateContainers(attempt, updates);
        boolean asksForMaster = attempt.awaitsMaster();
        List<ResourceRequest> asks = asksForMaster ? copies(given) : given;
        normalizeResourceRequests(asks, attempt.getQueueName());
        attempt.recordContainerRequestTime(now());
        releaseContainers(releases, attempt);
        // 3. New asks, under the attempt's lock; an attempt that waits for its ApplicationMaster collects nothing here
        if (!asks.isEmpty()) {
            askAutocorrect.correct(asks, attempt, writeLock, () -> attempt.updateResourceRequests(asks));
        }
        List<SchedulingRequest> requests = schedulingRequests == null ? List.of() : schedulingRequests;
        if (!requests.isEmpty()) {
            requests.forEach(request -> complete(request, attempt));
            attempt.updateSchedulingRequests(requests);
        }
        attempt.updateBlacklist(blacklistAdditions, blacklistRemovals);
        if (!asks.isEmpty() || !releases.isEmpty() || !requests.isEmpty() || !ContainerChanges.isEmpty(updates)) {
            parts.trigger.beforeAnswer(asksForMaster);
        }
        // 4. Answer
        return MasterAnswer.of(
                attempt,
                asksForMaster,
                () -> parts.headroom.of(attempt, attempt.blacklistedNodes(() -> getBlacklistedNodes(attempt))),
                now());
    }

    private void complete(SchedulingRequest request, HeddleAttempt attempt) {
        ResourceSizing sizing = request.getResourceSizing();
        sizing.setResources(
                getNormalizedResource(sizing.getResources(), getMaximumResourceCapability(attempt.getQueueName())));
        if (request.getPlacementConstraint() == null) {
            // Hadoop fails when it compares a request without a constraint with a later one.
            request.setPlacementConstraint(new PlacementConstraint(PlacementConstraints.and()));
        }
    }

    // ---- placement constraints ----

    @Override
    public boolean placementConstraintEnabled() {
        return true;
    }

    /**
     * Places one container on a node that Hadoop's placement processor has chosen. The processor looks at constraints
     * only, so room, limits and promises to others are tested here; the order among applications is not.
     */
    @Override
    public boolean attemptAllocationOnNode(
            SchedulerApplicationAttempt applicant, SchedulingRequest request, SchedulerNode schedulerNode) {
        writeLock.lock();
        try {
            boolean placed = parts.directly.place(
                    getApplicationAttempt(applicant.getApplicationAttemptId()),
                    request,
                    getSchedulerNode(schedulerNode.getNodeID()));
            if (placed) {
                parts.nodeAllocation.placedElsewhere(1);
                parts.nodes.publishRoot();
            }
            return placed;
        } finally {
            writeLock.unlock();
        }
    }

    /** Runs under the scheduler's lock, after the engine has taken over the latest asks. */
    public final void underLock(Runnable work) {
        writeLock.lock();
        try {
            parts.takeOverAsks();
            work.run();
        } finally {
            writeLock.unlock();
        }
    }

    /** What the parts need of this scheduler. */
    private final class Host implements SchedulerHost {
        @Override
        public RMContext resourceManager() {
            return rmContext;
        }

        @Override
        public ConcurrentMap<ApplicationId, SchedulerApplication<HeddleAttempt>> applications() {
            return applications;
        }

        @Override
        public ClusterNodeTracker<HeddleNode> nodes() {
            return nodeTracker;
        }

        @Override
        public Clocks clocks() {
            return clocks;
        }

        @Override
        public WriteLock lock() {
            return writeLock;
        }

        @Override
        public EventGuard guard() {
            return guard;
        }

        @Override
        public boolean isAdmitted(ApplicationId application) {
            return HeddleScheduler.this.isAdmitted(application);
        }

        @Override
        public @Nullable HeddleAttempt attempt(ContainerId container) {
            return getCurrentAttemptForContainer(container);
        }

        @Override
        public void end(RMContainer container, String diagnostics, RMContainerEventType event) {
            completedContainer(
                    container,
                    SchedulerUtils.createAbnormalContainerStatus(container.getContainerId(), diagnostics),
                    event);
        }

        @Override
        public void kill(RMContainer container) {
            killContainer(container);
        }

        @Override
        public SchedulerSpec adapt(SchedulerSpec configured) {
            return HeddleScheduler.this.adapt(configured);
        }

        @Override
        public void reconfigured() {
            queuesChanged();
            parts.reconfigured();
        }

        @Override
        public void capacityChanged(long[] capacity) {
            HeddleScheduler.this.capacityChanged(capacity);
        }
    }
}
