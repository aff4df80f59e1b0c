// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.queue;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.heddle.scheduler.model.LabelCapacity;
import org.heddle.scheduler.yarn.compat.ResourceVectors;
import org.jspecify.annotations.Nullable;

/**
 * What queues are guaranteed and may use on the nodes of single partitions ({@code <node-label>}), in units of the
 * partitions' present sizes. Changed under the scheduler's lock; read from any thread.
 */
public final class LabelCapacities {
    /** The capacities of one queue on one partition; null where there is none. */
    private record Terms(long @Nullable [] guarantee, long @Nullable [] limit) {}

    private final ResourceVectors vectors;
    private Function<String, long[]> totals;
    private volatile Map<String, Map<HeddleQueue, Terms>> partitions = Map.of();

    LabelCapacities(ResourceVectors vectors) {
        this.vectors = vectors;
        this.totals = partition -> new long[vectors.size()];
    }

    /** @param newTotals what the nodes of a partition have, per resource */
    public void setTotals(Function<String, long[]> newTotals) {
        totals = newTotals;
    }

    /** What the nodes of a partition have, per resource. */
    public long[] total(String partition) {
        return totals.apply(partition);
    }

    void refresh(Collection<HeddleQueue> queues) {
        Map<String, Map<HeddleQueue, Terms>> all = new HashMap<>();
        for (HeddleQueue queue : queues) {
            queue.spec()
                    .partitions()
                    .capacities()
                    .forEach((partition, capacity) -> all.computeIfAbsent(partition, any -> new HashMap<>())
                            .put(queue, terms(capacity, total(partition))));
        }
        partitions = Map.copyOf(all);
    }

    private Terms terms(LabelCapacity capacity, long[] total) {
        long[] guarantee = vectors.guarantee(capacity.guaranteed(), total);
        long[] limit = vectors.limit(capacity.max(), total);
        for (int j = 0; limit != null && guarantee != null && j < limit.length; j++) {
            limit[j] = Math.max(limit[j], guarantee[j]);
        }
        return new Terms(guarantee, limit);
    }

    /** Whether any queue has a limit or a guarantee on a partition. */
    public boolean has(String partition) {
        return partitions.containsKey(partition);
    }

    /** The queue whose limit on the partition one more container in a leaf would exceed; null if none. */
    public @Nullable HeddleQueue limiting(HeddleQueue leaf, String partition, long[] need) {
        for (HeddleQueue at = leaf; at != null; at = at.parent()) {
            long[] limit = limit(at, partition);
            for (int j = 0; limit != null && j < need.length; j++) {
                if (need[j] > 0 && at.usageOn(partition, j) + need[j] > limit[j]) {
                    return at;
                }
            }
        }
        return null;
    }

    /** The limit of a queue on a partition; null if there is none. */
    public long @Nullable [] limit(HeddleQueue queue, String partition) {
        Terms own = terms(queue, partition);
        return own == null ? null : own.limit();
    }

    /** The guarantee of a queue on a partition; null if there is none. */
    public long @Nullable [] guarantee(HeddleQueue queue, String partition) {
        Terms own = terms(queue, partition);
        return own == null ? null : own.guarantee();
    }

    private @Nullable Terms terms(HeddleQueue queue, String partition) {
        Map<HeddleQueue, Terms> here = partitions.get(partition);
        return here == null ? null : here.get(queue);
    }

    /** Reduces free resources of a partition to what the limits of a leaf and of all queues above it still allow. */
    public void withinLimits(HeddleQueue leaf, String partition, long[] room) {
        for (HeddleQueue at = leaf; at != null && has(partition); at = at.parent()) {
            long[] limit = limit(at, partition);
            for (int j = 0; limit != null && j < room.length; j++) {
                room[j] = Math.max(0, Math.min(room[j], limit[j] - at.usageOn(partition, j)));
            }
        }
    }

    /**
     * The largest number of queues that lie above each other, have a guarantee on a partition that has not been met,
     * and request containers; 0 if there is none.
     */
    public int levels(String partition) {
        int most = 0;
        for (HeddleQueue queue : partitions.getOrDefault(partition, Map.of()).keySet()) {
            if (queue.schedulable().pending() > 0) {
                most = Math.max(most, unmet(queue, partition));
            }
        }
        return most;
    }

    /** Whether a leaf is below at least so many guarantees on a partition, its own and those of the queues above it. */
    public boolean comesFirst(HeddleQueue leaf, String partition, int levels) {
        return unmet(leaf, partition) >= levels;
    }

    /** The number of guarantees of a queue and those above it; 0 if one of them has been met. */
    private int unmet(HeddleQueue queue, String partition) {
        int unmet = 0;
        for (HeddleQueue at = queue; at != null; at = at.parent()) {
            long[] guarantee = guarantee(at, partition);
            if (guarantee != null && isMet(at, partition, guarantee)) {
                return 0;
            }
            unmet += guarantee != null ? 1 : 0;
        }
        return unmet;
    }

    /** As for a queue's other guarantee: one of the guaranteed amounts is enough. */
    private static boolean isMet(HeddleQueue queue, String partition, long[] guarantee) {
        for (int j = 0; j < guarantee.length; j++) {
            if (guarantee[j] > 0 && queue.usageOn(partition, j) >= guarantee[j]) {
                return true;
            }
        }
        return false;
    }
}
