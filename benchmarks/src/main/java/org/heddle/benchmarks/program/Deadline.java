// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.program;

import java.time.Duration;
import java.util.Timer;
import java.util.TimerTask;

/** Acts when a time has passed, unless it is closed before. */
final class Deadline implements AutoCloseable {
    private final Timer timer = new Timer("deadline", true);
    private volatile boolean passed;

    /** @param late runs in another thread, once {@link #hasPassed} */
    Deadline(Duration time, Runnable late) {
        timer.schedule(
                new TimerTask() {
                    @Override
                    public void run() {
                        passed = true;
                        late.run();
                    }
                },
                time.toMillis());
    }

    boolean hasPassed() {
        return passed;
    }

    @Override
    public void close() {
        timer.cancel();
    }
}
