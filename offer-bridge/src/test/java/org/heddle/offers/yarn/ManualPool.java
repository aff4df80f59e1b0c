// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.yarn;

import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** A pool without threads: its tasks run in the test's thread when the test lets the time pass. */
final class ManualPool extends AbstractExecutorService implements ScheduledExecutorService {
    private final class Planned<V> extends FutureTask<V> implements ScheduledFuture<V> {
        private final long due;
        private final long order;

        Planned(Callable<V> task, long due, long order) {
            super(task);
            this.due = due;
            this.order = order;
        }

        long due() {
            return due;
        }

        long order() {
            return order;
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(due - now, TimeUnit.MILLISECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.compare(getDelay(TimeUnit.MILLISECONDS), other.getDelay(TimeUnit.MILLISECONDS));
        }
    }

    private final PriorityQueue<Planned<?>> tasks = new PriorityQueue<>(
            Comparator.<Planned<?>>comparingLong(Planned::due).thenComparingLong(Planned::order));
    private long now;
    private long order;
    private boolean closed;

    /** Runs what is due within this time. */
    void pass(long millis) {
        long end = now + millis;
        for (Planned<?> first = tasks.peek(); first != null && first.due() <= end; first = tasks.peek()) {
            tasks.remove();
            now = Math.max(now, first.due());
            first.run();
        }
        now = end;
    }

    @Override
    public <V> ScheduledFuture<V> schedule(Callable<V> task, long delay, TimeUnit unit) {
        Planned<V> planned = new Planned<>(task, now + unit.toMillis(delay), order++);
        tasks.add(planned);
        return planned;
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
        return schedule(Executors.callable(task), delay, unit);
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(new Planned<>(Executors.callable(task), now, order++));
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, long first, long period, TimeUnit unit) {
        throw new UnsupportedOperationException("no test needs it");
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, long first, long delay, TimeUnit unit) {
        throw new UnsupportedOperationException("no test needs it");
    }

    @Override
    public void shutdown() {
        closed = true;
    }

    @Override
    public List<Runnable> shutdownNow() {
        closed = true;
        return List.of();
    }

    @Override
    public boolean isShutdown() {
        return closed;
    }

    @Override
    public boolean isTerminated() {
        return closed;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return closed;
    }
}
