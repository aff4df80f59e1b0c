// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http.api;

import java.util.Locale;
import org.heddle.market.model.change.MarketException;
import org.heddle.market.security.RefusedException;
import org.heddle.market.security.RefusedException.Kind;

/** Converts refusals of the market to HTTP refusals. */
public final class Refusals {
    private Refusals() {}

    public static RefusedException of(MarketException refusal) {
        Kind kind = switch (refusal.reason()) {
            case INVALID -> Kind.BAD_REQUEST;
            case UNKNOWN_QUEUE, UNKNOWN_INCOME -> Kind.NOT_FOUND;
            case QUEUE_EXISTS, QUEUE_IN_USE, INSUFFICIENT_CREDITS, CONFLICT, OVERFLOW -> Kind.CONFLICT;
            case STORE_OUTAGE, OUTCOME_UNKNOWN, NOT_LEADER -> Kind.UNAVAILABLE;
        };
        String code = refusal.reason().name().toLowerCase(Locale.ROOT).replace('_', '-');
        return RefusedException.of(kind, code, String.valueOf(refusal.getMessage()));
    }
}
