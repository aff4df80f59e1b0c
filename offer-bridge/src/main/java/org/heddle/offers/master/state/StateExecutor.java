// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.state;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.heddle.offers.store.Journal;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The single writer: all state of the master is touched by this one thread, one {@link StateChange} after the other. A second
 * thread writes what turns remember, many turns at once when they come fast (group commit), and then lets their effects
 * happen in order.
 *
 * <pre>
 * post ─► [ turns thread: work ] ─► [ commit thread: write, sync, effects ]
 * </pre>
 */
public final class StateExecutor implements AutoCloseable {
    /** Something to do in a turn. */
    @FunctionalInterface
    public interface Work {
        void run(StateChange turn);
    }

    private record Timer(long due, long order, Work work) implements Comparable<Timer> {
        @Override
        public int compareTo(Timer other) {
            int byDue = Long.compare(due, other.due);
            return byDue != 0 ? byDue : Long.compare(order, other.order);
        }
    }

    private static final Logger LOG = LoggerFactory.getLogger(StateExecutor.class);
    private static final int GROUP = 512;

    private final LongSupplier clock;
    private final Journal journal;
    private final Runnable broken;
    private final BlockingQueue<Work> work = new LinkedBlockingQueue<>();
    private final BlockingQueue<StateChange> finished = new LinkedBlockingQueue<>(4 * GROUP);
    private final PriorityQueue<Timer> timers = new PriorityQueue<>();
    private final AtomicLong errors = new AtomicLong();
    private final Thread turns = new Thread(this::turns, "bridge-turns");
    private final Thread commits = new Thread(this::commits, "bridge-commits");
    private long order;
    private volatile boolean closed;

    /**
     * @param clock milliseconds since 1970
     * @param broken called once if the journal cannot be written: the bridge must not go on
     */
    public StateExecutor(LongSupplier clock, Journal journal, Runnable broken) {
        this.clock = clock;
        this.journal = journal;
        this.broken = broken;
    }

    public void start() {
        turns.start();
        commits.start();
    }

    /** Queues work; any thread. */
    public void post(Work item) {
        work.add(item);
    }

    /** Does work at a time, or soon after; only within a turn. */
    public void at(long due, Work item) {
        timers.add(new Timer(due, order++, item));
    }

    /** Turns that failed by an error of ours. */
    public long errors() {
        return errors.get();
    }

    private void turns() {
        try {
            while (!closed) {
                long now = clock.getAsLong();
                Timer first = timers.peek();
                Work next;
                if (first != null && first.due <= now) {
                    timers.poll();
                    next = first.work;
                } else {
                    long wait = first == null ? 60_000 : Math.min(60_000, first.due - now);
                    Work taken = work.poll(wait, TimeUnit.MILLISECONDS);
                    if (taken == null) {
                        continue;
                    }
                    next = taken;
                }
                finished.put(turn(next));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private StateChange turn(Work item) {
        StateChange turn = new StateChange(clock.getAsLong());
        try {
            item.run(turn);
        } catch (RuntimeException e) {
            // What it did before it failed counts: half of a turn remembered is better than state and journal apart.
            errors.incrementAndGet();
            LOG.error("a turn failed; the bridge goes on", e);
        }
        return turn;
    }

    private void commits() {
        List<StateChange> group = new ArrayList<>(GROUP);
        try {
            while (!closed || !finished.isEmpty()) {
                @Nullable StateChange first = finished.poll(1, TimeUnit.SECONDS);
                if (first == null) {
                    continue;
                }
                group.add(first);
                finished.drainTo(group, GROUP - 1);
                commit(group);
                group.clear();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            LOG.error("the journal cannot be written: the bridge stops, agents and tasks go on without it", e);
            closed = true;
            broken.run();
        }
    }

    private void commit(List<StateChange> group) throws IOException {
        Map<String, byte @Nullable []> records = new LinkedHashMap<>();
        boolean durable = false;
        for (StateChange turn : group) {
            records.putAll(turn.records());
            durable |= turn.durable();
        }
        journal.commit(records, durable);
        for (StateChange turn : group) {
            for (Runnable effect : turn.effects()) {
                try {
                    effect.run();
                } catch (RuntimeException e) {
                    errors.incrementAndGet();
                    LOG.error("an effect failed; the bridge goes on", e);
                }
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        work.add(turn -> {});
        try {
            if (Thread.currentThread() != turns) {
                turns.join(5_000);
            }
            if (Thread.currentThread() != commits) {
                commits.join(5_000);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
