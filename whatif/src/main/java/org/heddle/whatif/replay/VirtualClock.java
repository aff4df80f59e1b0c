// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.replay;

import org.apache.hadoop.yarn.util.Clock;

/** The time of the replay, for YARN. */
final class VirtualClock implements Clock {
    private volatile long millis;

    VirtualClock(long millis) {
        this.millis = millis;
    }

    @Override
    public long getTime() {
        return millis;
    }

    void set(long to) {
        millis = to;
    }
}
