// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.replay;

import org.apache.hadoop.yarn.util.Clock;

/** The time of the replay, for YARN. */
public final class VirtualClock implements Clock {
    private volatile long millis;

    public VirtualClock(long millis) {
        this.millis = millis;
    }

    @Override
    public long getTime() {
        return millis;
    }

    public void set(long to) {
        millis = to;
    }
}
