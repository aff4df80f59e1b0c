// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.model.change;

import java.time.Instant;
import org.heddle.market.model.amount.Credits;
import org.heddle.market.model.amount.SpendingRate;

/**
 * One line of a queue's statement.
 *
 * @param sequence number of the transaction in the ledger
 * @param at wall clock
 * @param kind its purpose
 * @param epoch the charged epoch; 0 for other lines
 * @param amount change of the balance; negative for a charge. A waiver changes nothing: its amount is the waived part
 *     of the bill
 * @param balance afterwards
 * @param rate the charged rate; 0 for other lines
 * @param slotMillis charged slot-time in whole slot-milliseconds, rounded down
 * @param text for example the author and the purpose of a payment
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
    /** The purpose of a line. */
    public enum Kind {
        DEPOSIT,
        WITHDRAWAL,
        INCOME,
        TRANSFER_IN,
        TRANSFER_OUT,
        CHARGE,
        WAIVER,
        CLOSING,
        REFUND
    }
}
