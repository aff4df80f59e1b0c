// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.model.terms;

/** The entitlement of a queue that cannot pay for a whole interval. */
public enum ExhaustionPolicy {
    /** It is entitled to nothing if its balance is smaller than the bill for its present use (the code of 2009). */
    CLIFF,
    /** It is entitled to as many slots as it can pay for; the others divide the rest. */
    FRACTIONAL
}
