// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.preemption;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.heddle.scheduler.snapshot.SchedulerSnapshot;
import org.heddle.scheduler.yarn.compat.ResourceVectors;
import org.heddle.settings.Clocks;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports the victims, the beneficiary and the outcome of each preemption: in the log at INFO, in REST and on the
 * page. Guarded by the scheduler's lock.
 */
final class PreemptionLog {
    private static final Logger LOG = LoggerFactory.getLogger(PreemptionLog.class);
    /** The number of ended preemptions that are kept for reports. */
    private static final int MOST_ENDED = 20;

    private final ResourceVectors vectors;
    private final Clocks clocks;
    private final Deque<SchedulerSnapshot.PreemptionReport> ended = new ArrayDeque<>();

    PreemptionLog(ResourceVectors vectors, Clocks clocks) {
        this.clocks = clocks;
        this.vectors = vectors;
    }

    void announced(PendingPreemption preemption, long nowMillis) {
        LOG.info(
                "{} {} for {} s: {} is to be made by {}; terms: {}",
                preemption.starvation.schedulable(),
                preemption.starvation.kind(),
                (nowMillis - preemption.starvation.sinceMillis()) / 1000,
                room(preemption),
                victims(preemption),
                preemption.terms());
    }

    void wouldHaveBeenDone(PendingPreemption preemption) {
        LOG.info("Dry run: {} would have been made by now by {}", room(preemption), victims(preemption));
    }

    void killed(Victim victim, PendingPreemption preemption) {
        LOG.info("Killing {}, whose grace period is over: {}", victim, room(preemption));
    }

    void notNeeded(Victim victim, PendingPreemption preemption) {
        LOG.info("{} stays: there is {} without it", victim, room(preemption));
    }

    void endedBefore(Victim victim, PendingPreemption preemption) {
        LOG.info("{} ended before it was killed: {}", victim, room(preemption));
    }

    void calledOff(PendingPreemption preemption, String why) {
        LOG.info("Called off: {}, because {}{}", room(preemption), why, staying(preemption));
    }

    void served(PendingPreemption preemption) {
        LOG.info("Served: {}{}", room(preemption), staying(preemption));
    }

    /** Keeps an ended preemption for later reports. */
    void ended(PendingPreemption preemption, String outcome) {
        ended.add(seen(preemption, outcome));
        if (ended.size() > MOST_ENDED) {
            ended.remove();
        }
    }

    /** The last ended preemptions, the oldest first, and then all pending ones. */
    List<SchedulerSnapshot.PreemptionReport> shown(List<PendingPreemption> underWay) {
        return Stream.concat(ended.stream(), underWay.stream().map(preemption -> seen(preemption, "")))
                .toList();
    }

    private SchedulerSnapshot.PreemptionReport seen(PendingPreemption preemption, String outcome) {
        return new SchedulerSnapshot.PreemptionReport(
                preemption.starvation.schedulable().toString(),
                preemption.starvation.kind().toString(),
                preemption.attempt.getApplicationId().toString(),
                preemption.attempt.getQueueName(),
                preemption.attempt.getUser(),
                preemption.node.getNodeID().toString(),
                vectors.toMap(preemption.size().need()),
                outcome.isEmpty() ? preemption.left : preemption.count,
                preemption.victims(),
                preemption.terms(),
                preemption.killed ? 0 : clocks.dateOf(preemption.dueMillis),
                outcome);
    }

    /** For messages: the application that loses containers, and the node. */
    private String room(PendingPreemption preemption) {
        return String.format(
                Locale.ROOT,
                "room for %d x %s of %s (queue %s, user %s) on %s",
                preemption.count,
                vectors.toResource(preemption.size().need()),
                preemption.attempt.getApplicationId(),
                preemption.attempt.getQueueName(),
                preemption.attempt.getUser(),
                preemption.node.getNodeID());
    }

    private static String victims(PendingPreemption preemption) {
        if (preemption.marked.isEmpty()) {
            return "no container";
        }
        return preemption.marked.values().stream().map(Victim::toString).collect(Collectors.joining("; "));
    }

    private static String staying(PendingPreemption preemption) {
        return preemption.dry || preemption.marked.isEmpty() ? "" : "; not preempted after all: " + victims(preemption);
    }
}
