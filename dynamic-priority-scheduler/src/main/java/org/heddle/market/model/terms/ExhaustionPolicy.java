// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.model.terms;

/** What happens to a queue that cannot pay for a whole interval any more. */
public enum ExhaustionPolicy {
    /** It is entitled to nothing when its balance is smaller than the bill for what it uses (the code of 2009). */
    CLIFF,
    /** It is entitled to as many slots as it can pay for; the others divide the rest. */
    FRACTIONAL
}
