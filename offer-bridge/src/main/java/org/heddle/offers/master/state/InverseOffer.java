// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.state;

import org.heddle.offers.model.Resources;
import org.jspecify.annotations.Nullable;

/**
 * Resources that the cluster wants back: those of one container, or an amount from any containers.
 *
 * @param start time at which the cluster takes them, in ms
 */
public record InverseOffer(String id, @Nullable AgentContainer container, Resources amount, long start) {}
