// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.model.terms;

/**
 * Behaviour of the market while its store cannot be written. Bills wait in memory and are written when it works again.
 */
public enum OutagePolicy {
    /** Epochs go on. If too many wait, the last one goes on until the store works again. */
    CONTINUE,
    /** The epoch goes on, with its shares and rates, until the store works again. */
    FREEZE_RATES,
    /** No queue is entitled to anything and none pays: first come, first served until the store works again. */
    FIFO
}
