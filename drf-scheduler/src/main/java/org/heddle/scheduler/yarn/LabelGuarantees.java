// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn;

import org.heddle.scheduler.engine.ContainerSize;
import org.heddle.scheduler.engine.NodeRoom;
import org.heddle.scheduler.engine.Placer;
import org.heddle.scheduler.engine.Schedulable;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.yarn.app.HeddleApplication;
import org.heddle.scheduler.yarn.queue.LabelCapacities;
import org.jspecify.annotations.Nullable;

/**
 * The passes over a node in which only queues below their guarantee on its partition get containers, in the engine's
 * order. Where guaranteed queues lie inside each other, the innermost come first. Guarded by the scheduler's lock.
 */
final class LabelGuarantees implements Placer {
    private final ShareEngine engine;
    private final LabelCapacities labels;
    private final NodeRoom room = new NodeRoom();
    private String partition = "";
    private Placer placer = (application, gate) -> null;
    private int levels;

    LabelGuarantees(ShareEngine engine, LabelCapacities labels) {
        this.engine = engine;
        this.labels = labels;
    }

    /**
     * Offers the free resources of a node.
     *
     * @param free per resource; counted down by what is placed
     * @param newPlacer places containers there
     * @return how many containers were placed
     */
    int offer(String newPartition, long[] free, int most, Placer newPlacer) {
        partition = newPartition;
        placer = newPlacer;
        int placed = 0;
        for (levels = labels.levels(partition); levels > 0 && placed < most; levels--) {
            placed += engine.offer(room.of(free, this), most - placed, this);
        }
        return placed;
    }

    @Override
    public @Nullable ContainerSize place(Schedulable schedulable, Gate gate) {
        if (schedulable.owner() instanceof HeddleApplication application
                && labels.comesFirst(application.leaf(), partition, levels)) {
            return placer.place(schedulable, gate);
        }
        return null;
    }

    @Override
    public boolean goesOn(long[] free) {
        return placer.goesOn(free);
    }
}
