// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.preemption;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.heddle.scheduler.engine.ContainerSize;
import org.heddle.scheduler.preemption.Starvation;
import org.heddle.scheduler.snapshot.SchedulerSnapshot;
import org.heddle.scheduler.snapshot.SchedulerSnapshot.Fate;
import org.heddle.scheduler.yarn.app.Ask;
import org.heddle.scheduler.yarn.app.HeddleAttempt;
import org.heddle.scheduler.yarn.node.HeddleNode;
import org.heddle.scheduler.yarn.node.PromisedResources;

/**
 * One preemption: resources on one node that are freed for containers of one beneficiary. The node is kept for the
 * beneficiary until these containers are placed, or until the preemption is cancelled. Guarded by the scheduler's
 * lock.
 *
 * <p>{@code announced -> grace period over: marked containers are killed -> resources are free -> served}. It can be
 * cancelled in each of these states.
 */
final class PendingPreemption implements PromisedResources {
    final Starvation starvation;
    final HeddleAttempt attempt;
    final Ask ask;
    final HeddleNode node;
    /** Marked containers that have not ended yet. */
    final Map<ContainerId, Victim> marked = new LinkedHashMap<>();
    /** The end of each marked container. */
    private final Map<Victim, Fate> fates = new LinkedHashMap<>();
    /** Whether the losing ApplicationMaster may free the same amount with other containers. */
    final boolean negotiable;
    /** A dry run: it is reported, but sends no notice, reserves nothing and kills nothing. */
    final boolean dry;
    /** The node is reserved for the beneficiary, and the reservation serves the ask. */
    final boolean reserved;

    final long dueMillis;
    /** The number of the beneficiary's containers for which it frees resources. */
    final int count;
    /** Number of containers that are still to be placed. */
    int left;

    boolean killed;
    long droppedMillis;

    PendingPreemption(
            PreemptionPlanner.Wish wish, HeddleNode node, int left, Terms terms, long dueMillis, long droppedMillis) {
        this.starvation = wish.starvation();
        this.attempt = wish.attempt();
        this.ask = wish.ask();
        this.node = node;
        this.count = left;
        this.left = left;
        this.negotiable = terms == Terms.NEGOTIABLE;
        this.dry = terms == Terms.DRY;
        this.reserved = starvation.kind() == Starvation.Kind.RESERVATION_STUCK;
        this.dueMillis = dueMillis;
        this.droppedMillis = droppedMillis;
    }

    void mark(Victim victim) {
        marked.put(victim.id(), victim);
        fates.put(victim, Fate.TO_GO);
    }

    void unmark(Victim victim, Fate fate) {
        marked.remove(victim.id());
        fates.put(victim, fate);
    }

    List<SchedulerSnapshot.Victim> victims() {
        return fates.entrySet().stream()
                .map(victim -> victim.getKey().seen(victim.getValue()))
                .toList();
    }

    /** The message to the ApplicationMasters that lose containers. */
    enum Terms {
        /** A strict contract: exactly these containers will be preempted. */
        STRICT,
        /** A negotiable contract: these containers, or the same amount in any others. */
        NEGOTIABLE,
        /** No notice is sent. */
        DRY
    }

    @Override
    public HeddleAttempt attempt() {
        return attempt;
    }

    @Override
    public SchedulerRequestKey key() {
        return ask.key();
    }

    @Override
    public ContainerSize size() {
        return ask.size();
    }

    @Override
    public int left() {
        return left;
    }

    @Override
    public boolean holdsNode() {
        return !dry && !reserved;
    }

    String terms() {
        if (dry) {
            return "dry run";
        }
        if (negotiable) {
            return "negotiable";
        }
        return "strict";
    }
}
