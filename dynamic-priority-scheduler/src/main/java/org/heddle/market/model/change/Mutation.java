// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.model.change;

import java.util.List;

/**
 * Who changes something, and how a repetition of the same request is recognised. The market writes both into its audit;
 * whether the caller may do it has been decided before.
 *
 * @param principal name of the user or key owner, never empty
 * @param origin where the request came from, for the audit: an address, {@code rmadmin}, {@code startup}
 * @param idempotencyKey chosen by the caller, 1 to 100 characters, unique among the principal's requests. The same key
 *     with the same request gives the first receipt again and changes nothing; with another request it is a conflict
 * @param records stored in the same transaction as the change, or not at all; see {@link MarketRecord}
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
                    what + " has " + text.length() + " characters; give 1 to " + longest + " printable ones");
        }
    }
}
