// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.preemption;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.heddle.scheduler.engine.ContainerSize;
import org.heddle.scheduler.model.SchedulerSnapshot;
import org.heddle.scheduler.model.SchedulerSnapshot.Fate;
import org.heddle.scheduler.preemption.Starvation;
import org.heddle.scheduler.yarn.app.Ask;
import org.heddle.scheduler.yarn.app.HeddleAttempt;
import org.heddle.scheduler.yarn.node.HeddleNode;
import org.heddle.scheduler.yarn.node.PromisedRoom;

/**
 * One preemption: room on one node for some containers of one beneficiary, made by containers that have to go. The node
 * is held for the beneficiary until it is served or the preemption is called off. Guarded by the scheduler's lock.
 *
 * <p>{@code announced -> due: marked containers are killed -> room comes -> served}; called off at any time.
 */
final class PendingPreemption implements PromisedRoom {
    final Starvation starvation;
    final HeddleAttempt attempt;
    final Ask ask;
    final HeddleNode node;
    /** Containers that have to go and have not gone yet. */
    final Map<ContainerId, Victim> marked = new LinkedHashMap<>();
    /** What has become of those that were marked. */
    private final Map<Victim, Fate> fates = new LinkedHashMap<>();
    /** Whether their master may free as much elsewhere instead. */
    final boolean negotiable;
    /** It is only reported: it sends no notice, reserves nothing and kills nothing. */
    final boolean dry;
    /** The node is reserved; the reservation serves the ask itself. */
    final boolean reserved;

    final long dueMillis;
    /** The number of the beneficiary's containers for which it frees resources. */
    final int count;
    /** How many of them are still to be placed. */
    int left;

    boolean killed;
    long droppedMillis;

    PendingPreemption(
            Starvation starvation,
            HeddleAttempt attempt,
            Ask ask,
            HeddleNode node,
            int left,
            Terms terms,
            long dueMillis,
            long droppedMillis) {
        this.starvation = starvation;
        this.attempt = attempt;
        this.ask = ask;
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

    /** What those who lose are told. */
    enum Terms {
        /** These containers will be taken. */
        STRICT,
        /** These, or as much anywhere. */
        NEGOTIABLE,
        /** Nothing. */
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
        return dry ? "dry run" : negotiable ? "negotiable" : "strict";
    }
}
