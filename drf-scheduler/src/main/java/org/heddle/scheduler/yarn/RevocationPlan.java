// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerAppUtils;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.heddle.scheduler.engine.Claim;
import org.heddle.scheduler.engine.Shape;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.engine.Trial;
import org.heddle.scheduler.model.Revocation;
import org.heddle.scheduler.model.Vectors;
import org.heddle.scheduler.policy.DominantShare;
import org.heddle.scheduler.revocation.Candidate;
import org.heddle.scheduler.revocation.Grievance;
import org.heddle.scheduler.revocation.Held;
import org.heddle.scheduler.revocation.Proposal;
import org.heddle.scheduler.revocation.RateLimit;
import org.heddle.scheduler.revocation.VictimChoice;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Works out what is to be revoked, on the engine's books by trial, as if all that is under way had been done already.
 * Shows the {@link VictimChoice} YARN's nodes and containers; changes nothing. Guarded by the scheduler's lock.
 */
final class RevocationPlan {
    private static final Logger LOG = LoggerFactory.getLogger(RevocationPlan.class);
    /** So many nodes are compared at each choice; in a larger cluster those with containers of the richest. */
    private static final int MOST_CANDIDATES = 64;
    /** So many choices are made at once, lest the scheduler be kept from its work. */
    private static final int MOST_AT_ONCE = 20;

    /** So long after two grace periods room that does not come is given up. */
    private static final long PATIENCE_MILLIS = 15_000;

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

    private final RateLimit rate = new RateLimit();

    RevocationPlan(
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

    /**
     * What came of it.
     *
     * @param begin deals to be begun
     * @param needless of those under way, which are not needed any more
     */
    record Outcome(List<Deal> begin, List<Deal> needless) {}

    /** What is to be done for those who have waited too long, given what is under way. */
    Outcome work(List<Grievance> due, List<Deal> underWay, Revocation rules, long nowMillis) {
        List<Wish> wishes =
                due.stream().map(this::wish).flatMap(Optional::stream).toList();
        aggrieved = due.stream().map(Grievance::claim).collect(Collectors.toSet());
        starved = due.stream()
                .filter(grievance -> grievance.kind() != Grievance.Kind.RESERVATION_STUCK)
                .map(Grievance::claim)
                .collect(Collectors.toSet());
        List<Deal> begun = new ArrayList<>();
        List<Deal> needless = new ArrayList<>();
        Trial trial = engine.trial();
        try {
            for (Deal deal : underWay) {
                if (!deal.reserved && deal.grievance.isSettled()) {
                    needless.add(deal);
                } else {
                    book(trial, deal);
                }
            }
            List<Deal> counted = new ArrayList<>(underWay);
            counted.removeAll(needless);
            VictimChoice choice = new VictimChoice(engine.root(), trial);
            for (Wish wish : wishes) {
                while (begun.size() < MOST_AT_ONCE && rate.allows(rules.maxPerSecond(), nowMillis)) {
                    Deal deal = propose(wish, choice, counted, rules, nowMillis);
                    if (deal == null) {
                        break;
                    }
                    begun.add(deal);
                    counted.add(deal);
                    book(trial, deal);
                }
            }
        } finally {
            trial.revert();
        }
        return new Outcome(begun, needless);
    }

    /** Whose containers, of which size, room is wanted for. */
    record Wish(Grievance grievance, HeddleAttempt attempt, SchedulerRequestKey key, Shape shape) {}

    private Optional<Wish> wish(Grievance grievance) {
        Claim next = engine.nextBelow(grievance.claim());
        HeddleApplication application = next == null ? null : (HeddleApplication) next.owner();
        HeddleAttempt attempt = application == null ? null : application.getCurrentAppAttempt();
        if (next == null || attempt == null || attempt.isStopped()) {
            return Optional.empty();
        }
        boolean stuck = grievance.kind() == Grievance.Kind.RESERVATION_STUCK;
        return attempt.shapes().entrySet().stream()
                .filter(ask -> stuck
                        ? reservations.isHeldFor(attempt, ask.getKey())
                        : engine.withinLimits(next, ask.getValue()))
                .findFirst()
                .map(ask -> new Wish(grievance, attempt, ask.getKey(), ask.getValue()));
    }

    private @Nullable Deal propose(
            Wish wish, VictimChoice choice, List<Deal> counted, Revocation rules, long nowMillis) {
        boolean stuck = wish.grievance.kind() == Grievance.Kind.RESERVATION_STUCK;
        int asked = wish.attempt.getPendingAsk(wish.key, ResourceRequest.ANY).getCount() - promised(wish, counted);
        if (asked <= 0 || wish.grievance.isSettled()) {
            return null;
        }
        Proposal proposal = choose(
                wish,
                choice,
                asked,
                stuck ? List.of(stuckNodes(wish, counted)) : nodesInOrder(wish, nowMillis),
                counted,
                rules);
        if (proposal == null
                || (proposal.marked().isEmpty()
                        && !isReservedForOthers((HeddleNode) proposal.node().tag(), wish))) {
            return null;
        }
        Deal deal = new Deal(
                wish.grievance,
                wish.attempt,
                wish.key,
                wish.shape,
                (HeddleNode) proposal.node().tag(),
                stuck ? 1 : proposal.count(),
                terms(wish, proposal, rules),
                nowMillis + rules.graceMillis(),
                nowMillis + 2 * rules.graceMillis() + PATIENCE_MILLIS);
        double amount = 0;
        for (Held held : proposal.marked()) {
            Victim victim = (Victim) held.tag();
            deal.mark(victim);
            amount += DominantShare.of(held.size(), capacity());
        }
        rate.take(amount);
        return deal;
    }

    /** ApplicationMasters are looked at when no node, reserved or not, has anything else that may go. */
    private @Nullable Proposal choose(
            Wish wish,
            VictimChoice choice,
            int asked,
            List<List<HeddleNode>> nodesInOrder,
            List<Deal> counted,
            Revocation rules) {
        List<List<Candidate>> candidates = nodesInOrder.stream()
                .map(some -> some.stream()
                        .map(node -> candidate(node, counted, rules))
                        .toList())
                .toList();
        Claim application = wish.attempt.application().claim();
        Proposal proposal = null;
        for (boolean masters : rules.masters() ? new boolean[] {false, true} : new boolean[] {false}) {
            for (List<Candidate> some : candidates) {
                if (proposal == null) {
                    proposal = choice.choose(wish.grievance, application, wish.shape.need(), asked, some, masters);
                }
            }
        }
        return proposal;
    }

    /**
     * Where the container could run: nodes that are not reserved, then those reserved for somebody who is above its share,
     * then those for others who miss nothing.
     */
    private List<List<HeddleNode>> nodesInOrder(Wish wish, long nowMillis) {
        List<List<HeddleNode>> inOrder = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        for (HeddleNode node : likelyNodes()) {
            if (!couldRunOn(node, wish, nowMillis)) {
                continue;
            }
            HeddleAttempt holder = node.reservedFor();
            if (holder == null || !isReservedForOthers(node, wish)) {
                inOrder.get(0).add(node);
            } else if (!isBelowAny(holder, starved)
                    && VictimChoice.isAboveShare(holder.application().claim(), wish.grievance.claim())) {
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

    /** A single loser that may choose freely is told so; the paper's rule. */
    private Deal.Terms terms(Wish wish, Proposal proposal, Revocation rules) {
        if (rules.mode() == Revocation.Mode.DRY_RUN) {
            return Deal.Terms.DRY;
        }
        boolean oneLoser =
                proposal.marked().stream().map(Held::owner).distinct().count() == 1;
        boolean anywhere = wish.grievance.kind() != Grievance.Kind.RESERVATION_STUCK
                && wish.attempt.getAppSchedulingInfo().canDelayTo(wish.key, ResourceRequest.ANY);
        return oneLoser && anywhere ? Deal.Terms.NEGOTIABLE : Deal.Terms.STRICT;
    }

    private static int promised(Wish wish, List<Deal> counted) {
        return counted.stream()
                .filter(deal -> deal.attempt.equals(wish.attempt) && deal.key.equals(wish.key))
                .mapToInt(deal -> deal.left)
                .sum();
    }

    private long[] capacity() {
        long[] capacity = new long[vectors.size()];
        Arrays.setAll(capacity, engine::capacity);
        return capacity;
    }

    // ---- nodes ----

    private List<HeddleNode> stuckNodes(Wish wish, List<Deal> counted) {
        return reservations.held().stream()
                .filter(node -> wish.attempt.equals(node.reservedFor())
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
        richest.sort(Comparator.comparingDouble(RevocationPlan::standingOfUser).reversed());
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
    boolean mayRunOn(HeddleNode node, Wish wish, long nowMillis) {
        return !isReservedForOthers(node, wish) && couldRunOn(node, wish, nowMillis);
    }

    private boolean isReservedForOthers(HeddleNode node, Wish wish) {
        return node.getReservedContainer() != null && !reservations.isHeldFor(node, wish.attempt, wish.key);
    }

    private boolean couldRunOn(HeddleNode node, Wish wish, long nowMillis) {
        if (node.getRMNode().getState() != NodeState.RUNNING
                || !wish.shape.fits(vectors.of(node.getTotalResource()))
                || SchedulerAppUtils.isPlaceBlacklisted(wish.attempt, node, LOG)) {
            return false;
        }
        return pass.onAnyTerms(node, nowMillis).suits(wish.attempt, wish.key, wish.shape) != null;
    }

    private Candidate candidate(HeddleNode node, List<Deal> counted, Revocation rules) {
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

    private Held held(Victim victim) {
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

    private static boolean isRevocable(RMContainer container, HeddleAttempt owner, Revocation rules) {
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

    private void book(Trial trial, Deal deal) {
        for (Victim victim : deal.marked.values()) {
            HeddleAttempt owner = attempts.apply(victim.id());
            if (owner != null) {
                trial.release(
                        owner.application().claim(),
                        vectors.of(victim.container().getContainer().getResource()));
            }
        }
        for (int i = 0; i < deal.left; i++) {
            trial.hold(deal.attempt.application().claim(), deal.shape.need());
        }
    }

    /**
     * Looks once more before containers are killed: what was fair when the grace period began need not be when it is over.
     *
     * @param earlier deals under way that were begun before this one
     * @return the first that may not be taken any more; null if all may
     */
    @Nullable
    Victim firstToStay(Deal deal, List<Victim> going, List<Deal> earlier, Revocation rules) {
        engine.renew();
        Trial trial = engine.trial();
        try {
            earlier.forEach(other -> book(trial, other));
            List<Held> chosen = new ArrayList<>();
            for (Victim victim : going) {
                HeddleAttempt owner = attempts.apply(victim.id());
                if (owner == null || !isRevocable(victim.container(), owner, rules)) {
                    return victim;
                }
                chosen.add(held(new Victim(victim.container(), owner)));
            }
            Held stays = new VictimChoice(engine.root(), trial)
                    .firstToStay(deal.grievance, deal.attempt.application().claim(), deal.shape.need(), chosen);
            return stays == null ? null : (Victim) stays.tag();
        } finally {
            trial.revert();
        }
    }
}
