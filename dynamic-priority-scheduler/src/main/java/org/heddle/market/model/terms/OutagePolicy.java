// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.model.terms;

/** How the market goes on while its store cannot be written. */
public enum OutagePolicy {
    /** Intervals go on with the balances that are known to be stored; what is used meanwhile is never charged. */
    CONTINUE_UNBILLED,
    /** The last stored epoch stays in force until the store is back; what is used meanwhile is never charged. */
    FREEZE_RATES,
    /** Nobody is entitled to anything: first come, first served until the store is back. */
    FIFO
}
