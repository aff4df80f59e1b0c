// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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
import org.heddle.market.model.change.AuditEntry;
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
}
