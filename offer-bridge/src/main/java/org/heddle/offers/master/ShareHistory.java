// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import org.heddle.offers.master.cluster.ClusterNode;
import org.heddle.offers.model.Resources;

/** Frameworks' dominant shares of the cluster over the last quarter of an hour; what is offered counts. */
final class ShareHistory {
    static final long EVERY_MILLIS = 2_000;
    private static final int MOST = 450;

    record Sample(long time, Map<String, Double> shares) {}

    private final Deque<Sample> samples = new ArrayDeque<>();

    Deque<Sample> samples() {
        return samples;
    }

    void look(ClusterState state, long now) {
        Resources cluster = cluster(state);
        Map<String, Double> shares = new LinkedHashMap<>();
        for (ClusterState.Framework framework : state.frameworks.values()) {
            shares.put(framework.id, share(framework, cluster));
        }
        samples.addLast(new Sample(now, shares));
        if (samples.size() > MOST) {
            samples.removeFirst();
        }
    }

    static Resources cluster(ClusterState state) {
        return state.nodes.values().stream()
                .filter(ClusterNode::usable)
                .map(ClusterNode::total)
                .reduce(Resources.NONE, Resources::plus);
    }

    /** The larger of its parts of all CPUs and all memory; 0 of an empty cluster. */
    static double share(ClusterState.Framework framework, Resources cluster) {
        Resources held = Resources.NONE;
        for (ClusterState.Role role : framework.roles.values()) {
            for (ClusterState.Host host : role.hosts.values()) {
                held = held.plus(Resources.of(host.total.milliCpus(), host.total.memMb()));
            }
        }
        double cpus = cluster.milliCpus() == 0 ? 0 : (double) held.milliCpus() / cluster.milliCpus();
        double memory = cluster.memMb() == 0 ? 0 : (double) held.memMb() / cluster.memMb();
        return Math.max(cpus, memory);
    }
}
