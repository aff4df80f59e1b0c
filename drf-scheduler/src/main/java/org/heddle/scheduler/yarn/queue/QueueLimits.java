// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.queue;

import java.util.Arrays;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.heddle.scheduler.engine.Schedulable;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.model.Amounts;
import org.heddle.scheduler.model.QueueSettings;
import org.heddle.scheduler.model.QueueSpec;
import org.heddle.scheduler.policy.FairOrder;
import org.heddle.scheduler.yarn.compat.ResourceVectors;
import org.jspecify.annotations.Nullable;

/**
 * Limits and guarantees of queues, and limits of their users and applications, in units of the cluster's present size:
 * they may be configured as parts of the cluster. Under the scheduler's lock, except {@link #container} and {@link
 * #partOfParent}.
 */
public final class QueueLimits {
    /** YARN lists these two first among resources. */
    private static final int MEMORY_AND_CORES = 2;

    private final QueueTree queues;
    private final ShareEngine engine;
    private final ResourceVectors vectors;
    private final LabelCapacities labels;
    private final QueueCapacities capacities;
    private final PendingByLabel pending;
    private boolean stale = true;
    private boolean applicationsLimited;

    QueueLimits(QueueTree queues, ShareEngine engine, ResourceVectors vectors) {
        this.queues = queues;
        this.engine = engine;
        this.vectors = vectors;
        this.labels = new LabelCapacities(vectors);
        this.capacities = new QueueCapacities(engine, vectors);
        this.pending = new PendingByLabel(vectors);
    }

    /** Capacities on single partitions. */
    public LabelCapacities labels() {
        return labels;
    }

    /** What all queues ask for. */
    public PendingByLabel pending() {
        return pending;
    }

    /**
     * The largest container of a queue, by path or short name; as in FairScheduler the nearest limit counts, not the
     * smallest.
     */
    public Resource container(@Nullable String queueName, Resource cluster) {
        for (HeddleQueue queue = queues.find(queueName); queue != null; queue = queue.parent()) {
            Amounts own = queue.spec().get(QueueSettings.MAX_CONTAINER);
            if (!own.isUnlimited()) {
                long[] limit = vectors.limit(own, vectors.of(cluster));
                return limit == null ? cluster : Resources.componentwiseMin(cluster, vectors.toResource(limit));
            }
        }
        return cluster;
    }

    /** Whether the amount is more than the limit of each user in a leaf. */
    public boolean exceedsUserLimit(HeddleQueue leaf, long[] amount) {
        return exceeds(amount, perUser(leaf));
    }

    /** Whether the amount is more than the limit of each application in a leaf. */
    public boolean exceedsApplicationLimit(HeddleQueue leaf, long[] amount) {
        return exceeds(amount, perApplication(leaf));
    }

    private static boolean exceeds(long[] amount, long @Nullable [] limit) {
        for (int j = 0; limit != null && j < amount.length; j++) {
            if (amount[j] > limit[j]) {
                return true;
            }
        }
        return false;
    }

    /** To be called after queues or the cluster have changed: limits are computed again. */
    public void changed() {
        stale = true;
    }

    /** Brings limits up to date after changes of the cluster or the specification. */
    public void refresh() {
        if (!stale) {
            return;
        }
        stale = false;
        labels.refresh(queues.all());
        long[] capacity = engine.capacity();
        capacities.refresh(queues.root(), capacity);
        boolean limitedBefore = applicationsLimited;
        applicationsLimited = false;
        for (HeddleQueue queue : queues.all()) {
            engine.setLimit(queue.schedulable(), limit(queue.spec(), capacity));
            Amounts guaranteed = queue.spec().protection().guaranteed();
            engine.setGuarantee(queue.schedulable(), ofMemoryAlone(queue, vectors.guarantee(guaranteed, capacity)));
            long[] perUser = vectors.limit(queue.spec().maxResourcesPerUser(), capacity);
            queue.users().values().forEach(schedulable -> limitUser(schedulable, perUser));
            long[] perApplication =
                    vectors.limit(queue.spec().get(QueueSettings.MAX_RESOURCES_PER_APPLICATION), capacity);
            applicationsLimited |= perApplication != null;
            if (queue.isLeaf() && (limitedBefore || perApplication != null)) {
                limitApplications(queue.schedulable(), perApplication);
            }
        }
    }

    /** Sets the limit of a user, which under CapacityScheduler the last container may pass. */
    void limitUser(Schedulable user, long @Nullable [] limit) {
        engine.setLimit(user, limit);
        engine.setLastMayExceed(user, queues.rules().likeCapacityScheduler());
    }

    /** Sets the limit of all applications of a leaf or a user. */
    private void limitApplications(Schedulable above, long @Nullable [] limit) {
        for (Schedulable child : above.children()) {
            if (child.isLeaf()) {
                engine.setLimit(child, limit);
            } else {
                limitApplications(child, limit);
            }
        }
    }

    /** The limit of a queue; never less than its guarantee. */
    private long @Nullable [] limit(QueueSpec queue, long[] capacity) {
        long[] limit = vectors.limit(queue.maxResources(), capacity);
        for (int j = 0; limit != null && j < limit.length; j++) {
            limit[j] = Math.max(
                    limit[j],
                    queue.protection().guaranteed().guarantee(vectors.names().get(j), capacity[j]));
        }
        return limit;
    }

    /** If the parent divides only memory, only memory is guaranteed. */
    private static long @Nullable [] ofMemoryAlone(HeddleQueue queue, long @Nullable [] guarantee) {
        HeddleQueue parent = queue.parent();
        if (guarantee != null && parent != null && parent.spec().order().equals(FairOrder.NAME)) {
            Arrays.fill(guarantee, 1, guarantee.length, 0);
        }
        return guarantee;
    }

    /** The present limit of a queue; null if there is none. */
    public long @Nullable [] of(QueueSpec queue) {
        return limit(queue, engine.capacity());
    }

    /**
     * The limit of a queue as a part of its parent's limit: of memory or cores, the smaller part. 1 if there is no
     * limit, or no node yet.
     */
    double partOfParent(HeddleQueue queue) {
        HeddleQueue parent = queue.parent();
        return partOf(parent == null ? engine.capacity() : most(parent), queue);
    }

    /** The same as a part of the cluster. */
    double partOfCluster(HeddleQueue queue) {
        return partOf(engine.capacity(), queue);
    }

    private double partOf(long[] above, HeddleQueue queue) {
        long[] own = most(queue);
        double part = 1;
        for (int j = 0; j < MEMORY_AND_CORES; j++) {
            part = above[j] > 0 ? Math.min(part, (double) own[j] / above[j]) : part;
        }
        return part;
    }

    /** The smallest of a queue's own limit and the limits above it. */
    long[] most(HeddleQueue queue) {
        long[] capacity = engine.capacity();
        long[] most = capacity.clone();
        for (HeddleQueue at = queue; at != null; at = at.parent()) {
            long[] limit = limit(at.spec(), capacity);
            if (limit != null) {
                Arrays.setAll(most, j -> Math.min(most[j], limit[j]));
            }
        }
        return most;
    }

    /** The limit of each user in a leaf; null if there is none. */
    public long @Nullable [] perUser(HeddleQueue leaf) {
        return vectors.limit(leaf.spec().maxResourcesPerUser(), engine.capacity());
    }

    /** The limit of each application in a leaf; null if there is none. */
    public long @Nullable [] perApplication(HeddleQueue leaf) {
        return vectors.limit(leaf.spec().get(QueueSettings.MAX_RESOURCES_PER_APPLICATION), engine.capacity());
    }
}
