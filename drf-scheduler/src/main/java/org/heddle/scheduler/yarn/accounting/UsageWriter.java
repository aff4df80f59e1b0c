// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.accounting;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.heddle.scheduler.accounting.HourlyUsage;
import org.heddle.scheduler.accounting.UsageQuery;
import org.heddle.scheduler.accounting.UsageReport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes hours to their store in a thread of its own, and reads them. Any thread may call it. */
final class UsageWriter {
    private static final Logger LOG = LoggerFactory.getLogger(UsageWriter.class);
    private static final int MOST_HOURS_BACK = 24;
    /** A month. */
    private static final int MOST_HOURS_AHEAD = 24 * 31;
    /** Hours that wait because they cannot be written; older ones are dropped. */
    private static final int MOST_WAITING = 48;

    private static final int PATIENCE_SECONDS = 10;

    private final UsageStore store;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
        Thread made = new Thread(task, "heddle-usage");
        made.setDaemon(true);
        return made;
    });

    private final Object monitor = new Object();

    /** The latest copy of each hour that is not in the store yet, by start. */
    @GuardedBy("monitor")
    private final TreeMap<Long, HourlyUsage> waiting = new TreeMap<>();

    @GuardedBy("monitor")
    private boolean failing;

    UsageWriter(UsageStore store) {
        this.store = store;
    }

    /** The last hour that was written; null if there is none, or if it cannot be read within ten seconds. */
    @Nullable
    HourlyUsage last(long date) {
        return soon(() -> store.last(date, MOST_HOURS_BACK));
    }

    /** What there is of an hour; null if there is nothing, or if it cannot be read within ten seconds. */
    @Nullable
    HourlyUsage hour(long start) {
        synchronized (monitor) {
            if (waiting.containsKey(start)) {
                return waiting.get(start);
            }
        }
        return soon(() -> store.read(start));
    }

    /**
     * The start of the newest hour that was written, with a clock that was ahead perhaps; the hour given if none is
     * newer.
     */
    long latest(long start) {
        List<Long> later = soon(() -> store.hours(start, start + MOST_HOURS_AHEAD * HourlyUsage.HOUR_MILLIS));
        return later == null || later.isEmpty() ? start : later.get(later.size() - 1);
    }

    private <T> @Nullable T soon(Callable<@Nullable T> question) {
        try {
            return thread.submit(question).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            String why = e instanceof TimeoutException ? "no answer in time" : String.valueOf(e.getCause());
            LOG.warn(
                    "What was used earlier in this hour cannot be read from {} ({}); accounting begins anew",
                    store,
                    why);
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    /** Writes an hour soon, in place of the one that is there. */
    void write(HourlyUsage hour) {
        synchronized (monitor) {
            waiting.put(hour.startMillis(), hour);
            while (waiting.size() > MOST_WAITING) {
                waiting.pollFirstEntry();
            }
        }
        thread.execute(this::writeAll);
    }

    private void writeAll() {
        for (HourlyUsage hour : waiting()) {
            try {
                store.write(hour);
                written(hour);
            } catch (IOException | RuntimeException e) {
                failed(e);
                return;
            }
        }
    }

    private List<HourlyUsage> waiting() {
        synchronized (monitor) {
            return new ArrayList<>(waiting.values());
        }
    }

    private void written(HourlyUsage hour) {
        synchronized (monitor) {
            waiting.remove(hour.startMillis(), hour);
            if (failing) {
                LOG.info("Usage can be written to {} again", store);
            }
            failing = false;
        }
    }

    private void failed(Exception e) {
        synchronized (monitor) {
            if (!failing) {
                LOG.warn(
                        "Usage cannot be written to {} ({}); the last {} hours are kept in memory until it can",
                        store,
                        e,
                        MOST_WAITING);
            }
            failing = true;
        }
    }

    /**
     * The report of a query, from the store and what is not in it yet.
     *
     * @param present the present hour
     */
    UsageReport report(UsageQuery query, HourlyUsage present) throws IOException {
        TreeMap<Long, HourlyUsage> newer = new TreeMap<>();
        waiting().forEach(hour -> newer.put(hour.startMillis(), hour));
        newer.put(present.startMillis(), present);
        UsageReport.Builder report = new UsageReport.Builder(query);
        for (long start : store.hours(query.fromMillis(), query.toMillis())) {
            HourlyUsage hour = newer.containsKey(start) ? null : store.read(start);
            if (hour != null) {
                report.add(hour);
            }
        }
        newer.values().forEach(report::add);
        return report.build();
    }

    /** Gives the hours of a time, in the writer's thread; an hour that cannot be read ends it with a warning. */
    CompletableFuture<Void> past(long fromMillis, long toMillis, Consumer<HourlyUsage> each) {
        return CompletableFuture.runAsync(
                () -> {
                    try {
                        for (long start : store.hours(fromMillis, toMillis)) {
                            HourlyUsage hour = store.read(start);
                            if (hour != null) {
                                each.accept(hour);
                            }
                        }
                    } catch (IOException e) {
                        LOG.warn("Past usage cannot be read from {} ({}); shares begin without it", store, e);
                        throw new UncheckedIOException(e);
                    }
                },
                thread);
    }

    /** Waits a while until everything is written, and ends the thread. */
    void stop() {
        thread.shutdown();
        try {
            if (!thread.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("The last usage could not be written to {} in time", store);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        thread.shutdownNow();
    }
}
