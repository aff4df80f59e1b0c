// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.heddle.market.ledger.book.LedgerChange;
import org.heddle.market.ledger.book.LedgerState;
import org.heddle.market.ledger.book.Transaction;
import org.heddle.market.model.amount.Credits;
import org.heddle.market.model.change.IncomeSchedule;
import org.heddle.market.model.change.IncomeTerms;
import org.heddle.market.model.change.MarketException;
import org.heddle.market.model.change.MarketRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Due times of incomes: starts in the past, and times without a leader. */
class IncomesTest {
    private static final long NOW = 1_795_000_000_000L;
    private static final long HOUR = 3_600_000;

    private final LedgerState ledger = new LedgerState();
    private long slotNanos;

    IncomesTest() {
        apply(new LedgerChange.QueueOpened("bob"));
    }

    private void apply(LedgerChange change) {
        ledger.apply(new Transaction(
                ledger.sequence() + 1, NOW, Transaction.Kind.SCHEDULE, "", List.of(), List.of(change), null, null));
    }

    private static IncomeSchedule income(long startMillis, Duration every, String cap) {
        return new IncomeSchedule(
                "slip",
                Credits.of(10),
                every,
                Map.of("bob", 1L),
                Instant.ofEpochMilli(startMillis),
                Credits.parse(cap));
    }

    private void set(IncomeSchedule schedule) throws MarketException {
        Incomes.setting(schedule, NOW).draft(ledger).changes().forEach(this::apply);
    }

    /** Pays all that is due. @return the texts of the transactions */
    private List<String> pay(long nowMillis) {
        List<String> texts = new java.util.ArrayList<>();
        for (Transaction due = due(nowMillis); due != null; due = due(nowMillis)) {
            ledger.apply(due);
            texts.add(due.text());
        }
        return texts;
    }

    private @Nullable Transaction due(long nowMillis) {
        return Incomes.due(ledger, nowMillis, () -> slotNanos);
    }

    private Credits balance() {
        return new Credits(java.util.Objects.requireNonNull(ledger.find("bob")).balanceNanos());
    }

    @Test
    void aStartInSecondsInsteadOfMillisecondsIsRefusedAndNamed() {
        assertThatThrownBy(() -> set(income(NOW / 1_000, Duration.ofHours(1), "0")))
                .isInstanceOf(MarketException.class)
                .hasMessage("Income slip starts at 1795000000 ms (1970-01-21T18:36:40Z), which is more than one period"
                        + " of 3600 s ago; that looks like seconds instead of milliseconds: use 1795000000000 ms"
                        + " (2026-11-18T11:06:40Z)");
        assertThatThrownBy(() -> set(income(0, Duration.ofSeconds(1), "0")))
                .hasMessage("Income slip starts at 0 ms (1970-01-01T00:00:00Z), which is more than one period of 1 s"
                        + " ago; use a later start, or none to start now");
        assertThat(pay(NOW)).isEmpty();
    }

    @Test
    void aStartWithinTheLastPeriodBeginsWithTheNextDueTime() throws Exception {
        set(income(NOW - HOUR / 2, Duration.ofHours(1), "0"));
        assertThat(pay(NOW)).isEmpty();
        assertThat(pay(NOW + HOUR / 2)).containsExactly("income slip");
        assertThat(balance()).hasToString("10");
    }

    @Test
    void aStartOfThisMomentIsPaidOnce() throws Exception {
        set(income(NOW - 20, Duration.ofHours(1), "0"));
        assertThat(pay(NOW)).containsExactly("income slip");
        set(income(NOW - 500, Duration.ofSeconds(1), "0"));
        assertThat(pay(NOW)).containsExactly("income slip");
        assertThat(balance()).hasToString("20");
    }

    @Test
    void aChangedAmountKeepsTheDueTimesOfAnOldSchedule() throws Exception {
        set(income(NOW, Duration.ofHours(1), "0"));
        pay(NOW + 5 * HOUR);
        IncomeSchedule old = income(NOW, Duration.ofHours(1), "1000");
        Incomes.setting(old, NOW + 5 * HOUR + 1).draft(ledger).changes().forEach(this::apply);
        assertThat(pay(NOW + 5 * HOUR + 1)).isEmpty();
        assertThat(pay(NOW + 6 * HOUR)).containsExactly("income slip");
    }

    @Test
    void missedPaymentsOfAWeekAreMadeUpForInOneTransaction() throws Exception {
        set(income(NOW, Duration.ofSeconds(1), "0"));
        long back = NOW + Duration.ofDays(400).toMillis();
        assertThat(pay(back)).containsExactly("income slip, 604801 payments, 33955200 older ones not made up for");
        assertThat(balance()).hasToString("6048010");
        assertThat(pay(back + 1_000)).containsExactly("income slip");
    }

    @Test
    void theLatestPaymentOfALongPeriodIsMadeHoweverOldItIs() throws Exception {
        set(income(NOW + HOUR, Duration.ofDays(90), "0"));
        assertThat(pay(NOW + Duration.ofDays(30).toMillis())).containsExactly("income slip");
        assertThat(balance()).hasToString("10");
    }

    @Test
    void theCapHoldsForPaymentsThatAreMadeUpFor() throws Exception {
        set(income(NOW, Duration.ofHours(1), "25"));
        assertThat(pay(NOW + 9 * HOUR)).containsExactly("income slip, 10 payments");
        assertThat(balance()).hasToString("25");
        ledger.check();
    }

    private static long at(String time) {
        return Instant.parse(time).toEpochMilli();
    }

    /** In Berlin a month begins at 23:00 of the day before in winter, and at 22:00 in summer. */
    @Test
    void aMonthlyIncomeIsPaidWhenTheMonthBeginsInItsZone() throws Exception {
        IncomeTerms berlin = new IncomeTerms("Europe/Berlin", false, IncomeTerms.ALL);
        set(income(NOW, IncomeSchedule.MONTH, "0").with(berlin)); // 2026-11-18
        assertThat(Incomes.all(ledger)).singleElement().extracting("terms").isEqualTo(berlin);
        assertThat(pay(at("2026-11-30T22:59:59Z"))).isEmpty();
        assertThat(pay(at("2026-11-30T23:00:00Z"))).containsExactly("income slip");
        assertThat(pay(at("2026-12-31T22:59:59Z"))).isEmpty();
        assertThat(pay(at("2027-03-31T21:59:59Z"))).as("of three the latest").containsExactly("income slip");
        assertThat(pay(at("2027-03-31T22:00:00Z"))).containsExactly("income slip");
        assertThat(balance()).hasToString("30");
        set(income(NOW, IncomeSchedule.MONTH, "0").with(berlin));
        assertThat(pay(at("2027-04-30T21:59:59Z")))
                .as("set again, and not paid twice")
                .isEmpty();

        set(income(NOW, Duration.ofHours(1), "0"));
        assertThat(Incomes.all(ledger)).singleElement().extracting("terms").isEqualTo(IncomeTerms.NONE);
        Incomes.removal("slip").draft(ledger).changes().forEach(this::apply);
        assertThat(ledger.records(IncomeTerms.KIND)).isEmpty();
    }

    @Test
    void anIncomeOfEachSlotGrowsWithTheCluster() throws Exception {
        set(income(NOW, Duration.ofHours(1), "0").with(new IncomeTerms("", true, IncomeTerms.ALL)));
        assertThat(pay(NOW)).as("the cluster's size is not known").isEmpty();
        slotNanos = 2_500_000_000L;
        assertThat(pay(NOW)).containsExactly("income slip");
        assertThat(balance()).hasToString("25");
        slotNanos *= 2;
        pay(NOW + HOUR);
        assertThat(balance()).hasToString("75");
        ledger.check();
    }

    @Test
    void whatIsNotSpentRollsOverAsOftenAsItMay() throws Exception {
        set(income(NOW, Duration.ofHours(1), "0").with(new IncomeTerms("", false, 1)));
        pay(NOW + 5 * HOUR);
        assertThat(balance()).as("one payment, and one that rolled over").hasToString("20");
        set(income(NOW, Duration.ofHours(1), "0").with(new IncomeTerms("", false, 0)));
        pay(NOW + 6 * HOUR);
        assertThat(balance()).as("nothing is taken away").hasToString("20");
    }

    @Test
    void wrongTermsAreRefused() {
        assertThatThrownBy(() -> new IncomeTerms("Mars/Base", false, 0)).hasMessageContaining("is no time zone");
        assertThatThrownBy(() -> new IncomeTerms("", false, -2)).hasMessageContaining("use 0 to 1000");
        assertThatThrownBy(() -> IncomeTerms.parse(new MarketRecord(IncomeTerms.KIND, "slip", "9 all 1 UTC")))
                .hasMessageContaining("format '9'");
    }

    @Test
    void aWithdrawalUndoesAnIncome() throws Exception {
        set(income(NOW, Duration.ofHours(1), "0"));
        pay(NOW + 2 * HOUR);
        LedgerWriter.Draft back = LedgerOperations.withdrawal("bob", Credits.of(30), "wrong income")
                .draft(ledger);
        ledger.apply(new Transaction(
                ledger.sequence() + 1, NOW, back.kind(), back.text(), back.postings(), back.changes(), null, null));
        assertThat(balance()).isEqualTo(Credits.ZERO);
        ledger.check();
    }
}
