// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceOption;
import org.apache.hadoop.yarn.server.api.protocolrecords.NMContainerStatus;
import org.apache.hadoop.yarn.server.api.records.NodeAction;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerState;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeEventType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.ContainerExpiredSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.ContainerPreemptEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeResourceUpdateSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.ReleaseContainerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEventType;
import org.heddle.scheduler.yarn.node.HeddleNode;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of {@link ChaosTest}, and what runs on them: a ResourceManager that starts anew hears that from them alone.
 * Each method may be called from any thread.
 */
final class ChaosNodes {
    private static final int FEWEST = 3;
    private static final int MOST = 10;
    private static final Set<RMContainerState> ENDED = EnumSet.of(
            RMContainerState.COMPLETED, RMContainerState.KILLED, RMContainerState.RELEASED, RMContainerState.EXPIRED);

    private final RmFixture fixture;
    private final SplittableRandom random;
    private final Map<NodeId, Map<ContainerId, NMContainerStatus>> running = new LinkedHashMap<>();
    /** Nodes that the ResourceManager does not hear of, and whose containers go on. */
    private final List<MockNM> away = new ArrayList<>();

    private int made;

    ChaosNodes(RmFixture fixture, SplittableRandom random) {
        this.fixture = fixture;
        this.random = random;
    }

    private MockNM any() {
        return ChaosTest.some(fixture.nodes.values(), random);
    }

    synchronized String anyHost() {
        return fixture.nodes.isEmpty() ? "no-such-host" : ChaosTest.some(fixture.nodes.keySet(), random);
    }

    private Map<ContainerId, NMContainerStatus> on(MockNM node) {
        return running.computeIfAbsent(node.getNodeId(), id -> new LinkedHashMap<>());
    }

    synchronized void add() throws Exception {
        if (fixture.nodes.size() < MOST) {
            made++;
            fixture.node("127.2." + made / 200 + "." + (1 + made % 200), 8_000 + 4_000 * random.nextInt(3), 8);
        }
    }

    /** For good, or with a network that comes back: then its containers have gone on. */
    synchronized void lose() throws Exception {
        if (fixture.nodes.size() > FEWEST) {
            MockNM lost = any();
            if (seen(lost) == null) {
                gone(lost);
                return;
            }
            fixture.nodes.values().remove(lost);
            fixture.rm.sendNodeLost(lost);
            if (random.nextBoolean()) {
                away.add(lost);
            } else {
                running.remove(lost.getNodeId());
            }
        }
    }

    /** One that was lost registers with what runs on it. */
    synchronized void comeBack() throws Exception {
        if (!away.isEmpty() && fixture.nodes.size() < MOST) {
            MockNM node = away.remove(random.nextInt(away.size()));
            fixture.nodes.put(node.getNodeId().getHost(), node);
            register(node);
        }
    }

    /** The daemon of a node is restarted: with its containers, without them, or with more or less room. */
    synchronized void reconnect() throws Exception {
        MockNM node = any();
        if (seen(node) == null) {
            gone(node);
            return;
        }
        switch (random.nextInt(3)) {
            case 0 -> on(node).clear();
            case 1 -> {
                node = new MockNM(
                        node.getNodeId().toString(),
                        8_000 + 4_000 * random.nextInt(3),
                        8,
                        fixture.rm.getResourceTrackerService());
                fixture.nodes.put(node.getNodeId().getHost(), node);
            }
            default -> {}
        }
        register(node);
    }

    private void register(MockNM node) throws Exception {
        node.setResourceTrackerService(fixture.rm.getResourceTrackerService());
        List<NMContainerStatus> reports = new ArrayList<>();
        for (NMContainerStatus report : List.copyOf(on(node).values())) {
            if (random.nextInt(10) == 0) { // it has ended while nobody listened
                on(node).remove(report.getContainerId());
                report.setContainerState(ContainerState.COMPLETE);
            }
            reports.add(report);
        }
        List<ApplicationId> applications = reports.stream()
                .map(report -> report.getContainerId().getApplicationAttemptId().getApplicationId())
                .distinct()
                .toList();
        if (node.registerNode(reports, applications).getNodeAction() != NodeAction.NORMAL) {
            gone(node);
        }
        fixture.rm.drainEvents();
    }

    /** After a new ResourceManager has started: some nodes register at once, some later or never. */
    synchronized void registerAgain(Runnable meanwhile) throws Exception {
        List<MockNM> all = new ArrayList<>(fixture.nodes.values());
        fixture.nodes.clear();
        while (!all.isEmpty()) {
            MockNM node = all.remove(random.nextInt(all.size()));
            if (fixture.nodes.size() >= FEWEST && random.nextInt(8) == 0) {
                away.add(node);
            } else {
                fixture.nodes.put(node.getNodeId().getHost(), node);
                register(node);
            }
            if (random.nextBoolean()) {
                meanwhile.run();
            }
        }
    }

    synchronized void resize() {
        MockNM node = any();
        RMNode seen = seen(node);
        if (seen == null) {
            return;
        }
        fixture.scheduler()
                .handle(new NodeResourceUpdateSchedulerEvent(
                        seen,
                        ResourceOption.newInstance(
                                Resource.newInstance(4_000 + 4_000 * random.nextInt(4), 4 + random.nextInt(8)),
                                random.nextBoolean() ? -1 : 0)));
    }

    /** Null if it has been decommissioned. */
    private @Nullable RMNode seen(MockNM node) {
        return fixture.rm.getRMContext().getRMNodes().get(node.getNodeId());
    }

    /** It is ill, and with the next heartbeat that says nothing of it well again. Its containers end. */
    synchronized void fallIll() throws Exception {
        MockNM node = any();
        if (seen(node) != null && fixture.nodes.size() > FEWEST) {
            on(node).clear();
            node.nodeHeartbeat(false);
        }
    }

    /** It leaves the cluster, at once or when its applications have ended; some come back meanwhile, some later. */
    synchronized void decommission() throws Exception {
        MockNM node = any();
        RMNode seen = seen(node);
        if (seen == null || fixture.nodes.size() <= FEWEST) {
            return;
        }
        if (seen.getState() == NodeState.DECOMMISSIONING) {
            fixture.rm.sendNodeEvent(node, RMNodeEventType.RECOMMISSION);
        } else if (seen.getState() == NodeState.RUNNING && random.nextBoolean()) {
            fixture.rm.sendNodeGracefulDecommission(node, 60);
        } else {
            fixture.rm.sendNodeEvent(node, RMNodeEventType.DECOMMISSION);
            gone(node);
        }
    }

    private void gone(MockNM node) {
        fixture.nodes.values().remove(node);
        running.remove(node.getNodeId());
        away.add(node);
    }

    synchronized void relabel() throws Exception {
        String label = List.of("", "", "own", "lent").get(random.nextInt(4));
        fixture.rm
                .getRMContext()
                .getNodeLabelManager()
                .replaceLabelsOnNode(Map.of(
                        NodeId.newInstance(any().getNodeId().getHost(), 0),
                        label.isEmpty() ? Set.of() : Set.of(label)));
    }

    /** Containers on it start, and some of them end; what grew is confirmed, but not always. */
    synchronized void heartbeat() throws Exception {
        MockNM node = any();
        fixture.clock.tick(100);
        RMNode seen = seen(node);
        if (seen == null) {
            gone(node); // it had been told to leave when its applications had ended
            return;
        }
        List<ContainerStatus> statuses = new ArrayList<>();
        List<Container> grown = new ArrayList<>();
        for (RMContainer container : runningOn(node)) {
            if (container.getState() == RMContainerState.ALLOCATED) {
                continue; // its master has not fetched it yet
            }
            boolean over = ENDED.contains(container.getState());
            boolean ends = over ? random.nextBoolean() : !container.isAMContainer() && random.nextInt(8) == 0;
            if (ends) {
                on(node).remove(container.getContainerId());
            } else {
                on(node).put(container.getContainerId(), report(container));
                if (container.getState() == RMContainerState.RUNNING
                        && !container.getAllocatedResource().equals(container.getLastConfirmedResource())
                        && random.nextBoolean()) {
                    grown.add(container.getContainer());
                }
            }
            statuses.add(ContainerStatus.newInstance(
                    container.getContainerId(),
                    container.getExecutionType(),
                    ends ? ContainerState.COMPLETE : ContainerState.RUNNING,
                    "",
                    0));
        }
        node.nodeHeartbeat(
                statuses, grown, true, seen.getLastNodeHeartBeatResponse().getResponseId());
    }

    /** Without those that are new: they are only the part by which others shrink, of which a node does not know. */
    private List<RMContainer> runningOn(MockNM node) {
        HeddleNode known = fixture.scheduler().getSchedulerNode(node.getNodeId());
        List<RMContainer> there = known == null ? List.of() : known.getCopiedListOfRunningContainers();
        return there.stream()
                .filter(container -> container.getState() != RMContainerState.NEW)
                .toList();
    }

    private static NMContainerStatus report(RMContainer container) {
        Container seen = container.getContainer();
        return NMContainerStatus.newInstance(
                container.getContainerId(),
                seen.getVersion(),
                ContainerState.RUNNING,
                seen.getResource(),
                "",
                0,
                seen.getPriority(),
                container.getCreationTime(),
                container.getNodeLabelExpression(),
                container.getExecutionType(),
                seen.getAllocationRequestId());
    }

    /** A container on some node ends with an error. */
    synchronized void fail(Container container) throws Exception {
        MockNM node = fixture.nodes.get(container.getNodeId().getHost());
        if (node != null) {
            on(node).remove(container.getId());
            node.nodeHeartbeat(
                    List.of(ContainerStatus.newInstance(container.getId(), ContainerState.COMPLETE, "failed", 1)),
                    true);
        }
    }

    /** One container ends, in a way that is not its node's doing, perhaps once more than it can. */
    synchronized void endContainer() {
        List<RMContainer> there = runningOn(any());
        if (there.isEmpty()) {
            return;
        }
        RMContainer container = ChaosTest.some(there, random);
        if (!container.isAMContainer()) {
            switch (random.nextInt(5)) {
                case 0 -> fixture.scheduler().handle(new ContainerExpiredSchedulerEvent(container.getContainerId()));
                case 1 ->
                    fixture.scheduler().handle(new ContainerExpiredSchedulerEvent(container.getContainerId(), true));
                case 2 -> fixture.scheduler().handle(new ReleaseContainerEvent(container));
                case 3 ->
                    fixture.scheduler()
                            .handle(new ContainerPreemptEvent(
                                    container.getApplicationAttemptId(),
                                    container,
                                    SchedulerEventType.MARK_CONTAINER_FOR_PREEMPTION));
                default -> fixture.scheduler().killContainer(container);
            }
        }
    }

    /** All that still runs has ended. */
    synchronized void finishEverything() throws Exception {
        for (MockNM node : fixture.nodes.values()) { // masters that said good-bye still have to exit
            List<ContainerStatus> ended = new ArrayList<>();
            for (RMContainer container : runningOn(node)) {
                ended.add(ContainerStatus.newInstance(container.getContainerId(), ContainerState.COMPLETE, "", 0));
            }
            node.nodeHeartbeat(ended, true);
            fixture.rm.drainEvents();
        }
        fixture.heartbeat();
    }
}
