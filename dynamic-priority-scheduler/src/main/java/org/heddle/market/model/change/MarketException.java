// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.model.change;

/** Why the market does not do what it was asked for, in one sentence with the way out. */
public final class MarketException extends Exception {
    private static final long serialVersionUID = 1;

    /** What is wrong; a caller may act on it. */
    public enum Reason {
        /** An argument cannot be used. */
        INVALID,
        /** No such queue. */
        UNKNOWN_QUEUE,
        /** No such income schedule. */
        UNKNOWN_INCOME,
        /** There is such a queue already. */
        QUEUE_EXISTS,
        /** The queue has applications, or is configured in a file and can only be removed there. */
        QUEUE_IN_USE,
        /** The balance is too small. */
        INSUFFICIENT_CREDITS,
        /** The idempotency key has been used for something else. */
        CONFLICT,
        /** The sum would be larger than the books can hold. */
        OVERFLOW,
        /** Nothing was changed, because the store is known not to work. */
        STORE_OUTAGE,
        /** The store did not answer in time: the change may happen yet. Repeat it with the same idempotency key. */
        OUTCOME_UNKNOWN,
        /** This process is not the leader (any more). */
        NOT_LEADER
    }

    private final Reason reason;

    public MarketException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    public MarketException(Reason reason, String message, Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
