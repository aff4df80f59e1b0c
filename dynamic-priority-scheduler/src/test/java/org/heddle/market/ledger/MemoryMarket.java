// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.heddle.market.epoch.ClosedEpoch;
import org.heddle.market.epoch.EpochMeter;
import org.heddle.market.epoch.QueueMeter;
import org.heddle.market.ledger.book.LedgerChange;
import org.heddle.market.ledger.book.Posting;
import org.heddle.market.ledger.book.Transaction;
import org.heddle.market.model.amount.Credits;
import org.heddle.market.model.status.PreemptionLimit;
import org.heddle.market.model.status.StoreState;
import org.heddle.market.model.terms.ChargePolicy;
import org.heddle.market.model.terms.MarketTerms;
import org.heddle.market.model.terms.OutagePolicy;
import org.heddle.testkit.Await;

/**
 * A market whose ledger is in memory and can fail, for tests of REST, pages and commands: 15 slots, accounts that hold
 * one or two of them and wait for more, and a past of {@value #PAST} epochs in which nobody paid. Each account begins
 * with 1,000 credits.
 */
public final class MemoryMarket implements AutoCloseable {
    public static final String CLUSTER = "spruce";
    /** Closed epochs. */
    public static final int PAST = 120;

    private static final long INTERVAL = 20_000;
    private static final long HOUR = 3_600_000;
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(60);
    private static final MarketTerms TERMS = new MarketTerms(
            CLUSTER, INTERVAL, HOUR, ChargePolicy.NONE, MarketTerms.MAX_DEFICIT_INTERVALS, OutagePolicy.CONTINUE);

    private final MemoryStore store = new MemoryStore();
    private final AtomicBoolean broken = new AtomicBoolean();
    private final EpochMeter meter = new EpochMeter(TERMS, new long[] {1}, 0);
    /** How far the wall clock is behind, while the past is written. */
    private final AtomicLong behind = new AtomicLong(PAST * INTERVAL);

    private long now;
    private Market market;

    public MemoryMarket(String... queues) throws IOException {
        List<Posting> postings = new ArrayList<>();
        List<LedgerChange> changes = new ArrayList<>();
        long budget = Credits.of(1_000).nanos();
        for (String queue : queues) {
            changes.add(new LedgerChange.QueueOpened(queue));
            postings.add(new Posting(Posting.MINT, -budget, 0));
            postings.add(new Posting(queue, budget, budget));
        }
        long begun = System.currentTimeMillis() - behind.get();
        store.append(List.of(
                new Transaction(1, begun, Transaction.Kind.OPENING, "to begin with", postings, changes, null, null)));
        market = open();
        meter.setCapacity(0, new long[] {15});
        for (int i = 0; i < queues.length; i++) {
            QueueMeter queue = meter.queue(queues[i], 0);
            meter.setUsage(queue, 0, new long[] {i == 0 || i > 4 ? 1 : 2});
            queue.setDemand(1, 43);
        }
        for (int i = 0; i < 3; i++) {
            meter.preempted(new long[] {1}, 72_000);
        }
        meter.setPreemptionLimit(new PreemptionLimit(0.0075, 60_000, 135_000, 2, 96_000));
        for (int i = 0; i < PAST; i++) {
            behind.addAndGet(-INTERVAL);
            rollOver();
        }
        settle(PAST + 1);
    }

    private Market open() throws IOException {
        Market opened = new Market(
                TERMS,
                new FailingStore(store, broken::get),
                () -> System.currentTimeMillis() - behind.get(),
                LONGEST_WAIT);
        opened.open();
        return opened;
    }

    public Market market() {
        return market;
    }

    /** The next epoch begins: bids count, and use is charged. */
    public void turn() {
        long epoch = market.status().epoch();
        for (String account : market.accountNames()) {
            if (meter.find(account) == null) {
                meter.queue(account, now).setDemand(0, 43);
            }
        }
        rollOver();
        settle(epoch + 1);
    }

    private void rollOver() {
        now += INTERVAL;
        market.rollOver(terms -> {
            ClosedEpoch closed = terms.rollOver(meter, now);
            return closed.with(
                    closed.bills().stream().map(MemoryMarket::withApplications).toList());
        });
    }

    /** Three quarters of a bill are those of one job. */
    private static ClosedEpoch.Line withApplications(ClosedEpoch.Line bill) {
        long most = bill.chargeNanos() / 4 * 3;
        long time = bill.slotMillis() / 4 * 3;
        return bill.with(List.of(
                new ClosedEpoch.ApplicationCharge("application_1_0001", "=nightly", bill.queue(), time, most),
                new ClosedEpoch.ApplicationCharge("", "", "", bill.slotMillis() - time, bill.chargeNanos() - most)));
    }

    private void settle(long epoch) {
        Await.until(
                "the ledger to have epoch " + epoch,
                Duration.ofSeconds(60),
                () -> market.status().epoch() == epoch);
        market.publish(meter.snapshot(now));
    }

    /** The same ledger, opened by another process. */
    public Market another() throws IOException {
        market.close();
        market = open();
        market.publish(meter.snapshot(now));
        return market;
    }

    /** From now on nothing can be written. */
    public void fail() {
        broken.set(true);
        rollOver();
        await(StoreState.OUTAGE);
    }

    public void recover() {
        broken.set(false);
        await(StoreState.WORKING);
    }

    private void await(StoreState state) {
        Await.until(
                "the store to be " + state,
                Duration.ofSeconds(60),
                () -> market.status().store() == state);
    }

    @Override
    public void close() throws IOException {
        market.close();
    }
}
