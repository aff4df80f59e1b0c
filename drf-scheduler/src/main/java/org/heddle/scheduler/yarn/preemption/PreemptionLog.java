// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.preemption;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.heddle.scheduler.model.SchedulerSnapshot;
import org.heddle.scheduler.yarn.compat.ResourceVectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says of each preemption whose containers go for whom and what came of it: in the log at INFO, and to REST and the page.
 * Guarded by the scheduler's lock.
 */
final class PreemptionLog {
    private static final Logger LOG = LoggerFactory.getLogger(PreemptionLog.class);
    /** So many that have ended are shown. */
    private static final int MOST_ENDED = 20;

    private final ResourceVectors vectors;
    private final Deque<SchedulerSnapshot.Revoking> ended = new ArrayDeque<>();

    PreemptionLog(ResourceVectors vectors) {
        this.vectors = vectors;
    }

    void announced(PendingPreemption deal, long nowMillis) {
        LOG.info(
                "{} {} for {} s: {} is to be made by {}; terms: {}",
                deal.grievance.claim(),
                deal.grievance.kind(),
                (nowMillis - deal.grievance.sinceMillis()) / 1000,
                room(deal),
                victims(deal),
                deal.terms());
    }

    void wouldHaveBeenDone(PendingPreemption deal) {
        LOG.info("Dry run: {} would have been made by now by {}", room(deal), victims(deal));
    }

    void killed(Victim victim, PendingPreemption deal) {
        LOG.info("Killing {}, whose grace period is over: {}", victim, room(deal));
    }

    void notNeeded(Victim victim, PendingPreemption deal) {
        LOG.info("{} stays: there is {} without it", victim, room(deal));
    }

    void endedBefore(Victim victim, PendingPreemption deal) {
        LOG.info("{} ended before it was killed: {}", victim, room(deal));
    }

    void calledOff(PendingPreemption deal, String why) {
        LOG.info("Called off: {}, because {}{}", room(deal), why, staying(deal));
    }

    void served(PendingPreemption deal) {
        LOG.info("Served: {}{}", room(deal), staying(deal));
    }

    /** Keeps it for those who look later. */
    void ended(PendingPreemption deal, String outcome) {
        ended.add(seen(deal, outcome));
        if (ended.size() > MOST_ENDED) {
            ended.remove();
        }
    }

    /** The last few that have ended, the oldest first, and then all that are under way. */
    List<SchedulerSnapshot.Revoking> shown(List<PendingPreemption> underWay) {
        return Stream.concat(ended.stream(), underWay.stream().map(deal -> seen(deal, "")))
                .toList();
    }

    private SchedulerSnapshot.Revoking seen(PendingPreemption deal, String outcome) {
        return new SchedulerSnapshot.Revoking(
                deal.grievance.claim().toString(),
                deal.grievance.kind().toString(),
                deal.attempt.getApplicationId().toString(),
                deal.attempt.getQueueName(),
                deal.attempt.getUser(),
                deal.node.getNodeID().toString(),
                vectors.toMap(deal.size().need()),
                outcome.isEmpty() ? deal.left : deal.count,
                deal.victims(),
                deal.terms(),
                deal.killed ? 0 : deal.dueMillis,
                outcome);
    }

    /** Whose room, and where. */
    private String room(PendingPreemption deal) {
        return "room for %d x %s of %s (queue %s, user %s) on %s"
                .formatted(
                        deal.count,
                        vectors.toResource(deal.size().need()),
                        deal.attempt.getApplicationId(),
                        deal.attempt.getQueueName(),
                        deal.attempt.getUser(),
                        deal.node.getNodeID());
    }

    private static String victims(PendingPreemption deal) {
        return deal.marked.isEmpty()
                ? "no container"
                : deal.marked.values().stream().map(Victim::toString).collect(Collectors.joining("; "));
    }

    private static String staying(PendingPreemption deal) {
        return deal.dry || deal.marked.isEmpty() ? "" : "; not preempted after all: " + victims(deal);
    }
}
