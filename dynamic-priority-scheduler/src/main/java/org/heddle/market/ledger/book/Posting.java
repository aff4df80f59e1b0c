// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger.book;

/**
 * One side of a booking. The postings of a transaction add up to 0.
 *
 * @param account a queue's name, or one of the system's accounts
 * @param nanos nano-credits: positive into the account, negative out of it
 * @param balance of the account afterwards; 0 for accounts of the system, which have no statements
 */
public record Posting(String account, long nanos, long balance) {
    /** The source of all credits: its balance is minus the sum of all created credits. */
    public static final String MINT = "#mint";
    /** The sum of all bills. */
    public static final String REVENUE = "#revenue";
    /** Minus the sum of all unpaid parts of bills. */
    public static final String WAIVER = "#waiver";

    public static boolean isSystem(String account) {
        return account.startsWith("#");
    }
}
