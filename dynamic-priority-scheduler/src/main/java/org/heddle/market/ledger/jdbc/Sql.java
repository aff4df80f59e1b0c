// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger.jdbc;

import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Statements with their values. */
final class Sql {
    private static final int ROWS_AT_ONCE = 1_000;

    private Sql() {}

    /** Reads one row. */
    interface Row {
        void take(ResultSet row) throws SQLException, IOException;
    }

    /** An INSERT that names its columns, with one parameter for each. */
    static String insert(String table, String columns) {
        return "INSERT INTO " + table + " (" + columns + ") VALUES (" + columns.replaceAll("\\w+", "?") + ")";
    }

    /** Runs one statement that changes rows. @return how many it changed */
    static int run(Connection database, String statement, Object... values) throws SQLException {
        try (PreparedStatement prepared = database.prepareStatement(statement)) {
            set(prepared, values);
            return prepared.executeUpdate();
        }
    }

    /** Sets all parameters of a statement and adds it to its batch. */
    static void add(PreparedStatement batch, Object... values) throws SQLException {
        set(batch, values);
        batch.addBatch();
    }

    private static void set(PreparedStatement statement, Object... values) throws SQLException {
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
    }

    /** Reads all rows of a query; a large result is fetched in parts. */
    static void each(Connection database, Row to, String query, Object... values) throws SQLException, IOException {
        try (PreparedStatement prepared = database.prepareStatement(query)) {
            prepared.setFetchSize(ROWS_AT_ONCE);
            set(prepared, values);
            try (ResultSet rows = prepared.executeQuery()) {
                while (rows.next()) {
                    to.take(rows);
                }
            }
        }
    }

    /** Reads one number; 0 if there is no row. */
    static long number(Connection database, String query, Object... values) throws SQLException, IOException {
        long[] number = {0};
        each(database, row -> number[0] = row.getLong(1), query, values);
        return number[0];
    }
}
