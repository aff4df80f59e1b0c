// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger.jdbc;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.heddle.market.ledger.book.LedgerState;
import org.heddle.market.ledger.book.TransactionCodec;

/**
 * Converts the rows of one cluster from version 1 of the tables to version 2. In version 1 the table {@code heddle_ledger}
 * was {@code heddle_books}, an income was a journal record in base 64 ({@code heddle_income.weights}), and the details of
 * an audit entry were lengths and texts in base 64. The tables of version 1 are not deleted, because other clusters of the
 * database may still use them.
 */
final class JdbcMigration {
    private static final int ROWS_AT_ONCE = 1_000;

    private JdbcMigration() {}

    /**
     * Copies a cluster's row from {@code heddle_books}, if {@code heddle_ledger} has none. The row in {@code heddle_books}
     * gets version 2, so that a Heddle of version 1 refuses it, and another fencing number, so that its leader is fenced.
     */
    static void moveLedgerRow(Connection database, String cluster) throws SQLException, IOException {
        try (ResultSet old =
                database.getMetaData().getTables(database.getCatalog(), database.getSchema(), "heddle_books", null)) {
            if (!old.next()
                    || Sql.number(database, "SELECT COUNT(*) FROM heddle_ledger WHERE cluster = ?", cluster) > 0) {
                return;
            }
        }
        // The first statement locks the row, so that its leader cannot write between the other two.
        Sql.run(database, "UPDATE heddle_books SET fence = fence + 1 WHERE cluster = ?", cluster);
        Sql.run(
                database,
                "INSERT INTO heddle_ledger (" + JdbcSchema.LEDGER_COLUMNS + ") SELECT " + JdbcSchema.LEDGER_COLUMNS
                        + " FROM heddle_books WHERE cluster = ?",
                cluster);
        Sql.run(database, "UPDATE heddle_books SET version = 2 WHERE cluster = ?", cluster);
    }

    /** Converts all other rows of a cluster in the caller's transaction. */
    static void toVersion2(Connection database, String cluster) throws SQLException, IOException {
        incomes(database, cluster);
        long last = 0;
        do {
            last = details(database, cluster, last);
        } while (last > 0);
    }

    private static void incomes(Connection database, String cluster) throws SQLException, IOException {
        List<LedgerState.Income> incomes = new ArrayList<>();
        Sql.each(
                database,
                row -> incomes.add(
                        new LedgerState.Income(TransactionCodec.readIncome(unpack(row.getString(1))), row.getLong(2))),
                "SELECT weights, next_due FROM heddle_income WHERE cluster = ?",
                cluster);
        for (LedgerState.Income income : incomes) {
            JdbcTransactions.income(database, cluster, income.schedule().id(), income);
        }
        Sql.run(database, "DELETE FROM heddle_income WHERE cluster = ?", cluster);
    }

    /** Converts the next audit entries. @return the sequence of the last one, 0 if there are no more */
    private static long details(Connection database, String cluster, long after) throws SQLException, IOException {
        Map<Long, String> converted = new TreeMap<>();
        Sql.each(
                database,
                row -> converted.put(row.getLong(1), AuditDetails.toJson(details(row.getString(2)))),
                "SELECT sequence, details FROM heddle_audit WHERE cluster = ? AND sequence > ? ORDER BY sequence LIMIT "
                        + ROWS_AT_ONCE,
                cluster,
                after);
        long last = 0;
        try (PreparedStatement update =
                database.prepareStatement("UPDATE heddle_audit SET details = ? WHERE cluster = ? AND sequence = ?")) {
            for (Map.Entry<Long, String> entry : converted.entrySet()) {
                last = entry.getKey();
                Sql.add(update, entry.getValue(), cluster, last);
            }
            update.executeBatch();
        }
        return last;
    }

    private static Map<String, String> details(String packed) throws IOException {
        DataInputStream in = unpack(packed);
        Map<String, String> details = new TreeMap<>();
        for (int left = TransactionCodec.size(in); left > 0; left--) {
            details.put(TransactionCodec.text(in), TransactionCodec.text(in));
        }
        return details;
    }

    private static DataInputStream unpack(String packed) {
        return new DataInputStream(new ByteArrayInputStream(Base64.getDecoder().decode(packed)));
    }
}
