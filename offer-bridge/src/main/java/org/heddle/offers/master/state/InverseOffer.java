// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.state;

import org.heddle.offers.model.Resources;
import org.jspecify.annotations.Nullable;

/**
 * Resources which the cluster wants back: those of one container, or of any.
 *
 * @param start when the cluster takes them
 */
public record InverseOffer(String id, @Nullable AgentContainer container, Resources amount, long start) {}
