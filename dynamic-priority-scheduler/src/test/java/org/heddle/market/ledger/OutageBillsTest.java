// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.heddle.journal.LogPoint;
import org.heddle.market.TestTerms;
import org.heddle.market.epoch.EpochMeter;
import org.heddle.market.epoch.QueueMeter;
import org.heddle.market.ledger.journal.JournalStore;
import org.heddle.market.model.amount.Credits;
import org.heddle.market.model.amount.SpendingRate;
import org.heddle.market.model.change.MarketException;
import org.heddle.market.model.change.Mutation;
import org.heddle.market.model.change.StatementLine;
import org.heddle.market.model.change.StatementRange;
import org.heddle.market.model.status.StoreState;
import org.heddle.market.model.terms.OutagePolicy;
import org.heddle.testkit.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is used while the ledger cannot be written: 5 slots at a rate of 1 cost 5 credits in each interval of 10 s. */
class OutageBillsTest {
    private static final long START = 1_700_000_000_000L;
    private static final long INTERVAL = 10_000;

    @TempDir
    Path directory;

    private final long[] clock = {START};
    private volatile boolean broken;

    @SuppressWarnings("NullAway.Init") // each test opens one
    private Market market;

    @SuppressWarnings("NullAway.Init")
    private EpochMeter meter;

    private int requests;

    /** A market as a process opens it; its meters begin now. */
    private void open(OutagePolicy policy) throws Exception {
        JournalStore store = new JournalStore(directory.resolve("ledger"), "test", false, LogPoint.Watcher.NONE);
        market = new Market(
                TestTerms.PAPER.with(policy),
                new FailingStore(store, () -> broken),
                () -> clock[0],
                Duration.ofMinutes(2));
        market.open();
        meter = new EpochMeter(market.status().terms(), new long[] {1}, millis());
        meter.setCapacity(millis(), new long[] {10});
    }

    /** An interval before the outage, in which the queue a used 5 slots. */
    private void openWithUse(OutagePolicy policy, long budget) throws Exception {
        open(policy);
        market.addQueue(by(), "a");
        market.setSpending(by(), "a", SpendingRate.parse("1"));
        market.addBudget(by(), "a", Credits.of(budget), "to begin with");
        uses(5);
        end(0);
        end(INTERVAL);
        settle();
    }

    @AfterEach
    void close() throws Exception {
        market.close();
    }

    private long millis() {
        return clock[0] - START;
    }

    private Mutation by() {
        return new Mutation("alice", "test", "request " + ++requests);
    }

    private void uses(long slots) {
        QueueMeter queue = meter.queue("a", millis());
        meter.setUsage(queue, millis(), new long[] {slots});
        queue.setDemand(slots, 5);
    }

    private void end(long later) {
        clock[0] += later;
        market.rollOver(epochTerms -> epochTerms.rollOver(meter, millis()));
    }

    /** Waits until all accepted bills are written. */
    private void settle() throws MarketException {
        market.record(by(), "wait", "bills");
    }

    private void breakDown() throws Exception {
        broken = true;
        end(INTERVAL);
        await(StoreState.OUTAGE);
        assertThatThrownBy(() -> market.addBudget(by(), "a", Credits.of(1), ""))
                .isInstanceOf(MarketException.class)
                .extracting("reason")
                .isEqualTo(MarketException.Reason.STORE_OUTAGE);
        assertThat(market.status().storeProblem()).contains("no space left");
    }

    private void repair() throws Exception {
        broken = false;
        await(StoreState.WORKING);
    }

    private void await(StoreState state) throws Exception {
        Await.until(
                "the store is " + state,
                Duration.ofSeconds(20),
                () -> market.status().store() == state);
    }

    private List<StatementLine> charges() throws MarketException {
        return market.statement(StatementRange.first("a", 0, Long.MAX_VALUE, 0, 1_000)).stream()
                .filter(line -> line.kind() != StatementLine.Kind.DEPOSIT)
                .toList();
    }

    private void assertBudget(String credits) throws MarketException {
        assertThat(market.queue("a").budget()).hasToString(credits);
    }

    @Test
    void eachIntervalIsBilledWhenTheStoreWorksAgain() throws Exception {
        openWithUse(OutagePolicy.CONTINUE, 100);
        assertBudget("95");
        breakDown();
        end(INTERVAL);
        uses(2);
        end(INTERVAL);
        assertBudget("95");
        repair();
        end(INTERVAL);
        settle();
        assertThat(charges())
                .extracting(line -> line.amount().toString())
                .containsExactly("-5", "-5", "-5", "-2", "-2");
        assertBudget("81");
        assertThat(market.status().unbilledEpochs()).isZero();
    }

    @Test
    void creditThatEndsInAnOutageIsChargedExactly() throws Exception {
        openWithUse(OutagePolicy.CONTINUE, 17);
        breakDown();
        for (int i = 0; i < 5; i++) {
            end(INTERVAL);
        }
        repair();
        settle();
        assertThat(charges())
                .extracting(line -> line.kind() + " " + line.amount())
                .containsExactly("CHARGE -5", "CHARGE -5", "CHARGE -5", "CHARGE -2", "WAIVER 3");
        assertBudget("0");
    }

    /** Memory is bounded: after a hundred bills the last interval goes on. Its bill has all use, too. */
    @Test
    void aLongOutageIsBilledToo() throws Exception {
        openWithUse(OutagePolicy.CONTINUE, 10_000);
        breakDown();
        for (int i = 0; i < 500; i++) {
            end(INTERVAL);
        }
        repair();
        end(INTERVAL);
        settle();
        assertBudget(String.valueOf(10_000 - 503 * 5));
        assertThat(charges()).hasSizeBetween(95, 105);
    }

    @Test
    void frozenRatesBillOneLongInterval() throws Exception {
        openWithUse(OutagePolicy.FREEZE_RATES, 100);
        breakDown();
        end(INTERVAL);
        end(INTERVAL);
        repair();
        end(INTERVAL);
        settle();
        assertThat(charges()).extracting(line -> line.amount().toString()).containsExactly("-5", "-5", "-15");
    }

    @Test
    void withoutSharesOnlyTheIntervalThatHadSomeIsBilled() throws Exception {
        openWithUse(OutagePolicy.FIFO, 100);
        breakDown();
        end(INTERVAL);
        end(INTERVAL);
        end(INTERVAL);
        repair();
        end(INTERVAL);
        end(INTERVAL);
        settle();
        assertThat(charges()).extracting(line -> line.amount().toString()).containsExactly("-5", "-5", "-5", "-5");
    }

    @Test
    void useThatNobodyMeasuredIsTold() throws Exception {
        openWithUse(OutagePolicy.CONTINUE, 100);
        assertThat(market.status().unmeasured()).as("a new ledger").isEmpty();
        breakDown();
        end(INTERVAL);
        market.close();
        clock[0] = START + 90_500;
        broken = false;
        open(OutagePolicy.CONTINUE);
        assertThat(market.status().unmeasured())
                .isEqualTo("Use from 2023-11-14T22:13:40Z to 2023-11-14T22:14:50Z is in no bill, because no market that"
                        + " could write the ledger measured it");
        assertBudget("90");
        clock[0] += Duration.ofDays(1).toMillis();
        assertThat(market.status().unmeasured()).as("a day later").isEmpty();
    }

    @Test
    void aShortRestartIsNotTold() throws Exception {
        openWithUse(OutagePolicy.CONTINUE, 100);
        market.close();
        clock[0] += INTERVAL / 2;
        open(OutagePolicy.CONTINUE);
        assertThat(market.status().unmeasured()).isEmpty();
    }
}
