// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.model;

import org.jspecify.annotations.Nullable;

/**
 * What a framework's appetite is judged by, for one of its roles.
 *
 * @param active subscribed, and not suppressed
 * @param nodes nodes of the cluster that could grant something
 * @param blocked those of them whose offers of the size in question the framework refused, and still refuses
 * @param held offers it has not answered
 * @param declineRounds how often in a row it has declined about as many offers as there are nodes
 * @param hungry it accepted since it last declined, or has not been asked yet
 * @param acceptsPerSecond offers accepted per second, lately
 * @param learned what its offers were used for, or null before the first task
 * @param wished size that it named itself in a REQUEST, or null
 * @param minimum minimum offer size (Nexus 3.2)
 * @param node what a typical node has in all
 * @param largest the largest container that the cluster allows
 * @param headroom what the cluster's scheduler says is still to be had
 */
public record AskView(
        boolean active,
        int nodes,
        int blocked,
        int held,
        int declineRounds,
        boolean hungry,
        double acceptsPerSecond,
        @Nullable Resources learned,
        @Nullable Resources wished,
        Resources minimum,
        Resources node,
        Resources largest,
        Resources headroom) {}
