// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.engine;

/** Free resources that an allocation pass may use: those of one node, or those of many nodes. */
public interface Room {
    /** Whether a container of this size fits: for many nodes, on any one of them. */
    boolean fits(ContainerSize size);

    /** Subtracts a container that has been placed. */
    void take(ContainerSize granted);

    /** Whether another container may be placed in this pass. */
    boolean goesOn();
}
