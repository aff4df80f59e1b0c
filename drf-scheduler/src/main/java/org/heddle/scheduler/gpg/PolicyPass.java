// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.gpg;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.federation.store.FederationStateStore;
import org.apache.hadoop.yarn.server.federation.store.records.GetSubClusterPoliciesConfigurationsRequest;
import org.apache.hadoop.yarn.server.federation.store.records.GetSubClustersInfoRequest;
import org.apache.hadoop.yarn.server.federation.store.records.SetSubClusterPolicyConfigurationRequest;
import org.apache.hadoop.yarn.server.federation.store.records.SubClusterInfo;
import org.apache.hadoop.yarn.server.federation.store.records.SubClusterPolicyConfiguration;
import org.apache.hadoop.yarn.server.federation.store.records.SubClusterState;
import org.heddle.scheduler.federation.FederationPlan;
import org.heddle.scheduler.federation.SubCluster;
import org.heddle.scheduler.yarn.federation.WeightRecords;
import org.heddle.settings.Clocks;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One pass: reads every active sub-cluster, makes the plan and writes what has changed. If one of them cannot be read,
 * has another scheduler, or waits for its nodes after a start of its ResourceManager, nothing is written and the last
 * policies and weights hold. One that has said that it ends, or was lost for long, is not active: the plan is made
 * without it, but its numbers stay for its return. One that has registered and not yet sent its first heartbeat to the
 * store (30 s after the start by default) is active. Used by one thread.
 */
final class PolicyPass {
    private static final Logger LOG = LoggerFactory.getLogger(PolicyPass.class);
    /** Numbers that differ by less than this part, or by this, are not worth a write. */
    private static final double SAME = 0.02;

    private static final double SAME_NUMBER = 0.002;
    /**
     * NodeManagers look for a ResourceManager that has gone every 30 s
     * (yarn.resourcemanager.connect.retry-interval.ms).
     */
    static final Duration NODES_RETURN = Duration.ofMinutes(1);

    private static final String UNTIL = ". All policies and weights stay as they are until this changes, or until the"
            + " sub-cluster is named in yarn.federation.gpg.policy.generator.blacklist";

    /**
     * A start of a ResourceManager.
     *
     * @param date as the store has it
     * @param nodesUntil until when its nodes come back, by the monotonic clock
     */
    private record Start(long date, long nodesUntil) {}

    /** Where sub-clusters are read. */
    interface Reader {
        SubCluster read(SubClusterInfo cluster) throws IOException;
    }

    private final FederationStateStore store;
    private final Reader reader;
    private final Set<String> leftOut;
    private final boolean readOnly;
    private final Clocks clocks;
    private final Map<String, Start> starts = new HashMap<>();
    private List<String> said = List.of();
    private boolean failing;

    /**
     * @param leftOut ids of sub-clusters that get no applications, requests and weights
     * @param readOnly whether the plan is only logged
     */
    PolicyPass(FederationStateStore store, Reader reader, Collection<String> leftOut, boolean readOnly, Clocks clocks) {
        this.store = store;
        this.reader = reader;
        this.leftOut = Set.copyOf(leftOut);
        this.readOnly = readOnly;
        this.clocks = clocks;
    }

    /**
     * Makes the pass.
     *
     * @return the plan; null if there is none, because a sub-cluster could not be read
     */
    @Nullable
    FederationPlan run() throws YarnException {
        Set<String> inactive = new HashSet<>();
        List<SubCluster> clusters = readAll(inactive);
        if (clusters.isEmpty()) {
            return null;
        }
        FederationPlan plan = FederationPlan.of(clusters);
        say(plan.remarks());
        write(
                plan,
                new Writer(
                        inactive,
                        store.getPoliciesConfigurations(GetSubClusterPoliciesConfigurationsRequest.newInstance())
                                .getPoliciesConfigs()));
        return plan;
    }

    /**
     * All active sub-clusters; none if one of them cannot be read, or has just started.
     *
     * @param inactive gets the ids of those that are not active
     */
    private List<SubCluster> readAll(Set<String> inactive) throws YarnException {
        Map<String, SubClusterInfo> active = new TreeMap<>();
        for (SubClusterInfo info : store.getSubClusters(GetSubClustersInfoRequest.newInstance(false))
                .getSubClusters()) {
            String id = info.getSubClusterId().getId();
            if (leftOut.contains(id)) {
                continue;
            }
            if (info.getState().isActive() || info.getState() == SubClusterState.SC_NEW) {
                active.put(id, info);
            } else {
                inactive.add(id);
            }
        }
        List<SubCluster> clusters = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        for (SubClusterInfo info : active.values()) {
            try {
                clusters.add(reader.read(info));
                if (awaitsNodes(info)) {
                    problems.add("The ResourceManager of sub-cluster " + info.getSubClusterId()
                            + " has just started: for " + NODES_RETURN.toSeconds()
                            + " s, in which its nodes come back, all policies and weights stay as they are");
                }
            } catch (IOException e) {
                problems.add(e.getMessage() + UNTIL);
            }
        }
        if (active.isEmpty()) {
            problems.add("No sub-cluster is active: all policies and weights stay as they are");
        }
        if (!problems.isEmpty()) {
            say(problems);
            failing = true;
            return List.of();
        }
        if (failing) {
            LOG.info("All sub-clusters can be planned with again");
            failing = false;
        }
        return clusters;
    }

    private void write(FederationPlan plan, Writer writer) throws YarnException {
        Set<String> names = uniqueNames(plan);
        for (FederationPlan.Queue queue : plan.queues()) {
            boolean changed = writer.write(WeightRecords.PREFIX + queue.path(), queue.weights());
            if (queue.leaf()) {
                changed |= writer.write(queue.path(), queue.requests());
                String name = lastName(queue.path());
                if (names.contains(name)) { // applications may be submitted to a, which means root.a
                    changed |= writer.write(name, queue.requests());
                }
            }
            if (changed) {
                LOG.info("{}{}", readOnly ? "Read only, would write: " : "", queue.inWords());
            }
        }
    }

    /** The date of a start is compared once, when it is seen first: at most the whole time, whatever the clocks say. */
    private boolean awaitsNodes(SubClusterInfo info) {
        long date = info.getLastStartTime();
        Start start = starts.compute(info.getSubClusterId().getId(), (id, known) -> {
            if (known != null && known.date == date) {
                return known;
            }
            long longest = clocks.millis() + NODES_RETURN.toMillis();
            return new Start(date, Math.min(longest, clocks.millisAt(date) + NODES_RETURN.toMillis()));
        });
        return clocks.millis() < start.nodesUntil;
    }

    /** Says what is wrong, once as long as it stays the same. */
    private void say(List<String> now) {
        now.stream().filter(sentence -> !said.contains(sentence)).forEach(LOG::warn);
        said = now;
    }

    private static String lastName(String path) {
        return path.substring(path.lastIndexOf('.') + 1);
    }

    /** Names of leaves that no other leaf has. */
    private static Set<String> uniqueNames(FederationPlan plan) {
        Set<String> once = new HashSet<>();
        Set<String> several = new HashSet<>();
        for (FederationPlan.Queue queue : plan.queues()) {
            if (queue.leaf() && !once.add(lastName(queue.path()))) {
                several.add(lastName(queue.path()));
            }
        }
        once.removeAll(several);
        return once;
    }

    /** Writes policies that say something else than the present ones. */
    private final class Writer {
        private final Map<String, SubClusterPolicyConfiguration> present = new HashMap<>();
        private final Set<String> inactive;

        /** @param inactive sub-clusters that keep their numbers: YARN sends them nothing until they are back */
        Writer(Set<String> inactive, Collection<SubClusterPolicyConfiguration> present) {
            this.inactive = inactive;
            present.forEach(policy -> this.present.put(policy.getQueue(), policy));
        }

        /** Whether there was something to write. */
        boolean write(String name, Map<String, Double> wanted) throws YarnException {
            Map<String, Double> numbers = new HashMap<>(wanted);
            SubClusterPolicyConfiguration before = present.get(name);
            if (before != null) {
                if (!before.getType().equals(WeightRecords.KIND)) {
                    return false;
                }
                Map<String, Double> old = WeightRecords.numbers(before);
                old.forEach((cluster, number) -> {
                    if (inactive.contains(cluster)) {
                        numbers.put(cluster, number);
                    }
                });
                if (same(old, numbers)) {
                    return false;
                }
            }
            if (!readOnly) {
                store.setPolicyConfiguration(
                        SetSubClusterPolicyConfigurationRequest.newInstance(WeightRecords.policy(name, numbers)));
            }
            return true;
        }
    }

    private static boolean same(Map<String, Double> before, Map<String, Double> now) {
        if (!before.keySet().equals(now.keySet())) {
            return false;
        }
        for (Map.Entry<String, Double> one : now.entrySet()) {
            double old = before.getOrDefault(one.getKey(), 0.0);
            double change = Math.abs(old - one.getValue());
            if (change > SAME_NUMBER && change > SAME * one.getValue()) {
                return false;
            }
        }
        return true;
    }
}
