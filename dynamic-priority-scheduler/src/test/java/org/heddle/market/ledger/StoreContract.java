// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.heddle.journal.LogPoint;
import org.heddle.market.TestTerms;
import org.heddle.market.ledger.book.AuditChain;
import org.heddle.market.ledger.book.EpochRecord;
import org.heddle.market.ledger.book.LedgerState;
import org.heddle.market.ledger.book.LedgerStore;
import org.heddle.market.ledger.book.Transaction;
import org.heddle.market.model.amount.Credits;
import org.heddle.market.model.change.ApplicationCost;
import org.heddle.market.model.change.AuditEntry;
import org.heddle.market.model.change.MarketException;
import org.heddle.market.model.change.Mutation;
import org.heddle.market.model.change.StatementLine;
import org.heddle.market.model.change.StatementRange;
import org.heddle.testkit.Await;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The contract of every store. Each test has its own ledger. */
public abstract class StoreContract {
    private static final RandomTransactions TRAFFIC = new RandomTransactions(11);

    /** A store of this test's ledger, with a watcher of its fail points. */
    public abstract LedgerStore store(LogPoint.Watcher watcher) throws Exception;

    /** Begins a new ledger. */
    public abstract void newLedger() throws Exception;

    /** Thrown where a store's work is cut off, as if the process were killed there. */
    static final class Cut extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private LedgerStore store() throws Exception {
        return store(LogPoint.Watcher.NONE);
    }

    /** Appends until the book has so many transactions, some at once. */
    private static void append(LedgerStore store, LedgerState ledger, long until) throws IOException {
        while (ledger.sequence() < until) {
            List<Transaction> batch = new ArrayList<>();
            for (long most = 1 + ledger.sequence() % 3; most > 0 && ledger.sequence() < until; most--) {
                Transaction next = TRAFFIC.next(ledger);
                ledger.apply(next);
                batch.add(next);
            }
            store.append(batch);
        }
    }

    @Test
    void whatWasWrittenIsThereAfterwards() throws Exception {
        newLedger();
        try (LedgerStore store = store()) {
            append(store, store.lead(), 60);
        }
        try (LedgerStore store = store()) {
            LedgerState ledger = store.lead();
            assertThat(RandomTransactions.shown(ledger)).isEqualTo(RandomTransactions.shown(TRAFFIC.stateAfter(60)));
            ledger.check();
            append(store, ledger, 120);
            assertThat(store.lastSequence()).isEqualTo(120);
            append(store, ledger, 125);
        }
        try (LedgerStore store = store()) {
            assertThat(RandomTransactions.shown(store.lead()))
                    .isEqualTo(RandomTransactions.shown(TRAFFIC.stateAfter(125)));
        }
    }

    @Test
    void auditAndStatementsAreReadInPages() throws Exception {
        newLedger();
        try (LedgerStore store = store()) {
            append(store, store.lead(), 100);
            List<AuditEntry> all = store.audit(0, 1_000);
            assertThat(AuditChain.firstBroken(all)).isZero();
            List<AuditEntry> paged = new ArrayList<>();
            for (List<AuditEntry> page = store.audit(0, 7); !page.isEmpty(); ) {
                paged.addAll(page);
                page = store.audit(page.get(page.size() - 1).sequence(), 7);
            }
            assertThat(paged).isEqualTo(all);
            assertThat(all.get(0).details()).containsEntry("odd = text", "line\nbreak \u00fc");

            List<StatementLine> lines = store.statement(StatementRange.first("sam", 0, Long.MAX_VALUE, 0, 1_000));
            assertThat(lines).isNotEmpty();
            long balance = 0;
            for (StatementLine line : lines) {
                balance += line.kind() == StatementLine.Kind.WAIVER
                        ? 0
                        : line.amount().nanos();
                assertThat(line.balance().nanos()).isEqualTo(balance);
            }
            List<StatementLine> pages = new ArrayList<>();
            long after = 0;
            for (List<StatementLine> page = List.of(lines.get(0)); !page.isEmpty(); pages.addAll(page)) {
                page = store.statement(StatementRange.first("sam", 0, Long.MAX_VALUE, after, 1));
                after = page.isEmpty() ? after : page.get(page.size() - 1).sequence();
            }
            assertThat(pages).isEqualTo(lines);
            pages.clear();
            long before = Long.MAX_VALUE;
            for (List<StatementLine> page = List.of(lines.get(0)); !page.isEmpty(); pages.addAll(0, page)) {
                page = store.statement(StatementRange.last("sam", 0, Long.MAX_VALUE, before, 1));
                before = page.isEmpty() ? before : page.get(0).sequence();
            }
            assertThat(pages).isEqualTo(lines);
            assertThat(store.statement(StatementRange.last("sam", 0, Long.MAX_VALUE, Long.MAX_VALUE, 5)))
                    .as("the last five lines, or six if a waiver follows its charge")
                    .hasSizeBetween(5, 6)
                    .endsWith(lines.get(lines.size() - 1));
            List<EpochRecord> epochs = epochs(store, 1_700_000_050_000L);
            assertThat(epochs).isNotEmpty().allMatch(epoch -> epoch.startMillis() >= 1_700_000_050_000L);
            assertThat(epochs.get(epochs.size() - 1).number())
                    .isEqualTo(TRAFFIC.stateAfter(100).epoch());
        }
    }

    protected static List<EpochRecord> epochs(LedgerStore store, long fromMillis) throws IOException {
        List<EpochRecord> epochs = new ArrayList<>();
        store.past(fromMillis, transaction -> {
            EpochRecord epoch = transaction.epoch();
            if (epoch != null) {
                epochs.add(epoch);
            }
        });
        return epochs;
    }

    @Test
    void costsOfApplicationsAddUpToTheCharges() throws Exception {
        newLedger();
        try (LedgerStore store = store()) {
            append(store, store.lead(), 100);
            long charged = 0;
            for (StatementLine line : store.statement(StatementRange.first("sam", 0, Long.MAX_VALUE, 0, 1_000))) {
                charged -= line.kind() == StatementLine.Kind.CHARGE
                                && line.amount().nanos() <= -3
                        ? line.amount().nanos()
                        : 0;
            }
            List<ApplicationCost> all =
                    store.applications("sam", 0, Long.MAX_VALUE, ApplicationCost.By.APPLICATION, 100);
            assertThat(sum(all)).isEqualTo(charged).isPositive();
            assertThat(all)
                    .hasSizeGreaterThan(3)
                    .isSortedAccordingTo((a, b) -> b.count() == 0
                            ? -1
                            : Long.compare(b.charged().nanos(), a.charged().nanos()));
            assertThat(all.get(0).name()).isEqualTo("nightly \u00fc");

            List<ApplicationCost> jobs = store.applications("sam", 0, Long.MAX_VALUE, ApplicationCost.By.NAME, 100);
            assertThat(jobs).hasSize(2);
            assertThat(jobs.get(0).count()).isEqualTo(all.size() - 1L);
            assertThat(jobs.get(1).count()).isZero();
            assertThat(sum(jobs)).isEqualTo(charged);

            List<ApplicationCost> two = store.applications("sam", 0, Long.MAX_VALUE, ApplicationCost.By.APPLICATION, 2);
            assertThat(two).hasSize(3).startsWith(all.get(0), all.get(1));
            assertThat(sum(two)).isEqualTo(charged);

            long middle = all.get(0).first().toEpochMilli() + 1;
            assertThat(sum(store.applications("sam", 0, middle, ApplicationCost.By.NAME, 9))
                            + sum(store.applications("sam", middle, Long.MAX_VALUE, ApplicationCost.By.NAME, 9)))
                    .isEqualTo(charged);
            assertThat(store.applications("nobody", 0, Long.MAX_VALUE, ApplicationCost.By.NAME, 9))
                    .isEmpty();
        }
    }

    private static long sum(List<ApplicationCost> costs) {
        return costs.stream().mapToLong(cost -> cost.charged().nanos()).sum();
    }

    /** Two leaders at once: the first one cannot write any more, and no acknowledged change is lost. */
    @Test
    void whoHasBeenFencedCannotWrite() throws Exception {
        newLedger();
        try (LedgerStore first = store();
                LedgerStore second = store()) {
            LedgerState before = first.lead();
            append(first, before, 20);
            LedgerState after = second.lead();
            assertThat(after.sequence()).isEqualTo(20);
            assertThatThrownBy(() -> append(first, before, 21))
                    .isInstanceOf(LedgerStore.FencedException.class)
                    .hasMessageContaining("cannot write any more");
            append(second, after, 40);
            assertThatThrownBy(first::lastSequence).isInstanceOf(LedgerStore.FencedException.class);
        }
        try (LedgerStore third = store()) {
            assertThat(RandomTransactions.shown(third.lead()))
                    .isEqualTo(RandomTransactions.shown(TRAFFIC.stateAfter(40)));
        }
    }

    /** Two whole markets take the lead from each other again and again, and each writes until it notices. */
    @Test
    void twoWhoFightForTheLeadLoseNothingThatEitherAcknowledged() throws Exception {
        newLedger();
        Fight fight = new Fight();
        ExecutorService rivals = Executors.newFixedThreadPool(2);
        try {
            Future<?> one = rivals.submit(() -> fight.rival("one"));
            Future<?> two = rivals.submit(() -> fight.rival("two"));
            one.get(3, TimeUnit.MINUTES);
            two.get(3, TimeUnit.MINUTES);
        } finally {
            rivals.shutdownNow();
        }
        try (LedgerStore heir = store()) {
            LedgerState ledger = heir.lead();
            ledger.check();
            for (String key : fight.acknowledged) {
                assertThat(ledger.request(key.substring(0, 3), key)).as(key).isNotNull();
            }
            assertThat(-ledger.mint())
                    .as("each deposit is 1; a fenced writer may have written one deposit that it could not acknowledge")
                    .isBetween((long) fight.acknowledged.size(), (long) fight.acknowledged.size() + Fight.FENCED);
            assertThat(AuditChain.firstBroken(heir.audit(0, 100_000))).isZero();
        }
    }

    /** What two rivals share. */
    private final class Fight {
        static final int FENCED = 6;
        private static final int ACKS_AT_LEAST = 3;
        private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();
        private final AtomicInteger fenced = new AtomicInteger();

        private @Nullable Void rival(String name) throws Exception {
            try {
                fight(name);
            } finally {
                fenced.set(FENCED); // also after a failure: no other writer is left
            }
            return null;
        }

        private void fight(String name) throws Exception {
            for (int life = 0; fenced.get() < FENCED; life++) {
                try (Market market = new Market(
                        TestTerms.paper("fight", 1_000), store(), () -> 1_700_000_000_000L, Duration.ofSeconds(20))) {
                    synchronized (this) { // the journal's file lock sees to that where there are two processes
                        market.open();
                    }
                    if (!market.accountNames().contains("prize")) {
                        market.addQueue(new Mutation(name, "test", name + "-open-" + life), "prize");
                    }
                    for (int i = 0; fenced.get() < FENCED; i++) {
                        String key = name + "-" + life + "-" + i;
                        market.addBudget(new Mutation(name, "test", key), "prize", new Credits(1), "");
                        acknowledged.add(key);
                    }
                } catch (MarketException e) {
                    assertThat(e.reason()).isIn(MarketException.Reason.NOT_LEADER, MarketException.Reason.QUEUE_EXISTS);
                    if (e.reason() == MarketException.Reason.NOT_LEADER) {
                        fenced.incrementAndGet();
                        int before = acknowledged.size();
                        Await.until(
                                "the other has its turn",
                                Duration.ofSeconds(30),
                                () -> acknowledged.size() >= before + ACKS_AT_LEAST || fenced.get() >= FENCED);
                    }
                }
            }
        }
    }

    /**
     * Cut off at the first fail point, at the second, and so on until a run gets through: what was acknowledged is
     * there, nothing is there twice, and the next leader goes on.
     */
    @Test
    void nothingAcknowledgedIsLostWhereverTheWriterDies() throws Exception {
        int points = 0;
        boolean through = false;
        for (int last = 1; !through; last++) {
            newLedger();
            long acknowledged = 0;
            int cutAt = last;
            int[] passed = {0};
            LedgerStore dying = store(point -> {
                if (++passed[0] == cutAt) {
                    throw new Cut();
                }
            });
            try {
                LedgerState ledger = dying.lead();
                while (ledger.sequence() < 9) {
                    append(dying, ledger, Math.min(9, ledger.sequence() + 1 + ledger.sequence() % 3));
                    acknowledged = ledger.sequence();
                }
                through = true;
                dying.close();
            } catch (Cut e) {
                points++;
            }
            try (LedgerStore heir = store()) {
                LedgerState found = heir.lead();
                assertThat(found.sequence()).as("cut at %d", last).isBetween(acknowledged, acknowledged + 3);
                assertThat(RandomTransactions.shown(found))
                        .isEqualTo(RandomTransactions.shown(TRAFFIC.stateAfter(found.sequence())));
                append(heir, found, 15);
            }
            try (LedgerStore heir = store()) {
                assertThat(RandomTransactions.shown(heir.lead()))
                        .isEqualTo(RandomTransactions.shown(TRAFFIC.stateAfter(15)));
            }
        }
        assertThat(points).as("fail points").isGreaterThan(20);
    }

    /** The store fails while it lives, at each point in turn; the same process goes on. */
    @Test
    void afterAFailureTheStoreSaysWhatItHas() throws Exception {
        for (int last = 8; last < 30; last++) {
            newLedger();
            int cutAt = last;
            int[] passed = {0};
            try (LedgerStore store = store(point -> {
                if (++passed[0] == cutAt) {
                    throw new Cut();
                }
            })) {
                LedgerState ledger = new LedgerState();
                boolean led = false;
                while (ledger.sequence() < 12) {
                    try {
                        if (!led) {
                            ledger = store.lead();
                            led = true;
                        }
                        append(store, ledger, ledger.sequence() + 1);
                    } catch (Cut e) {
                        if (led) {
                            ledger = TRAFFIC.stateAfter(store.lastSequence());
                        } else {
                            break;
                        }
                    }
                }
                if (led) {
                    assertThat(store.lastSequence()).isEqualTo(12);
                }
            }
        }
    }
}
