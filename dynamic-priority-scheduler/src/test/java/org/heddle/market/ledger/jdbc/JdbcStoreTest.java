// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.heddle.journal.LogPoint;
import org.heddle.market.ledger.RandomTransactions;
import org.heddle.market.ledger.StoreContract;
import org.heddle.market.ledger.book.AuditChain;
import org.heddle.market.ledger.book.EpochRecord;
import org.heddle.market.ledger.book.LedgerState;
import org.heddle.market.ledger.book.Transaction;
import org.heddle.market.ledger.book.TransactionCodec;
import org.heddle.market.model.change.AuditEntry;
import org.heddle.market.model.change.IncomeSchedule;
import org.heddle.market.model.change.StatementLine;
import org.heddle.market.model.change.StatementRange;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Against real servers of Debian's (packages postgresql and mariadb-server). */
@ParameterizedClass
@EnumSource(DatabaseServer.Kind.class)
class JdbcStoreTest extends StoreContract {
    @TempDir
    static Path temporary;

    private static final Map<DatabaseServer.Kind, DatabaseServer> SERVERS = new ConcurrentHashMap<>();
    private static int ledgers;

    private final DatabaseServer.Kind kind;
    private DatabaseServer server;

    JdbcStoreTest(DatabaseServer.Kind kind) {
        this.kind = kind;
    }

    @BeforeEach
    void startServer() throws Exception {
        kind.require();
        DatabaseServer running = SERVERS.get(kind);
        if (running == null) {
            running = DatabaseServer.start(kind, Files.createDirectory(temporary.resolve(kind.name())));
            SERVERS.put(kind, running);
        }
        server = running;
    }

    @AfterAll
    static void stopServers() {
        SERVERS.values().forEach(DatabaseServer::close);
        SERVERS.clear();
    }

    @Override
    public void newLedger() {
        ledgers++;
    }

    @Override
    public JdbcStore store(LogPoint.Watcher watcher) {
        return new JdbcStore(server.url(), server.user(), "", "cluster-" + ledgers, watcher);
    }

    /** The traffic has a transaction a second. */
    @Test
    void whatIsTooOldIsDroppedAndTheRestIsWhole() throws Exception {
        newLedger();
        RandomTransactions traffic = new RandomTransactions(11);
        long[] now = {0};
        try (JdbcStore store = store(LogPoint.Watcher.NONE).keeping(Duration.ofSeconds(200), () -> now[0])) {
            LedgerState ledger = store.lead();
            while (ledger.sequence() < 500) {
                Transaction next = traffic.next(ledger);
                now[0] = next.atMillis();
                ledger.apply(next);
                store.append(List.of(next));
            }
            long oldest = now[0] - 300_000;
            List<StatementLine> lines = store.statement(StatementRange.first("sam", 0, Long.MAX_VALUE, 0, 10_000));
            assertThat(lines).hasSizeBetween(20, 250).allMatch(line -> line.at().toEpochMilli() > oldest);
            for (int i = 1; i < lines.size(); i++) {
                long change = lines.get(i).kind() == StatementLine.Kind.WAIVER
                        ? 0
                        : lines.get(i).amount().nanos();
                assertThat(lines.get(i).balance().nanos())
                        .isEqualTo(lines.get(i - 1).balance().nanos() + change);
            }
            List<EpochRecord> epochs = epochs(store, 0);
            assertThat(epochs.get(0).number()).isGreaterThan(20);
            assertThat(epochs.get(0).startMillis()).isGreaterThan(oldest);
            for (int i = 1; i < epochs.size(); i++) {
                assertThat(epochs.get(i).number()).isEqualTo(epochs.get(i - 1).number() + 1);
            }
            List<AuditEntry> audit = store.audit(0, 10_000);
            assertThat(AuditChain.firstBroken(audit)).isZero();
            assertThat(audit.get(audit.size() - 1).hash()).isEqualTo(ledger.auditHash());
        }
        try (JdbcStore store = store(LogPoint.Watcher.NONE)) {
            assertThat(RandomTransactions.shown(store.lead()))
                    .isEqualTo(RandomTransactions.shown(traffic.stateAfter(500)));
        }
    }

    /** What version 1 has written is read by this version; another cluster in the same tables keeps its rows. */
    @Test
    void rowsOfVersion1AreConverted() throws Exception {
        newLedger();
        String other = write(60);
        newLedger();
        String cluster = write(60);
        RandomTransactions expected = new RandomTransactions(11);
        assertThat(expected.stateAfter(60).incomes()).isNotEmpty();
        toVersion1(other);
        toVersion1(cluster);

        try (JdbcStore store = store(LogPoint.Watcher.NONE)) {
            assertThat(RandomTransactions.shown(store.lead()))
                    .isEqualTo(RandomTransactions.shown(expected.stateAfter(60)));
            List<AuditEntry> audit = store.audit(0, 1_000);
            assertThat(AuditChain.firstBroken(audit)).isZero();
            assertThat(audit.get(audit.size() - 1).hash())
                    .isEqualTo(expected.stateAfter(60).auditHash());
        }
        assertThat(number("SELECT version FROM heddle_ledger WHERE cluster = '" + cluster + "'"))
                .isEqualTo(2);
        assertThat(number("SELECT version FROM heddle_books WHERE cluster = '" + cluster + "'"))
                .as("a Heddle of version 1 refuses it")
                .isEqualTo(2);
        assertThat(number("SELECT fence FROM heddle_books WHERE cluster = '" + cluster + "'"))
                .as("a leader of version 1 is fenced")
                .isEqualTo(2);
        assertThat(number("SELECT version FROM heddle_books WHERE cluster = '" + other + "'"))
                .isEqualTo(1);
        assertThat(number("SELECT COUNT(*) FROM heddle_income WHERE cluster = '" + cluster + "'"))
                .isZero();
        assertThat(number("SELECT COUNT(*) FROM heddle_income WHERE cluster = '" + other + "'"))
                .isPositive();
        try (JdbcStore store = store(LogPoint.Watcher.NONE)) {
            LedgerState again = store.lead();
            assertThat(RandomTransactions.shown(again)).isEqualTo(RandomTransactions.shown(expected.stateAfter(60)));
            store.append(List.of(expected.next(again)));
        }
    }

    private String write(int transactions) throws Exception {
        RandomTransactions traffic = new RandomTransactions(11);
        try (JdbcStore store = store(LogPoint.Watcher.NONE)) {
            LedgerState ledger = store.lead();
            while (ledger.sequence() < transactions) {
                Transaction next = traffic.next(ledger);
                ledger.apply(next);
                store.append(List.of(next));
            }
        }
        return "cluster-" + ledgers;
    }

    /** Rewrites a cluster's rows as version 1 wrote them. */
    private void toVersion1(String cluster) throws Exception {
        try (Connection database = DriverManager.getConnection(server.url(), server.user(), "")) {
            Sql.run(
                    database,
                    "CREATE TABLE IF NOT EXISTS heddle_income (cluster VARCHAR(60) NOT NULL, id VARCHAR(60) NOT NULL,"
                            + " total BIGINT NOT NULL, every_millis BIGINT NOT NULL, weights TEXT NOT NULL,"
                            + " start_millis BIGINT NOT NULL, cap BIGINT NOT NULL, next_due BIGINT NOT NULL,"
                            + " PRIMARY KEY (cluster, id))");
            LedgerState ledger = JdbcLedger.load(database, cluster);
            for (LedgerState.Income income : ledger.incomes().values()) {
                IncomeSchedule schedule = income.schedule();
                Sql.run(
                        database,
                        "INSERT INTO heddle_income VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                        cluster,
                        schedule.id(),
                        schedule.total().nanos(),
                        schedule.every().toMillis(),
                        packed(out -> TransactionCodec.write(schedule, out)),
                        schedule.start().toEpochMilli(),
                        schedule.cap().nanos(),
                        income.nextDueMillis());
                JdbcTransactions.income(database, cluster, schedule.id(), null);
            }
            for (AuditEntry entry : JdbcLedger.audit(database, cluster, 0, 1_000)) {
                String details = packed(out -> {
                    out.writeInt(entry.details().size());
                    for (Map.Entry<String, String> detail : entry.details().entrySet()) {
                        TransactionCodec.text(out, detail.getKey());
                        TransactionCodec.text(out, detail.getValue());
                    }
                });
                Sql.run(
                        database,
                        "UPDATE heddle_audit SET details = ? WHERE cluster = ? AND sequence = ?",
                        details,
                        cluster,
                        entry.sequence());
            }
            Sql.run(
                    database,
                    "CREATE TABLE IF NOT EXISTS heddle_books (cluster VARCHAR(60) NOT NULL PRIMARY KEY,"
                            + " version INT NOT NULL, fence BIGINT NOT NULL, sequence BIGINT NOT NULL,"
                            + " epoch BIGINT NOT NULL, unit_millis BIGINT NOT NULL, mint BIGINT NOT NULL,"
                            + " revenue BIGINT NOT NULL, waiver BIGINT NOT NULL, audit_sequence BIGINT NOT NULL,"
                            + " audit_hash VARCHAR(64) NOT NULL)");
            Sql.run(
                    database,
                    "INSERT INTO heddle_books SELECT " + JdbcSchema.LEDGER_COLUMNS.replace("version", "1")
                            + " FROM heddle_ledger WHERE cluster = ?",
                    cluster);
            Sql.run(database, "DELETE FROM heddle_ledger WHERE cluster = ?", cluster);
        }
    }

    private interface Content {
        void to(DataOutputStream out) throws IOException;
    }

    private static String packed(Content content) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        content.to(new DataOutputStream(bytes));
        return Base64.getEncoder().encodeToString(bytes.toByteArray());
    }

    private long number(String query) throws Exception {
        try (Connection database = DriverManager.getConnection(server.url(), server.user(), "")) {
            return Sql.number(database, query);
        }
    }
}
