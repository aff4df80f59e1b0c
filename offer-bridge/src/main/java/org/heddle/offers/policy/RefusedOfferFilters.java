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
 * What a framework refused, for one of its roles: resources of an agent that are contained in a refused bundle are not
 * offered again until the filter ends. A larger bundle passes. Times are milliseconds on the caller's clock.
 */
public final class RefusedOfferFilters {
    private record Filter(Resources refused, long until) {}

    private final Map<String, List<Filter>> byAgent = new HashMap<>();

    /** Refuses the bundle of that agent until then. */
    public void add(String agent, Resources refused, long until) {
        byAgent.computeIfAbsent(agent, key -> new ArrayList<>()).add(new Filter(refused, until));
    }

    public void clear() {
        byAgent.clear();
    }

    public boolean isEmpty() {
        return byAgent.isEmpty();
    }

    /** Would the framework refuse this bundle of that agent? */
    public boolean refuses(String agent, Resources bundle, long now) {
        List<Filter> filters = byAgent.get(agent);
        return filters != null
                && filters.stream()
                        .anyMatch(filter ->
                                filter.until() > now && filter.refused().covers(bundle));
    }

    /** Until when the framework refuses this bundle of that agent; 0 if it does not. */
    public long until(String agent, Resources bundle) {
        return byAgent.getOrDefault(agent, List.of()).stream()
                .filter(filter -> filter.refused().covers(bundle))
                .mapToLong(Filter::until)
                .max()
                .orElse(0);
    }

    /** Agents whose bundles of that size are refused now. */
    public Set<String> refusing(Resources size, long now) {
        Set<String> agents = new TreeSet<>();
        byAgent.keySet().forEach(agent -> {
            if (refuses(agent, size, now)) {
                agents.add(agent);
            }
        });
        return agents;
    }

    /** Forgets what has ended; returns when the next filter ends, or {@link Long#MAX_VALUE}. */
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
