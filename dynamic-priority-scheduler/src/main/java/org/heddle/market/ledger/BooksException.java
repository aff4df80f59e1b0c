// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger;

/** The books contradict themselves: a store that is damaged, or a bug. Nothing has been changed. */
public final class BooksException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public BooksException(String message) {
        super(message);
    }
}
