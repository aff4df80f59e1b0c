// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.engine;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Equal nodes in a {@link RoomIndex}, for immediate allocation without Hadoop: the least loaded node is taken. */
final class IndexedRoom implements Room, Placer {
    private final ShareEngine engine;
    private final RoomIndex<long[]> index;
    private final long each;

    /** @param each what every node has of each resource */
    IndexedRoom(ShareEngine engine, int nodes, long each) {
        this.engine = engine;
        this.each = each;
        long[] capacity = new long[engine.resources()];
        Arrays.fill(capacity, nodes * each);
        engine.setCapacity(capacity, nodes);
        this.index = new RoomIndex<>(engine.resources(), new SplittableRandom(1));
        for (int i = 0; i < nodes; i++) {
            long[] free = new long[engine.resources()];
            Arrays.fill(free, each);
            index.add(free, free, 0);
        }
    }

    /** Every node's heartbeat, which shows the engine what fits nowhere, but places nothing. */
    void heartbeats() {
        for (int handle = 0; handle < index.size(); handle++) {
            engine.offer(index.item(handle), 0, 0, this);
        }
    }

    @Override
    public boolean fits(ContainerSize size) {
        return index.first(size, false) != RoomIndex.NONE;
    }

    @Override
    public void take(ContainerSize granted) {}

    @Override
    public boolean goesOn() {
        return true;
    }

    @Override
    public @Nullable ContainerSize place(Schedulable application, Gate gate) {
        for (ContainerSize size : engine.asks(application)) {
            int handle = gate.admits(size) ? index.first(size, false) : RoomIndex.NONE;
            if (handle != RoomIndex.NONE) {
                long[] free = index.item(handle);
                double load = 0;
                for (int j = 0; j < free.length; j++) {
                    free[j] -= size.need[j];
                    load = Math.max(load, 1 - (double) free[j] / each);
                }
                index.update(handle, free, load);
                return size;
            }
        }
        return null;
    }
}
