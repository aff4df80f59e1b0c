// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.preemption;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.model.PreemptionSettings;
import org.heddle.scheduler.model.WorkProtection;
import org.heddle.scheduler.policy.DominantShare;
import org.heddle.scheduler.preemption.LostWorkLimit;
import org.heddle.scheduler.preemption.RunTimes;
import org.heddle.scheduler.preemption.Starvation;
import org.heddle.scheduler.preemption.VictimSet;
import org.heddle.scheduler.yarn.compat.ResourceVectors;
import org.heddle.scheduler.yarn.node.HeddleNode;
import org.heddle.settings.Clocks;

/**
 * The work of running containers that preemption could lose, and how much of it may be lost. Does nothing where
 * {@link WorkProtection} is off. Guarded by the scheduler's lock.
 */
final class WorkAtRisk {
    private final ShareEngine engine;
    private final ResourceVectors vectors;
    private final Clocks clocks;
    private final RunTimes runTimes = new RunTimes();
    private final LostWorkLimit limit = new LostWorkLimit();
    private WorkProtection rules = WorkProtection.NONE;
    private long[] capacity = new long[0];
    private long graceMillis;
    private long nowMillis;
    /** Applications for which nothing was preempted at the last tick, because that would have lost too much. */
    private Set<ApplicationId> waiting = Set.of();

    private double needed;

    WorkAtRisk(ShareEngine engine, ResourceVectors vectors, Clocks clocks) {
        this.clocks = clocks;
        this.engine = engine;
        this.vectors = vectors;
    }

    /**
     * Takes over the settings and what runs now.
     *
     * @param used the part of the cluster in use
     */
    void tick(PreemptionSettings settings, Collection<HeddleNode> nodes, double used) {
        long now = clocks.millis();
        rules = settings.work();
        graceMillis = settings.graceMillis();
        nowMillis = now;
        capacity = engine.capacity();
        waiting = Set.of();
        needed = 0;
        if (!rules.enabled()) {
            return;
        }
        List<RunTimes.Running> running = new ArrayList<>();
        for (HeddleNode node : nodes) {
            for (RMContainer container : node.getCopiedListOfRunningContainers()) {
                if (!PreemptionNodes.hasEnded(container)) {
                    running.add(new RunTimes.Running(
                            container.getContainerId(),
                            new RunTimes.Kind(
                                    container.getApplicationAttemptId().getApplicationId(),
                                    container.getContainer().getPriority().getPriority()),
                            Math.min(clocks.millisAt(container.getCreationTime()), now)));
                }
            }
        }
        runTimes.observe(running, now);
        limit.earn(rules.maxLost(), used, now);
    }

    boolean isSpared() {
        return rules.enabled();
    }

    /** How long a container will have run when a grace period that begins now is over; 0 where work is not spared. */
    long runMillis(RMContainer container) {
        return rules.enabled() ? runTimes.runMillis(container.getContainerId(), nowMillis + graceMillis) : 0;
    }

    /** The part of the cluster that a container holds, of the resource of which it holds the largest part. */
    double share(RMContainer container) {
        return DominantShare.of(vectors.of(container.getContainer().getResource()), capacity);
    }

    /**
     * Whether a container is expected to end so soon that a starved schedulable waits for it: before its grace period
     * would be over, or before the schedulable has waited for long enough.
     */
    boolean endsInTime(RMContainer container, Starvation starvation) {
        if (!rules.enabled()) {
            return false;
        }
        long horizon = Math.max(graceMillis, starvation.sinceMillis() + rules.waitMillis() - nowMillis);
        return runTimes.remainingMillis(container.getContainerId(), nowMillis) <= horizon;
    }

    /** Whether so much work may be lost in addition to what pending preemptions will lose. */
    boolean mayLose(VictimSet proposal, List<PendingPreemption> pending) {
        if (!rules.enabled()) {
            return true;
        }
        double promised = 0;
        for (PendingPreemption preemption : pending) {
            for (Victim victim : preemption.marked.values()) {
                promised += share(victim.container())
                        * runTimes.runMillis(victim.id(), Math.max(nowMillis, preemption.dueMillis));
            }
        }
        if (limit.allows(proposal.lostWork(), promised)) {
            return true;
        }
        needed = needed == 0 ? proposal.lostWork() : needed;
        return false;
    }

    /** These applications wait, until the next tick, because their preemption would lose too much. */
    void setWaiting(Set<ApplicationId> applications) {
        waiting = Set.copyOf(applications);
    }

    /** Counts the work of a container that is preempted now. */
    void lose(Victim victim) {
        if (rules.enabled()) {
            limit.lose(share(victim.container()) * runTimes.runMillis(victim.id(), nowMillis));
            runTimes.forget(victim.id());
        }
    }

    /** How much may be lost now, and how many applications wait because that is too little. */
    WorkProtection.Credit credit() {
        return rules.enabled() ? limit.credit(waiting.size(), needed) : WorkProtection.Credit.UNLIMITED;
    }

    /** Whether preemption for an application would have lost too much at the last tick. */
    boolean isWaiting(ApplicationId application) {
        return waiting.contains(application);
    }

    /** A node was lost: the ends of its containers say nothing about their run times. */
    void forget(HeddleNode node) {
        node.getCopiedListOfRunningContainers().forEach(container -> runTimes.forget(container.getContainerId()));
    }
}
