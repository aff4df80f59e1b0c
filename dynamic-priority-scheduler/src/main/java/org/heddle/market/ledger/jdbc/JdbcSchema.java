// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger.jdbc;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.heddle.market.ledger.book.AuditChain;

/**
 * The tables of {@link JdbcStore}, version 1. Amounts are nano-credits, times milliseconds since 1970.
 */
final class JdbcSchema {
    /** The columns of a cluster's row in {@code heddle_ledger}. */
    static final String LEDGER_COLUMNS = "cluster, version, fence, sequence, epoch, unit_millis, mint, revenue, waiver,"
            + " audit_sequence, audit_hash";

    private static final List<String> TABLES = List.of(
            "heddle_ledger (cluster VARCHAR(60) NOT NULL PRIMARY KEY, version INT NOT NULL, fence BIGINT NOT NULL,"
                    + " sequence BIGINT NOT NULL, epoch BIGINT NOT NULL, unit_millis BIGINT NOT NULL,"
                    + " mint BIGINT NOT NULL, revenue BIGINT NOT NULL, waiver BIGINT NOT NULL,"
                    + " audit_sequence BIGINT NOT NULL, audit_hash VARCHAR(64) NOT NULL)",
            "heddle_account (cluster VARCHAR(60) NOT NULL, queue VARCHAR(200) NOT NULL, balance BIGINT NOT NULL"
                    + " CHECK (balance >= 0), rate BIGINT NOT NULL, remainder BIGINT NOT NULL,"
                    + " PRIMARY KEY (cluster, queue))",
            "heddle_posting (cluster VARCHAR(60) NOT NULL, sequence BIGINT NOT NULL, posting INT NOT NULL, account"
                    + " VARCHAR(200) NOT NULL, nanos BIGINT NOT NULL, PRIMARY KEY (cluster, sequence, posting))",
            "heddle_line (cluster VARCHAR(60) NOT NULL, sequence BIGINT NOT NULL, line INT NOT NULL,"
                    + " queue VARCHAR(200) NOT NULL, at_millis BIGINT NOT NULL, kind VARCHAR(20) NOT NULL,"
                    + " epoch BIGINT NOT NULL, amount BIGINT NOT NULL, balance BIGINT NOT NULL, rate BIGINT NOT NULL,"
                    + " slot_millis BIGINT NOT NULL, words VARCHAR(300) NOT NULL, remainder BIGINT NOT NULL,"
                    + " PRIMARY KEY (cluster, queue, sequence, line))",
            "heddle_application (cluster VARCHAR(60) NOT NULL, sequence BIGINT NOT NULL, queue VARCHAR(200) NOT NULL,"
                    + " application VARCHAR(60) NOT NULL, at_millis BIGINT NOT NULL, name VARCHAR(60) NOT NULL,"
                    + " user_name VARCHAR(60) NOT NULL, slot_millis BIGINT NOT NULL, charge BIGINT NOT NULL,"
                    + " PRIMARY KEY (cluster, queue, sequence, application))",
            "heddle_epoch (cluster VARCHAR(60) NOT NULL, number BIGINT NOT NULL, start_millis BIGINT NOT NULL,"
                    + " unit_millis BIGINT NOT NULL, millis BIGINT NOT NULL, price BIGINT NOT NULL,"
                    + " capacity BIGINT NOT NULL, used BIGINT NOT NULL, paying INT NOT NULL,"
                    + " PRIMARY KEY (cluster, number))",
            "heddle_income_schedule (cluster VARCHAR(60) NOT NULL, id VARCHAR(60) NOT NULL, total BIGINT NOT NULL,"
                    + " every_millis BIGINT NOT NULL, start_millis BIGINT NOT NULL, cap BIGINT NOT NULL,"
                    + " next_due_millis BIGINT NOT NULL, PRIMARY KEY (cluster, id))",
            "heddle_income_weight (cluster VARCHAR(60) NOT NULL, id VARCHAR(60) NOT NULL,"
                    + " queue VARCHAR(200) NOT NULL, weight BIGINT NOT NULL, PRIMARY KEY (cluster, id, queue))",
            "heddle_record (cluster VARCHAR(60) NOT NULL, kind VARCHAR(40) NOT NULL, id VARCHAR(200) NOT NULL,"
                    + " content TEXT NOT NULL, PRIMARY KEY (cluster, kind, id))",
            "heddle_audit (cluster VARCHAR(60) NOT NULL, sequence BIGINT NOT NULL, at_millis BIGINT NOT NULL,"
                    + " principal VARCHAR(200) NOT NULL, origin VARCHAR(200) NOT NULL, action VARCHAR(200) NOT NULL,"
                    + " target VARCHAR(300) NOT NULL, details TEXT NOT NULL, previous_hash VARCHAR(64) NOT NULL,"
                    + " hash VARCHAR(64) NOT NULL, PRIMARY KEY (cluster, sequence))");

    private JdbcSchema() {}

    /** MariaDB ignores case in comparisons of texts by default. */
    static List<String> statements(String url) {
        String suffix =
                url.startsWith("jdbc:mariadb:") ? " ENGINE=InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_bin" : "";
        return Stream.concat(
                        TABLES.stream().map(table -> "CREATE TABLE IF NOT EXISTS " + table + suffix),
                        Stream.of(
                                "CREATE INDEX IF NOT EXISTS heddle_line_by_sequence ON heddle_line (cluster, sequence)",
                                "CREATE INDEX IF NOT EXISTS heddle_application_by_sequence ON heddle_application"
                                        + " (cluster, sequence)"))
                .toList();
    }

    /** Inserts a cluster's row if it is missing. */
    static void register(Connection database, String clusterId, int version) throws SQLException, IOException {
        if (Sql.number(database, "SELECT COUNT(*) FROM heddle_ledger WHERE cluster = ?", clusterId) == 0) {
            Sql.run(
                    database,
                    "INSERT INTO heddle_ledger (" + LEDGER_COLUMNS + ") VALUES (?, ?, 0, 0, 0, 0, 0, 0, 0, 0, ?)",
                    clusterId,
                    version,
                    AuditChain.FIRST);
        }
    }
}
