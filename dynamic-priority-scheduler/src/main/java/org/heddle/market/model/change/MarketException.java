// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.model.change;

/** A refusal of the market: the reason and the way out, in one sentence. */
public final class MarketException extends Exception {
    private static final long serialVersionUID = 1;

    /** The reason of a refusal, for programs. */
    public enum Reason {
        /** An argument is invalid. */
        INVALID,
        /** The queue does not exist. */
        UNKNOWN_QUEUE,
        /** The income schedule does not exist. */
        UNKNOWN_INCOME,
        /** The queue exists already. */
        QUEUE_EXISTS,
        /** The queue has applications, or is configured in a file and can only be removed there. */
        QUEUE_IN_USE,
        /** The balance is too small. */
        INSUFFICIENT_CREDITS,
        /** The idempotency key was used for another request. */
        CONFLICT,
        /** The sum would be larger than the ledger can hold. */
        OVERFLOW,
        /** Nothing was changed, because the store is known to fail. */
        STORE_OUTAGE,
        /** The store did not answer in time: the change may still happen. Repeat it with the same idempotency key. */
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
