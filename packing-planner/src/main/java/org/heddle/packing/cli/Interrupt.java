// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Ctrl-C: the first one asks a running search to stop, and the command prints the best plan so far. The shutdown of the
 * JVM then waits for {@link #finished}, for ten seconds at most.
 */
final class Interrupt {
    private static final long GRACE_SECONDS = 10;
    private static final AtomicBoolean ASKED = new AtomicBoolean();
    private static final CountDownLatch FINISHED = new CountDownLatch(1);
    private static final AtomicBoolean WATCHING = new AtomicBoolean();

    private Interrupt() {}

    /** Whether the user has pressed Ctrl-C. The first call installs the shutdown hook. */
    static boolean asked() {
        if (WATCHING.compareAndSet(false, true)) {
            Runtime.getRuntime().addShutdownHook(new Thread(Interrupt::onShutdown, "heddle-pack-interrupt"));
        }
        return ASKED.get();
    }

    /** Whether the user has pressed Ctrl-C; installs no hook. */
    static boolean wasAsked() {
        return ASKED.get();
    }

    private static void onShutdown() {
        if (FINISHED.getCount() == 0) {
            return;
        }
        ASKED.set(true);
        try {
            if (!FINISHED.await(GRACE_SECONDS, TimeUnit.SECONDS)) {
                System.err.println("heddle pack: stopped without a result");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** To be called when the command has printed its result. */
    static void finished() {
        FINISHED.countDown();
    }
}
