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
 * @param node total resources of a typical node
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
        Resources node,
        Resources largest,
        Resources headroom) {}
