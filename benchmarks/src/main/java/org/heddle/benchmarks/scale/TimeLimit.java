// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.scale;

import java.time.Duration;
import java.util.Timer;
import java.util.TimerTask;

/** Ends a measuring program that takes too long. */
final class TimeLimit {
    /** The exit code of a program that took too long, as of timeout(1). Java has 3 for a lack of memory. */
    static final int EXIT_CODE = 124;

    private TimeLimit() {}

    /** From now on; a program that is done ends with {@code System.exit}. */
    static void begin(Duration limit) {
        new Timer("time limit", true)
                .schedule(
                        new TimerTask() {
                            @Override
                            public void run() {
                                Runtime.getRuntime().halt(EXIT_CODE); // whatever locks are held
                            }
                        },
                        limit.toMillis());
    }
}
