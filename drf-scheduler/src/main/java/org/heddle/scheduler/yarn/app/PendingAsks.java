// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.app;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.PendingAsk;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.heddle.scheduler.engine.ContainerSize;
import org.heddle.scheduler.engine.Schedulable;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.engine.VectorKey;
import org.heddle.scheduler.yarn.compat.ResourceVectors;
import org.heddle.scheduler.yarn.queue.OffNodeCost;
import org.jspecify.annotations.Nullable;

/**
 * The asks of an attempt in the engine: a map from YARN's keys (priority and allocation request) to the engine's
 * container sizes. Keys with the same size share one container size. Under the scheduler's lock.
 */
final class PendingAsks {
    private record Request(VectorKey size, RequestTimes times) {}

    private final ShareEngine engine;
    private final ResourceVectors vectors;
    private final DelayScheduling delay;
    /** In order of priority; as of the last {@link #sync}. */
    private final Map<SchedulerRequestKey, Ask> asks = new LinkedHashMap<>();

    PendingAsks(ShareEngine engine, ResourceVectors vectors, Supplier<OffNodeCost> offNodeCost) {
        this.delay = new DelayScheduling(offNodeCost);
        this.engine = engine;
        this.vectors = vectors;
    }

    Collection<Ask> asks() {
        return asks.values();
    }

    @Nullable
    Ask ask(SchedulerRequestKey key) {
        return asks.get(key);
    }

    /** Delay scheduling of these asks. */
    DelayScheduling delay() {
        return delay;
    }

    /**
     * Takes over the pending asks of Hadoop's {@code AppSchedulingInfo}.
     *
     * @param mayAsk whether the asks count: the attempt is the current one of an application that may run
     * @param atMillis when those that are new were requested
     */
    void sync(HeddleAttempt attempt, boolean mayAsk, long atMillis) {
        Map<VectorKey, Long> wanted = new LinkedHashMap<>();
        Map<SchedulerRequestKey, Request> requests = new LinkedHashMap<>();
        if (mayAsk) {
            for (SchedulerRequestKey key : attempt.getSchedulerKeys()) {
                PendingAsk ask = attempt.getPendingAsk(key, ResourceRequest.ANY);
                if (ask.getCount() > 0) {
                    VectorKey size = new VectorKey(vectors.of(ask.getPerAllocationResource()));
                    requests.put(key, new Request(size, requested(key, ask.getCount(), atMillis)));
                    wanted.merge(size, (long) ask.getCount(), Long::sum);
                }
            }
        }
        Schedulable schedulable = attempt.application().schedulable();
        for (ContainerSize containerSize : engine.asks(schedulable)) {
            VectorKey size = new VectorKey(containerSize.need());
            if (!wanted.containsKey(size)) {
                engine.setAsk(schedulable, size.vector(), 0);
            }
        }
        Map<VectorKey, ContainerSize> bySize = new HashMap<>();
        wanted.forEach((size, count) -> {
            ContainerSize containerSize = engine.setAsk(schedulable, size.vector(), count);
            if (containerSize != null) {
                bySize.put(size, containerSize);
            }
        });
        asks.keySet().stream().filter(key -> !requests.containsKey(key)).forEach(delay::forget);
        delay.reconsider();
        asks.clear();
        requests.forEach((key, request) -> {
            ContainerSize containerSize = bySize.get(request.size());
            if (containerSize != null) {
                asks.put(key, new Ask(key, containerSize, request.times()));
            }
        });
    }

    private RequestTimes requested(SchedulerRequestKey key, long count, long atMillis) {
        Ask before = asks.get(key);
        RequestTimes times = before == null ? new RequestTimes() : before.times();
        times.set(count, atMillis);
        return times;
    }
}
