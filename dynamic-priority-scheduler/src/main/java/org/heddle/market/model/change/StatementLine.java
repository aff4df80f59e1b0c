// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.model.change;

import java.time.Instant;
import org.heddle.market.model.amount.Credits;
import org.heddle.market.model.amount.SpendingRate;

/**
 * One line of a queue's statement.
 *
 * @param sequence number of the transaction in the books
 * @param at when, wall clock
 * @param kind what it was for
 * @param epoch the epoch that it charges; 0 if it charges none
 * @param amount what the balance changed by; negative for a charge. A waiver changes nothing: its amount is what was
 *     used, could not be paid and is forgiven
 * @param balance afterwards
 * @param rate the rate that was charged; 0 if none was
 * @param slotMillis charged slot-time in whole slot-milliseconds, rounded down
 * @param text in words: who paid in, what for
 */
public record StatementLine(
        long sequence,
        Instant at,
        Kind kind,
        long epoch,
        Credits amount,
        Credits balance,
        SpendingRate rate,
        long slotMillis,
        String text) {
    /** What a line is for. */
    public enum Kind {
        DEPOSIT,
        WITHDRAWAL,
        INCOME,
        TRANSFER_IN,
        TRANSFER_OUT,
        CHARGE,
        WAIVER,
        CLOSING
    }
}
