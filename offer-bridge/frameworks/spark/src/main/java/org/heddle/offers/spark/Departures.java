// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.spark;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Chooses the executors that leave when the cluster wants resources back. An inverse offer with an agent is about one
 * container there; one without an agent is about an amount anywhere, for which the executors that leave already count.
 * Idle executors go first, then the youngest, because they hold the least cached data.
 */
final class Departures {
    private final Set<String> handled = new HashSet<>();

    /** An inverse offer; without an agent {@code agent} is empty. */
    static final class Wish {
        final String id;
        final String agent;
        final double cpus;
        final double memMb;

        Wish(String id, String agent, double cpus, double memMb) {
            this.id = id;
            this.agent = agent;
            this.cpus = cpus;
            this.memMb = memMb;
        }
    }

    /** Returns the executors that are to leave now, beside those that leave already. */
    List<ExecutorTask> choose(
            List<Wish> wishes, List<ExecutorTask> live, Set<String> busy, Set<String> leaving, ExecutorSize size) {
        Set<ExecutorTask> chosen = new LinkedHashSet<>();
        for (Wish wish : wishes) {
            boolean again = !handled.add(wish.id);
            if (again) {
                continue; // the bridge repeats its inverse offers after a reconnect
            }
            int count = executors(wish, size);
            if (wish.agent.isEmpty()) {
                count -= leaving.size() + chosen.size();
            }
            candidates(live, busy, leaving, chosen, wish.agent).stream()
                    .limit(Math.max(0, count))
                    .forEach(chosen::add);
        }
        return new ArrayList<>(chosen);
    }

    private static int executors(Wish wish, ExecutorSize size) {
        double most = Math.max(wish.cpus / size.cores(), wish.memMb / size.memMb());
        return (int) Math.max(1, Math.ceil(most));
    }

    private static List<ExecutorTask> candidates(
            List<ExecutorTask> live, Set<String> busy, Set<String> leaving, Set<ExecutorTask> chosen, String agent) {
        List<ExecutorTask> candidates = new ArrayList<>();
        for (ExecutorTask task : live) {
            boolean here = agent.isEmpty() || agent.equals(task.agent);
            if (here && !leaving.contains(task.id()) && !chosen.contains(task)) {
                candidates.add(task);
            }
        }
        candidates.sort(Comparator.comparing((ExecutorTask task) -> busy.contains(task.id()))
                .thenComparing(task -> -task.number));
        return candidates;
    }
}
