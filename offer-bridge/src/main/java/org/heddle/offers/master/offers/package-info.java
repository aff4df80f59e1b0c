// SPDX-License-Identifier: Apache-2.0
/**
 * Offers and inverse offers: from allocated containers to what the cluster is asked for; the decisions are in
 * offers.policy.
 */
@NullMarked
package org.heddle.offers.master.offers;

import org.jspecify.annotations.NullMarked;
