// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.app;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.heddle.scheduler.engine.ContainerSize;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.model.QueueSettings;
import org.heddle.scheduler.model.Weights;
import org.heddle.scheduler.model.Words;
import org.heddle.scheduler.yarn.queue.FairShareOfQueue;
import org.heddle.scheduler.yarn.queue.HeddleQueue;
import org.heddle.scheduler.yarn.queue.QueueTree;
import org.jspecify.annotations.Nullable;

/**
 * Limits the ApplicationMasters of a leaf queue to a part of the queue's entitlement, so that their tasks also get
 * resources. The first master of a leaf is always admitted. More than the part are admitted while the leaf has room
 * within its entitlement and {@link QuietLeaves no task of it waits}, but they leave half of the rest to tasks: if all
 * that are idle ask at the same time, tasks can run. In FairScheduler compatibility mode the first master is treated
 * like the others, and the limit is a part of FairScheduler's fair share of the queue; in CapacityScheduler
 * compatibility mode it is a part of what the queue may hold beside what others hold now, or of its capacity if that is
 * more.
 */
public final class AmShare {
    private final ShareEngine engine;
    private final QueueTree queues;
    private final FairShareOfQueue fairShares;
    private final QuietLeaves quiet = new QuietLeaves();
    /** Computed once per node heartbeat. */
    private final Map<HeddleQueue, long[]> limits = new HashMap<>();

    public AmShare(ShareEngine engine, QueueTree queues) {
        this.engine = engine;
        this.queues = queues;
        this.fairShares = new FairShareOfQueue(engine, queues);
    }

    /** Begins a node's heartbeat: the active queues may have changed. */
    public void begin() {
        limits.clear();
    }

    /** The message to an application that waits because of this limit. */
    public static String refusal(HeddleQueue leaf) {
        return "waiting for an ApplicationMaster of queue " + leaf.getQueueName()
                + " to end: together they may hold at most " + leaf.spec().maxAmShare()
                + " of what the queue is entitled to" + ofUser(leaf.spec().get(QueueSettings.MAX_AM_SHARE_PER_USER));
    }

    private static String ofUser(double part) {
        return Double.isInfinite(part) ? "" : ", and those of one user " + Words.plain(part) + " of its capacity";
    }

    /** Whether an attempt's leaf may have one more master, of this container size. */
    public boolean admits(HeddleAttempt attempt, ContainerSize containerSize) {
        HeddleQueue leaf = attempt.application().leaf();
        double part = leaf.spec().maxAmShare();
        boolean strict = queues.rules().likeFairScheduler();
        if (strict ? Double.isInfinite(part) : leaf.masters() == 0) {
            return true;
        }
        if (!isWithinUsersPart(leaf, attempt.getUser(), containerSize)) {
            return false;
        }
        if (!strict && part >= 1) {
            return true;
        }
        if (queues.rules().likeCapacityScheduler()) {
            return isWithin(leaf, containerSize, asCapacitySchedulerHasIt(leaf, part));
        }
        if (strict) {
            return isWithin(
                    leaf,
                    containerSize,
                    limits.computeIfAbsent(
                            leaf, missing -> asFairSchedulerHasIt(missing, fairShares.of(missing), part)));
        }
        return isWithin(leaf, containerSize, part)
                || (isWithin(leaf, containerSize, (1 + part) / 2)
                        && isBelowItsShare(leaf, containerSize)
                        && quiet.isQuiet(leaf, attempt.nowMillis()));
    }

    private boolean isWithin(HeddleQueue leaf, ContainerSize containerSize, double part) {
        for (int j = 0; j < engine.resources(); j++) {
            if (containerSize.need(j) > 0
                    && leaf.masterUsage(j) + containerSize.need(j) > part * entitled(leaf, j) * engine.capacity(j)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Whether a user may have one more master: CapacityScheduler's {@code getUserAMResourceLimitPerPartition}. A weight
     * below 1 makes the part smaller; a larger one counts only among several users.
     */
    private boolean isWithinUsersPart(HeddleQueue leaf, String user, ContainerSize containerSize) {
        double most = leaf.spec().get(QueueSettings.MAX_AM_SHARE_PER_USER);
        if (Double.isInfinite(most)) {
            return true;
        }
        double least = Math.min(most, leaf.spec().get(QueueSettings.MIN_AM_SHARE_PER_USER));
        double ofOne = Math.max(
                least, most / Math.max(1, leaf.getAbstractUsersManager().getNumActiveUsers()));
        Weights weight = leaf.spec().userWeights().getOrDefault(user, Weights.ONE);
        double part = Math.min(most, ofOne * weight.base());
        int resources = queues.rules().memoryOnly() ? 1 : engine.resources();
        for (int j = 0; j < resources; j++) {
            long after = leaf.masterUsage(user, j) + containerSize.need(j);
            double capacity = leaf.capacity(j) * engine.capacity(j);
            if (containerSize.need(j) > 0 && after > queues.roundedUp(part * capacity, j)) {
                return false;
            }
        }
        return true;
    }

    private boolean isBelowItsShare(HeddleQueue leaf, ContainerSize containerSize) {
        for (int j = 0; j < engine.resources(); j++) {
            if (leaf.schedulable().usage(j) + containerSize.need(j) > entitled(leaf, j) * engine.capacity(j)) {
                return false;
            }
        }
        return true;
    }

    private boolean isWithin(HeddleQueue leaf, ContainerSize containerSize, long[] limit) {
        for (int j = 0; j < limit.length; j++) {
            if (containerSize.need(j) > 0 && leaf.masterUsage(j) + containerSize.need(j) > limit[j]) {
                return false;
            }
        }
        return true;
    }

    /**
     * The limit of a leaf's ApplicationMasters, per resource in its units; null if there is none.
     *
     * @param fairShare the leaf's share in FairScheduler's sense
     */
    public long @Nullable [] limit(HeddleQueue leaf, long[] fairShare) {
        double part = leaf.spec().maxAmShare();
        if (queues.rules().likeFairScheduler()) {
            if (Double.isInfinite(part)) {
                return null;
            }
            return asFairSchedulerHasIt(
                    leaf, Arrays.stream(fairShare).asDoubleStream().toArray(), part);
        }
        return limitOfEntitlement(leaf, part);
    }

    /** The limit that a leaf's ApplicationMasters would have with this part; null if there would be none. */
    public long @Nullable [] limit(HeddleQueue leaf, double part) {
        if (Double.isInfinite(part)) {
            return null;
        }
        if (queues.rules().likeFairScheduler()) {
            return asFairSchedulerHasIt(leaf, fairShares.of(leaf), part);
        }
        return limitOfEntitlement(leaf, part);
    }

    private long @Nullable [] limitOfEntitlement(HeddleQueue leaf, double part) {
        if (queues.rules().likeCapacityScheduler()) {
            return asCapacitySchedulerHasIt(leaf, Math.min(1, part));
        }
        long[] limit = new long[engine.resources()];
        Arrays.setAll(limit, j -> (long) (part * entitled(leaf, j) * engine.capacity(j)));
        return part >= 1 ? null : limit;
    }

    /** A queue of weight 0 gets what the others leave, which may be everything. */
    private static double entitled(HeddleQueue leaf, int resource) {
        double entitlement = leaf.schedulable().entitlement(resource);
        return entitlement > 0 ? entitlement : 1;
    }

    /**
     * FairScheduler's {@code computeMaxAMResource}: if the fair share is 0, the free resources are used instead. It
     * keeps the part as a float and rounds up, so that 0.3 of 10 cores are 4.
     */
    private long[] asFairSchedulerHasIt(HeddleQueue leaf, double[] share, double part) {
        long[] max = queues.limits().of(leaf.spec());
        long[] limit = new long[share.length];
        for (int j = 0; j < limit.length; j++) {
            double base = Math.floor(share[j] + 1e-6);
            if (base <= 0) {
                long free = engine.capacity(j) - engine.root().usage(j);
                base = (double) (max == null ? free : Math.min(free, max[j]));
            }
            limit[j] = (long) Math.ceil(base * (float) part);
        }
        return limit;
    }

    /** CapacityScheduler's {@code calculateAndGetAMResourceLimitPerPartition}. */
    private long[] asCapacitySchedulerHasIt(HeddleQueue leaf, double part) {
        long[] limit = new long[engine.resources()];
        for (int j = 0; j < limit.length; j++) {
            double most = Math.max((double) reachable(leaf, j), leaf.capacity(j) * engine.capacity(j));
            limit[j] = queues.vectors().counts(j) ? queues.roundedUp(most * part, j) : Long.MAX_VALUE;
        }
        return limit;
    }

    /** What a queue may hold of a resource beside what others hold now, within all limits. */
    private long reachable(HeddleQueue queue, int resource) {
        HeddleQueue parent = queue.parent();
        long[] own = queues.limits().of(queue.spec());
        long most = own == null ? Long.MAX_VALUE : own[resource];
        if (parent == null) {
            return Math.min(most, engine.capacity(resource));
        }
        long others = parent.schedulable().usage(resource) - queue.schedulable().usage(resource);
        return Math.min(most, reachable(parent, resource) - others);
    }
}
