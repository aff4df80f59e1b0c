// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.model;

import org.jspecify.annotations.Nullable;

/**
 * The input of the ask policy: one role of a framework and the cluster.
 *
 * @param active subscribed, and not suppressed
 * @param nodes nodes of the cluster that could allocate something
 * @param blocked those of them whose offers of this size the framework still refuses
 * @param held offers that it has not answered
 * @param declineRounds how often in a row it has declined about as many offers as there are nodes
 * @param wantsOffers whether it has accepted since it last declined, or has not had an offer yet
 * @param acceptsPerSecond offers accepted per second, lately
 * @param learned size that its tasks used of an offer; null before the first task
 * @param wished size that it named in a REQUEST call, or null
 * @param minimum minimum offer size (Nexus 3.2)
 * @param smallest the least that one of its tasks used of an offer; null before the first task
 * @param hole what becomes free when another framework returns a container; null if a node has room for a first container
 * @param waitsLong it has asked for several seconds and got nothing
 * @param node usable resources of the largest node, if one container took all of it
 * @param agent what the agent in each container uses
 * @param largest the largest container that YARN allows
 * @param headroom what YARN's scheduler says is still available
 */
public record AskView(
        boolean active,
        int nodes,
        int blocked,
        int held,
        int declineRounds,
        boolean wantsOffers,
        double acceptsPerSecond,
        @Nullable Resources learned,
        @Nullable Resources wished,
        Resources minimum,
        @Nullable Resources smallest,
        @Nullable Resources hole,
        boolean waitsLong,
        Resources node,
        Resources agent,
        Resources largest,
        Resources headroom) {}
