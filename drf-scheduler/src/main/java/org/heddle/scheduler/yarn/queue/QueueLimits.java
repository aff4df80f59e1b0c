// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.queue;

import java.util.Arrays;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.model.Amounts;
import org.heddle.scheduler.model.QueueSpec;
import org.heddle.scheduler.policy.FairOrder;
import org.heddle.scheduler.yarn.compat.ResourceVectors;
import org.jspecify.annotations.Nullable;

/**
 * What queues and their users may hold at most and are guaranteed at least, in units of the cluster as it is now: a
 * part of a cluster that changes is not the same amount tomorrow. Under the scheduler's lock, but for {@link
 * #container} and {@link #partOfParent}.
 */
public final class QueueLimits {
    /** YARN lists these two first among resources. */
    private static final int MEMORY_AND_CORES = 2;

    private final QueueTree queues;
    private final ShareEngine engine;
    private final ResourceVectors vectors;
    private boolean stale = true;

    QueueLimits(QueueTree queues, ShareEngine engine, ResourceVectors vectors) {
        this.queues = queues;
        this.engine = engine;
        this.vectors = vectors;
    }

    /**
     * The largest container of a queue, whatever it is called; FairScheduler takes the nearest limit, not the smallest.
     */
    public Resource container(@Nullable String queueName, Resource cluster) {
        for (HeddleQueue queue = queues.find(queueName); queue != null; queue = queue.parent()) {
            Amounts own = queue.spec().traits().maxContainer();
            if (!own.isUnlimited()) {
                long[] limit = vectors.limit(own, vectors.of(cluster));
                return limit == null ? cluster : Resources.componentwiseMin(cluster, vectors.toResource(limit));
            }
        }
        return cluster;
    }

    /** Whether so much is more than any one user may hold in a leaf. */
    public boolean exceedsUserLimit(HeddleQueue leaf, long[] amount) {
        long[] limit = perUser(leaf);
        for (int j = 0; limit != null && j < amount.length; j++) {
            if (amount[j] > limit[j]) {
                return true;
            }
        }
        return false;
    }

    /** Queues or the cluster have changed, and with it what fractions of it are. */
    public void changed() {
        stale = true;
    }

    /** Brings limits up to date after changes of the cluster or the specification. */
    public void refresh() {
        if (!stale) {
            return;
        }
        stale = false;
        long[] capacity = capacity();
        for (HeddleQueue queue : queues.all()) {
            engine.setLimit(queue.schedulable(), limit(queue.spec(), capacity));
            Amounts guaranteed = queue.spec().protection().guaranteed();
            engine.setGuarantee(queue.schedulable(), ofMemoryAlone(queue, vectors.guarantee(guaranteed, capacity)));
            long[] perUser = vectors.limit(queue.spec().maxResourcesPerUser(), capacity);
            queue.users().values().forEach(schedulable -> engine.setLimit(schedulable, perUser));
        }
    }

    /** What a queue may hold at most; never less than what it is guaranteed. */
    private long @Nullable [] limit(QueueSpec queue, long[] capacity) {
        long[] limit = vectors.limit(queue.maxResources(), capacity);
        for (int j = 0; limit != null && j < limit.length; j++) {
            limit[j] = Math.max(
                    limit[j],
                    queue.protection().guaranteed().guarantee(vectors.names().get(j), capacity[j]));
        }
        return limit;
    }

    /** Among queues that share memory alone, memory alone is guaranteed. */
    private static long @Nullable [] ofMemoryAlone(HeddleQueue queue, long @Nullable [] guarantee) {
        HeddleQueue parent = queue.parent();
        if (guarantee != null && parent != null && parent.spec().order().equals(FairOrder.NAME)) {
            Arrays.fill(guarantee, 1, guarantee.length, 0);
        }
        return guarantee;
    }

    /** What a queue may hold at most now; null if there is no limit. */
    public long @Nullable [] of(QueueSpec queue) {
        return limit(queue, capacity());
    }

    /**
     * The most that a queue may hold, as a part of what its parent may: of memory or cores, whichever ends first. 1
     * where there is no limit, or no cluster yet.
     */
    double partOfParent(HeddleQueue queue) {
        HeddleQueue parent = queue.parent();
        long[] capacity = capacity();
        long[] own = most(queue, capacity);
        long[] above = parent == null ? capacity : most(parent, capacity);
        double part = 1;
        for (int j = 0; j < MEMORY_AND_CORES; j++) {
            part = above[j] > 0 ? Math.min(part, (double) own[j] / above[j]) : part;
        }
        return part;
    }

    /** What a queue may hold at most, given its own limit and those above it. */
    private long[] most(HeddleQueue queue, long[] capacity) {
        long[] most = capacity.clone();
        for (HeddleQueue at = queue; at != null; at = at.parent()) {
            long[] limit = limit(at.spec(), capacity);
            if (limit != null) {
                Arrays.setAll(most, j -> Math.min(most[j], limit[j]));
            }
        }
        return most;
    }

    /** What any one user may hold at most in a leaf; null if there is no limit. */
    long @Nullable [] perUser(HeddleQueue leaf) {
        return vectors.limit(leaf.spec().maxResourcesPerUser(), capacity());
    }

    private long[] capacity() {
        long[] capacity = new long[vectors.size()];
        Arrays.setAll(capacity, engine::capacity);
        return capacity;
    }
}
