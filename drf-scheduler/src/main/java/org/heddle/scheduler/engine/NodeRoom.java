// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.engine;

/** The free resources of one node. Hot: one instance serves all nodes. */
public final class NodeRoom implements Room {
    private long[] free = {};
    private Placer placer = (application, gate) -> null;

    /**
     * Sets the node's free resources.
     *
     * @param newFree per resource; counted down by what is placed
     * @param newPlacer says whether another container may be placed
     */
    public NodeRoom of(long[] newFree, Placer newPlacer) {
        free = newFree;
        placer = newPlacer;
        return this;
    }

    @Override
    public boolean fits(ContainerSize size) {
        return size.fits(free);
    }

    @Override
    public void take(ContainerSize granted) {
        for (int j = 0; j < free.length; j++) {
            free[j] -= granted.need[j];
        }
    }

    @Override
    public boolean goesOn() {
        return placer.goesOn(free);
    }
}
