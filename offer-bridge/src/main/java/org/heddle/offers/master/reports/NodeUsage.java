// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.reports;

import java.util.HashMap;
import java.util.Map;
import org.heddle.offers.master.state.AgentContainer;
import org.heddle.offers.master.state.ClusterState;
import org.heddle.offers.master.state.OutstandingOffer;
import org.heddle.offers.model.Resources;

/** The resources of each node that frameworks use, and those that are offered to them. */
record NodeUsage(Resources used, Resources offered) {
    static final NodeUsage NONE = new NodeUsage(Resources.NONE, Resources.NONE);

    /** Usage by the name of the node; nodes without containers are left out. */
    static Map<String, NodeUsage> of(ClusterState state) {
        Map<String, NodeUsage> uses = new HashMap<>();
        for (AgentContainer container : state.containers().values()) {
            OutstandingOffer offer = container.offer();
            uses.merge(
                    container.node(),
                    new NodeUsage(container.used(), offer == null ? Resources.NONE : offer.resources()),
                    NodeUsage::plus);
        }
        return uses;
    }

    private NodeUsage plus(NodeUsage other) {
        return new NodeUsage(used.plus(other.used), offered.plus(other.offered));
    }
}
