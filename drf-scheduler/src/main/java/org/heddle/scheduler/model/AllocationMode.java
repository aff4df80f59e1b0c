// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.model;

/**
 * When containers are allocated, and on which node.
 *
 * @param moment when
 * @param nodeChoice on which of the nodes with room, for {@link Moment#IMMEDIATE}
 */
public record AllocationMode(Moment moment, NodeChoice nodeChoice) {
    /** When containers are allocated. */
    public enum Moment {
        /** On a node, at its heartbeat. */
        HEARTBEAT,
        /**
         * Also when an ask arrives or room is freed, on any node: a small ask at once, of a large one a part, and the
         * rest at heartbeats.
         */
        IMMEDIATE
    }

    /** Which of the nodes with room gets a container. */
    public enum NodeChoice {
        /** The least loaded. */
        SPREAD,
        /** The most loaded. */
        PACK,
        /** The less loaded of two nodes chosen at random. */
        RANDOM
    }

    public static final AllocationMode DEFAULT = new AllocationMode(Moment.IMMEDIATE, NodeChoice.SPREAD);

    public boolean isImmediate() {
        return moment == Moment.IMMEDIATE;
    }
}
