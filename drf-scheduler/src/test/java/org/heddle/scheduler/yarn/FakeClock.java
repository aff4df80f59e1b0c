// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn;

import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.yarn.util.Clock;

/** A clock that moves when told to. */
public final class FakeClock implements Clock {
    private final AtomicLong now;

    public FakeClock(long now) {
        this.now = new AtomicLong(now);
    }

    public void tick(long millis) {
        now.addAndGet(millis);
    }

    @Override
    public long getTime() {
        return now.get();
    }
}
