// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master;

import java.util.HashMap;
import java.util.Map;
import org.heddle.offers.master.State.Host;
import org.heddle.offers.model.Bundle;

/** What frameworks use of a node, and what of it is offered to them. */
record NodeUse(Bundle used, Bundle offered) {
    static final NodeUse NONE = new NodeUse(Bundle.NONE, Bundle.NONE);

    /** By the nodes' names; a node without containers is not in it. */
    static Map<String, NodeUse> of(State state) {
        Map<String, NodeUse> uses = new HashMap<>();
        for (Host host : state.hosts.values()) {
            State.Offer offer = host.offer;
            uses.merge(
                    host.node, new NodeUse(host.used(), offer == null ? Bundle.NONE : offer.bundle()), NodeUse::plus);
        }
        return uses;
    }

    private NodeUse plus(NodeUse other) {
        return new NodeUse(used.plus(other.used), offered.plus(other.offered));
    }
}
