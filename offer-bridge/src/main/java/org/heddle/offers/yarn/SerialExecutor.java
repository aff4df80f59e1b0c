// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.yarn;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks on the threads of a shared pool, one at a time and in their order. Fields that only these tasks use need
 * no lock; {@link #checkThread} fails in any other thread.
 */
final class SerialExecutor {
    private static final Logger LOG = LoggerFactory.getLogger(SerialExecutor.class);

    private final ScheduledExecutorService pool;

    @GuardedBy("this")
    private final Queue<Runnable> tasks = new ArrayDeque<>();

    @GuardedBy("this")
    private boolean running;

    private volatile @Nullable Thread thread;

    SerialExecutor(ScheduledExecutorService pool) {
        this.pool = pool;
    }

    /** Runs the task after all earlier ones. */
    void execute(Runnable task) {
        if (add(task)) {
            pool.execute(this::run);
        }
    }

    /** As {@link #execute}, after that time; a task whose time has come cannot be cancelled. */
    ScheduledFuture<?> schedule(Runnable task, long millis) {
        return pool.schedule(
                () -> {
                    if (add(task)) {
                        run();
                    }
                },
                millis,
                TimeUnit.MILLISECONDS);
    }

    /** Returns whether the caller must run the tasks. */
    private synchronized boolean add(Runnable task) {
        tasks.add(task);
        boolean idle = !running;
        running = true;
        return idle;
    }

    private void run() {
        for (Runnable task = next(); task != null; task = next()) {
            try {
                task.run();
            } catch (RuntimeException e) {
                LOG.error("a task of an application failed", e);
            }
        }
    }

    private synchronized @Nullable Runnable next() {
        Runnable task = tasks.poll();
        running = task != null;
        thread = running ? Thread.currentThread() : null;
        return task;
    }

    /** Fails unless this thread runs one of the tasks. */
    void checkThread() {
        if (thread != Thread.currentThread()) {
            throw new IllegalStateException(Thread.currentThread().getName()
                    + " runs none of the application's tasks, and only they may call the ResourceManager");
        }
    }
}
