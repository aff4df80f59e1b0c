// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.com.google.common.util.concurrent.SettableFuture;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.QueueACL;
import org.apache.hadoop.yarn.api.records.QueueInfo;
import org.apache.hadoop.yarn.api.records.QueueUserACLInfo;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceOption;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.records.ResourceSizing;
import org.apache.hadoop.yarn.api.records.SchedulingRequest;
import org.apache.hadoop.yarn.api.resource.PlacementConstraint;
import org.apache.hadoop.yarn.api.resource.PlacementConstraints;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.proto.YarnServiceProtos.SchedulerResourceTypes;
import org.apache.hadoop.yarn.server.api.protocolrecords.NMContainerStatus;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.recovery.RMStateStore.RMState;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppImpl;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerState;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Allocation;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ContainerUpdates;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.MutableConfScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.MutableConfigurationProvider;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.QueueMetrics;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplication;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerUtils;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.QueueEntitlement;
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
import org.apache.hadoop.yarn.util.resource.DefaultResourceCalculator;
import org.apache.hadoop.yarn.util.resource.DominantResourceCalculator;
import org.apache.hadoop.yarn.util.resource.ResourceCalculator;
import org.heddle.scheduler.accounting.UsageQuery;
import org.heddle.scheduler.accounting.UsageReport;
import org.heddle.scheduler.config.KnownNames;
import org.heddle.scheduler.config.SchedulerKeys;
import org.heddle.scheduler.engine.Schedulable;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.http.SnapshotSource;
import org.heddle.scheduler.http.WebHooks;
import org.heddle.scheduler.model.ClusterRules;
import org.heddle.scheduler.model.ConfigurationChange;
import org.heddle.scheduler.model.LimitExceeded;
import org.heddle.scheduler.model.SchedulerSpec;
import org.heddle.scheduler.model.ShadowMode;
import org.heddle.scheduler.model.WorkProtection;
import org.heddle.scheduler.policy.ShareOrder;
import org.heddle.scheduler.policy.ShareOrders;
import org.heddle.scheduler.snapshot.History;
import org.heddle.scheduler.snapshot.NodeReport;
import org.heddle.scheduler.snapshot.QueueDetails;
import org.heddle.scheduler.snapshot.SchedulerSnapshot;
import org.heddle.scheduler.snapshot.Waiting;
import org.heddle.scheduler.yarn.accounting.UsageAccounting;
import org.heddle.scheduler.yarn.app.AmShare;
import org.heddle.scheduler.yarn.app.ApplicationLifecycle;
import org.heddle.scheduler.yarn.app.ContainerChanges;
import org.heddle.scheduler.yarn.app.HeddleApplication;
import org.heddle.scheduler.yarn.app.HeddleAttempt;
import org.heddle.scheduler.yarn.app.PriorityChange;
import org.heddle.scheduler.yarn.app.UnregisteredMasters;
import org.heddle.scheduler.yarn.compat.AskAutocorrect;
import org.heddle.scheduler.yarn.compat.CapacityMonitor;
import org.heddle.scheduler.yarn.compat.InvalidAsk;
import org.heddle.scheduler.yarn.compat.ResourceVectors;
import org.heddle.scheduler.yarn.config.ActiveConfiguration;
import org.heddle.scheduler.yarn.config.ConfigurationChanges;
import org.heddle.scheduler.yarn.federation.FederationWeights;
import org.heddle.scheduler.yarn.federation.StoredWeights;
import org.heddle.scheduler.yarn.node.AllocationDelays;
import org.heddle.scheduler.yarn.node.ContainerAllocator;
import org.heddle.scheduler.yarn.node.DirectPlacement;
import org.heddle.scheduler.yarn.node.Feasibility;
import org.heddle.scheduler.yarn.node.Headroom;
import org.heddle.scheduler.yarn.node.HeddleNode;
import org.heddle.scheduler.yarn.node.MinimumOffers;
import org.heddle.scheduler.yarn.node.NodeReservations;
import org.heddle.scheduler.yarn.placement.ClusterPlaces;
import org.heddle.scheduler.yarn.placement.ImmediatePlacement;
import org.heddle.scheduler.yarn.placement.NodeIndex;
import org.heddle.scheduler.yarn.preemption.Preemptor;
import org.heddle.scheduler.yarn.queue.HeddlePlacementRule;
import org.heddle.scheduler.yarn.queue.HeddleQueue;
import org.heddle.scheduler.yarn.queue.ImpossibleAsks;
import org.heddle.scheduler.yarn.queue.PastUsage;
import org.heddle.scheduler.yarn.queue.QueueHeadroom;
import org.heddle.scheduler.yarn.queue.QueueTree;
import org.heddle.scheduler.yarn.queue.ReconfigurationCheck;
import org.heddle.scheduler.yarn.queue.SubmissionTerms;
import org.heddle.scheduler.yarn.report.Explainer;
import org.heddle.scheduler.yarn.report.HealthRecorder;
import org.heddle.scheduler.yarn.report.QueueDetailsTaker;
import org.heddle.scheduler.yarn.report.SchedulerMetrics;
import org.heddle.scheduler.yarn.report.SchedulerReports;
import org.heddle.scheduler.yarn.report.SchedulingActivities;
import org.heddle.scheduler.yarn.report.ShadowLimits;
import org.heddle.scheduler.yarn.report.ShareHistory;
import org.heddle.scheduler.yarn.report.SnapshotTaker;
import org.heddle.scheduler.yarn.reservation.HeddleReservationSystem;
import org.heddle.scheduler.yarn.reservation.PlanQueues;
import org.heddle.scheduler.yarn.reservation.PlanScheduler;
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
 * immediate allocation, for which they wait a limited time for the lock ({@link PlacementTrigger}). No exception of ours reaches the
 * ResourceManager's dispatcher, which would end the process ({@link EventGuard}).
 */
public abstract class HeddleScheduler extends AbstractYarnScheduler<HeddleAttempt, HeddleNode>
        implements SnapshotSource, MutableConfScheduler, PlanScheduler {
    private static final Logger LOG = LoggerFactory.getLogger(HeddleScheduler.class);
    private static final ResourceCalculator DOMINANT = new DominantResourceCalculator();
    private static final ResourceCalculator MEMORY = new DefaultResourceCalculator();

    private final HealthRecorder health =
            new HealthRecorder(schedulerHealth, () -> compatibility() == ClusterRules.Compatibility.CAPACITY_SCHEDULER);
    private final OperationTimes nodeHeartbeats = new OperationTimes();
    private final OperationTimes allocateCalls = new OperationTimes();
    private final EventGuard guard = new EventGuard();
    private final ContainerChanges containerChanges = new ContainerChanges(this::getSchedulerNode);
    private final ChangedAsks changedAsks = new ChangedAsks();
    private final AllocationDelays delays = new AllocationDelays();
    private volatile Clocks sourceOfTime = Clocks.SYSTEM;
    private final Clocks clocks = new Clocks(() -> sourceOfTime.millis(), () -> sourceOfTime.date());
    private SplittableRandom random;

    private ShareOrders orders;
    private ResourceVectors vectors;
    private ShareEngine engine;
    private ActiveConfiguration configuration;
    private QueueTree queues;
    private NodeReservations reservations;
    private Preemptor preemptor;
    private ImpossibleAsks impossibleAsks;
    private Headroom headroom;
    private QueueHeadroom available;
    private DirectPlacement directly;
    private PlanQueues plans;
    private ApplicationLifecycle applicationLifecycle;
    private NodeLifecycle nodes;
    private NodeAllocation nodeAllocation;
    private ImmediatePlacement placement;
    private PlacementTrigger trigger;
    private SubmissionTerms terms;
    private SchedulerReports reports;
    private AskAutocorrect askAutocorrect;
    /** From when this manager begins to lead, as the next one. */
    private volatile @Nullable UsageAccounting usage;

    private @Nullable PastUsage pastUsage;
    private @Nullable StoredWeights storedWeights;
    private @Nullable FederationWeights federationWeights;
    private SchedulingActivities activities;
    private @Nullable ShadowLimits shadow;
    private boolean memoryOnly;
    /** A pair's AdminService asks a scheduler that is still being initialised, see {@link #reinitialize}. */
    private volatile boolean initialised;

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
            random = new SplittableRandom(SchedulerKeys.RANDOM_SEED.read(conf::get));
            orders = ShareOrders.discover(getClass().getClassLoader()).containing(guard::contain);
            configuration = new ActiveConfiguration(
                    conf,
                    KnownNames.of(orders.names(), ResourceVectors.units()),
                    rmContext,
                    this::takeEffect,
                    this::objection,
                    clocks);
            boolean shadowed = SchedulerKeys.SHADOW.read(conf::get);
            SchedulerSpec intended = adapt(configuration.spec());
            SchedulerSpec spec = shadowed ? ShadowMode.of(intended) : intended;
            memoryOnly = spec.rules().memoryOnly();
            vectors = new ResourceVectors(memoryOnly);
            engine = new ShareEngine(
                    vectors.size(), orders.create(spec.root().order(), random), writeLock::isHeldByCurrentThread);
            queues = new QueueTree(spec, engine, vectors, orders, random, conf, getName());
            headroom = new Headroom(vectors, queues.limits().labels());
            shadow = shadowed ? new ShadowLimits(engine, queues, vectors, intended, clocks) : null;
            available = new QueueHeadroom(queues, engine, vectors);
            plans = new PlanQueues(queues, engine, vectors, writeLock);
            NodeIndex index = new NodeIndex(
                    vectors,
                    new SplittableRandom(SchedulerKeys.RANDOM_SEED.read(conf::get)),
                    Math.max(
                            1,
                            conf.getLong(
                                    YarnConfiguration.RM_NM_HEARTBEAT_INTERVAL_MS,
                                    YarnConfiguration.DEFAULT_RM_NM_HEARTBEAT_INTERVAL_MS)));
            ClusterPlaces places = new ClusterPlaces(index);
            Feasibility feasibility = new Feasibility(
                    engine,
                    queues,
                    vectors,
                    new AmShare(engine, queues),
                    new MinimumOffers(engine, vectors),
                    places,
                    rmContext);
            reservations = new NodeReservations(engine, queues, vectors, feasibility);
            directly = new DirectPlacement(engine, queues, vectors, feasibility);
            ContainerAllocator allocator = new ContainerAllocator(feasibility, places, delays);
            preemptor = new Preemptor(
                    engine,
                    vectors,
                    reservations,
                    allocator,
                    nodeTracker::getAllNodes,
                    this::getCurrentAttemptForContainer,
                    this::killContainer,
                    clocks);
            placement = new ImmediatePlacement(engine, index, allocator, YarnConfiguration.getSkipNodeInterval(conf));
            trigger = new PlacementTrigger(
                    placement,
                    writeLock,
                    this::takeOverAsks,
                    () -> nodeTracker.nodeCount() > 0 && mayAllocate(),
                    () -> guard.run(() -> "a pass of immediate allocation", this::placeNow),
                    event -> rmContext.getDispatcher().getEventHandler().handle(event));
            placement.configure(queues.spec().rules());
            applicationLifecycle = new ApplicationLifecycle(
                    applications,
                    queues,
                    plans,
                    engine,
                    vectors,
                    reservations::releaseAll,
                    rmContext,
                    changedAsks::add,
                    this::now,
                    this::isAdmitted,
                    this::end);
            nodes = new NodeLifecycle(
                    nodeTracker,
                    conf.getBoolean(
                            YarnConfiguration.RM_SCHEDULER_INCLUDE_PORT_IN_NODE_NAME,
                            YarnConfiguration.DEFAULT_RM_SCHEDULER_USE_PORT_FOR_NODE_NAME),
                    YarnConfiguration.areNodeLabelsEnabled(conf) && rmContext.getNodeLabelManager() != null,
                    rmContext,
                    engine,
                    queues,
                    vectors,
                    reservations,
                    preemptor,
                    placement,
                    this::now,
                    headroom,
                    this::getCurrentAttemptForContainer,
                    this::end,
                    this::capacityChanged);
            nodeAllocation = new NodeAllocation(
                    engine, queues, vectors, reservations, preemptor, feasibility, allocator, nodeTracker);
            terms = new SubmissionTerms(queues);
            Explainer explainer = new Explainer(
                    engine,
                    queues,
                    vectors,
                    feasibility,
                    new UnregisteredMasters(rmContext),
                    preemptor::waitsForCredit);
            activities = new SchedulingActivities(
                    rmContext, queues, explainer, this::currentAttempt, this::getSchedulerNode, clocks);
            activities.init(conf);
            activitiesManager = activities;
            reports = new SchedulerReports(
                    queues,
                    new SnapshotTaker(
                            engine,
                            vectors,
                            orders,
                            feasibility,
                            queues.limits().labels()),
                    new QueueDetailsTaker(engine, queues, vectors),
                    explainer,
                    new ShareHistory(engine),
                    applicationLifecycle,
                    configuration,
                    reservations,
                    preemptor,
                    nodeTracker,
                    this::count,
                    delays,
                    writeLock,
                    this::takeOverAsks,
                    clocks);
            impossibleAsks = new ImpossibleAsks(queues, vectors);
            askAutocorrect = AskAutocorrect.of(this, MethodHandles.lookup(), conf);
            if (StoredWeights.areWanted(conf)) {
                storedWeights = StoredWeights.of(conf);
                federationWeights = new FederationWeights(queues, engine, vectors, storedWeights);
            }
            // QueueMetrics registers its sources on first use, and two threads that do so at once fail: do it now.
            available.publish();
        } finally {
            writeLock.unlock();
        }
        if (rmContext.getQueuePlacementManager() != null) {
            rmContext.getQueuePlacementManager().updateRules(List.of(new HeddlePlacementRule(queues)));
        }
        configuration.logOrigin();
        if (shadow != null) {
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
        startAccounting();
        activities.start();
        super.serviceStart();
        if (storedWeights != null) {
            storedWeights.start();
        }
    }

    /**
     * Not during {@code serviceInit}: a standby is initialised when its process starts, and would go on from there when it takes over,
     * over the hours that the other manager has written meanwhile.
     */
    private void startAccounting() {
        String directory = SchedulerKeys.USAGE_DIRECTORY.read(getConfig()::get);
        UsageAccounting started;
        if (directory.equals("none")) {
            started = null;
        } else {
            started = UsageAccounting.in(directory, getConfig(), rmContext, this::currentAttempts, clocks);
        }
        pastUsage = new PastUsage(queues, engine, vectors, started == null ? null : started::past, clocks);
        usage = started;
    }

    @Override
    public void serviceStop() throws Exception {
        SchedulerMetrics.unregister();
        if (activities != null) { // null if the configuration was refused
            activities.stop();
        }
        super.serviceStop();
        if (storedWeights != null) {
            storedWeights.stop();
        }
        if (usage != null) {
            writeLock.lock();
            try {
                usage.finish();
            } finally {
                writeLock.unlock();
            }
            usage.stop();
        }
    }

    @Override
    public void setRMContext(RMContext context) {
        this.rmContext = context;
        HeddleReservationSystem.install(context.getYarnConfiguration());
    }

    @Override
    public void recover(RMState state) {
        applicationLifecycle.recover(state);
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
        configuration.reload();
    }

    /** Housekeeping, by the base class's update thread. */
    @Override
    public void update() {
        guard.run(() -> "housekeeping", () -> {
            boolean more;
            writeLock.lock();
            try {
                queues.dropEmptyNewQueues();
                reports.sample();
                available.publish();
                takeOverAsks();
                queues.limits().refresh();
                tickWeights();
                more = preempt();
                if (shadow != null) {
                    shadow.tick();
                }
                if (usage != null) {
                    usage.tick();
                }
                placement.asksArrived(); // limits and delays may have changed with time
                trigger.run();
            } finally {
                writeLock.unlock();
            }
            while (more) {
                writeLock.lock(); // others may have it between two rounds
                try {
                    takeOverAsks();
                    more = preempt();
                } finally {
                    writeLock.unlock();
                }
            }
            configuration.lookFromTimeToTime();
        });
    }

    /** Puts weights in force that are not those of the file. */
    private void tickWeights() {
        if (pastUsage != null) {
            pastUsage.tick();
        }
        if (federationWeights != null) {
            federationWeights.tick();
        }
    }

    /** One round of preemption; true if another one should follow at once, because FairScheduler has no limit in a second. */
    private boolean preempt() {
        return preemptor.tick(queues.spec().preemption()) && queues.rules().likeFairScheduler();
    }

    /** Puts a specification into force, unless there is an objection against it; that is returned. */
    private @Nullable String takeEffect(SchedulerSpec configured) {
        writeLock.lock();
        try {
            SchedulerSpec intended = adapt(configured);
            SchedulerSpec next = shadow == null ? intended : ShadowMode.of(intended);
            String objection = new ReconfigurationCheck(queues).against(next);
            if (objection == null) {
                if (shadow != null) {
                    shadow.setIntended(intended);
                }
                queues.apply(next);
                queuesChanged();
                tickWeights();
                applicationLifecycle.configurationChanged();
                placement.configure(next.rules());
                trigger.run();
            }
            return objection;
        } finally {
            writeLock.unlock();
        }
    }

    private @Nullable String objection(SchedulerSpec configured) {
        writeLock.lock();
        try {
            return new ReconfigurationCheck(queues).against(adapt(configured));
        } finally {
            writeLock.unlock();
        }
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
        return takeEffect(configuration.spec());
    }

    /** Queues may have come or gone, and their weights and orders are as configured again. */
    protected void queuesChanged() {}

    /** The cluster has more or less than before. */
    protected void capacityChanged(long[] capacity) {}

    public final ShareEngine engine() {
        return engine;
    }

    /** A share order by its name in the configuration. */
    protected final ShareOrder newOrder(String name) {
        return orders.create(name, random);
    }

    /** Names of the resource types, in the order of the engine's vectors. */
    protected final List<String> resourceNames() {
        return vectors.names();
    }

    /** Schedulables of the queues that take applications, by path from the root. */
    protected final Map<String, Schedulable> leafSchedulables() {
        Map<String, Schedulable> schedulables = new TreeMap<>();
        for (HeddleQueue queue : queues.all()) {
            if (queue.isLeaf()) {
                schedulables.put(queue.getQueueName(), queue.schedulable());
            }
        }
        return schedulables;
    }

    /** How much work preemption may lose now, after its last round. */
    protected final WorkProtection.Credit lostWorkCredit() {
        return preemptor.lostWorkCredit();
    }

    /** Whether an application may be submitted even if its queue's access list forbids it. */
    protected boolean isAdmitted(ApplicationId application) {
        return false;
    }

    /** Changes whenever a queue comes or goes, so that {@link #leafSchedulables} need not be asked all the time. */
    protected final long queueGeneration() {
        return queues.generation();
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
                nodes.add(added.getAddedRMNode());
                recoverContainersOnNode(added.getContainerReports(), added.getAddedRMNode());
                endReleased(added.getAddedRMNode().getNodeID());
                accountRecovered(added.getContainerReports());
            } else if (event instanceof NodeRemovedSchedulerEvent removed) {
                nodes.remove(removed.getRemovedRMNode());
            } else if (event instanceof NodeResourceUpdateSchedulerEvent resized) {
                updateNodeResource(resized.getRMNode(), resized.getResourceOption());
            } else if (event instanceof NodeLabelsUpdateSchedulerEvent relabelled) {
                nodes.relabel(relabelled.getUpdatedNodeToLabels());
            } else if (event instanceof NodeAttributesUpdateSchedulerEvent changed) {
                nodes.attributes(changed.getUpdatedNodeToAttributes());
            } else if (event instanceof AppAddedSchedulerEvent added) {
                applicationLifecycle.add(added);
            } else if (event instanceof AppRemovedSchedulerEvent removed) {
                applicationLifecycle.remove(removed.getApplicationID(), removed.getFinalState());
            } else if (event instanceof AppAttemptAddedSchedulerEvent added) {
                applicationLifecycle.addAttempt(added);
            } else if (event instanceof AppAttemptRemovedSchedulerEvent removed) {
                applicationLifecycle.removeAttempt(
                        removed.getApplicationAttemptID(),
                        removed.getFinalAttemptState(),
                        removed.getKeepContainersAcrossAppAttempts());
            } else if (event instanceof ContainerExpiredSchedulerEvent expired) {
                expire(expired);
            } else if (event instanceof ReleaseContainerEvent released) {
                end(released.getContainer(), SchedulerUtils.RELEASED_CONTAINER, RMContainerEventType.RELEASED);
            } else if (event instanceof ContainerPreemptEvent preempt) {
                preempt(preempt);
            } else {
                LOG.debug("Nothing to do for {}", event);
            }
            trigger.afterEvent(event);
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
     * The ApplicationMaster has not used in time what it was given: a container, or only its increase. One that began to run
     * when its time was over goes on: Hadoop would free its resources here and leave it running on its node.
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
     * Ends containers that an ApplicationMaster released before their node registered: the base class only moves them to
     * the state RELEASED when it recovers them.
     */
    private void endReleased(NodeId id) {
        HeddleNode node = getSchedulerNode(id);
        if (node != null) {
            for (RMContainer container : node.getCopiedListOfRunningContainers()) {
                if (container.getState() == RMContainerState.RELEASED) {
                    end(container, SchedulerUtils.RELEASED_CONTAINER, RMContainerEventType.RELEASED);
                }
            }
        }
    }

    @Override
    public void updateNodeResource(RMNode rmNode, ResourceOption option) {
        writeLock.lock();
        try {
            super.updateNodeResource(rmNode, option);
            nodes.resized(rmNode.getNodeID());
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
                nodes.spareIfRoomAgain(node);
                if (Feasibility.takesContainers(node) && mayAllocate()) {
                    takeOverAsks();
                    placement.heard(node, now());
                    trigger.beforeOffer();
                    activities.beforeOffer(node);
                    health.beforeOffer(node);
                    int placed = nodeAllocation.offer(node, now());
                    health.afterOffer(node, placed, clocks.date());
                    placement.offered(node, placed);
                    activities.afterOffer(node);
                }
                headroom.look(node);
            }
            nodes.publishRoot();
        } finally {
            nodeHeartbeats.endedNow(began);
            writeLock.unlock();
        }
    }

    /**
     * Whether the ResourceManager has waited for the nodes to report what runs on them. It may be asked only when there are
     * nodes: while it recovers, before any can register, it has not set the wait yet, says yes, and never waits again.
     */
    private boolean mayAllocate() {
        return !rmContext.isWorkPreservingRecoveryEnabled() || rmContext.isSchedulerReadyForAllocatingContainers();
    }

    private void takeOverAsks() {
        if (changedAsks.takeOver(applications, applicationLifecycle)) {
            placement.asksArrived();
        }
    }

    /** One pass of immediate allocation. */
    private void placeNow() {
        queues.limits().refresh();
        reservations.beginPass(now());
        activities.during(() -> nodeAllocation.placedElsewhere(placement.serve(queues.spec(), now())));
        reservations.endPass();
        nodes.publishRoot();
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
                    reservations.release(node);
                }
            } else if (attempt.completed(rmContainer, status, event)) {
                if (node != null) {
                    node.releaseContainer(rmContainer.getContainerId(), false);
                    reservations.ended(node, rmContainer, now());
                }
                preemptor.ended(rmContainer, node, now());
                if (usage != null) {
                    usage.ended(attempt, rmContainer, status);
                }
                health.ended(rmContainer, status, clocks.date());
                nodes.publishRoot();
            }
        } finally {
            writeLock.unlock();
        }
    }

    private @Nullable HeddleAttempt currentAttempt(ApplicationId id) {
        SchedulerApplication<HeddleAttempt> application = applications.get(id);
        return application == null ? null : application.getCurrentAppAttempt();
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
        if (usage == null || containers == null) {
            return;
        }
        for (NMContainerStatus status : containers) {
            RMContainer container = getRMContainer(status.getContainerId());
            HeddleAttempt attempt = getCurrentAttemptForContainer(status.getContainerId());
            if (container != null && attempt != null) {
                usage.recovered(attempt, container);
            }
        }
    }

    /** Ends a container, and says why. */
    private void end(RMContainer container, String diagnostics, RMContainerEventType event) {
        completedContainer(
                container,
                SchedulerUtils.createAbnormalContainerStatus(container.getContainerId(), diagnostics),
                event);
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
            allocateCalls.endedNow(began);
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
            refusal = impossibleAsks.refusal(asks, attempt.application().leaf());
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
        if (terms.hasIncrements()) {
            return SchedulerUtils.getNormalizedResource(
                    requested, getResourceCalculator(), least, most, terms.increment(least));
        }
        return super.getNormalizedResource(requested, most);
    }

    /** The largest container of a queue: the smallest that it or one above it sets, or the cluster's. */
    @Override
    public Resource getMaximumResourceCapability(String queueName) {
        Resource most = getMaximumResourceCapability();
        return queues == null ? most : queues.limits().container(queueName, most);
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
        if (schedulingRequests != null && !schedulingRequests.isEmpty()) {
            for (SchedulingRequest request : schedulingRequests) {
                ResourceSizing sizing = request.getResourceSizing();
                sizing.setResources(getNormalizedResource(sizing.getResources(), maximumAllocation(attempt)));
                if (request.getPlacementConstraint() == null) {
                    // Hadoop fails when it compares a request without a constraint with a later one.
                    request.setPlacementConstraint(new PlacementConstraint(PlacementConstraints.and()));
                }
            }
            attempt.updateSchedulingRequests(schedulingRequests);
        }
        attempt.updateBlacklist(blacklistAdditions, blacklistRemovals);
        if (!asks.isEmpty()
                || !releases.isEmpty()
                || (schedulingRequests != null && !schedulingRequests.isEmpty())
                || !ContainerChanges.isEmpty(updates)) {
            trigger.beforeAnswer(asksForMaster);
        }
        // 4. Answer. Pulling containers makes the tokens for their nodes, so those are pulled last.
        List<Container> fromBefore = attempt.pullPreviousAttemptContainers();
        List<Container> newContainers = asksForMaster ? new ArrayList<>() : attempt.pullNewlyAllocatedContainers();
        if (!newContainers.isEmpty()) {
            attempt.recordContainerAllocationTime(now());
        }
        // Hadoop forgets a decrease when an increase of the same container is pulled: so decreases first
        List<Container> decreased = attempt.pullNewlyDecreasedContainers();
        List<Container> promoted = attempt.pullNewlyPromotedContainers();
        List<Container> increased = attempt.pullNewlyIncreasedContainers();
        List<Container> demoted = attempt.pullNewlyDemotedContainers();
        Resource headroom = this.headroom.of(attempt, attempt.blacklistedNodes(() -> getBlacklistedNodes(attempt)));
        attempt.setApplicationHeadroomForMetrics(headroom);
        return new Allocation(
                newContainers,
                headroom,
                attempt.preempting(false),
                attempt.preempting(true),
                attempt.negotiable(),
                attempt.pullUpdatedNMTokens(),
                increased,
                decreased,
                promoted,
                demoted,
                fromBefore,
                null);
    }

    private Resource maximumAllocation(HeddleAttempt attempt) {
        return getMaximumResourceCapability(attempt.getQueueName());
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
            boolean placed = directly.place(
                    getApplicationAttempt(applicant.getApplicationAttemptId()),
                    request,
                    getSchedulerNode(schedulerNode.getNodeID()));
            if (placed) {
                nodeAllocation.placedElsewhere(1);
                nodes.publishRoot();
            }
            return placed;
        } finally {
            writeLock.unlock();
        }
    }

    // ---- questions ----

    @Override
    public QueueInfo getQueueInfo(String queueName, boolean includeChildQueues, boolean recursive) throws IOException {
        return existing(queueName).getQueueInfo(includeChildQueues, recursive);
    }

    private HeddleQueue existing(String queueName) throws IOException {
        HeddleQueue queue = queues.find(queueName);
        if (queue == null) {
            throw new IOException("Unknown queue: " + queueName);
        }
        return queue;
    }

    @Override
    public List<QueueUserACLInfo> getQueueUserAclInfo() {
        try {
            return queues.root().getQueueUserAclInfo(UserGroupInformation.getCurrentUser());
        } catch (IOException e) {
            LOG.warn("The current user cannot be told: {}", e.getMessage());
            return new ArrayList<>();
        }
    }

    @Override
    public boolean checkAccess(UserGroupInformation user, QueueACL acl, String queueName) {
        HeddleQueue queue = queues.find(queueName);
        return queue != null && queue.hasAccess(acl, user);
    }

    @Override
    @SuppressWarnings("NullAway") // null means: no such queue (YarnScheduler.getAppsInQueue)
    public List<ApplicationAttemptId> getAppsInQueue(String queueName) {
        HeddleQueue queue = queues.find(queueName);
        return queue == null ? null : queue.currentAttempts();
    }

    @Override
    public int getNumClusterNodes() {
        return nodeTracker.nodeCount();
    }

    @Override
    public QueueMetrics getRootQueueMetrics() {
        return queues.root().getMetrics();
    }

    @Override
    public ResourceCalculator getResourceCalculator() {
        return memoryOnly ? MEMORY : DOMINANT;
    }

    @Override
    public EnumSet<SchedulerResourceTypes> getSchedulingResourceTypes() {
        EnumSet<SchedulerResourceTypes> types = EnumSet.of(SchedulerResourceTypes.MEMORY);
        if (!memoryOnly) {
            types.add(SchedulerResourceTypes.CPU);
        }
        return types;
    }

    // ---- reservations in time, for YARN's ReservationSystem ----

    @Override
    public long date() {
        return clocks.date();
    }

    @Override
    public PlanQueues planQueues() {
        return plans;
    }

    @Override
    public Set<String> getPlanQueues() {
        return plans.paths();
    }

    @Override
    public void setEntitlement(String queueName, QueueEntitlement part) throws YarnException {
        plans.entitle(queueName, part);
    }

    @Override
    public void removeQueue(String queueName) throws YarnException {
        plans.remove(queueName);
    }

    // ---- changes of the configuration, for YARN's scheduler-conf ----

    @Override
    public Configuration getConfiguration() {
        ConfigurationChanges changes = configuration.changes();
        return changes == null ? getConfig() : changes.getConfiguration();
    }

    @Override
    @SuppressWarnings("NullAway") // null means: no such queue (CapacityScheduler)
    public org.apache.hadoop.yarn.server.resourcemanager.scheduler.Queue getQueue(String queueName) {
        return queues.find(queueName);
    }

    @Override
    public boolean isConfigurationMutable() {
        return initialised && configuration.changes() != null;
    }

    @Override
    @SuppressWarnings("NullAway") // asked only where isConfigurationMutable
    public MutableConfigurationProvider getMutableConfProvider() {
        return configuration.changes();
    }

    // ---- administration ----

    @Override
    public String moveApplication(ApplicationId id, String newQueue) throws YarnException {
        writeLock.lock();
        try {
            return applicationLifecycle.move(id, newQueue);
        } finally {
            writeLock.unlock();
        }
    }

    @Override
    public void preValidateMoveApplication(ApplicationId id, String newQueue) throws YarnException {
        writeLock.lock();
        try {
            applicationLifecycle.checkMove(id, newQueue);
        } finally {
            writeLock.unlock();
        }
    }

    /**
     * Called by the ResourceManager when an application is submitted, while its client waits: the moment to refuse
     * users that may not submit there. Applications that come another way are checked at {@code APP_ADDED}.
     */
    @Override
    public Priority checkAndGetApplicationPriority(
            @Nullable Priority wanted, UserGroupInformation user, String queuePath, ApplicationId id)
            throws YarnException {
        String refusal = isAdmitted(id) ? null : terms.refusal(queuePath, id, user);
        if (refusal != null) {
            throw new YarnException(refusal);
        }
        // YARN's REST makes -1 of a submission that names no priority.
        Priority named = wanted != null && wanted.getPriority() < 0 ? null : wanted;
        return withinCluster(terms.priority(queuePath, user, named));
    }

    /**
     * Maximum lifetime of an application in seconds, from its request and its queue; less than 0 for no limit. Hadoop
     * 3.5 passes the request with the application, 3.4 does not.
     */
    @SuppressWarnings("MissingOverride") // overrides on one of the two lines only
    public long checkAndGetApplicationLifetime(String queuePath, long asked, RMAppImpl app) {
        return checkAndGetApplicationLifetime(queuePath, asked);
    }

    /** See {@link #checkAndGetApplicationLifetime(String, long, RMAppImpl)}. */
    @SuppressWarnings("MissingOverride")
    public long checkAndGetApplicationLifetime(String queuePath, long asked) {
        return terms.lifetime(queuePath, asked);
    }

    @Override
    public long getMaximumApplicationLifetime(String queuePath) {
        return terms.longestLifetime(queuePath);
    }

    private Priority withinCluster(Priority wanted) {
        int most = getMaxClusterLevelAppPriority().getPriority();
        return Priority.newInstance(Math.min(wanted.getPriority(), most));
    }

    @Override
    public Priority updateApplicationPriority(
            Priority wanted, ApplicationId id, SettableFuture<Object> whenStored, UserGroupInformation user)
            throws YarnException {
        writeLock.lock();
        try {
            HeddleApplication application = applicationLifecycle.application(id);
            Priority allowed;
            if (application == null) {
                allowed = wanted;
            } else {
                allowed = terms.priority(application.leaf().getQueueName(), user, wanted);
            }
            return PriorityChange.of(applicationLifecycle, id, withinCluster(allowed), rmContext, whenStored);
        } finally {
            writeLock.unlock();
        }
    }

    // ---- seen from outside ----

    @Override
    public SchedulerSnapshot snapshot() {
        return reports.recent();
    }

    @Override
    public Map<String, QueueDetails> queueDetails() {
        return reports.queueDetails(getMaximumResourceCapability());
    }

    @Override
    public ClusterRules.Compatibility compatibility() {
        return queues.rules().compatibility();
    }

    @Override
    public @Nullable UsageReport usage(UsageQuery query) throws IOException {
        if (usage == null) {
            return null;
        }
        writeLock.lock();
        try {
            usage.refresh();
        } finally {
            writeLock.unlock();
        }
        return usage.report(query);
    }

    @Override
    public @Nullable List<LimitExceeded> shadowLimits() {
        writeLock.lock();
        try {
            return shadow == null ? null : shadow.shown();
        } finally {
            writeLock.unlock();
        }
    }

    @Override
    public History history() {
        return reports.history();
    }

    @Override
    public List<ConfigurationChange> configurationChanges() {
        return reports.configurationChanges();
    }

    @Override
    public List<NodeReport> nodes() {
        return reports.nodes();
    }

    @Override
    public @Nullable Waiting why(String applicationId) {
        return reports.why(applicationId);
    }

    /** A snapshot of this instant; does not use the last one. */
    public SchedulerSnapshot takeSnapshot() {
        return reports.now();
    }

    private void count(Map<String, Long> counters) {
        counters.put("containers-allocated", nodeAllocation.placed());
        counters.put("errors-contained", guard.contained());
        counters.put("applications", (long) applications.size());
        nodeHeartbeats.putInto(counters, "node-heartbeat");
        allocateCalls.putInto(counters, "allocate-call");
    }

    /** Runs under the scheduler's lock, after the engine has taken over the latest asks. */
    public final void underLock(Runnable work) {
        writeLock.lock();
        try {
            takeOverAsks();
            work.run();
        } finally {
            writeLock.unlock();
        }
    }

    public Collection<HeddleQueue> queues() {
        return queues.all();
    }

    /** Looks at the state under the scheduler's lock. */
    <T> T locked(Supplier<T> look) {
        writeLock.lock();
        try {
            return look.get();
        } finally {
            writeLock.unlock();
        }
    }

    SchedulerReports reports() {
        return reports;
    }
}
