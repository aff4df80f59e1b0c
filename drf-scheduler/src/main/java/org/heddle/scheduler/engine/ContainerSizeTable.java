// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.engine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.heddle.scheduler.model.VectorKey;

/** All shapes that anybody asks for, by size. Not on the hot path except for {@link #pending()}. */
final class ContainerSizeTable {
    private final Map<VectorKey, ContainerSize> bySize = new HashMap<>();
    private final List<ContainerSize> pending = new ArrayList<>();

    /** The shape of a size, made on first use. */
    ContainerSize of(long[] need, long round) {
        return bySize.computeIfAbsent(new VectorKey(need), key -> new ContainerSize(key.vector(), round));
    }

    /** Shapes with something pending, in the order in which they became pending. */
    List<ContainerSize> pending() {
        return pending;
    }

    void addPending(ContainerSize shape, long delta) {
        boolean was = shape.pending > 0;
        shape.pending += delta;
        boolean is = shape.pending > 0;
        if (is && !was) {
            pending.add(shape);
        } else if (was && !is) {
            pending.remove(shape);
            shape.blocked = false;
            shape.passedOverSinceMillis = Long.MAX_VALUE;
            forget(shape);
        }
    }

    /** Drops a shape that nobody asks for. */
    void forget(ContainerSize shape) {
        bySize.remove(new VectorKey(shape.need));
    }
}
