// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.policy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import org.heddle.offers.model.Resources;

/**
 * The resources that a framework refused, for one of its roles. Until a filter ends, resources of the same agent that
 * are not larger than the refused ones are not offered again. Times are milliseconds of the caller's clock.
 */
public final class RefusedOfferFilters {
    private record Filter(Resources refused, long until) {}

    private record End(long time, String agent) {}

    private final Map<String, List<Filter>> byAgent = new HashMap<>();
    private final PriorityQueue<End> ends = new PriorityQueue<>(Comparator.comparingLong(End::time));

    /** Adds a filter for these resources of an agent. */
    public void add(String agent, Resources refused, long until) {
        byAgent.computeIfAbsent(agent, key -> new ArrayList<>()).add(new Filter(refused, until));
        ends.add(new End(until, agent));
    }

    public void clear() {
        byAgent.clear();
        ends.clear();
    }

    public boolean isEmpty() {
        return byAgent.isEmpty();
    }

    /** Whether a filter is in force for these resources of an agent. */
    public boolean refuses(String agent, Resources resources, long now) {
        return refuse(byAgent.getOrDefault(agent, List.of()), resources, now);
    }

    private static boolean refuse(List<Filter> filters, Resources resources, long now) {
        for (Filter filter : filters) {
            if (filter.until() > now && filter.refused().covers(resources)) {
                return true;
            }
        }
        return false;
    }

    /** The time until which a filter holds for these resources of an agent; 0 without one. */
    public long until(String agent, Resources resources) {
        return byAgent.getOrDefault(agent, List.of()).stream()
                .filter(filter -> filter.refused().covers(resources))
                .mapToLong(Filter::until)
                .max()
                .orElse(0);
    }

    /** Agents with a filter in force for resources of this size. */
    public Set<String> refusing(Resources size, long now) {
        Set<String> agents = new HashSet<>();
        byAgent.forEach((agent, filters) -> {
            if (refuse(filters, size, now)) {
                agents.add(agent);
            }
        });
        return agents;
    }

    /** Removes filters that have ended; returns when the next one ends, or {@link Long#MAX_VALUE}. */
    public long expire(long now) {
        End first = ends.peek();
        while (first != null && first.time() <= now) {
            ends.remove();
            byAgent.computeIfPresent(first.agent(), (agent, filters) -> {
                filters.removeIf(filter -> filter.until() <= now);
                return filters.isEmpty() ? null : filters;
            });
            first = ends.peek();
        }
        return first == null ? Long.MAX_VALUE : first.time();
    }
}
