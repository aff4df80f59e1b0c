// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.model;

import org.jspecify.annotations.Nullable;

/**
 * The input of the ask policy: one role of a framework, and the cluster.
 *
 * @param active whether the framework is subscribed and has not suppressed offers
 * @param nodes number of nodes on which containers can be allocated
 * @param held number of offers without an answer
 * @param declineRounds number of consecutive rounds of declines; a round has as many declines as the cluster has
 *     nodes
 * @param wantsOffers whether it has accepted since its last decline, or has had no offer yet
 * @param declined maximum of the offers that it has declined since its last use of one; null without such a decline
 * @param acceptsPerSecond recent rate of accepted offers, per second
 * @param learned size that its tasks used of an offer; null before the first task
 * @param wished size in its REQUEST call, or null
 * @param minimum minimum size of an offer (Nexus 3.2)
 * @param smallest minimum that one of its tasks used of an offer; null before the first task
 * @param hole resources that become free when another framework returns a container; null if a node has room for
 *     a first container
 * @param waitsLong whether it has asked for several seconds without an allocation
 * @param node resources of the largest node for a single container
 * @param freeGpus the most GPUs that are free on one node; 0 if the framework does not know of GPUs
 * @param agent resources of the agent in each container
 * @param largest maximum size of a container in YARN
 * @param headroom resources that YARN's scheduler can still allocate
 */
public record AskView(
        boolean active,
        int nodes,
        int held,
        int declineRounds,
        boolean wantsOffers,
        @Nullable Resources declined,
        double acceptsPerSecond,
        @Nullable Resources learned,
        @Nullable Resources wished,
        Resources minimum,
        @Nullable Resources smallest,
        @Nullable Resources hole,
        boolean waitsLong,
        Resources node,
        long freeGpus,
        Resources agent,
        Resources largest,
        Resources headroom) {}
