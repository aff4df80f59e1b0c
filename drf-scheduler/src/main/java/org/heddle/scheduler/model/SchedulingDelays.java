// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.model;

/**
 * Delays of the scheduler. All in milliseconds, 0 or more.
 *
 * @param locality how long an ask waits for a node or rack that it names
 * @param reservation how long an ask that fits on no node waits before a node is reserved for it
 * @param maxReservedNodes part of the cluster's nodes that may be reserved at once, 0 (never) to 1; at least one node
 *     unless 0
 */
public record SchedulingDelays(LocalityDelay locality, long reservation, double maxReservedNodes) {
    public static final SchedulingDelays DEFAULT = new SchedulingDelays(LocalityDelay.WhileRoom.DEFAULT, 5_000, 0.05);
}
