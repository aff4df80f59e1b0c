// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Ctrl-C: the first one asks a running search to stop and lets the command print the best plan so far.
 * The JVM is then already on its way down, so it waits until {@link #finished} or ten seconds.
 */
final class Interrupt {
    private static final long GRACE_SECONDS = 10;
    private static final AtomicBoolean ASKED = new AtomicBoolean();
    private static final CountDownLatch FINISHED = new CountDownLatch(1);
    private static final AtomicBoolean WATCHING = new AtomicBoolean();

    private Interrupt() {}

    /** Has the user asked to stop? Watching begins with the first call. */
    static boolean asked() {
        if (WATCHING.compareAndSet(false, true)) {
            Runtime.getRuntime().addShutdownHook(new Thread(Interrupt::onShutdown, "heddle-pack-interrupt"));
        }
        return ASKED.get();
    }

    /** Whether the user has asked; does not begin to watch. */
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
                System.err.println("heddle-pack: stopped without a result");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The command has printed what it had to print. */
    static void finished() {
        FINISHED.countDown();
    }
}
