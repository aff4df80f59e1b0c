// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn;

import static org.mockito.Mockito.RETURNS_DEEP_STUBS;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.event.Event;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ClusterNodeTracker;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplication;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerUtils;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppAddedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppAttemptAddedSchedulerEvent;
import org.heddle.scheduler.config.read.Samples;
import org.heddle.scheduler.engine.Schedulable;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.model.SchedulerSpec;
import org.heddle.scheduler.policy.ShareOrders;
import org.heddle.scheduler.yarn.app.AmShare;
import org.heddle.scheduler.yarn.app.ApplicationLifecycle;
import org.heddle.scheduler.yarn.app.HeddleApplication;
import org.heddle.scheduler.yarn.app.HeddleAttempt;
import org.heddle.scheduler.yarn.app.SchedulerContext;
import org.heddle.scheduler.yarn.compat.ResourceVectors;
import org.heddle.scheduler.yarn.node.AllocationDelays;
import org.heddle.scheduler.yarn.node.ContainerAllocator;
import org.heddle.scheduler.yarn.node.Feasibility;
import org.heddle.scheduler.yarn.node.HeartbeatOffer;
import org.heddle.scheduler.yarn.node.HeddleNode;
import org.heddle.scheduler.yarn.node.MinimumOffers;
import org.heddle.scheduler.yarn.node.NodeReservations;
import org.heddle.scheduler.yarn.placement.ClusterPlaces;
import org.heddle.scheduler.yarn.placement.NodeIndex;
import org.heddle.scheduler.yarn.preemption.Preemptor;
import org.heddle.scheduler.yarn.queue.HeddleQueue;
import org.heddle.scheduler.yarn.queue.QueueTree;
import org.heddle.scheduler.yarn.reservation.PlanQueues;
import org.heddle.settings.Clocks;
import org.jspecify.annotations.Nullable;

/**
 * The parts of the scheduler without a ResourceManager, for unit tests of one of them: queues, engine, applications and
 * nodes are real, and Hadoop's objects around them are mocks. Containers have 1,000 MB for each core.
 */
public final class PartsFixture {
    private static final long CLUSTER_START = 1;

    public final FakeClock clock = new FakeClock();
    public final ResourceVectors vectors = new ResourceVectors();
    public final ShareEngine engine;
    public final QueueTree queues;
    public final NodeReservations reservations;
    private final ContainerAllocator allocator;
    public final ApplicationLifecycle lifecycle;
    public final Preemptor preemptor;
    public final ConcurrentMap<ApplicationId, RMApp> rmApps = new ConcurrentHashMap<>();
    /** Everything that was sent to the ResourceManager. */
    public final List<Event<?>> events = new ArrayList<>();
    /** Containers that preemption has killed. */
    public final List<ContainerId> killed = new ArrayList<>();
    /** Containers that the lifecycle has ended. */
    public final List<ContainerId> terminated = new ArrayList<>();
    /** Attempts whose reserved nodes were released. */
    public final List<HeddleAttempt> unreserved = new ArrayList<>();
    /** Applications that were admitted, whatever the access lists of their queue say. */
    public final List<ApplicationId> admitted = new ArrayList<>();

    private final RMContext context = mock(RMContext.class, RETURNS_DEEP_STUBS);
    private final ClusterNodeTracker<HeddleNode> nodes = new ClusterNodeTracker<>();
    private int submitted;

    /** @param content of the file's root element: queues and settings */
    public PartsFixture(String content) throws Exception {
        SchedulerSpec spec = Samples.read("<heddle-scheduler version=\"1\"><scheduling-delays><node-locality>0s"
                + "</node-locality><rack-locality>0s</rack-locality></scheduling-delays>" + content
                + "</heddle-scheduler>");
        YarnConfiguration conf = new YarnConfiguration();
        when(context.getRMApps()).thenReturn(rmApps);
        when(context.getYarnConfiguration()).thenReturn(conf);
        when(context.getDispatcher().getEventHandler()).thenReturn(events::add);
        ShareOrders orders = new ShareOrders();
        SplittableRandom random = new SplittableRandom(1);
        engine = new ShareEngine(vectors.size(), orders.create(spec.root().order(), random), () -> true);
        queues = new QueueTree(spec, engine, vectors, orders, random, conf, "parts");
        ClusterPlaces places = new ClusterPlaces(new NodeIndex(vectors, random, 1_000));
        Feasibility feasibility = new Feasibility(
                engine,
                queues,
                vectors,
                new AmShare(engine, queues),
                new MinimumOffers(engine, vectors),
                places,
                context);
        reservations = new NodeReservations(engine, queues, vectors, feasibility);
        allocator = new ContainerAllocator(feasibility, places, new AllocationDelays());
        lifecycle = new ApplicationLifecycle(
                new Scheduler(),
                queues,
                new PlanQueues(queues, engine, vectors, new ReentrantLock()),
                attempt -> {
                    unreserved.add(attempt);
                    reservations.releaseAll(attempt);
                },
                attempt -> {});
        preemptor = new Preemptor(
                queues,
                reservations,
                allocator,
                this::nodes,
                this::owner,
                container -> {
                    killed.add(container.getContainerId());
                    end(container);
                },
                clock.withDatesThatStep());
    }

    private final class Scheduler implements SchedulerContext {
        private final ConcurrentMap<ApplicationId, SchedulerApplication<HeddleAttempt>> applications =
                new ConcurrentHashMap<>();

        @Override
        public RMContext resourceManager() {
            return context;
        }

        @Override
        public ConcurrentMap<ApplicationId, SchedulerApplication<HeddleAttempt>> applications() {
            return applications;
        }

        @Override
        public Clocks clocks() {
            return clock.withDatesThatStep();
        }

        @Override
        public boolean isAdmitted(ApplicationId application) {
            return admitted.contains(application);
        }

        @Override
        public void end(RMContainer container, String diagnostics, RMContainerEventType event) {
            terminated.add(container.getContainerId());
            PartsFixture.this.end(container);
        }
    }

    private @Nullable HeddleAttempt owner(ContainerId container) {
        HeddleApplication application =
                lifecycle.application(container.getApplicationAttemptId().getApplicationId());
        return application == null ? null : application.getCurrentAppAttempt();
    }

    private Collection<HeddleNode> nodes() {
        return nodes.getAllNodes();
    }

    /** Adds a node. */
    public HeddleNode node(String name, int cores) {
        RMNode rmNode = mock(RMNode.class);
        NodeId id = NodeId.newInstance(name, 1);
        when(rmNode.getNodeID()).thenReturn(id);
        when(rmNode.getHostName()).thenReturn(name);
        when(rmNode.getNodeAddress()).thenReturn(name + ":1");
        when(rmNode.getHttpAddress()).thenReturn(name + ":2");
        when(rmNode.getRackName()).thenReturn("/rack");
        when(rmNode.getNodeLabels()).thenReturn(Set.of());
        when(rmNode.getState()).thenReturn(NodeState.RUNNING);
        when(rmNode.getTotalCapability()).thenReturn(size(cores));
        HeddleNode node = new HeddleNode(rmNode, false);
        nodes.addNode(node);
        engine.setCapacity(vectors.of(nodes.getClusterCapacity()), nodes.nodeCount());
        return node;
    }

    public static Resource size(int cores) {
        return Resource.newInstance(1_000 * cores, cores);
    }

    /** The id of an application that is new. */
    public ApplicationId newId() {
        ApplicationId id = ApplicationId.newInstance(CLUSTER_START, ++submitted);
        RMApp rmApp = mock(RMApp.class);
        ApplicationSubmissionContext submission = ApplicationSubmissionContext.newInstance(
                id, "app", "default", Priority.newInstance(0), null, true, true, 2, size(1));
        when(rmApp.getApplicationId()).thenReturn(id);
        when(rmApp.getApplicationSubmissionContext()).thenReturn(submission);
        rmApps.put(id, rmApp);
        return id;
    }

    /** An application that must be there. */
    public HeddleApplication application(ApplicationId id) {
        return Objects.requireNonNull(lifecycle.application(id), id::toString);
    }

    /** An application whose ApplicationMaster has no container, with an attempt. */
    public HeddleAttempt app(String user, String queue) {
        ApplicationId id = newId();
        admitted.add(id);
        lifecycle.add(new AppAddedSchedulerEvent(id, queue, user));
        return attempt(id, 1, false);
    }

    /** Begins an attempt. */
    public HeddleAttempt attempt(ApplicationId id, int number, boolean takesOver) {
        lifecycle.addAttempt(
                new AppAttemptAddedSchedulerEvent(ApplicationAttemptId.newInstance(id, number), takesOver));
        HeddleAttempt attempt = application(id).getCurrentAppAttempt();
        attempt.syncAsks();
        return attempt;
    }

    /** Asks for this many containers of a size, anywhere, instead of what was asked for with the same priority. */
    public void ask(HeddleAttempt attempt, int count, int cores) {
        attempt.updateResourceRequests(List.of(request(count, cores)));
        attempt.syncAsks();
    }

    public static ResourceRequest request(int count, int cores) {
        return ResourceRequest.newInstance(Priority.newInstance(1), ResourceRequest.ANY, size(cores), count);
    }

    /** A heartbeat of a node: allocates what fits. */
    public void offer(HeddleNode node) {
        long[] free = vectors.of(node.getUnallocatedResource());
        engine.offer(free, Integer.MAX_VALUE, clock.getTime(), heartbeat(node).filling(free));
    }

    /** Reserves a node for the application that is next, whose ask fits nowhere. */
    public void reserve(HeddleNode node) {
        offer(node);
        offer(node);
        clock.tick(queues.spec().schedulingDelays().reservation());
        offer(node);
        reservations.consider(node, heartbeat(node), nodes.nodeCount(), clock.getTime());
    }

    public HeartbeatOffer heartbeat(HeddleNode node) {
        return new HeartbeatOffer(allocator, node, queues.spec(), clock.getTime());
    }

    /** Ends a container, as the scheduler does. */
    public void end(RMContainer container) {
        HeddleNode node = nodes.getNode(container.getAllocatedNode());
        HeddleAttempt owner = Objects.requireNonNull(owner(container.getContainerId()));
        boolean ended = owner.completed(
                container,
                SchedulerUtils.createAbnormalContainerStatus(container.getContainerId(), "ended"),
                RMContainerEventType.KILL);
        if (ended) {
            node.releaseContainer(container.getContainerId(), true);
            preemptor.ended(container, node, clock.getTime());
        }
    }

    /** The containers of an attempt on a node, the youngest first. */
    public static List<RMContainer> on(HeddleNode node, HeddleAttempt attempt) {
        return attempt.getLiveContainers().stream()
                .filter(container -> container.getAllocatedNode().equals(node.getNodeID()))
                .sorted((a, b) -> b.getContainerId().compareTo(a.getContainerId()))
                .toList();
    }

    public HeddleQueue queue(String path) {
        return Objects.requireNonNull(queues.find(path), path);
    }

    public static Schedulable schedulable(HeddleAttempt attempt) {
        return attempt.application().schedulable();
    }
}
