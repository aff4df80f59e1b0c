// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.preemption;

import org.heddle.scheduler.yarn.node.PromisedRoom;
import org.heddle.scheduler.yarn.app.Ask;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.heddle.scheduler.engine.Schedulable;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.model.PreemptionSettings;
import org.heddle.scheduler.model.QueuePreemptionSettings;
import org.heddle.scheduler.model.SchedulerSnapshot;
import org.heddle.scheduler.model.SchedulerSnapshot.Fate;
import org.heddle.scheduler.model.Vectors;
import org.heddle.scheduler.preemption.Starvation;
import org.heddle.scheduler.preemption.StarvationTracker;
import org.heddle.scheduler.yarn.app.HeddleAttempt;
import org.heddle.scheduler.yarn.compat.ResourceVectors;
import org.heddle.scheduler.yarn.node.ContainerAllocator;
import org.heddle.scheduler.yarn.node.HeddleNode;
import org.heddle.scheduler.yarn.node.NodeReservations;
import org.heddle.scheduler.yarn.queue.HeddleQueue;
import org.jspecify.annotations.Nullable;

/**
 * Revocation (Nexus 3.4 and 4.3): who is below guarantee or share for too long is made room for, at the expense of those
 * above theirs. The masters of the containers that are to go are told first; when the grace period is over what is still
 * needed is killed; the room is held for whom it was made for. Every choice is made on the engine's books with all that
 * is under way already counted as done, so that nothing is revoked twice for the same need. Guarded by the scheduler's
 * lock.
 */
public final class Preemptor {
    private final ShareEngine engine;
    private final ResourceVectors vectors;
    private final NodeReservations reservations;
    private final ContainerAllocator pass;
    private final PreemptionNodes nodes;
    private final PreemptionPlanner plan;
    private final PreemptionLog log;
    private final Function<ContainerId, @Nullable HeddleAttempt> attempts;
    private final Consumer<RMContainer> killer;
    private final StarvationTracker grievances = new StarvationTracker();
    private final List<PendingPreemption> deals = new ArrayList<>();
    private final Map<String, Long> counters = new TreeMap<>();
    /** Whether a container ends at this moment because its grace period is over. */
    private boolean collecting;

    private PreemptionSettings rules = PreemptionSettings.DEFAULT;

    public Preemptor(
            ShareEngine engine,
            ResourceVectors vectors,
            NodeReservations reservations,
            ContainerAllocator pass,
            Supplier<Collection<HeddleNode>> allNodes,
            Function<ContainerId, @Nullable HeddleAttempt> attempts,
            Consumer<RMContainer> killer) {
        this.engine = engine;
        this.vectors = vectors;
        this.reservations = reservations;
        this.pass = pass;
        this.nodes = new PreemptionNodes(engine, vectors, reservations, pass, allNodes, attempts);
        this.plan = new PreemptionPlanner(engine, vectors, reservations, nodes, attempts);
        this.log = new PreemptionLog(vectors);
        this.attempts = attempts;
        this.killer = killer;
        for (String name : List.of("announced", "killed", "given-back", "called-off", "proposed")) {
            counters.put("revocation-containers-" + name, 0L);
        }
    }

    /** Looks after what is under way and begins what has become necessary. */
    public void tick(PreemptionSettings newRules, long nowMillis) {
        rules = newRules;
        if (rules.mode() == PreemptionSettings.Mode.OFF) {
            callOffAll(deal -> true, "revocation is switched off");
            return;
        }
        boolean dry = rules.mode() == PreemptionSettings.Mode.DRY_RUN;
        callOffAll(deal -> deal.dry != dry, "the mode of revocation has changed");
        // 1. What is under way: gone asks, grace periods that are over, room that has come too late
        callOffAll(deal -> !isWanted(deal), "the ask is gone");
        for (PendingPreemption deal : List.copyOf(deals)) {
            if (nowMillis >= deal.dueMillis && !deal.killed) {
                collect(deal);
            }
        }
        callOffAll(deal -> nowMillis >= deal.droppedMillis, "it took too long");
        // 2. Who has waited for too long?
        engine.renew();
        List<Starvation> due = grievances.due(engine.root(), Preemptor::protection, nowMillis);
        addStuckReservations(due, nowMillis);
        if (utilization() <= rules.minUtilization()) {
            due.clear();
        }
        // 3. What is to go for them?
        PreemptionPlanner.Outcome outcome = plan.work(due, deals, rules, nowMillis);
        // 4. Do it
        outcome.needless().forEach(deal -> callOff(deal, "it is not needed any more"));
        outcome.begin().forEach(deal -> announce(deal, nowMillis));
    }

    private double utilization() {
        long[] used = engine.root().usage();
        double most = 0;
        for (int j = 0; j < used.length; j++) {
            if (engine.capacity(j) > 0) {
                most = Math.max(most, (double) used[j] / engine.capacity(j));
            }
        }
        return most;
    }

    private void addStuckReservations(List<Starvation> due, long nowMillis) {
        for (HeddleNode node : reservations.held()) {
            HeddleAttempt attempt = node.reservedFor();
            if (attempt != null
                    && node.promises().isEmpty()
                    && nowMillis - node.reservedSince() >= rules.reservationStuckMillis()) {
                due.add(new Starvation(
                        attempt.application().claim(), Starvation.Kind.RESERVATION_STUCK, node.reservedSince(), 1));
            }
        }
    }

    // ---- deals ----

    private void announce(PendingPreemption deal, long nowMillis) {
        if (deal.holdsNode() && deal.node.getReservedContainer() != null) {
            reservations.release(deal.node); // this holds it now
        }
        deals.add(deal);
        deal.node.promise(deal);
        count(deal.dry ? "proposed" : "announced", deal.marked.size());
        log.announced(deal, nowMillis);
        if (!deal.dry) {
            for (Victim victim : deal.marked.values()) {
                victim.attempt().markForPreemption(victim.container(), deal.negotiable);
            }
        }
    }

    /** The grace period is over: what is still needed is killed, if it may still be taken. */
    private void collect(PendingPreemption deal) {
        deal.killed = true;
        if (deal.dry) {
            log.wouldHaveBeenDone(deal);
            close(deal, "dry run: nothing was preempted");
            return;
        }
        List<Victim> going = stillNeeded(deal);
        Victim stays = plan.firstToStay(deal, going, deals.subList(0, deals.indexOf(deal)), rules);
        if (stays != null) {
            callOff(deal, "by now this would be unfair: " + stays);
            return;
        }
        for (Victim victim : List.copyOf(deal.marked.values())) {
            deal.unmark(victim, going.contains(victim) ? Fate.KILLED : Fate.STAYS);
            if (going.contains(victim)) {
                count("killed", 1);
                log.killed(victim, deal);
                collecting = true;
                killer.accept(victim.container());
                collecting = false;
            } else {
                unmark(victim);
                count("called-off", 1);
                log.notNeeded(victim, deal);
            }
        }
    }

    /** Which of the marked have to go, given what room there is by now that nobody else has been promised. */
    private List<Victim> stillNeeded(PendingPreemption deal) {
        long[] room = nodes.comingRoom(deal.node);
        for (PromisedRoom other : deal.node.promises()) {
            if (other != deal) {
                Vectors.add(room, other.size().need(), -other.left());
            }
        }
        Vectors.add(room, deal.size().need(), 1 - deal.left);
        List<Victim> needed = new ArrayList<>();
        for (Victim victim : deal.marked.values()) {
            if (!deal.size().fits(room)) {
                Vectors.add(room, vectors.of(victim.container().getContainer().getResource()), 1);
                needed.add(victim);
            }
        }
        return needed;
    }

    /** A container has ended. If its master was asked for it, or gave as much elsewhere, that is noted. */
    public void ended(RMContainer container, @Nullable HeddleNode node, long nowMillis) {
        if (collecting) {
            return;
        }
        for (PendingPreemption deal : List.copyOf(deals)) {
            Victim victim = deal.marked.get(container.getContainerId());
            if (victim != null) {
                deal.unmark(victim, Fate.ENDED);
                count("given-back", 1);
                log.endedBefore(victim, deal);
                return;
            }
        }
        for (PendingPreemption deal : List.copyOf(deals)) {
            if (deal.negotiable && !deal.killed && node != null && !node.equals(deal.node) && frees(container, deal)) {
                movePromise(deal, node, nowMillis);
                return;
            }
        }
    }

    private boolean frees(RMContainer container, PendingPreemption deal) {
        HeddleAttempt owner = attempts.apply(container.getContainerId());
        return owner != null
                && deal.marked.values().stream()
                        .anyMatch(victim -> victim.attempt().getApplicationId().equals(owner.getApplicationId()))
                && deal.size().fits(vectors.of(container.getContainer().getResource()));
    }

    /** As much has been freed elsewhere: one container's worth of the promise goes there, and the marks with it. */
    private void movePromise(PendingPreemption deal, HeddleNode node, long nowMillis) {
        PreemptionPlanner.Wish wish = new PreemptionPlanner.Wish(deal.grievance, deal.attempt, deal.ask);
        if (!nodes.mayRunOn(node, wish, nowMillis)) {
            return;
        }
        PendingPreemption there = new PendingPreemption(
                deal.grievance,
                deal.attempt,
                deal.ask,
                node,
                1,
                PendingPreemption.Terms.NEGOTIABLE,
                deal.dueMillis,
                deal.droppedMillis);
        deals.add(there);
        node.promise(there);
        count("given-back", 1);
        deal.left--;
        if (deal.left == 0) {
            callOff(deal, "as much was freed on " + node.getNodeID());
        }
    }

    private boolean isWanted(PendingPreemption deal) {
        Ask ask = deal.attempt.ask(deal.key());
        if (deal.reserved && !deal.attempt.equals(deal.node.reservedFor())) {
            return false;
        }
        return ask != null
                && !deal.attempt.isStopped()
                && Arrays.equals(ask.size().need(), deal.size().need())
                && deal.attempt.getPendingAsk(deal.key(), ResourceRequest.ANY).getCount() > 0
                && engine.withinLimits(deal.attempt.application().claim(), ask.size());
    }

    private void callOffAll(Predicate<PendingPreemption> which, String why) {
        for (PendingPreemption deal : List.copyOf(deals)) {
            if (which.test(deal)) {
                callOff(deal, why);
            }
        }
    }

    private void callOff(PendingPreemption deal, String why) {
        log.calledOff(deal, why);
        close(deal, "called off, because " + why);
    }

    /** Ends a deal; containers still marked by it may stay. */
    private void close(PendingPreemption deal, String outcome) {
        deals.remove(deal);
        deal.node.withdraw(deal);
        if (!deal.dry) {
            count("called-off", deal.marked.size());
        }
        for (Victim victim : List.copyOf(deal.marked.values())) {
            unmark(victim);
            deal.unmark(victim, Fate.STAYS);
        }
        log.ended(deal, outcome);
    }

    private void unmark(Victim victim) {
        HeddleAttempt owner = attempts.apply(victim.id());
        if (owner != null) {
            owner.unmark(victim.id());
        }
    }

    /** A node is gone, or in another partition, and with it whatever was promised there. */
    public void removed(HeddleNode node) {
        callOffAll(deal -> deal.node.equals(node), "the node is not there any more");
    }

    // ---- serving ----

    /**
     * Places what is promised on a node, as far as there is room. Containers end one by one, so what has come for a promise
     * is not enough for it yet; it is not to go to a smaller one made later.
     *
     * @return whether more is promised, so that nobody else may use the node
     */
    public boolean serve(HeddleNode node, int most, long nowMillis, Runnable placed) {
        if (node.promises().isEmpty()) {
            return false;
        }
        int still = 0;
        int served = 0;
        long[] promisedBefore = new long[vectors.size()];
        for (PendingPreemption deal : List.copyOf(deals)) {
            if (!deal.node.equals(node) || !deal.holdsNode()) {
                continue;
            }
            boolean refused = !isWanted(deal);
            while (!refused && deal.left > 0 && served < most && deal.size().fits(roomBeyond(promisedBefore, node))) {
                Ask ask = deal.attempt.ask(deal.key());
                refused = ask == null
                        || !isWanted(deal)
                        || !pass.onPromise(node, nowMillis).place(deal.attempt, ask, null);
                if (!refused && ask != null) {
                    engine.grant(deal.attempt.application().claim(), ask.size());
                    deal.left--;
                    served++;
                    placed.run();
                }
            }
            if (refused) {
                callOff(deal, "the ask is gone, or does not suit the node any more");
            } else if (deal.left == 0) {
                log.served(deal);
                close(deal, "served");
            } else {
                still++;
                Vectors.add(promisedBefore, deal.size().need(), deal.left);
            }
        }
        return still > 0;
    }

    /** What those who were promised room here first leave of it. */
    private long[] roomBeyond(long[] promised, HeddleNode node) {
        long[] room = vectors.of(node.getUnallocatedResource());
        Vectors.add(room, promised, -1);
        return room;
    }

    // ---- seen from outside ----

    public Map<String, Long> counters() {
        return counters;
    }

    /** The last few that have ended, and then all that are under way. */
    public List<SchedulerSnapshot.Revoking> shown() {
        return log.shown(deals);
    }

    private void count(String what, long more) {
        counters.merge("revocation-containers-" + what, more, Long::sum);
    }

    private static QueuePreemptionSettings protection(Schedulable claim) {
        for (Schedulable at = claim; at != null; at = at.parent()) {
            if (at.owner() instanceof HeddleQueue queue) {
                return queue.spec().protection();
            }
        }
        return QueuePreemptionSettings.DEFAULT;
    }
}
