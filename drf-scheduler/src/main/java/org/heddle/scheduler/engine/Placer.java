// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.engine;

import org.jspecify.annotations.Nullable;

/** Turns a choice of the {@link AllocationPass} into a container, or refuses it. */
public interface Placer {
    /**
     * Places one container of the application on the node of this pass, or refuses; a refusal holds for the rest of the
     * pass. Asks and holdings of the tree must not be changed meanwhile; the pass counts the grant itself.
     *
     * @param application the application that is next
     * @param gate which of its container sizes may be placed here and now
     * @return the container size of the container placed; null if the application cannot use the node now
     */
    @Nullable
    ContainerSize place(Schedulable application, Gate gate);

    /**
     * Whether another container may be placed in this pass.
     *
     * @param free what the node has left, per resource; not to be changed
     */
    default boolean goesOn(long[] free) {
        return true;
    }

    /** Which container sizes fit what is left of the node and break no limit of the queues above. */
    interface Gate {
        boolean admits(ContainerSize containerSize);
    }
}
