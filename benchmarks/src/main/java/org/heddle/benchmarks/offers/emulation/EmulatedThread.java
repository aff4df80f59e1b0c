// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.offers.emulation;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A thread of the emulation. It does one thing after the other, at once or later, and keeps the first failure. */
@SuppressWarnings("FutureReturnValueIgnored") // failures are kept
final class EmulatedThread implements AutoCloseable {
    private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();
    private volatile @Nullable RuntimeException failure;

    void now(Runnable work) {
        executor.execute(guarded(work));
    }

    void later(long millis, Runnable work) {
        executor.schedule(guarded(work), millis, TimeUnit.MILLISECONDS);
    }

    void every(long millis, Runnable work) {
        executor.scheduleAtFixedRate(guarded(work), 0, millis, TimeUnit.MILLISECONDS);
    }

    private Runnable guarded(Runnable work) {
        return () -> {
            try {
                work.run();
            } catch (RuntimeException e) {
                if (failure == null) {
                    failure = e;
                }
            }
        };
    }

    /** Its first failure; null if all has gone well. */
    @Nullable
    RuntimeException failure() {
        return failure;
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
