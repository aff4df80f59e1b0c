// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.model.change;

/**
 * A record that another layer keeps in the ledger: as durable, replicated and fenced as the ledger, and in the same
 * transaction as a change if it belongs to one. The market does not read its content. API keys and replay marks are
 * such records.
 *
 * @param kind for example {@code api-key}; 1 to 40 characters of {@code a-z0-9-}
 * @param id 1 to 200 characters
 * @param content up to 4,000 characters; empty removes the record
 */
public record MarketRecord(String kind, String id, String content) {
    public static final int LONGEST_CONTENT = 4_000;
    private static final int LONGEST_ID = 200;

    public MarketRecord {
        if (!kind.matches("[a-z0-9-]{1,40}")) {
            throw new IllegalArgumentException(
                    "'" + kind + "' is not a kind of record; use 1 to 40 characters of a-z, 0-9 and -");
        }
        if (id.isEmpty() || id.length() > LONGEST_ID) {
            throw new IllegalArgumentException(
                    "the id of a record has " + id.length() + " characters; use 1 to " + LONGEST_ID);
        }
        if (content.length() > LONGEST_CONTENT) {
            throw new IllegalArgumentException(
                    "record " + id + " has " + content.length() + " characters; keep it within " + LONGEST_CONTENT);
        }
    }

    public boolean isRemoval() {
        return content.isEmpty();
    }
}
