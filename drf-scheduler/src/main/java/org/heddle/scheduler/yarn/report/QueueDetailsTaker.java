// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.report;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.QueueMetrics;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.model.QueueDetails;
import org.heddle.scheduler.yarn.app.AmShare;
import org.heddle.scheduler.yarn.compat.ResourceVectors;
import org.heddle.scheduler.yarn.queue.FairShareOfQueue;
import org.heddle.scheduler.yarn.queue.HeddleQueue;
import org.heddle.scheduler.yarn.queue.QueueTree;

/** Computes the figures of queues that FairScheduler reports. The caller holds the scheduler's lock. */
public final class QueueDetailsTaker {
    private final ShareEngine engine;
    private final QueueTree queues;
    private final ResourceVectors vectors;
    private final AmShare amShare;
    private final FairShareOfQueue fairShares;

    public QueueDetailsTaker(ShareEngine engine, QueueTree queues, ResourceVectors vectors) {
        this.engine = engine;
        this.queues = queues;
        this.vectors = vectors;
        this.amShare = new AmShare(engine, queues);
        this.fairShares = new FairShareOfQueue(engine, queues);
    }

    /**
     * The details of all queues, by path.
     *
     * @param largest the largest container of the cluster
     */
    Map<String, QueueDetails> take(Resource largest) {
        Map<HeddleQueue, long[]> steady = fairShares.all(true);
        Map<HeddleQueue, long[]> now = fairShares.all(false);
        Map<String, QueueDetails> details = new HashMap<>();
        steady.forEach((queue, share) -> details.put(
                queue.getQueueName(), details(queue, share, Objects.requireNonNull(now.get(queue)), largest)));
        return details;
    }

    private QueueDetails details(HeddleQueue queue, long[] steady, long[] fair, Resource largest) {
        QueueMetrics metrics = queue.getMetrics();
        long[] capacity = new long[vectors.size()];
        Arrays.setAll(capacity, engine::capacity);
        long[] minimum = vectors.guarantee(queue.spec().protection().guaranteed(), capacity);
        long[] amUsage = new long[capacity.length];
        long[] amLimit = null;
        if (queue.isLeaf()) {
            Arrays.setAll(amUsage, queue::masterUsage);
            amLimit = amShare.limit(queue, fair);
        }
        long[] none = new long[capacity.length];
        return new QueueDetails(
                vectors.toMap(minimum == null ? none : minimum),
                vectors.toMap(vectors.of(queues.limits().container(queue.getQueueName(), largest))),
                vectors.toMap(amUsage),
                vectors.toMap(amLimit == null ? none : amLimit),
                vectors.toMap(steady),
                vectors.toMap(fair),
                vectors.toMap(vectors.of(metrics.getPendingResources())),
                vectors.toMap(vectors.of(metrics.getReservedResources())),
                metrics.getPendingContainers(),
                metrics.getAllocatedContainers(),
                metrics.getReservedContainers(),
                queue.spec().maxRunningApps(),
                queue.spec().protection().revocable());
    }
}
