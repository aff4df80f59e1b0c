// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.app;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AppSchedulingInfo;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.PendingAsk;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.AppPlacementAllocator;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.heddle.scheduler.yarn.queue.HeddleQueue;

/**
 * What the asks of an attempt have added to the gauges of its queue, so that exactly this is subtracted again. Hadoop
 * itself adds and subtracts the difference of two requests; it has sometimes changed the older one meanwhile, and then
 * the gauges stay wrong for ever. Any thread; who changes asks calls {@link #publish} afterwards.
 */
final class PendingMetrics {
    /** Containers that are asked for under a key; the size is a copy, because that of a request may change. */
    private record Pending(String partition, int containers, Resource each) {}

    private static final Pending NOTHING = new Pending("", 0, Resources.none());

    private final AppSchedulingInfo asks;
    private final Map<SchedulerRequestKey, Pending> published = new HashMap<>();
    private HeddleQueue queue;
    private boolean ended;

    PendingMetrics(AppSchedulingInfo asks, HeddleQueue queue) {
        this.asks = asks;
        this.queue = queue;
    }

    /** Brings the gauges up to date with all asks. */
    synchronized void publish() {
        Set<SchedulerRequestKey> keys = new HashSet<>(published.keySet());
        keys.addAll(asks.getSchedulerKeys());
        keys.forEach(this::publish);
    }

    /** Brings the gauges up to date with the asks under one key. */
    synchronized void publish(SchedulerRequestKey key) {
        Pending before = published.getOrDefault(key, NOTHING);
        Pending now = ended ? NOTHING : pending(key, before.each);
        if (now.partition.equals(before.partition) && now.each.equals(before.each)) {
            add(now, now.containers - before.containers);
        } else {
            add(before, -before.containers);
            add(now, now.containers);
        }
        if (now.containers > 0) {
            published.put(key, now);
        } else {
            published.remove(key);
        }
    }

    private Pending pending(SchedulerRequestKey key, Resource known) {
        AppPlacementAllocator<SchedulerNode> allocator = asks.getAppPlacementAllocator(key);
        PendingAsk ask = asks.getPendingAsk(key);
        if (allocator == null || ask.getCount() <= 0) {
            return NOTHING;
        }
        Resource each = ask.getPerAllocationResource();
        return new Pending(
                allocator.getPrimaryRequestedNodePartition(),
                ask.getCount(),
                each.equals(known) ? known : Resources.clone(each));
    }

    /** The attempt moves to another queue. */
    synchronized void move(HeddleQueue target) {
        published.values().forEach(pending -> add(pending, -pending.containers));
        queue = target;
        published.values().forEach(pending -> add(pending, pending.containers));
    }

    /** The attempt has ended: nothing is pending any more, whatever is asked for in its name. */
    synchronized void end() {
        ended = true;
        publish();
    }

    private void add(Pending like, int containers) {
        if (containers != 0) {
            queue.addPending(like.partition, asks.getUser(), containers, like.each);
        }
    }
}
