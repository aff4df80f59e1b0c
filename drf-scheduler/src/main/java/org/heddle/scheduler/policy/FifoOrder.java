// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.policy;

/** Highest application priority first, then first come, first served. */
public final class FifoOrder implements ShareOrder {
    public static final String NAME = "fifo";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean entitles() {
        return false;
    }

    @Override
    public long tier(SchedulableView child) {
        return -(long) child.priority();
    }

    @Override
    public double key(SchedulableView child) {
        return 0;
    }
}
