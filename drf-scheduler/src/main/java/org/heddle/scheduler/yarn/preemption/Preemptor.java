// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.preemption;

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
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.heddle.scheduler.engine.Schedulable;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.model.PreemptionSettings;
import org.heddle.scheduler.model.QueuePreemptionSettings;
import org.heddle.scheduler.model.Vectors;
import org.heddle.scheduler.model.WorkProtection;
import org.heddle.scheduler.preemption.Starvation;
import org.heddle.scheduler.preemption.StarvationTracker;
import org.heddle.scheduler.snapshot.SchedulerSnapshot;
import org.heddle.scheduler.snapshot.SchedulerSnapshot.Fate;
import org.heddle.scheduler.yarn.app.Ask;
import org.heddle.scheduler.yarn.app.HeddleAttempt;
import org.heddle.scheduler.yarn.app.Veto;
import org.heddle.scheduler.yarn.compat.ResourceVectors;
import org.heddle.scheduler.yarn.node.ContainerAllocator;
import org.heddle.scheduler.yarn.node.HeddleNode;
import org.heddle.scheduler.yarn.node.NodeReservations;
import org.heddle.scheduler.yarn.node.PromisedResources;
import org.heddle.scheduler.yarn.queue.HeddleQueue;
import org.heddle.scheduler.yarn.queue.QueueTree;
import org.heddle.settings.Clocks;
import org.jspecify.annotations.Nullable;

/**
 * Preemption (Nexus 3.4 and 4.3): queues, users and applications that are below their guarantee or share for too long
 * get resources from those above theirs. ApplicationMasters are warned first. When the grace period is over, the
 * containers that are still needed are killed, and the node is kept for the beneficiary. Each choice counts all
 * pending preemptions as done, so that one need never preempts twice. Guarded by the scheduler's lock.
 */
public final class Preemptor {
    private final ShareEngine engine;
    private final ResourceVectors vectors;
    private final NodeReservations reservations;
    private final ContainerAllocator allocator;
    private final Supplier<Collection<HeddleNode>> allNodes;
    private final WorkAtRisk work;
    private final PreemptionNodes nodes;
    private final PreemptionPlanner plan;
    private final PreemptionLog log;
    private final Clocks clocks;
    private final Function<ContainerId, @Nullable HeddleAttempt> attempts;
    private final Consumer<RMContainer> killer;
    private final StarvationTracker starvations = new StarvationTracker();
    private final List<PendingPreemption> preemptions = new ArrayList<>();
    private final Map<String, Long> counters = new TreeMap<>();
    /** Whether a container is being killed now because its grace period is over. */
    private boolean collecting;

    private PreemptionSettings rules = PreemptionSettings.DEFAULT;

    public Preemptor(
            QueueTree queues,
            NodeReservations reservations,
            ContainerAllocator allocator,
            Supplier<Collection<HeddleNode>> allNodes,
            Function<ContainerId, @Nullable HeddleAttempt> attempts,
            Consumer<RMContainer> killer,
            Clocks clocks) {
        this.engine = queues.engine();
        this.vectors = queues.vectors();
        this.reservations = reservations;
        this.allocator = allocator;
        this.clocks = clocks;
        this.work = new WorkAtRisk(engine, vectors, clocks);
        this.allNodes = allNodes;
        this.nodes = new PreemptionNodes(engine, vectors, reservations, allocator, allNodes, attempts, work);
        this.plan = new PreemptionPlanner(engine, vectors, reservations, nodes, attempts, work);
        this.log = new PreemptionLog(vectors, clocks);
        this.attempts = attempts;
        this.killer = killer;
        for (String name : List.of("announced", "killed", "given-back", "called-off", "proposed")) {
            counters.put("preemption-containers-" + name, 0L);
        }
    }

    /**
     * One round: advances the pending preemptions and begins those that have become necessary.
     *
     * @return whether the round began as many as one round may, so that more may be necessary
     */
    public boolean tick(PreemptionSettings newRules) {
        long nowMillis = clocks.millis();
        rules = newRules;
        if (rules.mode() == PreemptionSettings.Mode.OFF) {
            callOffAll(preemption -> true, "preemption is switched off");
            return false;
        }
        work.tick(rules, allNodes.get(), utilization());
        boolean dry = rules.mode() == PreemptionSettings.Mode.DRY_RUN;
        callOffAll(preemption -> preemption.dry != dry, "the preemption mode has changed");
        // 1. Pending preemptions: cancelled asks, grace periods that are over, resources that came too late
        callOffAll(preemption -> !isWanted(preemption), "the ask is gone");
        for (PendingPreemption preemption : List.copyOf(preemptions)) {
            if (nowMillis >= preemption.dueMillis && !preemption.killed) {
                collect(preemption);
            }
        }
        callOffAll(preemption -> nowMillis >= preemption.droppedMillis, "it took too long");
        // 2. Find the schedulables that have starved for too long.
        engine.renew();
        List<Starvation> due = starvations.due(engine.root(), Preemptor::protection, nowMillis);
        if (!rules.work().enabled()) {
            addStuckReservations(due, nowMillis);
        }
        if (utilization() <= rules.minUtilization()) {
            due.clear();
        }
        // 3. Which containers should be preempted for them?
        PreemptionPlanner.Outcome outcome = plan.work(due, preemptions, rules, nowMillis);
        // 4. Begin these preemptions
        outcome.needless().forEach(preemption -> callOff(preemption, "it is not needed any more"));
        outcome.begin().forEach(preemption -> announce(preemption, nowMillis));
        return outcome.begin().size() >= PreemptionPlanner.MOST_AT_ONCE;
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
            long since = reservations.sinceMillis(node, nowMillis);
            if (attempt != null && node.promises().isEmpty() && nowMillis - since >= rules.reservationStuckMillis()) {
                due.add(new Starvation(
                        attempt.application().schedulable(), Starvation.Kind.RESERVATION_STUCK, since, 1));
            }
        }
    }

    // ---- preemptions ----

    private void announce(PendingPreemption preemption, long nowMillis) {
        if (preemption.holdsNode() && preemption.node.getReservedContainer() != null) {
            reservations.release(preemption.node); // the pending preemption keeps the node from now on
        }
        preemptions.add(preemption);
        preemption.node.promise(preemption);
        count(preemption.dry ? "proposed" : "announced", preemption.marked.size());
        log.announced(preemption, nowMillis);
        if (!preemption.dry) {
            for (Victim victim : preemption.marked.values()) {
                victim.attempt().markForPreemption(victim.container(), preemption.negotiable);
            }
        }
    }

    /** The grace period is over: kills the containers that are still needed and may still be preempted. */
    private void collect(PendingPreemption preemption) {
        preemption.killed = true;
        if (preemption.dry) {
            log.wouldHaveBeenDone(preemption);
            preemption.marked.values().forEach(work::lose);
            close(preemption, "dry run: nothing was preempted");
            return;
        }
        List<Victim> going = stillNeeded(preemption);
        Victim stays =
                plan.firstToStay(preemption, going, preemptions.subList(0, preemptions.indexOf(preemption)), rules);
        if (stays != null) {
            callOff(preemption, "by now this would be unfair: " + stays);
            return;
        }
        for (Victim victim : List.copyOf(preemption.marked.values())) {
            preemption.unmark(victim, going.contains(victim) ? Fate.KILLED : Fate.STAYS);
            if (going.contains(victim)) {
                count("killed", 1);
                log.killed(victim, preemption);
                work.lose(victim);
                collecting = true;
                killer.accept(victim.container());
                collecting = false;
            } else {
                unmark(victim);
                count("called-off", 1);
                log.notNeeded(victim, preemption);
            }
        }
    }

    /** The marked containers that must still be killed, given the resources that are free and kept for nobody else. */
    private List<Victim> stillNeeded(PendingPreemption preemption) {
        long[] room = nodes.comingRoom(preemption.node);
        for (PromisedResources other : preemption.node.promises()) {
            if (other != preemption) {
                Vectors.add(room, other.size().need(), -other.left());
            }
        }
        Vectors.add(room, preemption.size().need(), 1 - preemption.left);
        List<Victim> needed = new ArrayList<>();
        for (Victim victim : preemption.marked.values()) {
            if (!preemption.size().fits(room)) {
                Vectors.add(room, vectors.of(victim.container().getContainer().getResource()), 1);
                needed.add(victim);
            }
        }
        return needed;
    }

    /** Records that a container has ended: whether it was marked, or was freed in place of a marked one. */
    public void ended(RMContainer container, @Nullable HeddleNode node, long nowMillis) {
        if (collecting) {
            return;
        }
        for (PendingPreemption preemption : List.copyOf(preemptions)) {
            Victim victim = preemption.marked.get(container.getContainerId());
            if (victim != null) {
                preemption.unmark(victim, Fate.ENDED);
                count("given-back", 1);
                log.endedBefore(victim, preemption);
                return;
            }
        }
        for (PendingPreemption preemption : List.copyOf(preemptions)) {
            if (preemption.negotiable
                    && !preemption.killed
                    && node != null
                    && !node.equals(preemption.node)
                    && frees(container, preemption)) {
                movePromise(preemption, node, nowMillis);
                return;
            }
        }
    }

    private boolean frees(RMContainer container, PendingPreemption preemption) {
        HeddleAttempt owner = attempts.apply(container.getContainerId());
        return owner != null
                && preemption.marked.values().stream()
                        .anyMatch(victim -> victim.attempt().getApplicationId().equals(owner.getApplicationId()))
                && preemption.size().fits(vectors.of(container.getContainer().getResource()));
    }

    /**
     * The application freed the same amount on another node: one container's part of the preemption moves to that
     * node, with its mark.
     */
    private void movePromise(PendingPreemption preemption, HeddleNode node, long nowMillis) {
        PreemptionPlanner.Wish wish =
                new PreemptionPlanner.Wish(preemption.starvation, preemption.attempt, preemption.ask);
        if (!nodes.mayRunOn(node, wish, nowMillis)) {
            return;
        }
        PendingPreemption there = new PendingPreemption(
                wish, node, 1, PendingPreemption.Terms.NEGOTIABLE, preemption.dueMillis, preemption.droppedMillis);
        preemptions.add(there);
        node.promise(there);
        count("given-back", 1);
        preemption.left--;
        if (preemption.left == 0) {
            callOff(preemption, "as much was freed on " + node.getNodeID());
        }
    }

    private boolean isWanted(PendingPreemption preemption) {
        Ask ask = preemption.attempt.ask(preemption.key());
        if (preemption.reserved && !preemption.attempt.equals(preemption.node.reservedFor())) {
            return false;
        }
        return ask != null
                && !preemption.attempt.isStopped()
                && Arrays.equals(ask.size().need(), preemption.size().need())
                && preemption
                                .attempt
                                .getPendingAsk(preemption.key(), ResourceRequest.ANY)
                                .getCount()
                        > 0
                && engine.withinLimits(preemption.attempt.application().schedulable(), ask.size());
    }

    private void callOffAll(Predicate<PendingPreemption> which, String why) {
        for (PendingPreemption preemption : List.copyOf(preemptions)) {
            if (which.test(preemption)) {
                callOff(preemption, why);
            }
        }
    }

    private void callOff(PendingPreemption preemption, String why) {
        log.calledOff(preemption, why);
        close(preemption, "called off, because " + why);
    }

    /** Cancels a preemption; containers that it marked and that still run are no longer marked. */
    private void close(PendingPreemption preemption, String outcome) {
        preemptions.remove(preemption);
        preemption.node.withdraw(preemption);
        if (!preemption.dry) {
            count("called-off", preemption.marked.size());
        }
        for (Victim victim : List.copyOf(preemption.marked.values())) {
            unmark(victim);
            preemption.unmark(victim, Fate.STAYS);
        }
        log.ended(preemption, outcome);
    }

    private void unmark(Victim victim) {
        HeddleAttempt owner = attempts.apply(victim.id());
        if (owner != null) {
            owner.unmark(victim.id());
        }
    }

    /** A node was lost or moved to another partition: all preemptions on it are cancelled. */
    public void removed(HeddleNode node) {
        work.forget(node);
        callOffAll(preemption -> preemption.node.equals(node), "the node is not there any more");
    }

    // ---- serving ----

    /**
     * Places containers of beneficiaries on a node, as far as its free resources allow. Marked containers end one by
     * one, so the resources that are free for a large ask may not be enough for it yet; they are not given to a
     * smaller one that began later.
     *
     * @return whether resources of this node are still kept for a beneficiary, so that no other ask may use it
     */
    public boolean serve(HeddleNode node, int most, long nowMillis, Runnable placed) {
        if (node.promises().isEmpty()) {
            return false;
        }
        int still = 0;
        int served = 0;
        long[] promisedBefore = new long[vectors.size()];
        for (PendingPreemption preemption : List.copyOf(preemptions)) {
            if (!preemption.node.equals(node) || !preemption.holdsNode()) {
                continue;
            }
            boolean refused = !isWanted(preemption);
            long[] room = roomBeyond(promisedBefore, node);
            while (!refused
                    && preemption.left > 0
                    && served < most
                    && preemption.size().fits(room)) {
                Ask ask = preemption.attempt.ask(preemption.key());
                refused = ask == null
                        || !isWanted(preemption)
                        || allocator.placePromised(preemption.attempt, ask, node, room, nowMillis) instanceof Veto;
                room = roomBeyond(promisedBefore, node);
                if (!refused && ask != null) {
                    engine.grant(preemption.attempt.application().schedulable(), ask.size());
                    preemption.left--;
                    served++;
                    placed.run();
                }
            }
            if (refused) {
                callOff(preemption, "the ask is gone, or does not suit the node any more");
            } else if (preemption.left == 0) {
                log.served(preemption);
                close(preemption, "served");
            } else {
                still++;
                Vectors.add(promisedBefore, preemption.size().need(), preemption.left);
            }
        }
        return still > 0;
    }

    /** The free resources of this node without those that earlier preemptions on it need. */
    private long[] roomBeyond(long[] promised, HeddleNode node) {
        long[] room = vectors.room(node.getUnallocatedResource());
        Vectors.add(room, promised, -1);
        return room;
    }

    // ---- reports ----

    public Map<String, Long> counters() {
        return counters;
    }

    /** How much work may be lost now where work is spared. */
    public WorkProtection.Credit lostWorkCredit() {
        return rules.mode() == PreemptionSettings.Mode.OFF ? WorkProtection.Credit.UNLIMITED : work.credit();
    }

    /** Whether preemption for an application waits, because it would lose more work than may be lost now. */
    public boolean waitsForCredit(ApplicationId application) {
        return rules.mode() != PreemptionSettings.Mode.OFF && work.isWaiting(application);
    }

    /** The last ended preemptions, and then all pending ones. */
    public List<SchedulerSnapshot.PreemptionReport> shown() {
        return log.shown(preemptions);
    }

    private void count(String what, long more) {
        counters.merge("preemption-containers-" + what, more, Long::sum);
    }

    private static QueuePreemptionSettings protection(Schedulable schedulable) {
        for (Schedulable at = schedulable; at != null; at = at.parent()) {
            if (at.owner() instanceof HeddleQueue queue) {
                boolean own = at.equals(schedulable);
                return own ? queue.spec().protection() : queue.spec().protectionOfUsers();
            }
        }
        return QueuePreemptionSettings.DEFAULT;
    }
}
