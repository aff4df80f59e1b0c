// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger;

import org.heddle.market.model.IncomeSchedule;
import org.heddle.market.model.MarketRecord;

/** Something other than money that a transaction changes. */
public sealed interface Change {
    /** A queue gets an account, with nothing in it and rate 0. */
    record QueueOpened(String queue) implements Change {}

    /** A queue's account, which is empty, is closed. */
    record QueueClosed(String queue) implements Change {}

    /** A queue's spending rate. */
    record RateSet(String queue, long rateNanos) implements Change {}

    /** An income schedule comes, changes or has been paid. */
    record IncomeSet(IncomeSchedule schedule, long nextDueMillis) implements Change {}

    /** An income schedule goes. */
    record IncomeRemoved(String id) implements Change {}

    /** A record comes, changes, or goes if its content is empty. */
    record RecordPut(MarketRecord record) implements Change {}
}
