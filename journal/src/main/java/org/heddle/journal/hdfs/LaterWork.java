// SPDX-License-Identifier: Apache-2.0
package org.heddle.journal.hdfs;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Does work on a daemon thread: at once after a request, and a few times a second while requests come. */
final class LaterWork {
    private static final long PAUSE_MILLIS = 250;

    private final AtomicReference<@Nullable Runnable> requested = new AtomicReference<>();
    private final BackgroundCheck thread;

    LaterWork(String name) {
        thread = new BackgroundCheck(name, this::run);
    }

    void request(Runnable work) {
        requested.set(work);
        thread.start();
    }

    private void run() {
        for (Runnable work = requested.getAndSet(null); work != null; work = requested.getAndSet(null)) {
            work.run();
            try {
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
