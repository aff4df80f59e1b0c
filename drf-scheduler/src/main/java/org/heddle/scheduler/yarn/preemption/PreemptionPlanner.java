// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.preemption;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.heddle.scheduler.engine.Schedulable;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.engine.Trial;
import org.heddle.scheduler.model.PreemptionSettings;
import org.heddle.scheduler.model.Vectors;
import org.heddle.scheduler.preemption.CandidateNode;
import org.heddle.scheduler.preemption.RateLimit;
import org.heddle.scheduler.preemption.Starvation;
import org.heddle.scheduler.preemption.VictimCandidate;
import org.heddle.scheduler.preemption.VictimSelector;
import org.heddle.scheduler.preemption.VictimSet;
import org.heddle.scheduler.yarn.app.Ask;
import org.heddle.scheduler.yarn.app.HeddleApplication;
import org.heddle.scheduler.yarn.app.HeddleAttempt;
import org.heddle.scheduler.yarn.compat.ResourceVectors;
import org.heddle.scheduler.yarn.node.HeddleNode;
import org.heddle.scheduler.yarn.node.NodeReservations;
import org.jspecify.annotations.Nullable;

/**
 * Computes what should be preempted. It tries the preemptions on the engine's state, where all pending ones count as
 * done, and changes nothing that stays. Guarded by the scheduler's lock.
 */
final class PreemptionPlanner {
    /** The largest number of choices in one round, so that the scheduler's lock is not held for too long. */
    static final int MOST_AT_ONCE = 50;

    /** Milliseconds, after two grace periods, until a preemption is cancelled whose resources did not become free. */
    private static final long PATIENCE_MILLIS = 15_000;

    private final ShareEngine engine;
    private final ResourceVectors vectors;
    private final NodeReservations reservations;
    private final PreemptionNodes nodes;
    private final Function<ContainerId, @Nullable HeddleAttempt> attempts;
    private final WorkAtRisk work;
    private final RateLimit rate = new RateLimit();

    PreemptionPlanner(
            ShareEngine engine,
            ResourceVectors vectors,
            NodeReservations reservations,
            PreemptionNodes nodes,
            Function<ContainerId, @Nullable HeddleAttempt> attempts,
            WorkAtRisk work) {
        this.engine = engine;
        this.vectors = vectors;
        this.reservations = reservations;
        this.nodes = nodes;
        this.attempts = attempts;
        this.work = work;
    }

    /**
     * The result of one round.
     *
     * @param begin preemptions that should begin
     * @param needless pending preemptions that are not needed any more
     */
    public record Outcome(List<PendingPreemption> begin, List<PendingPreemption> needless) {}

    /** Computes the preemptions for the schedulables that have starved for too long, given the pending ones. */
    Outcome work(List<Starvation> due, List<PendingPreemption> underWay, PreemptionSettings rules, long nowMillis) {
        List<Wish> wishes =
                due.stream().map(this::wish).flatMap(Optional::stream).toList();
        nodes.waiting(due);
        List<PendingPreemption> begun = new ArrayList<>();
        List<PendingPreemption> needless = new ArrayList<>();
        Trial trial = engine.trial();
        try {
            for (PendingPreemption preemption : underWay) {
                if (!preemption.reserved && preemption.starvation.isSettled()) {
                    needless.add(preemption);
                } else {
                    book(trial, preemption);
                }
            }
            List<PendingPreemption> counted = new ArrayList<>(underWay);
            counted.removeAll(needless);
            VictimSelector choice = new VictimSelector(engine.root(), trial, work.isSpared());
            List<Awaited> awaited = new ArrayList<>();
            Set<Schedulable> refused = new LinkedHashSet<>();
            for (Wish wish : wishes) {
                if (work.isSpared()) {
                    await(wish, trial, counted, awaited, nowMillis);
                }
                while (begun.size() < MOST_AT_ONCE && rate.allows(rules.maxPerSecond(), nowMillis)) {
                    PendingPreemption preemption = propose(wish, awaited, choice, counted, refused, rules, nowMillis);
                    if (preemption == null) {
                        break;
                    }
                    begun.add(preemption);
                    counted.add(preemption);
                    book(trial, preemption);
                }
            }
            work.setWaiting(waiting(refused, counted));
        } finally {
            trial.revert();
        }
        return new Outcome(begun, needless);
    }

    /** The applications below schedulables that ask for containers, and for which no preemption is pending. */
    private static Set<ApplicationId> waiting(Set<Schedulable> refused, List<PendingPreemption> counted) {
        Set<ApplicationId> waiting = new HashSet<>();
        refused.forEach(schedulable -> addAsking(schedulable, waiting));
        counted.forEach(preemption -> waiting.remove(preemption.attempt.getApplicationId()));
        return waiting;
    }

    private static void addAsking(Schedulable schedulable, Set<ApplicationId> waiting) {
        if (schedulable.pending() == 0) {
            return;
        }
        if (schedulable.owner() instanceof HeddleApplication application
                && application.getCurrentAppAttempt() != null) {
            waiting.add(application.getCurrentAppAttempt().getApplicationId());
        }
        schedulable.children().forEach(child -> addAsking(child, waiting));
    }

    /** The attempt and the container size for which resources are needed. */
    record Wish(Starvation starvation, HeddleAttempt attempt, Ask ask) {}

    private Optional<Wish> wish(Starvation starvation) {
        Schedulable next = engine.nextBelow(starvation.schedulable());
        HeddleAttempt attempt = HeddleApplication.attemptOf(next);
        if (next == null || attempt == null || attempt.isStopped()) {
            return Optional.empty();
        }
        boolean stuck = starvation.kind() == Starvation.Kind.RESERVATION_STUCK;
        return attempt.asks().stream()
                .filter(ask ->
                        stuck ? reservations.isHeldFor(attempt, ask.key()) : engine.withinLimits(next, ask.size()))
                .findFirst()
                .map(ask -> new Wish(starvation, attempt, ask));
    }

    /** A container for which resources of a node will be free soon enough without a preemption. */
    private record Awaited(Wish wish, HeddleNode node) {}

    /** Finds the containers of an ask that need no preemption, as long as it starves without them. */
    private void await(Wish wish, Trial trial, List<PendingPreemption> counted, List<Awaited> awaited, long nowMillis) {
        int asked = asked(wish, counted, awaited);
        long[] need = wish.ask.size().need();
        for (HeddleNode node : nodes.inOrder(wish, nowMillis).get(0)) {
            long[] room = nodes.expectedRoom(node, wish.starvation, counted);
            for (Awaited other : awaited) {
                if (other.node.equals(node)) {
                    Vectors.add(room, other.wish.ask.size().need(), -1);
                }
            }
            while (asked > 0 && !wish.starvation.isSettled() && wish.ask.size().fits(room)) {
                Vectors.add(room, need, -1);
                trial.hold(wish.attempt.application().schedulable(), need);
                awaited.add(new Awaited(wish, node));
                asked--;
            }
        }
    }

    private static int asked(Wish wish, List<PendingPreemption> counted, List<Awaited> awaited) {
        long waiting = awaited.stream()
                .filter(other -> other.wish.attempt.equals(wish.attempt)
                        && other.wish.ask.key().equals(wish.ask.key()))
                .count();
        return wish.attempt.getPendingAsk(wish.ask.key(), ResourceRequest.ANY).getCount()
                - promised(wish, counted)
                - (int) waiting;
    }

    /** @param refused gets the starved schedulable if its preemption would lose too much work */
    private @Nullable PendingPreemption propose(
            Wish wish,
            List<Awaited> awaited,
            VictimSelector choice,
            List<PendingPreemption> counted,
            Set<Schedulable> refused,
            PreemptionSettings rules,
            long nowMillis) {
        boolean stuck = wish.starvation.kind() == Starvation.Kind.RESERVATION_STUCK;
        int asked = asked(wish, counted, awaited);
        if (asked <= 0 || wish.starvation.isSettled()) {
            return null;
        }
        VictimSet proposal = choose(
                wish,
                choice,
                asked,
                stuck ? List.of(nodes.stuck(wish, counted)) : nodes.inOrder(wish, nowMillis),
                awaited,
                counted,
                rules);
        if (proposal == null) {
            return null;
        }
        if (!work.mayLose(proposal, counted)) {
            refused.add(wish.starvation.schedulable());
            return null;
        }
        if (proposal.marked().isEmpty()
                && !nodes.isReservedForOthers((HeddleNode) proposal.node().tag(), wish)) {
            return null;
        }
        PendingPreemption preemption = new PendingPreemption(
                wish,
                (HeddleNode) proposal.node().tag(),
                stuck ? 1 : proposal.count(),
                terms(wish, proposal, rules),
                nowMillis + rules.graceMillis(),
                nowMillis + 2 * rules.graceMillis() + PATIENCE_MILLIS);
        double amount = 0;
        for (VictimCandidate held : proposal.marked()) {
            Victim victim = (Victim) held.tag();
            preemption.mark(victim);
            amount += held.share();
        }
        rate.take(amount);
        return preemption;
    }

    /**
     * ApplicationMasters are victims only when no node, reserved or not, has any other container that may be
     * preempted.
     */
    private @Nullable VictimSet choose(
            Wish wish,
            VictimSelector choice,
            int asked,
            List<List<HeddleNode>> nodesInOrder,
            List<Awaited> awaited,
            List<PendingPreemption> counted,
            PreemptionSettings rules) {
        Set<HeddleNode> kept = awaited.stream().map(Awaited::node).collect(Collectors.toSet());
        List<List<CandidateNode>> candidates = nodesInOrder.stream()
                .map(some -> some.stream()
                        .filter(node -> !kept.contains(node))
                        .map(node -> nodes.candidate(node, wish.starvation, counted, rules))
                        .toList())
                .toList();
        Schedulable application = wish.attempt.application().schedulable();
        VictimSet proposal = null;
        for (boolean masters : rules.masters() ? new boolean[] {false, true} : new boolean[] {false}) {
            for (List<CandidateNode> some : candidates) {
                if (proposal == null) {
                    proposal = choice.choose(
                            wish.starvation, application, wish.ask.size().need(), asked, some, masters);
                }
            }
        }
        return proposal;
    }

    /**
     * If only one application loses containers and it may choose them, its ApplicationMaster gets a negotiable
     * contract. This is the rule of the Nexus paper.
     */
    private PendingPreemption.Terms terms(Wish wish, VictimSet proposal, PreemptionSettings rules) {
        if (rules.mode() == PreemptionSettings.Mode.DRY_RUN) {
            return PendingPreemption.Terms.DRY;
        }
        boolean oneLoser = proposal.marked().stream()
                        .map(VictimCandidate::owner)
                        .distinct()
                        .count()
                == 1;
        boolean anywhere = wish.starvation.kind() != Starvation.Kind.RESERVATION_STUCK
                && wish.attempt.getAppSchedulingInfo().canDelayTo(wish.ask.key(), ResourceRequest.ANY);
        return oneLoser && anywhere ? PendingPreemption.Terms.NEGOTIABLE : PendingPreemption.Terms.STRICT;
    }

    private static int promised(Wish wish, List<PendingPreemption> counted) {
        return counted.stream()
                .filter(preemption -> preemption.attempt.equals(wish.attempt)
                        && preemption.key().equals(wish.ask.key()))
                .mapToInt(preemption -> preemption.left)
                .sum();
    }

    private void book(Trial trial, PendingPreemption preemption) {
        for (Victim victim : preemption.marked.values()) {
            HeddleAttempt owner = attempts.apply(victim.id());
            if (owner != null) {
                trial.release(
                        owner.application().schedulable(),
                        vectors.of(victim.container().getContainer().getResource()));
            }
        }
        for (int i = 0; i < preemption.left; i++) {
            trial.hold(
                    preemption.attempt.application().schedulable(),
                    preemption.size().need());
        }
    }

    /**
     * Checks a preemption again before its containers are killed, as the shares may have changed during the grace
     * period.
     *
     * @param earlier pending preemptions that began before this one
     * @return the first victim that may not be preempted any more; null if all may
     */
    @Nullable
    Victim firstToStay(
            PendingPreemption preemption,
            List<Victim> going,
            List<PendingPreemption> earlier,
            PreemptionSettings rules) {
        engine.renew();
        Trial trial = engine.trial();
        try {
            earlier.forEach(other -> book(trial, other));
            List<VictimCandidate> chosen = new ArrayList<>();
            for (Victim victim : going) {
                HeddleAttempt owner = attempts.apply(victim.id());
                if (owner == null || !PreemptionNodes.isPreemptable(victim.container(), owner, rules)) {
                    return victim;
                }
                chosen.add(nodes.held(new Victim(victim.container(), owner)));
            }
            VictimCandidate stays = new VictimSelector(engine.root(), trial, work.isSpared())
                    .firstToStay(
                            preemption.starvation,
                            preemption.attempt.application().schedulable(),
                            preemption.size().need(),
                            chosen);
            return stays == null ? null : (Victim) stays.tag();
        } finally {
            trial.revert();
        }
    }
}
