// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.yarn;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.PreemptionContainer;
import org.apache.hadoop.yarn.api.records.PreemptionContract;
import org.apache.hadoop.yarn.api.records.PreemptionMessage;
import org.apache.hadoop.yarn.api.records.StrictPreemptionContract;
import org.heddle.offers.master.cluster.Cluster;
import org.heddle.offers.model.Resources;

/** Reads the preemption messages of YARN's schedulers. */
final class PreemptionContracts {
    private PreemptionContracts() {}

    /**
     * @param containers of the application, by id
     * @param graceMillis after which the scheduler kills the containers
     * @return the strict contract's containers, and the amount of the negotiable one; FairScheduler sends contracts
     *     with every heartbeat, most of them empty: none
     */
    static List<Cluster.Demand> demands(
            PreemptionMessage message, Map<String, Container> containers, long graceMillis) {
        List<Cluster.Demand> demands = new ArrayList<>();
        StrictPreemptionContract strict = message.getStrictContract();
        if (strict != null && !strict.getContainers().isEmpty()) {
            demands.add(new Cluster.Demand(ids(strict.getContainers()), Resources.NONE, graceMillis));
        }
        PreemptionContract negotiable = message.getContract();
        if (negotiable != null) {
            Resources amount = amount(negotiable, containers);
            if (!amount.isEmpty()) {
                demands.add(new Cluster.Demand(ids(negotiable.getContainers()), amount, graceMillis));
            }
        }
        return demands;
    }

    /** The amount that the contract names; otherwise the size of all its candidates. */
    private static Resources amount(PreemptionContract contract, Map<String, Container> containers) {
        if (contract.getResourceRequest() != null
                && !contract.getResourceRequest().isEmpty()) {
            return contract.getResourceRequest().stream()
                    .map(one -> YarnCluster.resources(one.getResourceRequest().getCapability())
                            .times(one.getResourceRequest().getNumContainers()))
                    .reduce(Resources.NONE, Resources::plus);
        }
        return contract.getContainers().stream()
                .map(candidate -> containers.get(candidate.getId().toString()))
                .filter(Objects::nonNull)
                .map(container -> YarnCluster.resources(container.getResource()))
                .reduce(Resources.NONE, Resources::plus);
    }

    private static List<String> ids(Set<PreemptionContainer> wanted) {
        return wanted.stream().map(one -> one.getId().toString()).toList();
    }
}
