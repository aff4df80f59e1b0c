// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger.book;

import org.heddle.market.model.change.IncomeSchedule;
import org.heddle.market.model.change.MarketRecord;

/** A change of a transaction that moves no money. */
public sealed interface LedgerChange {
    /** Opens an account with balance 0 and rate 0. */
    record QueueOpened(String queue) implements LedgerChange {}

    /** Closes an account with balance 0. */
    record QueueClosed(String queue) implements LedgerChange {}

    /** Sets the spending rate of a queue. */
    record RateSet(String queue, long rateNanos) implements LedgerChange {}

    /** Adds or changes an income schedule, or notes its payment. */
    record IncomeSet(IncomeSchedule schedule, long nextDueMillis) implements LedgerChange {}

    /** Removes an income schedule. */
    record IncomeRemoved(String id) implements LedgerChange {}

    /** Adds or changes a record, or removes it if the content is empty. */
    record RecordPut(MarketRecord record) implements LedgerChange {}
}
