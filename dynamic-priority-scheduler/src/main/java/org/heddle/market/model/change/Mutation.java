// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.model.change;

import java.util.List;

/**
 * The author of a change, and the key by which a repetition of the request is recognised. The market writes both into
 * its audit; the permissions are checked before.
 *
 * @param principal name of the user or key owner, not empty
 * @param origin origin of the request, for the audit: an address, {@code rmadmin}, {@code startup}
 * @param idempotencyKey chosen by the caller, 1 to 100 characters, unique among the principal's requests. The same key
 *     with the same request returns the first receipt again and changes nothing; with another request it is a conflict
 * @param records stored in the same transaction as the change; see {@link MarketRecord}
 */
public record Mutation(String principal, String origin, String idempotencyKey, List<MarketRecord> records) {
    private static final int LONGEST_NAME = 200;
    private static final int LONGEST_KEY = 100;

    public Mutation {
        check("the principal", principal, LONGEST_NAME);
        check("the origin", origin, LONGEST_NAME);
        check("the idempotency key", idempotencyKey, LONGEST_KEY);
        records = List.copyOf(records);
    }

    public Mutation(String principal, String origin, String idempotencyKey) {
        this(principal, origin, idempotencyKey, List.of());
    }

    private static void check(String what, String text, int longest) {
        if (text.isEmpty() || text.length() > longest || text.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException(
                    what + " has " + text.length() + " characters; use 1 to " + longest + " printable ones");
        }
    }
}
