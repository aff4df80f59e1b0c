// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger.book;

/**
 * One side of a booking. Those of one transaction add up to 0.
 *
 * @param account a queue's name, or one of the system's accounts
 * @param nanos nano-credits: positive into the account, negative out of it
 * @param balance what the account has afterwards; 0 for accounts of the system, of which nobody gets a statement
 */
public record Posting(String account, long nanos, long balance) {
    /** Where credits come from and go back to: minus all that has been created. */
    public static final String MINT = "#mint";
    /** All that has been billed. */
    public static final String REVENUE = "#revenue";
    /** Minus all that has been billed and could not be paid. */
    public static final String WAIVER = "#waiver";

    public static boolean isSystem(String account) {
        return account.startsWith("#");
    }
}
