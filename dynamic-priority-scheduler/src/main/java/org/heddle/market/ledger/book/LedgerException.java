// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger.book;

/** The books contradict themselves: a store that is damaged, or a bug. Nothing has been changed. */
public final class LedgerException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public LedgerException(String message) {
        super(message);
    }
}
