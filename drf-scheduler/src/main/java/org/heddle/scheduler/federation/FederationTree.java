// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.federation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The queues of all sub-clusters as one tree: a queue is the same wherever it has the same path. */
final class FederationTree {
    /** Two weights differ if they do by more than this part. */
    private static final double SAME_WEIGHT = 1e-6;

    private final List<SubCluster> clusters;
    private final List<String> resources;
    private final double[] total;
    private final double[][] parts;
    private final List<Node> leaves = new ArrayList<>();
    private final List<Node> nodes = new ArrayList<>();
    private final List<String> differences = new ArrayList<>();
    private final Node root;

    /**
     * A queue.
     *
     * @param path names from the root
     * @param weight against its siblings, in the whole federation
     * @param index in the order of {@link #nodes}: a queue comes after those below it
     * @param leaf its place among the leaves; -1 for a parent
     * @param here by sub-cluster whether the queue is there
     * @param demandShares by sub-cluster: what it has and asks for there, as a part of the federation
     * @param usageShare what it has, as a part of the federation
     * @param demandShare what it has and asks for, as a part of the federation
     * @param direction what one unit of its dominant resource comes with, by resource; the largest is 1
     * @param limits by sub-cluster: the most that it may have there, as a part of the federation
     */
    record Node(
            String path,
            double weight,
            int index,
            int leaf,
            boolean[] here,
            double[] demandShares,
            double usageShare,
            double demandShare,
            double[] direction,
            double[] limits,
            List<Node> children) {
        boolean isLeaf() {
            return leaf >= 0;
        }
    }

    FederationTree(Collection<SubCluster> all) {
        clusters = List.copyOf(all);
        TreeSet<String> names = new TreeSet<>();
        clusters.forEach(cluster -> names.addAll(cluster.capacity().keySet()));
        names.removeIf(name -> clusters.stream().allMatch(cluster -> amount(cluster.capacity(), name) == 0));
        resources = List.copyOf(names);
        total = new double[resources.size()];
        for (int r = 0; r < total.length; r++) {
            for (SubCluster cluster : clusters) {
                total[r] += amount(cluster.capacity(), resources.get(r));
            }
        }
        parts = new double[clusters.size()][];
        for (int s = 0; s < parts.length; s++) {
            parts[s] = partsOf(clusters.get(s).capacity());
        }
        root = node(clusters.stream().map(SubCluster::root).toArray(SubCluster.Queue[]::new));
    }

    private static long amount(Map<String, Long> amounts, String resource) {
        return amounts.getOrDefault(resource, 0L);
    }

    private double[] partsOf(Map<String, Long> amounts) {
        double[] of = new double[total.length];
        Arrays.setAll(of, r -> amount(amounts, resources.get(r)) / total[r]);
        return of;
    }

    /** @param same the queue in each sub-cluster; null where it is not */
    private Node node(SubCluster.@Nullable Queue[] same) {
        Map<String, SubCluster.@Nullable Queue[]> below = new LinkedHashMap<>();
        boolean[] here = new boolean[same.length];
        double[] demands = new double[same.length];
        double[] usage = new double[total.length];
        double[] demand = new double[total.length];
        String path = "";
        double weight = 0;
        for (int s = 0; s < same.length; s++) {
            SubCluster.Queue queue = same[s];
            if (queue == null) {
                continue;
            }
            here[s] = true;
            path = queue.path();
            if (weight > 0 && Math.abs(weight - queue.weight()) > SAME_WEIGHT * weight) {
                differences.add(path + " has the weight " + queue.weight() + " in "
                        + clusters.get(s).id() + " and " + weight + " elsewhere: the largest counts");
            }
            weight = Math.max(weight, queue.weight());
            double[] demandHere = partsOf(queue.demand());
            double[] usageHere = partsOf(queue.usage());
            demands[s] = Arrays.stream(demandHere).max().orElse(0);
            for (int r = 0; r < total.length; r++) {
                demand[r] += demandHere[r];
                usage[r] += usageHere[r];
            }
            for (SubCluster.Queue child : queue.children()) {
                below.computeIfAbsent(child.path(), any -> new SubCluster.Queue[same.length])[s] = child;
            }
        }
        double demandShare = Arrays.stream(demand).max().orElse(0);
        double[] direction = new double[total.length];
        Arrays.setAll(direction, r -> demandShare > 0 ? demand[r] / demandShare : 1);
        double[] limits = new double[same.length];
        for (int s = 0; s < same.length; s++) {
            SubCluster.Queue queue = same[s];
            limits[s] = queue == null ? 0 : limit(queue, direction);
        }
        List<Node> children = below.values().stream().map(this::node).toList();
        Node node = new Node(
                path,
                weight,
                nodes.size(),
                children.isEmpty() ? leaves.size() : -1,
                here,
                demands,
                Arrays.stream(usage).max().orElse(0),
                demandShare,
                direction,
                limits,
                children);
        nodes.add(node);
        if (node.isLeaf()) {
            leaves.add(node);
        }
        return node;
    }

    private double limit(SubCluster.Queue queue, double[] direction) {
        double limit = 1;
        for (int r = 0; r < total.length; r++) {
            Long most = queue.limit().get(resources.get(r));
            if (most != null && direction[r] > 0) {
                limit = Math.min(limit, most / total[r] / direction[r]);
            }
        }
        return limit;
    }

    List<SubCluster> clusters() {
        return clusters;
    }

    int resources() {
        return total.length;
    }

    /** By sub-cluster and resource: its part of the federation. */
    double[][] parts() {
        return parts;
    }

    /** A queue after those below it. */
    List<Node> nodes() {
        return nodes;
    }

    List<Node> leaves() {
        return leaves;
    }

    Node root() {
        return root;
    }

    /** Queues that have different weights in different sub-clusters, one sentence each. */
    List<String> differences() {
        return differences;
    }
}
