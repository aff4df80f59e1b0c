// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.policy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.heddle.offers.model.Resources;

/**
 * The resources that a framework refused, for one of its roles. Until a filter ends, resources of the same agent that
 * are not larger than the refused ones are not offered again. Times are milliseconds of the caller's clock.
 */
public final class RefusedOfferFilters {
    private record Filter(Resources refused, long until) {}

    private final Map<String, List<Filter>> byAgent = new HashMap<>();

    /** Adds a filter for these resources of an agent. */
    public void add(String agent, Resources refused, long until) {
        byAgent.computeIfAbsent(agent, key -> new ArrayList<>()).add(new Filter(refused, until));
    }

    public void clear() {
        byAgent.clear();
    }

    public boolean isEmpty() {
        return byAgent.isEmpty();
    }

    /** Whether a filter is in force for these resources of an agent. */
    public boolean refuses(String agent, Resources resources, long now) {
        List<Filter> filters = byAgent.get(agent);
        return filters != null
                && filters.stream()
                        .anyMatch(filter ->
                                filter.until() > now && filter.refused().covers(resources));
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
        Set<String> agents = new TreeSet<>();
        byAgent.keySet().forEach(agent -> {
            if (refuses(agent, size, now)) {
                agents.add(agent);
            }
        });
        return agents;
    }

    /** Removes filters that have ended; returns when the next one ends, or {@link Long#MAX_VALUE}. */
    public long expire(long now) {
        long next = Long.MAX_VALUE;
        for (var entries = byAgent.values().iterator(); entries.hasNext(); ) {
            List<Filter> filters = entries.next();
            filters.removeIf(filter -> filter.until() <= now);
            if (filters.isEmpty()) {
                entries.remove();
            }
            for (Filter filter : filters) {
                next = Math.min(next, filter.until());
            }
        }
        return next;
    }
}
