// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.offers.emulation;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.heddle.offers.master.cluster.AllocatedContainer;
import org.heddle.offers.master.cluster.ClusterNode;
import org.heddle.offers.model.Resources;
import org.jspecify.annotations.Nullable;

/**
 * Nodes with room for two containers each: one for a task of a busy framework, and one of a single core beside it. For
 * one thread.
 */
final class EmulatedNodes {
    /** The cores of a container for a busy framework. */
    static final int BUSY_CORES = 7;

    private static final long CORE = 1_000;

    static final Resources NODE = Resources.of((BUSY_CORES + 1) * CORE, 16_384);

    private record Held(int node, Resources size) {}

    private final Resources[] used;
    /** The last report. */
    private final ClusterNode[] reported;

    private final Deque<Integer> freeForBusy = new ArrayDeque<>();
    private final Deque<Integer> freeForSingle = new ArrayDeque<>();
    private final Map<String, Held> held = new HashMap<>();
    private long allocated;

    EmulatedNodes(int nodes) {
        used = new Resources[nodes];
        Arrays.fill(used, Resources.NONE);
        reported = new ClusterNode[nodes];
        for (int node = 0; node < nodes; node++) {
            String host = "n" + node;
            reported[node] = new ClusterNode(
                    host + ":1", host, "10.0.0.1", "/rack", host + ":2", NODE, Resources.NONE, true, 0, Map.of());
            freeForBusy.add(node);
            freeForSingle.add(node);
        }
    }

    private Deque<Integer> free(Resources size) {
        return size.milliCpus() > CORE ? freeForBusy : freeForSingle;
    }

    /** What could be allocated in containers of that size. */
    Resources room(Resources size) {
        return size.times(free(size).size());
    }

    /** A container on a node that has room for it; null if there is none. */
    @Nullable
    AllocatedContainer allocate(Resources size) {
        Integer node = free(size).poll();
        if (node == null) {
            return null;
        }
        used[node] = used[node].plus(size);
        AllocatedContainer container =
                new AllocatedContainer("container_" + ++allocated, reported[node].node(), reported[node].host(), size);
        held.put(container.containerId(), new Held(node, size));
        return container;
    }

    /** Returns whether the container was there. */
    boolean release(String containerId) {
        Held container = held.remove(containerId);
        if (container == null) {
            return false;
        }
        int node = container.node();
        used[node] = used[node].minus(container.size());
        free(container.size()).add(node);
        return true;
    }

    /** All nodes, with what is used of them now. */
    List<ClusterNode> report() {
        for (int node = 0; node < used.length; node++) {
            ClusterNode last = reported[node];
            if (!last.used().equals(used[node])) {
                reported[node] = new ClusterNode(
                        last.node(),
                        last.host(),
                        last.ip(),
                        last.rack(),
                        last.httpAddress(),
                        last.total(),
                        used[node],
                        last.usable(),
                        last.leavesAt(),
                        last.attributes());
            }
        }
        return List.of(reported);
    }
}
