// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.app;

import java.util.HashMap;
import java.util.Map;
import org.heddle.scheduler.engine.ContainerSize;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.yarn.queue.FairShareOfQueue;
import org.heddle.scheduler.yarn.queue.HeddleQueue;
import org.heddle.scheduler.yarn.queue.QueueTree;

/**
 * Keeps the ApplicationMasters of a leaf queue within a part of what the queue is entitled to, so that they cannot fill
 * it and wait for room for their tasks. The first master of a leaf is always admitted; in FairScheduler compatibility
 * mode it is treated like the others, and the part is of what FairScheduler calls the queue's fair share.
 */
public final class AmShare {
    private final ShareEngine engine;
    private final QueueTree queues;
    private final FairShareOfQueue fairShares;
    /** Worked out once for each node's turn. */
    private final Map<HeddleQueue, long[]> limits = new HashMap<>();

    public AmShare(ShareEngine engine, QueueTree queues) {
        this.engine = engine;
        this.queues = queues;
        this.fairShares = new FairShareOfQueue(engine, queues);
    }

    /** A node's turn begins: who is active may have changed. */
    public void begin() {
        limits.clear();
    }

    /** The message to an application without room for its ApplicationMaster. */
    public static String refusal(HeddleQueue leaf) {
        return "waiting for an ApplicationMaster of queue " + leaf.getQueueName()
                + " to end: together they may hold at most " + leaf.spec().maxAmShare()
                + " of what the queue is entitled to";
    }

    /** Whether a leaf's masters and one more of this container size stay within their part. */
    public boolean isWithin(HeddleQueue leaf, ContainerSize containerSize) {
        double part = leaf.spec().maxAmShare();
        boolean strict = queues.rules().likeFairScheduler();
        if (strict ? Double.isInfinite(part) : part >= 1 || leaf.masters() == 0) {
            return true;
        }
        long[] limit = strict ? limits.computeIfAbsent(leaf, this::asFairSchedulerHasIt) : null;
        for (int j = 0; j < engine.resources(); j++) {
            // A queue of no weight lives on what others leave, which may be everything.
            double entitled =
                    leaf.schedulable().entitlement(j) > 0 ? leaf.schedulable().entitlement(j) : 1;
            double most = limit == null ? part * entitled * engine.capacity(j) : (double) limit[j];
            if (containerSize.need(j) > 0 && leaf.masterUsage(j) + containerSize.need(j) > most) {
                return false;
            }
        }
        return true;
    }

    /**
     * FairScheduler's {@code computeMaxAMResource}: where the fair share is nothing, what is free counts in its place.
     */
    private long[] asFairSchedulerHasIt(HeddleQueue leaf) {
        double[] share = fairShares.of(leaf);
        long[] max = queues.limits().of(leaf.spec());
        long[] limit = new long[share.length];
        for (int j = 0; j < limit.length; j++) {
            double base = Math.floor(share[j] + 1e-6);
            if (base <= 0) {
                long free = engine.capacity(j) - engine.root().usage(j);
                base = (double) (max == null ? free : Math.min(free, max[j]));
            }
            limit[j] = (long) Math.ceil(base * leaf.spec().maxAmShare() - 1e-9);
        }
        return limit;
    }
}
