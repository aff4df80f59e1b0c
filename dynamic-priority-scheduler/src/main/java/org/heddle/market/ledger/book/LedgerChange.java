// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger.book;

import org.heddle.market.model.change.IncomeSchedule;
import org.heddle.market.model.change.MarketRecord;

/** Something other than money that a transaction changes. */
public sealed interface LedgerChange {
    /** A queue gets an account, with nothing in it and rate 0. */
    record QueueOpened(String queue) implements LedgerChange {}

    /** A queue's account, which is empty, is closed. */
    record QueueClosed(String queue) implements LedgerChange {}

    /** A queue's spending rate. */
    record RateSet(String queue, long rateNanos) implements LedgerChange {}

    /** An income schedule comes, changes or has been paid. */
    record IncomeSet(IncomeSchedule schedule, long nextDueMillis) implements LedgerChange {}

    /** An income schedule goes. */
    record IncomeRemoved(String id) implements LedgerChange {}

    /** A record comes, changes, or goes if its content is empty. */
    record RecordPut(MarketRecord record) implements LedgerChange {}
}
