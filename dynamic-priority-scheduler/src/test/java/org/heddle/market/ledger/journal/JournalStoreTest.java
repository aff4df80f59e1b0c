// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.heddle.journal.LogPoint;
import org.heddle.market.ledger.RandomTransactions;
import org.heddle.market.ledger.StoreContract;
import org.heddle.market.ledger.book.LedgerState;
import org.heddle.market.ledger.book.LedgerStore;
import org.heddle.market.ledger.book.Transaction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalStoreTest extends StoreContract {
    private static final RandomTransactions TRAFFIC = new RandomTransactions(3);

    @TempDir
    Path temporary;

    private int ledgers;

    @Override
    public void newLedger() {
        ledgers++;
    }

    private Path directory() {
        return temporary.resolve("ledger-" + ledgers);
    }

    /** Without the lock, which an honest second process would stumble over first. */
    @Override
    public LedgerStore store(LogPoint.Watcher watcher) {
        return new JournalStore(directory(), "test", false, watcher);
    }

    private LedgerState written(long transactions) throws IOException {
        try (JournalStore store = new JournalStore(directory(), "test")) {
            LedgerState ledger = store.lead();
            while (ledger.sequence() < transactions) {
                Transaction next = TRAFFIC.next(ledger);
                ledger.apply(next);
                store.append(List.of(next));
            }
            return ledger;
        }
    }

    private List<Path> journals() throws IOException {
        try (Stream<Path> files = Files.list(directory())) {
            return files.filter(file -> file.getFileName().toString().startsWith("log-"))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void aSecondProcessIsKeptOut() throws Exception {
        try (JournalStore first = new JournalStore(directory(), "test");
                JournalStore second = new JournalStore(directory(), "test")) {
            first.lead();
            assertThatThrownBy(second::lead)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("is in use by another process");
        }
    }

    @Test
    void booksOfAnotherClusterOrVersionAreRefused() throws Exception {
        written(3);
        try (JournalStore other = new JournalStore(directory(), "other")) {
            assertThatThrownBy(other::lead)
                    .hasMessageContaining("belongs to the ledger of cluster test, not to the ledger of cluster other");
        }
        byte[] bytes = Files.readAllBytes(journals().get(0));
        bytes[7] = 2;
        Files.write(journals().get(0), bytes);
        try (JournalStore newer = new JournalStore(directory(), "test")) {
            assertThatThrownBy(newer::lead).hasMessageContaining("format version 2, and this Heddle reads version 1");
        }
    }

    /** As after a crash in the middle of the first records. */
    private void noneIsAcknowledged() throws IOException {
        try (Stream<Path> files = Files.list(directory())) {
            Path note = files.filter(file -> file.getFileName().toString().startsWith("acknowledged-"))
                    .findFirst()
                    .orElseThrow();
            Files.move(note, note.resolveSibling("acknowledged-0000000001-0000000000000000000"));
        }
    }

    @Test
    void aTornEndIsLeftOutAndADamagedMiddleIsRefused() throws Exception {
        LedgerState ledger = written(30);
        Path journal = journals().get(0);
        byte[] good = Files.readAllBytes(journal);
        for (int cut = 1; cut < 200; cut += 13) {
            Files.write(journal, java.util.Arrays.copyOf(good, good.length - cut));
            noneIsAcknowledged();
            try (JournalStore store = new JournalStore(directory(), "test")) {
                LedgerState found = store.lead();
                assertThat(found.sequence()).isBetween(20L, 29L);
                assertThat(RandomTransactions.shown(found))
                        .isEqualTo(RandomTransactions.shown(TRAFFIC.stateAfter(found.sequence())));
            }
            for (Path later : journals()) {
                if (!later.equals(journal)) {
                    Files.delete(later);
                }
            }
        }
        Files.write(journal, good);
        assertThat(RandomTransactions.shown(written(40))).isEqualTo(RandomTransactions.shown(TRAFFIC.stateAfter(40)));
        assertThat(ledger.sequence()).isEqualTo(30);
        try (FileChannel damage = FileChannel.open(journal, StandardOpenOption.WRITE)) {
            damage.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), good.length / 2);
        }
        try (JournalStore store = new JournalStore(directory(), "test")) {
            assertThatThrownBy(store::lead).hasMessageContaining("is damaged at byte");
        }
    }

    @Test
    void snapshotsSaveReadingFromTheStart() throws Exception {
        try (JournalStore store = new JournalStore(directory(), "test")) {
            LedgerState ledger = store.lead();
            for (int round = 0; round < 3; round++) {
                for (int i = 0; i < 10; i++) {
                    Transaction next = TRAFFIC.next(ledger);
                    ledger.apply(next);
                    store.append(List.of(next));
                }
                store.snapshot();
            }
        }
        written(35);
        Files.delete(journals().get(0));
        try (JournalStore store = new JournalStore(directory(), "test")) {
            assertThat(RandomTransactions.shown(store.lead()))
                    .isEqualTo(RandomTransactions.shown(TRAFFIC.stateAfter(35)));
        }
    }

    @Test
    void whatIsTooOldIsDroppedAndBalancesDoNotDependOnIt() throws Exception {
        long later = System.currentTimeMillis() + Duration.ofDays(10).toMillis();
        try (JournalStore store = new JournalStore(directory(), "test").keeping(Duration.ofDays(1), () -> later)) {
            LedgerState ledger = store.lead();
            for (int round = 0; round < 5; round++) {
                for (int i = 0; i < 10; i++) {
                    Transaction next = TRAFFIC.next(ledger);
                    ledger.apply(next);
                    store.append(List.of(next));
                }
                store.snapshot();
            }
            assertThat(store.audit(0, 1_000))
                    .allSatisfy(entry -> assertThat(entry.sequence())
                            .isGreaterThan(TRAFFIC.stateAfter(40).auditSequence()));
        }
        assertThat(journals()).as("after the last two snapshots").hasSize(2);
        try (JournalStore store = new JournalStore(directory(), "test")) {
            assertThat(RandomTransactions.shown(store.lead()))
                    .isEqualTo(RandomTransactions.shown(TRAFFIC.stateAfter(50)));
        }
        try (Stream<Path> files = Files.list(directory())) {
            Path newest = files.filter(file -> file.getFileName().toString().startsWith("state-"))
                    .max(Comparator.naturalOrder())
                    .orElseThrow();
            Files.write(newest, new byte[] {1});
        }
        try (JournalStore store = new JournalStore(directory(), "test")) {
            assertThat(RandomTransactions.shown(store.lead()))
                    .as("from the snapshot before")
                    .isEqualTo(RandomTransactions.shown(TRAFFIC.stateAfter(50)));
        }
    }

    @Test
    void nothingIsDroppedThatIsYoungEnough() throws Exception {
        try (JournalStore store =
                new JournalStore(directory(), "test").keeping(Duration.ofDays(1), System::currentTimeMillis)) {
            LedgerState ledger = store.lead();
            for (int i = 0; i < 20; i++) {
                Transaction next = TRAFFIC.next(ledger);
                ledger.apply(next);
                store.append(List.of(next));
                store.snapshot();
            }
        }
        assertThat(journals()).hasSize(21);
    }
}
