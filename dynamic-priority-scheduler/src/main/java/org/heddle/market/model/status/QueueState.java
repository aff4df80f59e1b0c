// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.model.status;

/** The state of a queue in the present epoch. */
public enum QueueState {
    /** It had demand, a rate and credit when the epoch began: it is entitled to its share and pays. */
    PAYING,
    /** It had no demand when the epoch began. */
    IDLE,
    /** It got demand, a rate and credit after the epoch began, and is entitled from the next epoch on. */
    NEWCOMER,
    /** Its spending rate is 0: it gets only unused capacity. */
    NO_RATE,
    /** It cannot pay: it gets only unused capacity. */
    UNAFFORDABLE
}
