// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import org.heddle.market.ledger.RandomTransactions;
import org.heddle.market.ledger.book.AuditChain;
import org.heddle.market.ledger.book.LedgerState;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Dumps (pg_dump, mariadb-dump) of ledgers that earlier code wrote are read, and ledgers of versions to come are
 * refused.
 */
class ReleasedLedgersTest {
    private static final int TRANSACTIONS = 25;

    @TempDir
    Path directory;

    @ParameterizedTest
    @EnumSource(DatabaseServer.Kind.class)
    void ofRelease010(DatabaseServer.Kind kind) throws Exception {
        isRead(kind, "ledger-0.1.0");
    }

    private void isRead(DatabaseServer.Kind kind, String name) throws Exception {
        kind.require();
        RandomTransactions traffic = new RandomTransactions(11);
        LedgerState expected = traffic.stateAfter(TRANSACTIONS);
        assertThat(expected.incomes()).isNotEmpty();
        try (DatabaseServer server = DatabaseServer.start(kind, directory)) {
            execute(server, statements(name + "-" + kind.name().toLowerCase(Locale.ROOT) + ".sql"));
            try (JdbcStore store = store(server)) {
                LedgerState ledger = store.lead();
                assertThat(RandomTransactions.shown(ledger)).isEqualTo(RandomTransactions.shown(expected));
                assertThat(AuditChain.firstBroken(store.audit(0, 1_000))).isZero();
                store.append(List.of(traffic.next(ledger)));
            }
            execute(server, List.of("UPDATE heddle_ledger SET version = 2"));
            try (JdbcStore store = store(server)) {
                assertThatThrownBy(store::lead)
                        .isInstanceOf(IOException.class)
                        .hasMessageStartingWith("the ledger at jdbc:")
                        .hasMessageEndingWith(" has format version 2, and this Heddle reads version 1; start the"
                                + " Heddle version that wrote it");
            }
        }
    }

    private static JdbcStore store(DatabaseServer server) {
        return new JdbcStore(server.url(), server.user(), "", "pine");
    }

    /** Those of a dump that make tables and rows; the others are for the servers' own programs. */
    private static List<String> statements(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(ReleasedLedgersTest.class.getResourceAsStream(name), name)) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            String kept = text.lines()
                    .filter(line -> !line.matches("(--|/\\*|\\\\|SET |SELECT ).*"))
                    .collect(Collectors.joining("\n"));
            return Arrays.stream(kept.split(";\n", -1))
                    .filter(statement -> !statement.isBlank())
                    .toList();
        }
    }

    private static void execute(DatabaseServer server, List<String> statements) throws SQLException {
        try (Connection database = DriverManager.getConnection(server.url(), server.user(), "");
                Statement statement = database.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }
}
