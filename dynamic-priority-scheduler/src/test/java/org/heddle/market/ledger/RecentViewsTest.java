// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.heddle.market.TestTerms;
import org.heddle.market.ledger.journal.JournalStore;
import org.heddle.market.model.amount.Credits;
import org.heddle.market.model.change.ApplicationCost;
import org.heddle.market.model.change.AuditEntry;
import org.heddle.market.model.change.MarketException;
import org.heddle.market.model.change.Mutation;
import org.heddle.market.model.change.StatementLine;
import org.heddle.market.model.change.StatementRange;
import org.heddle.market.model.terms.MarketTerms;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Statements, costs and the audit from memory are those of the store, for any part of the time, also while bills are
 * written and after a restart.
 */
class RecentViewsTest {
    private static final List<String> ACCOUNTS = List.of("a", "b", "c");
    private static final MarketTerms TERMS = TestTerms.paper("test", 20_000);
    private static final int EPOCHS = 300;

    @TempDir
    Path directory;

    private final SplittableRandom random = new SplittableRandom(5);
    private long now = 1_800_000_000_000L;
    private JournalStore store;
    private Market market;
    private int requests;

    @BeforeEach
    void open() throws Exception {
        new PastOfMarket(TERMS, new JournalStore(directory, "test"), ACCOUNTS).write(EPOCHS, now);
        start();
    }

    private void start() throws Exception {
        store = new JournalStore(directory, "test");
        market = new Market(TERMS, store, () -> now, Duration.ofSeconds(30));
        market.open();
    }

    @AfterEach
    void close() throws Exception {
        market.close();
    }

    /** Ends an epoch, and returns when its bills are stored. */
    private void epoch(PastOfMarket bills, int number) throws MarketException {
        now += TERMS.intervalMillis();
        market.rollOver(terms -> bills.closed(number, random, terms.funds()));
        market.addBudget(new Mutation("test", "test", "pay " + ++requests), "a", Credits.of(1), "gift");
    }

    private void compare() throws Exception {
        long all = (long) EPOCHS * TERMS.intervalMillis();
        for (int i = 0; i < 50; i++) {
            String account = ACCOUNTS.get(random.nextInt(ACCOUNTS.size()));
            long from = now - random.nextLong(2 * all);
            long to = from + random.nextLong(2 * all);
            long after = random.nextInt(EPOCHS);
            int most = 1 + random.nextInt(100);
            Instant first = Instant.ofEpochMilli(from);
            Instant end = Instant.ofEpochMilli(to);
            long before = after + random.nextInt(EPOCHS);
            for (StatementRange range : List.of(
                    StatementRange.first(account, from, to, after, most),
                    StatementRange.last(account, from, to, before, most))) {
                assertThat(market.statement(range)).as("%s", range).isEqualTo(store.statement(range));
            }
            ApplicationCost.By by = random.nextBoolean() ? ApplicationCost.By.APPLICATION : ApplicationCost.By.NAME;
            assertThat(market.applications(account, first, end, by, most))
                    .isEqualTo(store.applications(account, from, to, by, most));
            long entry = random.nextInt(40);
            assertThat(market.audit(entry, most)).isEqualTo(store.audit(entry, most));
        }
        List<AuditEntry> audit = store.audit(0, 1_000);
        assertThat(market.auditBefore(0, 5)).isEqualTo(audit.subList(audit.size() - 5, audit.size()));
        assertThat(market.auditBefore(1_000_000, 5)).isEqualTo(audit.subList(audit.size() - 5, audit.size()));
        assertThat(market.auditBefore(4, 5)).isEqualTo(audit.subList(0, 3));
    }

    @Test
    void memoryAndStoreTellTheSame() throws Exception {
        PastOfMarket bills = new PastOfMarket(TERMS, store, ACCOUNTS);
        compare();
        for (int i = 0; i < 20; i++) {
            epoch(bills, EPOCHS + i);
            compare();
        }
        now += Duration.ofDays(3).toMillis();
        epoch(bills, EPOCHS + 20);
        compare();
        market.close();
        start();
        compare();
        epoch(bills, EPOCHS + 21);
        compare();
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }

    @Test
    void theFirstLookAfterAStartNeedsNoFiles() throws Exception {
        List<StatementLine> lines = store.statement(StatementRange.first("b", 0, Long.MAX_VALUE, 0, 1_000));
        List<AuditEntry> audit = store.audit(0, 1_000);
        market.close();
        // The time of a file tells how old its records are, and here they have another clock.
        for (Path file : files()) {
            Files.setLastModifiedTime(file, FileTime.fromMillis(now));
        }
        start();
        for (Path file : files()) {
            Files.delete(file);
        }
        assertThat(market.statement(StatementRange.first("b", 0, Long.MAX_VALUE, 0, 1_000)))
                .isEqualTo(lines);
        assertThat(market.audit(0, 1_000)).isEqualTo(audit);
        assertThat(market.auditBefore(0, 1_000)).isEqualTo(audit);
    }
}
