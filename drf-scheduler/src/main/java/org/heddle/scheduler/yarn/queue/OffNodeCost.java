// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.queue;

/**
 * Whether containers of a leaf take longer off the nodes that their requests name: whether to wait for these nodes
 * pays. It is learned from containers that have ended, over about the last hundred off their nodes, each compared with
 * the mean of its own application's containers on their nodes. Guarded by the scheduler's lock.
 */
public final class OffNodeCost {
    private static final int FEWEST = 10;
    private static final int WINDOW = 100;
    /** Lengths of tasks are scattered, so less than this may be chance. */
    private static final double HIGH = 1.25;

    private static final double NONE = 1.1;

    private int ended;
    private double times;

    /** @param longer how many times as long a container off its nodes ran as those on theirs */
    public void ended(double longer) {
        ended = Math.min(ended + 1, WINDOW);
        times += (longer - times) / ended;
    }

    /** Whether they are known to take longer. */
    public boolean isHigh() {
        return ended >= FEWEST && times >= HIGH;
    }

    /** Whether they are known not to take longer. */
    public boolean isNone() {
        return ended >= FEWEST && times <= NONE;
    }
}
