// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master;

import java.util.HashMap;
import java.util.Map;
import org.heddle.offers.master.ClusterState.Host;
import org.heddle.offers.model.Resources;

/** What frameworks use of a node, and what of it is offered to them. */
record NodeUsage(Resources used, Resources offered) {
    static final NodeUsage NONE = new NodeUsage(Resources.NONE, Resources.NONE);

    /** By the nodes' names; a node without containers is not in it. */
    static Map<String, NodeUsage> of(ClusterState state) {
        Map<String, NodeUsage> uses = new HashMap<>();
        for (Host host : state.hosts.values()) {
            ClusterState.Offer offer = host.offer;
            uses.merge(
                    host.node,
                    new NodeUsage(host.used(), offer == null ? Resources.NONE : offer.bundle()),
                    NodeUsage::plus);
        }
        return uses;
    }

    private NodeUsage plus(NodeUsage other) {
        return new NodeUsage(used.plus(other.used), offered.plus(other.offered));
    }
}
