// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.spark;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The executors that were launched, and those that are still wanted. Thread-safe; times are milliseconds of the
 * caller's clock.
 */
final class ExecutorTable {
    /** So many executors in a row fail on a host before it gets no more for a while. */
    private static final int HOST_FAILURES = 2;

    private static final long HOST_AVOIDED_MILLIS = 300_000;

    private final ExecutorSize size;
    private final int most;
    private final long localityMillis;
    private final int tasksPerExecutor;

    @GuardedBy("this")
    private final Map<String, ExecutorTask> live = new LinkedHashMap<>();

    @GuardedBy("this")
    private final Map<String, List<Long>> failures = new HashMap<>();

    @GuardedBy("this")
    private Map<String, Integer> localTasks = Map.of();

    @GuardedBy("this")
    private int target;

    @GuardedBy("this")
    private long waitsSince;

    @GuardedBy("this")
    private int launched;

    /**
     * @param most limit on executors that exist at a time
     * @param localityMillis time for which hosts without data wait
     * @param tasksPerExecutor tasks that an executor runs at a time
     */
    ExecutorTable(ExecutorSize size, int most, long localityMillis, int tasksPerExecutor) {
        this.size = size;
        this.most = most;
        this.localityMillis = localityMillis;
        this.tasksPerExecutor = tasksPerExecutor;
    }

    /** Sets the number of executors that Spark wants, and how many of its waiting tasks have data on which host. */
    synchronized void want(int total, Map<String, Integer> tasksByHost, long now) {
        int before = wanted();
        target = total;
        localTasks = Map.copyOf(tasksByHost);
        if (before == 0) {
            waitsSince = now;
        }
    }

    /** The number of executors to launch. */
    synchronized int wanted() {
        return Math.max(0, Math.min(target, most) - live.size());
    }

    /** Decides about offers. The executors of the decisions count as launched from now on. */
    synchronized Map<OfferDecision, List<ExecutorTask>> decide(List<OfferView> offers, long now) {
        Map<OfferDecision, List<ExecutorTask>> result = new LinkedHashMap<>();
        Demand demand = demand(now);
        for (OfferDecision decision : OfferDecision.decide(demand, offers)) {
            List<ExecutorTask> tasks = new ArrayList<>();
            for (int i = 0; i < decision.executors; i++) {
                ExecutorTask task = new ExecutorTask(launched++, decision.offer.agent, decision.offer.host);
                live.put(task.id(), task);
                tasks.add(task);
            }
            if (!tasks.isEmpty() && demand.preferred.getOrDefault(decision.offer.host, 0) > 0) {
                waitsSince = now; // as Spark's own delay scheduling: each local launch begins a new wait
            }
            result.put(decision, tasks);
        }
        return result;
    }

    private synchronized Demand demand(long now) {
        Map<String, Integer> preferred = preferred();
        double waitSeconds = preferred.isEmpty() ? 0 : (waitsSince + localityMillis - now) / 1000.0;
        return new Demand(wanted(), size, preferred, Math.max(0, waitSeconds), avoided(now));
    }

    private synchronized Map<String, Integer> preferred() {
        Map<String, Integer> preferred = new HashMap<>();
        localTasks.forEach((host, tasks) -> {
            long here = live.values().stream()
                    .filter(task -> task.host.equals(host))
                    .count();
            int more = (int) ((tasks + tasksPerExecutor - 1L) / tasksPerExecutor - here);
            if (more > 0) {
                preferred.put(host, more);
            }
        });
        return preferred;
    }

    private synchronized Set<String> avoided(long now) {
        Set<String> avoided = new HashSet<>();
        failures.forEach((host, times) -> {
            if (times.stream().filter(time -> now - time < HOST_AVOIDED_MILLIS).count() >= HOST_FAILURES) {
                avoided.add(host);
            }
        });
        return avoided;
    }

    /** Notes the end of an executor; returns null if it is not known. */
    synchronized @Nullable ExecutorTask ended(String id, boolean failed, long now) {
        ExecutorTask task = live.remove(id);
        if (task != null && failed) {
            failures.computeIfAbsent(task.host, host -> new ArrayList<>()).add(now);
        }
        if (wanted() == 1) {
            waitsSince = now;
        }
        return task;
    }

    /** An executor works on this host, so the failures before it do not count any more. */
    synchronized void works(String id) {
        ExecutorTask task = live.get(id);
        if (task != null) {
            failures.remove(task.host);
        }
    }

    synchronized boolean isLive(String id) {
        return live.containsKey(id);
    }

    /** In the order of their launch. */
    synchronized List<ExecutorTask> live() {
        return new ArrayList<>(live.values());
    }
}
