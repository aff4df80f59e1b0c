// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.rm;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.heddle.whatif.driven.DrivenNode;

/**
 * Tasks that would rather run on one of a few nodes each, asked for as MapReduce's master does: by host, rack and any.
 */
public final class TaskList {
    /** As HDFS has by default. */
    public static final int REPLICAS = 3;

    private final int replicas;
    private final SplittableRandom random;
    private final int nodes;
    private final Set<int[]> waiting = new LinkedHashSet<>();
    private final Map<String, List<int[]>> byHost = new HashMap<>();
    private final Map<String, Integer> counts = new HashMap<>();
    private final Set<String> changed = new LinkedHashSet<>();

    /** @param replicas how many nodes have the block of a task */
    public TaskList(int nodes, int replicas, SplittableRandom random) {
        this.replicas = replicas;
        this.nodes = nodes;
        this.random = random;
    }

    public void add(int many) {
        for (int i = 0; i < many; i++) {
            int[] task = random.ints(0, nodes).distinct().limit(replicas).toArray();
            waiting.add(task);
            for (int node : task) {
                byHost.computeIfAbsent(DrivenNode.host(node), host -> new ArrayList<>())
                        .add(task);
            }
            count(task, 1);
        }
    }

    private void count(int[] task, int by) {
        Set<String> names = new LinkedHashSet<>(List.of(ResourceRequest.ANY));
        for (int node : task) {
            names.add(DrivenNode.host(node));
            names.add(DrivenNode.rack(node));
        }
        names.forEach(name -> counts.merge(name, by, Integer::sum));
        changed.addAll(names);
    }

    /** All asks that are others than last time. */
    public List<ResourceRequest> changed(Resource size) {
        List<ResourceRequest> asks = changed.stream()
                .map(name ->
                        ResourceRequest.newInstance(DrivenAppMaster.PRIORITY, name, size, counts.getOrDefault(name, 0)))
                .toList();
        changed.clear();
        return asks;
    }

    /** @return whether one of the tasks would rather run there; if not, the oldest of all runs there */
    public boolean given(String host) {
        List<int[]> here = byHost.getOrDefault(host, List.of());
        boolean own = !here.isEmpty();
        if (own || !waiting.isEmpty()) {
            int[] task = own ? here.get(0) : waiting.iterator().next();
            waiting.remove(task);
            for (int node : task) {
                List<int[]> there = byHost.getOrDefault(DrivenNode.host(node), List.of());
                there.remove(task);
                if (there.isEmpty()) {
                    byHost.remove(DrivenNode.host(node));
                }
            }
            count(task, -1);
        }
        return own;
    }
}
