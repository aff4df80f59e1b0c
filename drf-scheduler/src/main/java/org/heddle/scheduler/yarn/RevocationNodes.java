// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn;

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
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerAppUtils;
import org.heddle.scheduler.engine.Claim;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.model.Revocation;
import org.heddle.scheduler.model.Vectors;
import org.heddle.scheduler.revocation.Candidate;
import org.heddle.scheduler.revocation.Grievance;
import org.heddle.scheduler.revocation.Held;
import org.heddle.scheduler.revocation.VictimChoice;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows the {@link VictimChoice} YARN's nodes and containers: where room could be made, in which order that is looked at,
 * and what may go there. Guarded by the scheduler's lock.
 */
final class RevocationNodes {
    private static final Logger LOG = LoggerFactory.getLogger(RevocationNodes.class);
    /** So many nodes are compared at each choice; in a larger cluster those with containers of the richest. */
    private static final int MOST_CANDIDATES = 64;

    private static final Set<RMContainerState> ENDED = Set.of(
            RMContainerState.COMPLETED, RMContainerState.KILLED, RMContainerState.RELEASED, RMContainerState.EXPIRED);

    private final ShareEngine engine;
    private final ResourceVectors vectors;
    private final Reservations reservations;
    private final NodePass pass;
    private final Supplier<Collection<HeddleNode>> nodes;
    private final Function<ContainerId, @Nullable HeddleAttempt> attempts;
    /** Who has waited too long, as of this round; and those of them who are below their guarantee or share. */
    private Set<Claim> aggrieved = Set.of();

    private Set<Claim> starved = Set.of();

    RevocationNodes(
            ShareEngine engine,
            ResourceVectors vectors,
            Reservations reservations,
            NodePass pass,
            Supplier<Collection<HeddleNode>> nodes,
            Function<ContainerId, @Nullable HeddleAttempt> attempts) {
        this.engine = engine;
        this.vectors = vectors;
        this.reservations = reservations;
        this.pass = pass;
        this.nodes = nodes;
        this.attempts = attempts;
    }

    /** Takes note of who has waited too long. */
    void waiting(List<Grievance> due) {
        aggrieved = due.stream().map(Grievance::claim).collect(Collectors.toSet());
        starved = due.stream()
                .filter(grievance -> grievance.kind() != Grievance.Kind.RESERVATION_STUCK)
                .map(Grievance::claim)
                .collect(Collectors.toSet());
    }

    /**
     * Where the container could run: nodes that are not reserved, then those reserved for somebody who is above its share,
     * then those for others who miss nothing.
     */
    List<List<HeddleNode>> inOrder(RevocationPlan.Wish wish, long nowMillis) {
        List<List<HeddleNode>> inOrder = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        for (HeddleNode node : likelyNodes()) {
            if (!couldRunOn(node, wish, nowMillis)) {
                continue;
            }
            HeddleAttempt holder = node.reservedFor();
            if (holder == null || !isReservedForOthers(node, wish)) {
                inOrder.get(0).add(node);
            } else if (!isBelowAny(holder, starved)
                    && VictimChoice.isAboveShare(
                            holder.application().claim(), wish.grievance().claim())) {
                inOrder.get(1).add(node);
            } else if (!isBelowAny(holder, aggrieved)) {
                inOrder.get(2).add(node);
            }
        }
        return inOrder;
    }

    private static boolean isBelowAny(HeddleAttempt attempt, Set<Claim> claims) {
        for (Claim at = attempt.application().claim(); at != null; at = at.parent()) {
            if (claims.contains(at)) {
                return true;
            }
        }
        return false;
    }

    /** Nodes that are reserved for it already. */
    List<HeddleNode> stuck(RevocationPlan.Wish wish, List<Deal> counted) {
        return reservations.held().stream()
                .filter(node -> wish.attempt().equals(node.reservedFor())
                        && counted.stream().noneMatch(deal -> deal.node.equals(node)))
                .toList();
    }

    private Collection<HeddleNode> likelyNodes() {
        Collection<HeddleNode> all = nodes.get();
        if (all.size() <= MOST_CANDIDATES) {
            return all;
        }
        Set<HeddleNode> likely = new LinkedHashSet<>();
        List<Claim> richest = new ArrayList<>();
        collectApplications(engine.root(), richest);
        richest.sort(Comparator.comparingDouble(RevocationNodes::standingOfUser).reversed());
        Map<NodeId, HeddleNode> byId = new TreeMap<>();
        all.forEach(node -> byId.put(node.getNodeID(), node));
        for (Claim application : richest) {
            HeddleApplication owner = (HeddleApplication) application.owner();
            HeddleAttempt attempt = owner == null ? null : owner.getCurrentAppAttempt();
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

    private static double standingOfUser(Claim application) {
        Claim user = application.parent();
        return user == null ? 0 : user.standing();
    }

    private static void collectApplications(Claim claim, List<Claim> applications) {
        if (claim.isLeaf()) {
            applications.add(claim);
        }
        claim.children().forEach(child -> collectApplications(child, applications));
    }

    /** Whether the container could run on a node if there were room. */
    boolean mayRunOn(HeddleNode node, RevocationPlan.Wish wish, long nowMillis) {
        return !isReservedForOthers(node, wish) && couldRunOn(node, wish, nowMillis);
    }

    boolean isReservedForOthers(HeddleNode node, RevocationPlan.Wish wish) {
        return node.getReservedContainer() != null && !reservations.isHeldFor(node, wish.attempt(), wish.key());
    }

    private boolean couldRunOn(HeddleNode node, RevocationPlan.Wish wish, long nowMillis) {
        if (node.getRMNode().getState() != NodeState.RUNNING
                || !wish.shape().fits(vectors.of(node.getTotalResource()))
                || SchedulerAppUtils.isPlaceBlacklisted(wish.attempt(), node, LOG)) {
            return false;
        }
        return pass.onAnyTerms(node, nowMillis).suits(wish.attempt(), wish.key(), wish.shape()) != null;
    }

    Candidate candidate(HeddleNode node, List<Deal> counted, Revocation rules) {
        List<Held> held = new ArrayList<>();
        Set<ContainerId> going = new LinkedHashSet<>();
        long[] free = comingRoom(node);
        for (Deal deal : counted) {
            if (!deal.node.equals(node)) {
                continue;
            }
            for (Victim victim : deal.marked.values()) {
                going.add(victim.id());
                Vectors.add(free, vectors.of(victim.container().getContainer().getResource()), 1);
            }
            Vectors.add(free, deal.shape.need(), -deal.left);
        }
        for (RMContainer container : node.getCopiedListOfRunningContainers()) {
            HeddleAttempt owner = attempts.apply(container.getContainerId());
            if (owner != null && isRevocable(container, owner, rules) && !going.contains(container.getContainerId())) {
                held.add(held(new Victim(container, owner)));
            }
        }
        return new Candidate(node.getNodeID().toString(), free, held, node);
    }

    Held held(Victim victim) {
        RMContainer container = victim.container();
        return new Held(
                victim.attempt().application().claim(),
                vectors.of(container.getContainer().getResource()),
                container.isAMContainer(),
                container.isAMContainer() && victim.attempt().endsWithItsMaster(),
                container.getContainer().getPriority().getPriority(),
                container.getContainerId().getContainerId(),
                victim);
    }

    static boolean isRevocable(RMContainer container, HeddleAttempt owner, Revocation rules) {
        return !ENDED.contains(container.getState())
                && container.getExecutionType() == ExecutionType.GUARANTEED
                && !owner.isStopped()
                && (!container.isAMContainer() || (rules.masters() && !owner.holdsOpportunistic()))
                && owner.application().leaf().spec().protection().revocable();
    }

    /** Free room, and that of containers which have ended although the node has not said so yet. */
    long[] comingRoom(HeddleNode node) {
        long[] room = vectors.of(node.getUnallocatedResource());
        for (RMContainer container : node.getCopiedListOfRunningContainers()) {
            if (ENDED.contains(container.getState())) {
                Vectors.add(room, vectors.of(container.getContainer().getResource()), 1);
            }
        }
        return room;
    }
}
