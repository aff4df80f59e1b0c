// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.model.status;

/** How a queue stands in the present epoch. */
public enum QueueState {
    /** It had demand, a rate and credit when the epoch began: it is entitled to its share and pays. */
    PAYING,
    /** It had no demand when the epoch began. */
    IDLE,
    /** It has come with demand, a rate and credit after the epoch began, and will be entitled from the next one on. */
    NEWCOMER,
    /** Its spending rate is 0: it gets what is left over. */
    NO_RATE,
    /** It cannot pay: it gets what is left over. */
    UNAFFORDABLE
}
