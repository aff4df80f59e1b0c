// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.engine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** All sizes of containers that applications ask for. Not on the hot path except for {@link #pending()}. */
final class ContainerSizeTable {
    private final Map<VectorKey, ContainerSize> bySize = new HashMap<>();
    private final List<ContainerSize> pending = new ArrayList<>();

    /** The container sizes by their resources; created on first use. */
    ContainerSize of(long[] need, long round) {
        return bySize.computeIfAbsent(new VectorKey(need), key -> new ContainerSize(key.vector(), round));
    }

    /** Container sizes with pending containers, in the order in which they became pending. */
    List<ContainerSize> pending() {
        return pending;
    }

    void addPending(ContainerSize containerSize, long delta) {
        boolean was = containerSize.pending > 0;
        containerSize.pending += delta;
        boolean is = containerSize.pending > 0;
        if (is && !was) {
            pending.add(containerSize);
        } else if (was && !is) {
            pending.remove(containerSize);
            containerSize.blocked = false;
            containerSize.passedOverSinceMillis = Long.MAX_VALUE;
            forget(containerSize);
        }
    }

    /** Removes a container size that no application asks for. */
    void forget(ContainerSize containerSize) {
        bySize.remove(new VectorKey(containerSize.need));
    }
}
