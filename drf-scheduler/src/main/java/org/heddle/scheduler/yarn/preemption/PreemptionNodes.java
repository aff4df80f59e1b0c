// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.preemption;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerState;
import org.heddle.scheduler.engine.Schedulable;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.model.PreemptionSettings;
import org.heddle.scheduler.model.QueueSettings;
import org.heddle.scheduler.model.Vectors;
import org.heddle.scheduler.preemption.CandidateNode;
import org.heddle.scheduler.preemption.Starvation;
import org.heddle.scheduler.preemption.VictimCandidate;
import org.heddle.scheduler.preemption.VictimSelector;
import org.heddle.scheduler.yarn.app.HeddleApplication;
import org.heddle.scheduler.yarn.app.HeddleAttempt;
import org.heddle.scheduler.yarn.compat.ResourceVectors;
import org.heddle.scheduler.yarn.node.ContainerAllocator;
import org.heddle.scheduler.yarn.node.HeddleNode;
import org.heddle.scheduler.yarn.node.NodeReservations;
import org.jspecify.annotations.Nullable;

/**
 * Gives the {@link VictimSelector} its view of YARN's nodes and containers: on which nodes resources could be freed,
 * in which order the nodes are tried, and which containers may be preempted. Guarded by the scheduler's lock.
 */
final class PreemptionNodes {
    /**
     * The largest number of nodes that one choice compares; in a larger cluster these are nodes with containers of
     * the richest.
     */
    private static final int MOST_CANDIDATES = 64;

    private static final Set<RMContainerState> ENDED = Set.of(
            RMContainerState.COMPLETED, RMContainerState.KILLED, RMContainerState.RELEASED, RMContainerState.EXPIRED);

    private final ShareEngine engine;
    private final ResourceVectors vectors;
    private final NodeReservations reservations;
    private final ContainerAllocator allocator;
    private final Supplier<Collection<HeddleNode>> nodes;
    private final Function<ContainerId, @Nullable HeddleAttempt> attempts;
    private final WorkAtRisk work;
    /**
     * The schedulables that have starved for too long in this round, and those of them that are below their guarantee
     * or their share.
     */
    private Set<Schedulable> waitingTooLong = Set.of();

    private Set<Schedulable> starved = Set.of();

    PreemptionNodes(
            ShareEngine engine,
            ResourceVectors vectors,
            NodeReservations reservations,
            ContainerAllocator allocator,
            Supplier<Collection<HeddleNode>> nodes,
            Function<ContainerId, @Nullable HeddleAttempt> attempts,
            WorkAtRisk work) {
        this.engine = engine;
        this.vectors = vectors;
        this.reservations = reservations;
        this.allocator = allocator;
        this.nodes = nodes;
        this.attempts = attempts;
        this.work = work;
    }

    /** Sets the schedulables that have starved for too long. */
    void waiting(List<Starvation> due) {
        waitingTooLong = due.stream().map(Starvation::schedulable).collect(Collectors.toSet());
        starved = due.stream()
                .filter(starvation -> starvation.kind() != Starvation.Kind.RESERVATION_STUCK)
                .map(Starvation::schedulable)
                .collect(Collectors.toSet());
    }

    /**
     * Nodes on which the container could run: those that are not reserved, then those reserved for applications above
     * their share, then those reserved for other applications that have not starved for too long. An application that
     * has its share keeps a reservation only from others that have theirs, however long it has waited.
     */
    List<List<HeddleNode>> inOrder(PreemptionPlanner.Wish wish, long nowMillis) {
        List<List<HeddleNode>> inOrder = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        boolean stuck = wish.starvation().kind() == Starvation.Kind.RESERVATION_STUCK;
        for (HeddleNode node : likelyNodes()) {
            if (!couldRunOn(node, wish, nowMillis)) {
                continue;
            }
            HeddleAttempt holder = node.reservedFor();
            if (holder == null || !isReservedForOthers(node, wish)) {
                inOrder.get(0).add(node);
            } else if (!isBelowAny(holder, starved)
                    && VictimSelector.isAboveShare(
                            holder.application().schedulable(),
                            wish.starvation().schedulable())) {
                inOrder.get(1).add(node);
            } else if (!isBelowAny(holder, stuck ? waitingTooLong : starved)) {
                inOrder.get(2).add(node);
            }
        }
        return inOrder;
    }

    private static boolean isBelowAny(HeddleAttempt attempt, Set<Schedulable> schedulables) {
        for (Schedulable at = attempt.application().schedulable(); at != null; at = at.parent()) {
            if (schedulables.contains(at)) {
                return true;
            }
        }
        return false;
    }

    /** Nodes that are already reserved for this attempt. */
    List<HeddleNode> stuck(PreemptionPlanner.Wish wish, List<PendingPreemption> counted) {
        return reservations.held().stream()
                .filter(node -> wish.attempt().equals(node.reservedFor())
                        && counted.stream().noneMatch(preemption -> preemption.node.equals(node)))
                .toList();
    }

    private Collection<HeddleNode> likelyNodes() {
        Collection<HeddleNode> all = nodes.get();
        if (all.size() <= MOST_CANDIDATES) {
            return all;
        }
        Set<HeddleNode> likely = new LinkedHashSet<>();
        List<Schedulable> richest = new ArrayList<>();
        collectApplications(engine.root(), richest);
        richest.sort(Comparator.comparingDouble(PreemptionNodes::shareOfUser).reversed());
        Map<NodeId, HeddleNode> byId = new TreeMap<>();
        all.forEach(node -> byId.put(node.getNodeID(), node));
        for (Schedulable application : richest) {
            HeddleAttempt attempt = HeddleApplication.attemptOf(application);
            if (attempt != null) {
                for (RMContainer container : attempt.getLiveContainers()) {
                    HeddleNode node = byId.get(container.getAllocatedNode());
                    if (node != null && likely.add(node) && likely.size() >= MOST_CANDIDATES) {
                        return likely;
                    }
                }
            }
        }
        return likely;
    }

    private static double shareOfUser(Schedulable application) {
        Schedulable user = application.parent();
        return user == null ? 0 : user.normalizedShare();
    }

    private static void collectApplications(Schedulable schedulable, List<Schedulable> applications) {
        if (schedulable.isLeaf()) {
            applications.add(schedulable);
        }
        schedulable.children().forEach(child -> collectApplications(child, applications));
    }

    /** Whether the container could run on a node with enough free resources. */
    boolean mayRunOn(HeddleNode node, PreemptionPlanner.Wish wish, long nowMillis) {
        return !isReservedForOthers(node, wish) && couldRunOn(node, wish, nowMillis);
    }

    boolean isReservedForOthers(HeddleNode node, PreemptionPlanner.Wish wish) {
        return node.getReservedContainer() != null
                && !node.isReservedFor(wish.attempt(), wish.ask().key());
    }

    private boolean couldRunOn(HeddleNode node, PreemptionPlanner.Wish wish, long nowMillis) {
        return allocator.couldServe(wish.attempt(), wish.ask(), node, nowMillis);
    }

    CandidateNode candidate(
            HeddleNode node, Starvation starvation, List<PendingPreemption> counted, PreemptionSettings rules) {
        List<VictimCandidate> held = new ArrayList<>();
        Set<ContainerId> going = going(node, counted);
        for (RMContainer container : node.getCopiedListOfRunningContainers()) {
            HeddleAttempt owner = attempts.apply(container.getContainerId());
            if (owner != null
                    && isPreemptable(container, owner, rules)
                    && !work.endsInTime(container, starvation)
                    && !going.contains(container.getContainerId())) {
                held.add(held(new Victim(container, owner)));
            }
        }
        return new CandidateNode(node.getNodeID().toString(), roomAfter(node, counted), held, node);
    }

    /**
     * Resources that will be free on a node after the preemptions, and when all has ended that is expected to end soon.
     */
    long[] expectedRoom(HeddleNode node, Starvation starvation, List<PendingPreemption> counted) {
        long[] room = roomAfter(node, counted);
        Set<ContainerId> going = going(node, counted);
        for (RMContainer container : node.getCopiedListOfRunningContainers()) {
            if (!hasEnded(container)
                    && !going.contains(container.getContainerId())
                    && work.endsInTime(container, starvation)) {
                Vectors.add(room, vectors.of(container.getContainer().getResource()), 1);
            }
        }
        return room;
    }

    private long[] roomAfter(HeddleNode node, List<PendingPreemption> counted) {
        long[] free = comingRoom(node);
        for (PendingPreemption preemption : counted) {
            if (preemption.node.equals(node)) {
                for (Victim victim : preemption.marked.values()) {
                    Vectors.add(
                            free, vectors.of(victim.container().getContainer().getResource()), 1);
                }
                Vectors.add(free, preemption.size().need(), -preemption.left);
            }
        }
        return free;
    }

    private static Set<ContainerId> going(HeddleNode node, List<PendingPreemption> counted) {
        return counted.stream()
                .filter(preemption -> preemption.node.equals(node))
                .flatMap(preemption -> preemption.marked.keySet().stream())
                .collect(Collectors.toSet());
    }

    VictimCandidate held(Victim victim) {
        RMContainer container = victim.container();
        return new VictimCandidate(
                victim.attempt().application().schedulable(),
                vectors.of(container.getContainer().getResource()),
                container.isAMContainer(),
                container.isAMContainer() && victim.attempt().endsWithItsMaster(),
                container.getContainer().getPriority().getPriority(),
                container.getContainerId().getContainerId(),
                work.runMillis(container),
                work.share(container),
                victim);
    }

    static boolean hasEnded(RMContainer container) {
        return ENDED.contains(container.getState());
    }

    static boolean isPreemptable(RMContainer container, HeddleAttempt owner, PreemptionSettings rules) {
        return !hasEnded(container)
                && container.getExecutionType() == ExecutionType.GUARANTEED
                && !owner.isStopped()
                && (!container.isAMContainer() || (rules.masters() && !owner.holdsOpportunistic()))
                && owner.application().leaf().spec().get(QueueSettings.ALLOW_PREEMPTION_FROM);
    }

    /** Free resources, and those of ended containers that the node has not reported yet. */
    long[] comingRoom(HeddleNode node) {
        long[] room = vectors.room(node.getUnallocatedResource());
        for (RMContainer container : node.getCopiedListOfRunningContainers()) {
            if (hasEnded(container)) {
                Vectors.add(room, vectors.of(container.getContainer().getResource()), 1);
            }
        }
        return room;
    }
}
