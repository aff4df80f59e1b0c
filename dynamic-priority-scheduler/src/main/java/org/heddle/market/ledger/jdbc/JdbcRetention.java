// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.heddle.market.ledger.book.LedgerState;

/**
 * Drops what happened too long ago from the tables of {@link JdbcStore}, oldest first and without a gap, some at a time:
 * first epochs, then lines of statements with their postings, then the audit. What the books say now is in other tables.
 *
 * <p>Of the audit as many entries stay as tell repeated requests from new ones. What is left of it is a chain still: from
 * its first entry to the hash in {@code heddle_books}.
 */
final class JdbcRetention {
    /** Rows of one kind that one step looks at: no more than the database deletes in a moment. */
    private static final int AT_ONCE = 10_000;

    private JdbcRetention() {}

    /**
     * One step.
     *
     * @param oldestMillis what happened before goes
     * @return whether there may be more to drop
     */
    static boolean step(Connection database, String cluster, long oldestMillis) throws SQLException {
        long epochs = lastOld(
                database,
                "SELECT number, start_millis + millis FROM heddle_epoch WHERE cluster = ? ORDER BY number",
                cluster,
                oldestMillis);
        if (epochs > 0) {
            delete(database, "DELETE FROM heddle_epoch WHERE cluster = ? AND number <= ?", cluster, epochs);
            return true;
        }
        long lines = lastOld(
                database,
                "SELECT sequence, at_millis FROM heddle_line WHERE cluster = ? ORDER BY sequence",
                cluster,
                oldestMillis);
        if (lines > 0) {
            delete(database, "DELETE FROM heddle_line WHERE cluster = ? AND sequence <= ?", cluster, lines);
            delete(database, "DELETE FROM heddle_posting WHERE cluster = ? AND sequence <= ?", cluster, lines);
            return true;
        }
        long entries = Math.min(
                lastOld(
                        database,
                        "SELECT sequence, at_millis FROM heddle_audit WHERE cluster = ? ORDER BY sequence",
                        cluster,
                        oldestMillis),
                lastEntry(database, cluster) - LedgerState.REMEMBERED_REQUESTS);
        return entries > 0
                && delete(database, "DELETE FROM heddle_audit WHERE cluster = ? AND sequence <= ?", cluster, entries)
                        > 0;
    }

    /** The number of the last row, from the first on, before one that is young enough; 0 if the first one is. */
    private static long lastOld(Connection database, String query, String cluster, long oldestMillis)
            throws SQLException {
        try (PreparedStatement ask = database.prepareStatement(query + " LIMIT " + AT_ONCE)) {
            ask.setString(1, cluster);
            try (ResultSet row = ask.executeQuery()) {
                long last = 0;
                while (row.next() && row.getLong(2) < oldestMillis) {
                    last = row.getLong(1);
                }
                return last;
            }
        }
    }

    private static long lastEntry(Connection database, String cluster) throws SQLException {
        try (PreparedStatement ask =
                database.prepareStatement("SELECT audit_sequence FROM heddle_books WHERE cluster = ?")) {
            ask.setString(1, cluster);
            try (ResultSet row = ask.executeQuery()) {
                return row.next() ? row.getLong(1) : 0;
            }
        }
    }

    private static int delete(Connection database, String statement, String cluster, long last) throws SQLException {
        try (PreparedStatement delete = database.prepareStatement(statement)) {
            delete.setString(1, cluster);
            delete.setLong(2, last);
            return delete.executeUpdate();
        }
    }
}
