// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.model;

/** How long an ask that names nodes or racks passes over others. */
public sealed interface LocalityDelay {
    /**
     * So long, even if all that it names is full. In milliseconds, 0 or more.
     *
     * @param node before it accepts another node of a rack that it names
     * @param rack how much longer before it accepts any node
     */
    record Time(long node, long rack) implements LocalityDelay {
        /** It takes any node at once. */
        public static final Time NONE = new Time(0, 0);
    }

    /** So long at most, and only while a node or rack that it names has room. */
    record WhileRoom(Time longest) implements LocalityDelay {
        /** Nexus 4.4's delay scheduling, while it can pay. */
        public static final WhileRoom DEFAULT = new WhileRoom(new Time(1_000, 5_000));

        @Override
        public LocalityDelay asIfAllHadRoom() {
            return new StandingBack(longest);
        }
    }

    /** So long, for others may be near to the node; but not the last asks of an application. */
    record StandingBack(Time longest) implements LocalityDelay {}

    /**
     * Until it has passed over so many nodes (FairScheduler's locality thresholds). Parts of the cluster's nodes, 0 to
     * 1.
     *
     * @param node before it accepts another node of a rack that it names
     * @param rack after that, before it accepts any node
     */
    record Nodes(double node, double rack) implements LocalityDelay {}

    /** What holds until a node has been offered to those that it is near to. */
    default LocalityDelay asIfAllHadRoom() {
        return this;
    }
}
