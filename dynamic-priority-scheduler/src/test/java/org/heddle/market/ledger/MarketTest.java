// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.heddle.journal.LogPoint;
import org.heddle.market.TestTerms;
import org.heddle.market.epoch.EpochMeter;
import org.heddle.market.epoch.QueueMeter;
import org.heddle.market.ledger.book.AuditChain;
import org.heddle.market.ledger.book.LedgerStore;
import org.heddle.market.ledger.journal.JournalStore;
import org.heddle.market.model.amount.Credits;
import org.heddle.market.model.amount.Slots;
import org.heddle.market.model.amount.SpendingRate;
import org.heddle.market.model.change.AccountImport;
import org.heddle.market.model.change.AuditEntry;
import org.heddle.market.model.change.IncomeSchedule;
import org.heddle.market.model.change.MarketException;
import org.heddle.market.model.change.MarketException.Reason;
import org.heddle.market.model.change.MarketRecord;
import org.heddle.market.model.change.Mutation;
import org.heddle.market.model.change.Receipt;
import org.heddle.market.model.change.StatementLine;
import org.heddle.market.model.change.StatementRange;
import org.heddle.market.model.status.Quote;
import org.heddle.market.model.status.QuoteRequest;
import org.heddle.market.model.status.StoreState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A market with a ledger in a journal and a manual clock. */
class MarketTest {
    private static final long START = 1_800_000_000_000L;

    @TempDir
    Path directory;

    private final long[] clock = {START};
    private Market market;
    private EpochMeter meter;
    private int requests;

    @BeforeEach
    void open() throws Exception {
        LedgerStore store = new JournalStore(directory.resolve("ledger"), "test", false, LogPoint.Watcher.NONE);
        market = new Market(TestTerms.PAPER.get(), store, () -> clock[0], Duration.ofMinutes(2));
        market.open();
        meter = new EpochMeter(market.status().terms(), new long[] {1}, 0);
        meter.setCapacity(0, new long[] {10});
    }

    @AfterEach
    void close() throws Exception {
        market.close();
    }

    private Mutation by() {
        return new Mutation("alice", "test", "request " + ++requests);
    }

    private void queue(String name, String rate, String budget) throws MarketException {
        market.addQueue(by(), name);
        market.setSpending(by(), name, SpendingRate.parse(rate));
        market.addBudget(by(), name, Credits.parse(budget), "to begin with");
        meter.queue(name, clock[0] - START);
    }

    private void uses(String name, long slots) {
        QueueMeter queue = meter.queue(name, clock[0] - START);
        meter.setUsage(queue, clock[0] - START, new long[] {slots});
        queue.setDemand(slots, 5);
    }

    private void turn(long later) throws MarketException {
        clock[0] += later;
        market.rollOver(epochTerms -> epochTerms.rollOver(meter, clock[0] - START));
        market.record(by(), "wait", "bills");
        market.publish(meter.snapshot(clock[0] - START));
    }

    private static Reason reason(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        Throwable thrown = org.assertj.core.api.Assertions.catchThrowable(call);
        assertThat(thrown).isInstanceOf(MarketException.class);
        return ((MarketException) thrown).reason();
    }

    @Test
    void everyRefusalHasItsReason() throws Exception {
        queue("a", "1", "10");
        queue("b", "1", "10");
        assertThat(reason(() -> market.addQueue(by(), "a"))).isEqualTo(Reason.QUEUE_EXISTS);
        assertThat(reason(() -> market.addQueue(by(), "a.b"))).isEqualTo(Reason.INVALID);
        assertThat(reason(() -> market.setSpending(by(), "c", SpendingRate.ZERO)))
                .isEqualTo(Reason.UNKNOWN_QUEUE);
        assertThat(reason(() -> market.withdraw(by(), "a", Credits.of(11), ""))).isEqualTo(Reason.INSUFFICIENT_CREDITS);
        assertThat(reason(() -> market.addBudget(by(), "a", Credits.ZERO, ""))).isEqualTo(Reason.INVALID);
        assertThat(reason(() -> market.addBudget(by(), "a", Credits.parse("9223372036"), "")))
                .isEqualTo(Reason.OVERFLOW);
        assertThat(reason(() -> market.transfer(by(), "a", "a", Credits.of(1), "")))
                .isEqualTo(Reason.INVALID);
        assertThat(reason(() -> market.removeIncome(by(), "x"))).isEqualTo(Reason.UNKNOWN_INCOME);
        assertThat(reason(() -> market.setSpending(by(), "a", SpendingRate.parse("1000001"))))
                .isEqualTo(Reason.INVALID);
        assertThat(market.queue("a").budget()).hasToString("10");
    }

    @Test
    void aRepeatedRequestIsAnsweredAndNotDone() throws Exception {
        queue("a", "1", "10");
        Mutation once = by();
        Receipt first = market.addBudget(once, "a", Credits.of(5), "");
        Receipt again = market.addBudget(once, "a", Credits.of(5), "");
        assertThat(again.repeated()).isTrue();
        assertThat(again.sequence()).isEqualTo(first.sequence());
        assertThat(again.balance()).hasToString("15");
        assertThat(market.queue("a").budget()).hasToString("15");
        assertThat(reason(() -> market.addBudget(once, "a", Credits.of(6), ""))).isEqualTo(Reason.CONFLICT);
        market.close();
        open();
        assertThat(market.addBudget(once, "a", Credits.of(5), "").repeated()).isTrue();
        assertThat(market.queue("a").budget()).hasToString("15");
    }

    @Test
    void statementsHistoryAndAuditTellTheSameStory() throws Exception {
        queue("a", "2", "100");
        queue("b", "1", "100");
        turn(0);
        uses("a", 5);
        uses("b", 5);
        turn(10_000);
        turn(10_000);
        market.transfer(by(), "a", "b", Credits.of(7), "lunch");
        List<StatementLine> lines = market.statement(StatementRange.first("a", 0, Long.MAX_VALUE, 0, 100));
        assertThat(lines)
                .extracting(line -> line.kind() + " " + line.amount() + " " + line.balance())
                .containsExactly("DEPOSIT 100 100", "CHARGE -10 90", "TRANSFER_OUT -7 83");
        assertThat(market.prices(Instant.EPOCH, Instant.MAX, 100)).isNotEmpty();
        assertThat(market.balances("b", Instant.EPOCH, Instant.MAX, 100))
                .extracting("balance")
                .hasToString("[100, 96.666666667, 103.666666667]");
        assertThat(AuditChain.firstBroken(market.audit(0, 1_000))).isZero();
        assertThat(market.audit(0, 1)).extracting("action").containsExactly("add-queue");
    }

    @Test
    void incomesArePaidWhenDueAndCaughtUp() throws Exception {
        queue("a", "1", "1");
        queue("b", "1", "1");
        market.setIncome(
                by(),
                new IncomeSchedule(
                        "hourly",
                        Credits.of(10),
                        Duration.ofHours(1),
                        Map.of("a", 2L, "b", 1L),
                        Instant.ofEpochMilli(START + 1),
                        Credits.of(30)));
        market.payIncomes();
        market.record(by(), "wait", "");
        assertThat(market.queue("a").budget()).hasToString("1");
        clock[0] += Duration.ofHours(3).toMillis();
        market.payIncomes();
        market.record(by(), "wait", "");
        assertThat(market.queue("a").budget()).hasToString("21.000000001");
        assertThat(market.queue("b").budget()).hasToString("10.999999999");
        clock[0] += Duration.ofHours(3).toMillis();
        market.payIncomes();
        market.removeIncome(by(), "hourly");
        assertThat(market.queue("a").budget()).hasToString("30");
        assertThat(market.incomes()).isEmpty();
    }

    @Test
    void recordsAreKeptWithTheChangeTheyComeWith() throws Exception {
        queue("a", "1", "1");
        MarketRecord key = new MarketRecord("api-key", "alice/1", "wrapped");
        market.setSpending(new Mutation("alice", "test", "with-record", List.of(key)), "a", SpendingRate.parse("3"));
        assertThat(market.records("api-key")).containsExactly(Map.entry("alice/1", key));
        market.close();
        open();
        assertThat(market.records("api-key")).containsExactly(Map.entry("alice/1", key));
        market.record(
                new Mutation("alice", "test", "gone", List.of(new MarketRecord("api-key", "alice/1", ""))),
                "revoke-key",
                "alice/1");
        assertThat(market.records("api-key")).isEmpty();
    }

    @Test
    void quotesAndForecastsRestOnWhatPricesHaveBeen() throws Exception {
        queue("a", "1", "1000");
        queue("b", "3", "100000");
        uses("b", 10);
        turn(0);
        for (int i = 0; i < 30; i++) {
            market.setSpending(by(), "b", SpendingRate.parse(i % 2 == 0 ? "3" : "9"));
            turn(10_000);
        }
        Quote quote = market.quote(new QuoteRequest("a", SpendingRate.parse("1"), 400_000, Slots.ZERO));
        assertThat(quote.cost()).hasToString("40");
        assertThat(quote.affordable()).isTrue();
        // 2.5 slots while b pays 3, and 1 slot while b pays 9; a new rate applies after up to one epoch.
        assertThat(quote.shortest().orElseThrow()).isBetween(Duration.ofSeconds(160), Duration.ofSeconds(230));
        assertThat(quote.longest().orElseThrow()).isBetween(Duration.ofSeconds(225), Duration.ofSeconds(411));
        assertThat(market.forecast(Duration.ofSeconds(50), 5)).hasSize(5).allSatisfy(point -> {
            assertThat(point.low().nanos()).isLessThanOrEqualTo(point.middle().nanos());
            assertThat(point.middle().nanos()).isLessThanOrEqualTo(point.high().nanos());
        });
        assertThat(reason(() -> market.quote(new QuoteRequest("x", SpendingRate.ZERO, 1, Slots.ZERO))))
                .isEqualTo(Reason.UNKNOWN_QUEUE);
    }

    @Test
    void aFencedMarketSaysSo() throws Exception {
        queue("a", "1", "1");
        try (JournalStore other = new JournalStore(directory.resolve("ledger"), "test", false, LogPoint.Watcher.NONE)) {
            other.lead();
            assertThat(reason(() -> market.addBudget(by(), "a", Credits.of(1), "")))
                    .isEqualTo(Reason.NOT_LEADER);
            assertThat(market.status().store()).isEqualTo(StoreState.FENCED);
            assertThat(market.status().storeProblem()).contains("another leader");
            assertThat(market.queue("a").budget()).hasToString("1");
        }
    }

    @Test
    void anImportIsOneTransaction() throws Exception {
        queue("a", "1", "10");
        List<AccountImport> accounts = List.of(
                new AccountImport("a", Credits.of(5), SpendingRate.parse("2")),
                new AccountImport("b", Credits.of(7), SpendingRate.parse("0.5")),
                new AccountImport("c", Credits.ZERO, SpendingRate.ZERO));
        Mutation once = by();
        Receipt receipt = market.importAccounts(once, accounts);
        assertThat(receipt.balance()).hasToString("12");
        assertThat(market.queue("a").budget()).hasToString("15");
        assertThat(market.queue("a").rate()).hasToString("2");
        assertThat(market.queue("b").budget()).hasToString("7");
        assertThat(market.queue("b").rate()).hasToString("0.5");
        assertThat(market.queue("c").budget()).hasToString("0");
        assertThat(market.importAccounts(once, accounts).repeated()).isTrue();
        assertThat(market.queue("a").budget()).hasToString("15");
        List<AuditEntry> audit = market.audit(receipt.sequence() - 1, 10);
        assertThat(audit).hasSize(1);
        assertThat(audit.get(0).details()).containsEntry("account a", "5 2").containsEntry("account c", "0 0");
        market.close();
        open();
        assertThat(market.queue("b").budget()).hasToString("7");
    }

    @Test
    void anImportThatIsRefusedChangesNothing() throws Exception {
        queue("a", "1", "10");
        AccountImport good = new AccountImport("b", Credits.of(7), SpendingRate.ZERO);
        assertThatThrownBy(() -> market.importAccounts(
                        by(),
                        List.of(
                                good,
                                good,
                                new AccountImport("x.y", Credits.of(1), SpendingRate.ZERO),
                                new AccountImport("c", Credits.of(-1), SpendingRate.ZERO),
                                new AccountImport("d", Credits.of(1), SpendingRate.parse("1000001")))))
                .isInstanceOf(MarketException.class)
                .hasMessageContainingAll(
                        "Nothing was imported",
                        "'b' comes twice",
                        "'x.y' is not a queue",
                        "the budget -1 of 'c'",
                        "the rate 1000001 of 'd'");
        assertThat(reason(() -> market.importAccounts(
                        by(), List.of(good, new AccountImport("a", Credits.parse("9223372036"), SpendingRate.ZERO)))))
                .isEqualTo(Reason.OVERFLOW);
        assertThat(reason(() -> market.importAccounts(by(), List.of()))).isEqualTo(Reason.INVALID);
        assertThat(market.queues()).hasSize(1);
        assertThat(market.queue("a").budget()).hasToString("10");
        assertThat(market.status().moneySupply()).hasToString("10");
    }

    private List<String> lines(String reference) throws MarketException {
        return market.statement(StatementRange.first(reference, 0, Long.MAX_VALUE, 0, 100)).stream()
                .map(line -> line.kind() + " " + line.amount())
                .toList();
    }

    /** Bills of projects outlive their accounts, and whoever gets the name next does not read them. */
    @Test
    void aClosedAccountKeepsItsLinesAndANameThatIsOpenedAgainBeginsEmpty() throws Exception {
        queue("temp", "1", "50");
        market.removeQueue(by(), "temp");
        assertThat(lines("temp")).containsExactly("DEPOSIT 50", "CLOSING -50");
        String first = market.reference("temp");
        assertThat(first).matches("temp~[0-9]+");

        clock[0] += 1_000;
        queue("temp", "2", "7");
        assertThat(market.reference("temp")).isEqualTo("temp");
        assertThat(lines("temp")).containsExactly("DEPOSIT 7");
        assertThat(lines(first)).containsExactly("DEPOSIT 50", "CLOSING -50");
        assertThat(market.balances("temp", Instant.EPOCH, Instant.MAX, 10)).hasSize(1);
        market.removeQueue(by(), "temp");
        assertThat(lines("temp")).as("the one that was closed last").containsExactly("DEPOSIT 7", "CLOSING -7");
        assertThat(market.closedAccounts()).extracting("name").containsExactly("temp", "temp");
        assertThat(reason(() -> lines("temp~1"))).isEqualTo(Reason.UNKNOWN_QUEUE);
        assertThat(reason(() -> market.setSpending(by(), first, SpendingRate.ZERO)))
                .isEqualTo(Reason.UNKNOWN_QUEUE);

        market.close();
        market = new Market(
                TestTerms.PAPER.get(),
                new JournalStore(directory.resolve("ledger"), "test", false, LogPoint.Watcher.NONE),
                () -> clock[0],
                Duration.ofMinutes(2));
        market.open();
        assertThat(lines(first)).as("after a restart").containsExactly("DEPOSIT 50", "CLOSING -50");
    }
}
