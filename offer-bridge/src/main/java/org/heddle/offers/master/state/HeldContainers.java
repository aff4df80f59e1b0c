// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.state;

import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.heddle.offers.model.Resources;

/**
 * The containers of a role, and figures about them that most decisions need. With thousands of containers it would take
 * too long to count them for each decision, so a container changes only through {@link #change}.
 */
final class HeldContainers {
    private final Map<String, AgentContainer> all = new LinkedHashMap<>();
    private final Map<String, AgentContainer> unmodifiable = Collections.unmodifiableMap(all);
    private final Set<AgentContainer> draining = new LinkedHashSet<>();
    private final Map<Resources, Integer> sizes = new HashMap<>();
    private Resources total = Resources.NONE;
    private int unanswered;
    private int withExecutors;
    private int leaving;

    /** By their names in the cluster, in the order in which they came. */
    Map<String, AgentContainer> all() {
        return unmodifiable;
    }

    void put(AgentContainer container) {
        AgentContainer before = all.put(container.id(), container);
        if (before != null) {
            uncount(before);
        }
        count(container);
    }

    boolean remove(AgentContainer container) {
        boolean there = all.remove(container.id(), container);
        if (there) {
            uncount(container);
        }
        return there;
    }

    /** Changes a container, which may or may not be one of these. */
    void change(AgentContainer container, Runnable change) {
        boolean there = all.get(container.id()) == container;
        if (there) {
            uncount(container);
        }
        change.run();
        if (there) {
            count(container);
        }
    }

    private void count(AgentContainer container) {
        Resources size = container.total().scheduled();
        total = total.plus(size);
        sizes.merge(size, 1, Integer::sum);
        countConditions(container, 1);
        if (container.lease().drainUntil() > 0) {
            draining.add(container);
        }
    }

    private void uncount(AgentContainer container) {
        Resources size = container.total().scheduled();
        total = total.minus(size);
        sizes.computeIfPresent(size, (same, number) -> number == 1 ? null : number - 1);
        countConditions(container, -1);
        draining.remove(container);
    }

    private void countConditions(AgentContainer container, int one) {
        unanswered += container.phase() == ContainerPhase.ALLOCATED ? one : 0;
        withExecutors += container.executors().isEmpty() ? 0 : one;
        leaving += container.isLeaving() ? one : 0;
    }

    Resources total() {
        return total;
    }

    /** How many of them have each size. */
    Map<Resources, Integer> sizes() {
        return Collections.unmodifiableMap(sizes);
    }

    int unanswered() {
        return unanswered;
    }

    int withoutExecutors() {
        return all.size() - withExecutors;
    }

    int staying() {
        return all.size() - leaving;
    }

    List<AgentContainer> draining(long now) {
        return draining.stream()
                .filter(container -> container.lease().drainUntil() > now)
                .toList();
    }

    /** Whether the figures are those of the containers as they are now. */
    boolean isConsistent() {
        HeldContainers counted = new HeldContainers();
        all.values().forEach(counted::put);
        return counted.total.equals(total)
                && counted.sizes.equals(sizes)
                && counted.unanswered == unanswered
                && counted.withExecutors == withExecutors
                && counted.leaving == leaving
                && counted.draining.equals(draining);
    }
}
