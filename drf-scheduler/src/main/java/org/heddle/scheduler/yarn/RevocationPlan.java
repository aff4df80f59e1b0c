// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.heddle.scheduler.engine.Claim;
import org.heddle.scheduler.engine.Shape;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.engine.Trial;
import org.heddle.scheduler.model.Revocation;
import org.heddle.scheduler.policy.DominantShare;
import org.heddle.scheduler.revocation.Candidate;
import org.heddle.scheduler.revocation.Grievance;
import org.heddle.scheduler.revocation.Held;
import org.heddle.scheduler.revocation.Proposal;
import org.heddle.scheduler.revocation.RateLimit;
import org.heddle.scheduler.revocation.VictimChoice;
import org.jspecify.annotations.Nullable;

/**
 * Works out what is to be revoked, on the engine's books by trial, as if all that is under way had been done already.
 * Changes nothing. Guarded by the scheduler's lock.
 */
final class RevocationPlan {
    /** So many choices are made at once, lest the scheduler be kept from its work. */
    private static final int MOST_AT_ONCE = 20;

    /** So long after two grace periods room that does not come is given up. */
    private static final long PATIENCE_MILLIS = 15_000;

    private final ShareEngine engine;
    private final ResourceVectors vectors;
    private final Reservations reservations;
    private final RevocationNodes nodes;
    private final Function<ContainerId, @Nullable HeddleAttempt> attempts;
    private final RateLimit rate = new RateLimit();

    RevocationPlan(
            ShareEngine engine,
            ResourceVectors vectors,
            Reservations reservations,
            RevocationNodes nodes,
            Function<ContainerId, @Nullable HeddleAttempt> attempts) {
        this.engine = engine;
        this.vectors = vectors;
        this.reservations = reservations;
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
        nodes.waiting(due);
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
                stuck ? List.of(nodes.stuck(wish, counted)) : nodes.inOrder(wish, nowMillis),
                counted,
                rules);
        if (proposal == null
                || (proposal.marked().isEmpty()
                        && !nodes.isReservedForOthers(
                                (HeddleNode) proposal.node().tag(), wish))) {
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
                        .map(node -> nodes.candidate(node, counted, rules))
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
                if (owner == null || !RevocationNodes.isRevocable(victim.container(), owner, rules)) {
                    return victim;
                }
                chosen.add(nodes.held(new Victim(victim.container(), owner)));
            }
            Held stays = new VictimChoice(engine.root(), trial)
                    .firstToStay(deal.grievance, deal.attempt.application().claim(), deal.shape.need(), chosen);
            return stays == null ? null : (Victim) stays.tag();
        } finally {
            trial.revert();
        }
    }
}
