// SPDX-License-Identifier: Apache-2.0
package org.heddle.journal.hdfs;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** One check at a time, on a daemon thread that ends when it has nothing to do, so that nobody has to close this. */
final class BackgroundCheck {
    private static final int IDLE_SECONDS = 10;

    private final Runnable check;
    private final AtomicBoolean runs = new AtomicBoolean();
    private final ThreadPoolExecutor thread;

    BackgroundCheck(String name, Runnable check) {
        this.check = check;
        thread = new ThreadPoolExecutor(1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), work -> {
            Thread made = new Thread(work, name);
            made.setDaemon(true);
            return made;
        });
        thread.allowCoreThreadTimeOut(true);
    }

    boolean isIdle() {
        return !runs.get();
    }

    /** Starts it, unless it runs. */
    void start() {
        if (runs.compareAndSet(false, true)) {
            thread.execute(() -> {
                try {
                    check.run();
                } finally {
                    runs.set(false);
                }
            });
        }
    }
}
