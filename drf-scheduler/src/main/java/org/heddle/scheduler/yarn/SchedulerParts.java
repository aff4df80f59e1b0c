// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn;

import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ClusterNodeTracker;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplication;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.yarn.app.AmShare;
import org.heddle.scheduler.yarn.app.ApplicationLifecycle;
import org.heddle.scheduler.yarn.app.HeddleAttempt;
import org.heddle.scheduler.yarn.app.UnregisteredMasters;
import org.heddle.scheduler.yarn.compat.ResourceVectors;
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
import org.heddle.scheduler.yarn.queue.ImpossibleAsks;
import org.heddle.scheduler.yarn.queue.QueueHeadroom;
import org.heddle.scheduler.yarn.queue.QueueTree;
import org.heddle.scheduler.yarn.queue.SubmissionTerms;
import org.heddle.scheduler.yarn.report.Explainer;
import org.heddle.scheduler.yarn.report.SchedulerReports;
import org.heddle.scheduler.yarn.report.SchedulingActivities;
import org.heddle.scheduler.yarn.report.SnapshotTaker;
import org.heddle.scheduler.yarn.reservation.PlanQueues;
import org.heddle.settings.Clocks;
import org.jspecify.annotations.Nullable;

/** The parts of the scheduler, made once, each after those that it needs; and what several of them do together. */
final class SchedulerParts implements SchedulerReports.Access {
    final ConfiguredQueues configured;
    final QueueTree queues;
    final ShareEngine engine;
    final ResourceVectors vectors;
    final QueueHeadroom available;
    final PlanQueues plans;
    final SubmissionTerms terms;
    final ImpossibleAsks impossibleAsks;
    final UsageAndWeights usage;
    final Headroom headroom;
    final NodeReservations reservations;
    final DirectPlacement directly;
    final Preemptor preemptor;
    final NodeAllocation nodeAllocation;
    final ImmediatePlacement placement;
    final PlacementTrigger trigger;
    final ApplicationLifecycle applications;
    final NodeLifecycle nodes;
    final SchedulingActivities activities;
    final SchedulerReports reports;
    final OperationTimes nodeHeartbeats = new OperationTimes();
    final OperationTimes allocateCalls = new OperationTimes();

    private final SchedulerHost host;
    private final ChangedAsks changedAsks = new ChangedAsks();

    SchedulerParts(SchedulerHost host, ConfiguredQueues configured, Configuration conf) {
        this.host = host;
        this.configured = configured;
        // 1. Queues
        queues = configured.tree;
        engine = queues.engine();
        vectors = queues.vectors();
        available = new QueueHeadroom(queues, engine, vectors);
        plans = new PlanQueues(queues, engine, vectors, host.lock());
        terms = new SubmissionTerms(queues);
        impossibleAsks = new ImpossibleAsks(queues, vectors);
        usage = new UsageAndWeights(queues, conf);
        // 2. Nodes, and which container may go to which
        NodeIndex index = index(vectors, conf);
        ClusterPlaces places = new ClusterPlaces(index);
        AllocationDelays delays = new AllocationDelays();
        Feasibility feasibility = feasibility(host, queues, places);
        ContainerAllocator allocator = new ContainerAllocator(feasibility, places, delays);
        headroom = new Headroom(vectors, queues.limits().labels());
        reservations = new NodeReservations(engine, queues, vectors, feasibility);
        directly = new DirectPlacement(engine, queues, vectors, feasibility);
        preemptor = preemptor(host, queues, reservations, allocator);
        nodeAllocation =
                new NodeAllocation(queues, reservations, preemptor, feasibility, allocator, host.nodes()::nodeCount);
        placement = new ImmediatePlacement(engine, index, allocator, YarnConfiguration.getSkipNodeInterval(conf));
        placement.configure(queues.spec().rules());
        trigger = new PlacementTrigger(
                placement,
                host.lock(),
                this::takeOverAsks,
                () -> host.nodes().nodeCount() > 0 && mayAllocate(),
                () -> host.guard().run(() -> "a pass of immediate allocation", this::placeNow),
                event ->
                        host.resourceManager().getDispatcher().getEventHandler().handle(event));
        // 3. Events
        applications = new ApplicationLifecycle(host, queues, plans, reservations::releaseAll, changedAsks::add);
        nodes = new NodeLifecycle(host, conf, queues, reservations, preemptor, placement, headroom);
        // 4. Reports
        UnregisteredMasters masters = new UnregisteredMasters(host.resourceManager());
        Explainer explainer = new Explainer(queues, feasibility, masters, preemptor::waitsForCredit);
        activities = new SchedulingActivities(
                host.resourceManager(), queues, explainer, this::currentAttempt, host.nodes()::getNode, host.clocks());
        activities.init(conf);
        SnapshotTaker snapshots =
                new SnapshotTaker(queues, configured.orders, feasibility, delays, reservations, preemptor);
        reports = new SchedulerReports(this, queues, snapshots, explainer, applications, configured.configuration);
    }

    private static NodeIndex index(ResourceVectors vectors, Configuration conf) {
        long heartbeatMillis = conf.getLong(
                YarnConfiguration.RM_NM_HEARTBEAT_INTERVAL_MS, YarnConfiguration.DEFAULT_RM_NM_HEARTBEAT_INTERVAL_MS);
        SplittableRandom random = new SplittableRandom(ConfiguredQueues.SEED);
        return new NodeIndex(vectors, random, Math.max(1, heartbeatMillis));
    }

    private static Feasibility feasibility(SchedulerHost host, QueueTree queues, ClusterPlaces places) {
        return new Feasibility(
                queues.engine(),
                queues,
                queues.vectors(),
                new AmShare(queues.engine(), queues),
                new MinimumOffers(queues.engine(), queues.vectors()),
                places,
                host.resourceManager());
    }

    private static Preemptor preemptor(
            SchedulerHost host, QueueTree queues, NodeReservations reservations, ContainerAllocator allocator) {
        return new Preemptor(
                queues, reservations, allocator, host.nodes()::getAllNodes, host::attempt, host::kill, host.clocks());
    }

    /** The current attempt of an application; null if it has ended. */
    @Nullable
    HeddleAttempt currentAttempt(ApplicationId id) {
        SchedulerApplication<HeddleAttempt> application = host.applications().get(id);
        return application == null ? null : application.getCurrentAppAttempt();
    }

    /**
     * Whether the ResourceManager has waited for the nodes to report what runs on them. It may be asked only when there
     * are nodes: while it recovers, before any can register, it has not set the wait yet, says yes, and never waits
     * again.
     */
    boolean mayAllocate() {
        RMContext context = host.resourceManager();
        return !context.isWorkPreservingRecoveryEnabled() || context.isSchedulerReadyForAllocatingContainers();
    }

    /** Takes changed asks of ApplicationMasters over into the engine. */
    void takeOverAsks() {
        if (changedAsks.takeOver(host.applications(), applications)) {
            placement.asksArrived();
        }
    }

    /** One pass of immediate allocation. */
    private void placeNow() {
        long nowMillis = host.clocks().millis();
        queues.limits().refresh();
        reservations.beginPass(nowMillis);
        activities.during(() -> nodeAllocation.placedElsewhere(placement.serve(queues.spec(), nowMillis)));
        reservations.endPass();
        nodes.publishRoot();
    }

    /** Another specification is in force. */
    void reconfigured() {
        usage.tickWeights();
        applications.configurationChanged();
        placement.configure(queues.spec().rules());
        trigger.run();
    }

    // ---- for reports ----

    @Override
    public <T> T locked(Supplier<T> look) {
        host.lock().lock();
        try {
            takeOverAsks();
            queues.limits().refresh();
            return look.get();
        } finally {
            host.lock().unlock();
        }
    }

    @Override
    public void count(Map<String, Long> counters) {
        counters.put("containers-allocated", nodeAllocation.placed());
        counters.put("errors-contained", host.guard().contained());
        counters.put("applications", (long) host.applications().size());
        nodeHeartbeats.putInto(counters, "node-heartbeat");
        allocateCalls.putInto(counters, "allocate-call");
        counters.putAll(preemptor.counters());
    }

    @Override
    public ClusterNodeTracker<HeddleNode> nodeTracker() {
        return host.nodes();
    }

    @Override
    public Clocks clocks() {
        return host.clocks();
    }
}
