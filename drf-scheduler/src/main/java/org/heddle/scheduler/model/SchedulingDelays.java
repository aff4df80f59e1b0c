// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.model;

/**
 * Delays of the scheduler. All in milliseconds, 0 or more.
 *
 * @param nodeLocality how long an application passes over nodes that hold none of its data (Nexus 4.4's delay
 *     scheduling: 1 s)
 * @param rackLocality how much longer, after {@code nodeLocality}, it passes over racks without its data (5 s)
 * @param strict whether an ask waits so long even while no node or rack that it names has room; if not, it takes at once
 *     what others leave of a node
 * @param reservation how long an ask that fits on no node waits before a node is reserved for it
 * @param reservationExpiry how long a reservation is held before it is dropped
 * @param maxReservedNodes part of the cluster's nodes that may be reserved at once, 0 (never) to 1; at least one node
 *     unless 0
 */
public record SchedulingDelays(
        long nodeLocality,
        long rackLocality,
        boolean strict,
        long reservation,
        long reservationExpiry,
        double maxReservedNodes) {
    public static final SchedulingDelays DEFAULT = new SchedulingDelays(1_000, 5_000, false, 5_000, 60_000, 0.05);
}
