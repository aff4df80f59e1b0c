// SPDX-License-Identifier: Apache-2.0
package org.heddle.drf;

import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.server.federation.policies.manager.FederationPolicyManager;
import org.apache.hadoop.yarn.server.federation.store.records.SubClusterId;
import org.apache.hadoop.yarn.server.globalpolicygenerator.policygenerator.GlobalPolicy;
import org.heddle.scheduler.gpg.PolicyLoop;

/**
 * The policy for Hadoop's GlobalPolicyGenerator that makes the weights of the queues hold over a federation: name it in
 * {@code yarn.federation.gpg.policy.generator.class}.
 *
 * <p>It works in a {@link PolicyLoop} of its own: Hadoop's PolicyGenerator takes the names of the queues from
 * CapacityScheduler's answers only, and never runs again once a ResourceManager did not answer.
 */
public final class FairShareGlobalPolicy extends GlobalPolicy {
    @Override
    public void setConf(Configuration conf) {
        boolean first = getConf() == null;
        super.setConf(conf);
        if (first && conf != null) {
            PolicyLoop.start(conf);
        }
    }

    /** Leaves the policy as it is: the loop writes it. */
    @Override
    @SuppressWarnings("rawtypes") // as the base class has it
    protected FederationPolicyManager updatePolicy(
            String queueName,
            Map<SubClusterId, Map<Class, Object>> clusterInfo,
            FederationPolicyManager currentManager) {
        return currentManager;
    }
}
