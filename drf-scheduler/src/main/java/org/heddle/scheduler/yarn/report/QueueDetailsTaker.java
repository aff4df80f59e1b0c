// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.report;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.QueueMetrics;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.model.QueueSettings;
import org.heddle.scheduler.model.Vectors;
import org.heddle.scheduler.policy.DominantShare;
import org.heddle.scheduler.policy.FairOrder;
import org.heddle.scheduler.snapshot.QueueDetails;
import org.heddle.scheduler.yarn.app.AmShare;
import org.heddle.scheduler.yarn.compat.ResourceVectors;
import org.heddle.scheduler.yarn.queue.FairQueueMetrics;
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
        long[] capacity = engine.capacity();
        Map<String, QueueDetails> details = new HashMap<>();
        steady.forEach((queue, share) -> details.put(
                queue.getQueueName(),
                details(queue, share, Objects.requireNonNull(now.get(queue)), capacity, largest)));
        return details;
    }

    /** Sets FairScheduler's gauges of all queues, and CapacityScheduler's under its file. */
    void publish() {
        Map<HeddleQueue, long[]> now = fairShares.all(false);
        long[] capacity = engine.capacity();
        fairShares.all(true).forEach((queue, steady) -> {
            if (queue.getMetrics() instanceof FairQueueMetrics gauges) {
                long[] fair = Objects.requireNonNull(now.get(queue));
                gauges.setShares(fair, steady, minimum(queue, capacity), maximum(queue, capacity.length));
                gauges.setSchedulingPolicy(
                        FairOrder.shown(queue.spec().order(), queues.rules().likeFairScheduler()));
                gauges.setApplications(queue.spec().maxRunningApps(), amLimit(queue, fair), amUsage(queue));
                if (queues.rules().likeCapacityScheduler()) {
                    gauges.capacities()
                            .set(
                                    queue,
                                    queues.limits(),
                                    capacity,
                                    DominantShare.of(queue.schedulable().usage(), vectors.counted(capacity)),
                                    amLimit(queue, fair),
                                    amUsage(queue));
                }
            }
        });
    }

    private long[] minimum(HeddleQueue queue, long[] capacity) {
        long[] guarantee = vectors.guarantee(queue.spec().protection().guaranteed(), capacity);
        return guarantee == null ? new long[capacity.length] : guarantee;
    }

    private long[] maximum(HeddleQueue queue, int resources) {
        long[] limit = queues.limits().of(queue.spec());
        if (limit == null) {
            limit = new long[resources];
            Arrays.fill(limit, Long.MAX_VALUE);
        }
        return limit;
    }

    private long[] amUsage(HeddleQueue queue) {
        long[] usage = new long[vectors.size()];
        if (queue.isLeaf()) {
            Arrays.setAll(usage, queue::masterUsage);
        }
        return usage;
    }

    private long[] amLimit(HeddleQueue queue, long[] fair) {
        long[] limit = queue.isLeaf() ? amShare.limit(queue, fair) : null;
        if (limit == null) {
            return new long[vectors.size()];
        }
        Arrays.setAll(limit, j -> Math.min(limit[j], engine.capacity(j)));
        return limit;
    }

    private QueueDetails details(HeddleQueue queue, long[] steady, long[] fair, long[] capacity, Resource largest) {
        QueueMetrics metrics = queue.getMetrics();
        return new QueueDetails(
                vectors.toMap(minimum(queue, capacity)),
                vectors.toMap(vectors.of(queues.limits().container(queue.getQueueName(), largest))),
                vectors.toMap(amUsage(queue)),
                vectors.toMap(amLimit(queue, fair)),
                vectors.toMap(steady),
                vectors.toMap(fair),
                vectors.toMap(vectors.of(metrics.getPendingResources())),
                vectors.toMap(demand(queue)),
                vectors.toMap(vectors.of(metrics.getReservedResources())),
                metrics.getPendingContainers(),
                metrics.getAllocatedContainers(),
                metrics.getReservedContainers(),
                queue.spec(),
                isStopped(queue));
    }

    private long[] demand(HeddleQueue queue) {
        long[] demand = new long[vectors.size()];
        if (queue.children().isEmpty()) {
            Vectors.add(demand, queue.schedulable().usage(), 1);
            Vectors.add(demand, vectors.of(queue.getMetrics().getPendingResources()), 1);
        }
        queue.children().forEach(child -> Vectors.add(demand, demand(child), 1));
        long[] most = maximum(queue, demand.length);
        Arrays.setAll(demand, j -> Math.min(demand[j], most[j]));
        return demand;
    }

    private static boolean isStopped(HeddleQueue queue) {
        boolean stopped = false;
        for (HeddleQueue at = queue; at != null && !stopped; at = at.parent()) {
            stopped = at.spec().get(QueueSettings.STOPPED);
        }
        return stopped;
    }
}
