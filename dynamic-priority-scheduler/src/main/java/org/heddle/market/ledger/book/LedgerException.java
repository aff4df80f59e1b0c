// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger.book;

/** The ledger is inconsistent: the store is damaged, or there is a bug. Nothing was changed. */
public final class LedgerException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public LedgerException(String message) {
        super(message);
    }
}
