// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.model.terms;

/** Behaviour of the market while its store cannot be written. Use during that time is never charged. */
public enum OutagePolicy {
    /** Epochs go on with the stored balances. */
    CONTINUE_UNBILLED,
    /** The shares of the last stored epoch stay until the store works again. */
    FREEZE_RATES,
    /** No queue is entitled to anything: first come, first served until the store works again. */
    FIFO
}
