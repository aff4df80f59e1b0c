// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.http;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Computations that wait for one thread. Groups take turns, so a group with many delays another one by one computation
 * at a time. Within a group the newest comes first: clients that wait for their answers before they ask again do not
 * keep out one that has just come. Thread-safe.
 */
final class FairQueue {
    private record Waiting<T>(Supplier<T> work, CompletableFuture<T> result) {
        void run() {
            try {
                result.complete(work.get());
            } catch (RuntimeException e) {
                result.completeExceptionally(e);
            }
        }
    }

    private final Executor thread;
    private final long longestMillis;

    @GuardedBy("this")
    private final Map<String, Deque<Waiting<?>>> groups = new LinkedHashMap<>();

    @GuardedBy("this")
    private boolean running;

    /** @param longestMillis after which what has not begun fails with a TimeoutException */
    FairQueue(Executor thread, long longestMillis) {
        this.thread = thread;
        this.longestMillis = longestMillis;
    }

    <T> CompletableFuture<T> submit(String group, Supplier<T> work) {
        Waiting<T> one = new Waiting<>(work, new CompletableFuture<>());
        boolean idle;
        synchronized (this) {
            groups.computeIfAbsent(group, any -> new ArrayDeque<>()).addFirst(one);
            idle = !running;
            running = true;
        }
        CompletableFuture<T> result = one.result
                .orTimeout(longestMillis, TimeUnit.MILLISECONDS)
                .whenComplete((done, error) -> forget(group, one));
        if (idle) {
            thread.execute(this::runAll);
        }
        return result;
    }

    private void runAll() {
        for (Waiting<?> one = next(); one != null; one = next()) {
            one.run();
        }
    }

    private synchronized @Nullable Waiting<?> next() {
        Iterator<Map.Entry<String, Deque<Waiting<?>>>> all = groups.entrySet().iterator();
        if (!all.hasNext()) {
            running = false;
            return null;
        }
        Map.Entry<String, Deque<Waiting<?>>> first = all.next();
        String name = first.getKey();
        Deque<Waiting<?>> group = first.getValue();
        all.remove();
        Waiting<?> one = group.removeFirst();
        if (!group.isEmpty()) {
            groups.put(name, group);
        }
        return one;
    }

    private synchronized void forget(String group, Waiting<?> one) {
        Deque<Waiting<?>> others = groups.get(group);
        if (others != null && others.remove(one) && others.isEmpty()) {
            groups.remove(group);
        }
    }
}
