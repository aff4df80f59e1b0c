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
import org.heddle.offers.store.Journal;
import org.heddle.settings.Clocks;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The only thread that changes the state of the master: it runs one {@link StateChange} after the other. A second
 * thread writes the records of the changes, with one write for many changes if they come fast (group commit), and
 * then runs their effects in order.
 *
 * <pre>
 * post ─► [ change thread: work ] ─► [ commit thread: write, sync, effects ]
 * </pre>
 */
public final class StateExecutor implements AutoCloseable {
    /** The work of a change. */
    @FunctionalInterface
    public interface Work {
        void run(StateChange change);
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

    private final Clocks clocks;
    private final Journal journal;
    private final Runnable broken;
    private final BlockingQueue<Work> work = new LinkedBlockingQueue<>();
    private final BlockingQueue<StateChange> finished = new LinkedBlockingQueue<>(4 * GROUP);
    private final PriorityQueue<Timer> timers = new PriorityQueue<>();
    private final AtomicLong errors = new AtomicLong();
    private final Thread changes = new Thread(this::changes, "bridge-changes");
    private final Thread commits = new Thread(this::commits, "bridge-commits");
    private long order;
    private volatile boolean closed;
    /** When the oldest of the changes was made that are being written; no time if there are none. */
    private volatile long writing = Long.MAX_VALUE;

    /**
     * @param broken called once if the journal cannot be written; the bridge must stop then
     */
    public StateExecutor(Clocks clocks, Journal journal, Runnable broken) {
        this.clocks = clocks;
        this.journal = journal;
        this.broken = broken;
    }

    public void start() {
        changes.start();
        commits.start();
    }

    /** Queues work. Thread-safe. */
    public void post(Work item) {
        work.add(item);
    }

    /**
     * Runs work at this time or shortly after it. Only callable within a change.
     *
     * @param due as {@link StateChange#now}
     */
    public void at(long due, Work item) {
        timers.add(new Timer(due, order++, item));
    }

    /** Whether changes made before this time still wait for the journal, and their effects with them. */
    public boolean isBehind(long millis) {
        return writing < millis;
    }

    /** Number of changes and effects that failed because of an error in the bridge. */
    public long errors() {
        return errors.get();
    }

    private void changes() {
        try {
            while (!closed) {
                long now = clocks.millis();
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
                StateChange change = change(next);
                if (!change.isEmpty()) { // questions are answered while the journal waits
                    finished.put(change);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private StateChange change(Work item) {
        StateChange change = new StateChange(clocks.millis(), clocks.date());
        try {
            item.run(change);
        } catch (RuntimeException e) {
            // The records of a change that failed halfway are written all the same, because the journal must agree with
            // the state.
            errors.incrementAndGet();
            LOG.error("A change of the state failed; the bridge continues", e);
        }
        return change;
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
                writing = first.now();
                commit(group);
                writing = Long.MAX_VALUE;
                group.clear();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            LOG.error("The journal cannot be written: the bridge stops; agents and tasks continue without it", e);
            closed = true;
            broken.run();
        }
    }

    private void commit(List<StateChange> group) throws IOException {
        Map<String, byte @Nullable []> records = new LinkedHashMap<>();
        boolean durable = false;
        for (StateChange change : group) {
            records.putAll(change.records());
            durable |= change.durable();
        }
        journal.commit(records, durable);
        for (StateChange change : group) {
            for (Runnable effect : change.effects()) {
                try {
                    effect.run();
                } catch (RuntimeException e) {
                    errors.incrementAndGet();
                    LOG.error("An effect failed; the bridge continues", e);
                }
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        work.add(change -> {});
        try {
            if (Thread.currentThread() != changes) {
                changes.join(5_000);
            }
            if (Thread.currentThread() != commits) {
                finished.offer(
                        new StateChange(clocks.millis(), clocks.date())); // wakes it; if the queue is full it is awake
                commits.join(5_000);
                commits.interrupt(); // it may wait for HDFS
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
