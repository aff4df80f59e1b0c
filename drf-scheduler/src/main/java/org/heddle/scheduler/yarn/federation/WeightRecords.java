// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.federation;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.federation.policies.dao.WeightedPolicyInfo;
import org.apache.hadoop.yarn.server.federation.policies.manager.WeightedLocalityPolicyManager;
import org.apache.hadoop.yarn.server.federation.store.records.SubClusterIdInfo;
import org.apache.hadoop.yarn.server.federation.store.records.SubClusterPolicyConfiguration;

/**
 * The form of policies and weights in the federation's state store. The store keeps one policy for each queue name. The
 * weight of a queue in each sub-cluster is a policy too, under a name that no application can name as its queue; so
 * every kind of store keeps it, and the Router's and the policy generator's pages show it.
 */
public final class WeightRecords {
    /** Begins the name of a policy that has a queue's weights in the sub-clusters. */
    public static final String PREFIX = "heddle-weights:";

    /** The kind of policy that is written: others are of an administrator, and stay. */
    public static final String KIND = WeightedLocalityPolicyManager.class.getName();

    private WeightRecords() {}

    /**
     * A policy with the same numbers for the Router and the AMRMProxies. Hadoop's list of policies refuses to show any
     * if the numbers of one do not sum to 1, so those of a record of weights are divided by their sum, which is in its
     * headroom alpha (from 0 to 1): {@code alpha = sum / (1 + sum)}.
     *
     * @param numbers by sub-cluster
     */
    public static SubClusterPolicyConfiguration policy(String queue, Map<String, Double> numbers) throws YarnException {
        double sum = numbers.values().stream().mapToDouble(Double::doubleValue).sum();
        boolean scaled = queue.startsWith(PREFIX) && sum > 0;
        Map<SubClusterIdInfo, Float> weights = new HashMap<>();
        numbers.forEach((cluster, number) ->
                weights.put(new SubClusterIdInfo(cluster), (float) (scaled ? number / sum : number)));
        WeightedLocalityPolicyManager manager = new WeightedLocalityPolicyManager();
        manager.setQueue(queue);
        WeightedPolicyInfo info = new WeightedPolicyInfo();
        info.setRouterPolicyWeights(weights);
        info.setAMRMPolicyWeights(weights);
        if (scaled) {
            info.setHeadroomAlpha((float) (sum / (1 + sum)));
        }
        manager.setWeightedPolicyInfo(info);
        return manager.serializeConf();
    }

    /** The numbers of a policy, by sub-cluster. */
    public static Map<String, Double> numbers(SubClusterPolicyConfiguration policy) throws YarnException {
        WeightedPolicyInfo info =
                WeightedPolicyInfo.fromByteBuffer(policy.getParams().duplicate());
        double alpha = info.getHeadroomAlpha();
        double scale = policy.getQueue().startsWith(PREFIX) && alpha < 1 ? alpha / (1 - alpha) : 1;
        Map<String, Double> numbers = new HashMap<>();
        info.getAMRMPolicyWeights()
                .forEach((cluster, number) -> numbers.put(cluster.toId().getId(), scale * number.doubleValue()));
        return numbers;
    }

    /** The weights in one sub-cluster, by path of the queue. */
    static Map<String, Double> weights(Collection<SubClusterPolicyConfiguration> policies, String cluster)
            throws YarnException {
        Map<String, Double> weights = new HashMap<>();
        for (SubClusterPolicyConfiguration policy : policies) {
            if (policy.getQueue().startsWith(PREFIX)) {
                Double weight = numbers(policy).get(cluster);
                if (weight != null && weight > 0) {
                    weights.put(policy.getQueue().substring(PREFIX.length()), weight);
                }
            }
        }
        return weights;
    }
}
