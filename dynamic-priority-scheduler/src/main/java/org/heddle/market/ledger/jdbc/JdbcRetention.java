// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger.jdbc;

import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.heddle.market.ledger.book.LedgerState;

/**
 * Deletes old rows from the tables of {@link JdbcStore}, oldest first and without a gap, some at a time: first epochs,
 * then statement lines with their postings and
 * applications, then the audit. The present state is in other tables.
 *
 * <p>As many audit entries stay as are needed to recognise repeated requests. The remaining entries are still a chain:
 * from the first of them to the hash in {@code heddle_ledger}.
 */
final class JdbcRetention {
    /** The rows of one step: few enough for the database to delete quickly. */
    private static final int AT_ONCE = 10_000;

    private JdbcRetention() {}

    /**
     * Deletes some rows.
     *
     * @param oldestMillis older rows are deleted
     * @return whether there may be more to delete
     */
    static boolean step(Connection database, String cluster, long oldestMillis) throws SQLException, IOException {
        long epochs = lastOld(
                database,
                "SELECT number, start_millis + millis FROM heddle_epoch WHERE cluster = ? ORDER BY number",
                cluster,
                oldestMillis);
        if (epochs > 0) {
            Sql.run(database, "DELETE FROM heddle_epoch WHERE cluster = ? AND number <= ?", cluster, epochs);
            return true;
        }
        long lines = lastOld(
                database,
                "SELECT sequence, at_millis FROM heddle_line WHERE cluster = ? ORDER BY sequence",
                cluster,
                oldestMillis);
        if (lines > 0) {
            Sql.run(database, "DELETE FROM heddle_line WHERE cluster = ? AND sequence <= ?", cluster, lines);
            Sql.run(database, "DELETE FROM heddle_posting WHERE cluster = ? AND sequence <= ?", cluster, lines);
            Sql.run(database, "DELETE FROM heddle_application WHERE cluster = ? AND sequence <= ?", cluster, lines);
            return true;
        }
        long entries = Math.min(
                lastOld(
                        database,
                        "SELECT sequence, at_millis FROM heddle_audit WHERE cluster = ? ORDER BY sequence",
                        cluster,
                        oldestMillis),
                Sql.number(database, "SELECT audit_sequence FROM heddle_ledger WHERE cluster = ?", cluster)
                        - LedgerState.REMEMBERED_REQUESTS);
        return entries > 0
                && Sql.run(database, "DELETE FROM heddle_audit WHERE cluster = ? AND sequence <= ?", cluster, entries)
                        > 0;
    }

    /** The number of the last old row before the first one that is young enough; 0 if there is none. */
    private static long lastOld(Connection database, String query, String cluster, long oldestMillis)
            throws SQLException, IOException {
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
}
