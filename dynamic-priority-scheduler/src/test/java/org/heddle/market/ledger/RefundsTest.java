// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.heddle.journal.LogPoint;
import org.heddle.market.TestTerms;
import org.heddle.market.epoch.ClosedEpoch;
import org.heddle.market.ledger.journal.JournalStore;
import org.heddle.market.model.amount.Credits;
import org.heddle.market.model.amount.SpendingRate;
import org.heddle.market.model.change.LostAttempt;
import org.heddle.market.model.change.MarketException;
import org.heddle.market.model.change.MarketRecord;
import org.heddle.market.model.change.Mutation;
import org.heddle.market.model.change.StatementLine;
import org.heddle.market.model.change.StatementRange;
import org.heddle.market.model.status.StoreState;
import org.heddle.market.model.terms.OutagePolicy;
import org.heddle.testkit.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What containers cost that the cluster ended: an application of 5 slots is charged 5 credits in each epoch of 10 s. */
class RefundsTest {
    private static final long SLOT = 1_000_000_000;
    private static final long EPOCH = 10_000;
    private static final String APPLICATION = "application_1_0001";

    @TempDir
    Path directory;

    private final AtomicInteger answers = new AtomicInteger();
    private volatile int brokenFrom = Integer.MAX_VALUE;

    @SuppressWarnings("NullAway.Init")
    private Market market;

    private int requests;
    private long balance = 100 * Credits.NANOS;

    @BeforeEach
    void begin() throws Exception {
        open();
        market.addQueue(by(), "a");
        market.setSpending(by(), "a", SpendingRate.parse("1"));
        market.addBudget(by(), "a", new Credits(balance), "to begin with");
    }

    private void open() throws Exception {
        JournalStore store = new JournalStore(directory.resolve("ledger"), "test", false, LogPoint.Watcher.NONE);
        market = new Market(
                TestTerms.PAPER.with(OutagePolicy.CONTINUE),
                new FailingStore(store, () -> answers.incrementAndGet() >= brokenFrom),
                () -> 1_700_000_000_000L,
                Duration.ofSeconds(20));
        market.open();
    }

    @AfterEach
    void close() throws Exception {
        market.close();
    }

    private Mutation by() {
        return new Mutation("alice", "test", "request " + ++requests);
    }

    /** An epoch in which the application used 5 slots. */
    private void epoch(long chargeNanos) {
        balance -= chargeNanos;
        long after = balance;
        ClosedEpoch.ApplicationCharge part =
                new ClosedEpoch.ApplicationCharge(APPLICATION, "sort", "alice", 5 * EPOCH, chargeNanos);
        ClosedEpoch.Line bill = new ClosedEpoch.Line("a", SLOT, 5 * EPOCH, chargeNanos, 0, 0, after, List.of(part));
        market.rollOver(terms -> new ClosedEpoch(EPOCH, SLOT, 10 * SLOT, 5 * SLOT, 1, List.of(bill)));
    }

    private void lost(String container, boolean preempted, long slots, long heldMillis, long beforeMillis) {
        market.refund(new LostAttempt(container, APPLICATION, "a", preempted, slots * SLOT, heldMillis, beforeMillis));
    }

    private void settle() throws MarketException {
        market.record(by(), "wait", "bills"); // changes are stored in order,
        market.record(by(), "wait", "refunds"); // and refunds are accepted when bills are stored
    }

    private List<String> refunds() throws MarketException {
        settle();
        return market.statement(StatementRange.first("a", 0, Long.MAX_VALUE, 0, 1_000)).stream()
                .filter(line -> line.kind() == StatementLine.Kind.REFUND)
                .map(line -> line.amount() + " " + line.text())
                .toList();
    }

    @Test
    void aContainerCostsItsPartOfEachEpoch() throws Exception {
        epoch(5 * SLOT);
        lost("container_1", false, 1, 15_000, 2_000); // 8 s of this epoch, 7 s of the one before
        epoch(5 * SLOT);
        assertThat(refunds()).containsExactly("1.5 application_1_0001: 1 container lost");
        assertThat(market.queue("a").budget()).hasToString("91.5");
        assertThat(market.status().revenue()).hasToString("8.5");
        assertThat(market.records(LostAttempt.KIND)).isEmpty();
    }

    @Test
    void anApplicationThatIsLostWhollyCostsNothing() throws Exception {
        epoch(3_333_333_333L);
        lost("container_1", false, 2, EPOCH, 0);
        lost("container_2", true, 3, EPOCH, 0);
        epoch(1_666_666_667L);
        assertThat(refunds())
                .containsExactly("1.666666667 application_1_0001: 1 container lost, 1 container preempted");
        assertThat(market.queue("a").budget()).hasToString("96.666666667");
    }

    @Test
    void aContainerIsGivenBackWhatTheAccountPaidAndNoMore() throws Exception {
        lost("container_1", true, 4, 3_600_000, 0); // longer than this market exists
        lost("container_2", true, 4, 3_600_000, 0);
        epoch(SLOT);
        assertThat(refunds()).containsExactly("1 application_1_0001: 2 containers preempted");
        lost("container_3", true, 4, 3_600_000, 0);
        epoch(0);
        settle();
        assertThat(market.records(LostAttempt.KIND)).isEmpty();
        assertThat(market.status().revenue().nanos()).isNotNegative();
    }

    /** The process ends when the bill is written, or when the refund is written; and once more later. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void eachIsPaidOnceOverRestarts(int answer) throws Exception {
        epoch(5 * SLOT);
        settle();
        lost("container_1", false, 1, 2_000, 0);
        brokenFrom = answers.get() + answer;
        epoch(5 * SLOT);
        Await.until(
                "the store fails", Duration.ofSeconds(20), () -> market.status().store() == StoreState.OUTAGE);
        for (int restart = 0; restart < 2; restart++) {
            market.close();
            brokenFrom = Integer.MAX_VALUE;
            open();
            balance = market.queue("a").budget().nanos();
            epoch(0);
            assertThat(refunds()).containsExactly("0.2 application_1_0001: 1 container lost");
            assertThat(market.queue("a").budget()).hasToString("90.2");
        }
    }

    @Test
    void aRecordOfALaterVersionIsLeftAlone() throws Exception {
        MarketRecord later = new MarketRecord(LostAttempt.KIND, "container_9", "2 something else");
        market.record(new Mutation("alice", "test", "later", List.of(later)), "test", "record");
        epoch(SLOT);
        settle();
        assertThat(market.records(LostAttempt.KIND)).containsOnlyKeys("container_9");
        assertThatThrownBy(() -> LostAttempt.Due.parse(later)).hasMessageContaining("format '2'");
    }
}
