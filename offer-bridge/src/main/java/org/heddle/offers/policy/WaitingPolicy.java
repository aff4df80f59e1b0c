// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.policy;

import org.heddle.offers.model.Resources;

/**
 * Whether a role waits for resources that others hold. An ask alone does not show it: with free resources an ask is
 * open too, until the next heartbeat of a node.
 */
public final class WaitingPolicy {
    /** An ask is open for this time before it counts, if no node has room for it: half a heartbeat of a node. */
    public static final long FULL_MILLIS = 500;

    /**
     * And for this time if a node seems to have room: limits of the queue, or resources that are reserved, may forbid
     * its use.
     */
    static final long ROOM_MILLIS = 2_000;

    /** After this time without an allocation the role asks for a smaller size. */
    static final long ADAPT_MILLIS = 5_000;

    private WaitingPolicy() {}

    /**
     * What the decision depends on.
     *
     * @param asked size of the containers that the role asks for
     * @param askingSince since when its ask is open, in ms; 0 if it asks for nothing
     * @param lastAllocated when it last got a container, in ms; 0 if never
     * @param freest free resources of the node that has most memory free
     */
    public record View(long now, Resources asked, long askingSince, long lastAllocated, Resources freest) {
        /** Time since the ask was opened or last got a container, whichever was later, in ms. */
        public long sinceProgress() {
            return now - Math.max(askingSince, lastAllocated);
        }
    }

    public static boolean waits(View view) {
        if (view.askingSince() == 0) {
            return false;
        }
        if (view.freest().covers(view.asked())) {
            return view.sinceProgress() >= ROOM_MILLIS;
        }
        return view.now() - view.askingSince() >= FULL_MILLIS;
    }

    /** Whether the ask should become smaller: a reservation for it may never come true. */
    public static boolean adapts(View view) {
        return view.askingSince() != 0 && view.sinceProgress() >= ADAPT_MILLIS;
    }
}
