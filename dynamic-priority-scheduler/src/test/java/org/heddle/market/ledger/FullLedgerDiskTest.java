// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.heddle.market.TestTerms;
import org.heddle.market.epoch.EpochMeter;
import org.heddle.market.epoch.QueueMeter;
import org.heddle.market.ledger.journal.JournalStore;
import org.heddle.market.model.amount.Credits;
import org.heddle.market.model.amount.SpendingRate;
import org.heddle.market.model.change.MarketException;
import org.heddle.market.model.change.MarketException.Reason;
import org.heddle.market.model.change.Mutation;
import org.heddle.market.model.status.StoreState;
import org.heddle.testkit.Await;
import org.heddle.testkit.machine.SmallDisk;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A ledger on a file system that is really full. */
class FullLedgerDiskTest {
    private static final String NOTE = "x".repeat(150);

    @Test
    void withRoomAgainTheMarketGoesOnByItself(@TempDir Path disk) throws Exception {
        SmallDisk.run(FullLedgerDiskTest.class, disk);
    }

    /** The program on the small disk. */
    public static void main(String[] args) throws Exception {
        Path disk = Path.of(args[0]);
        int payments;
        try (Market market = market(disk)) {
            market.open();
            market.addQueue(new Mutation("alice", "test", "queue"), "a");
            market.setSpending(new Mutation("alice", "test", "rate"), "a", SpendingRate.parse("1"));
            SmallDisk.fill(disk);
            payments = payUntilFull(market);
            await("outage", market, StoreState.OUTAGE);
            assertThat(market.status().storeProblem())
                    .startsWith(disk.resolve("ledger") + " cannot be written, because its disk")
                    .endsWith("make room on that disk");
            useFor(market, 30_000);
            SmallDisk.makeRoom(disk);
            await("room", market, StoreState.WORKING);
            pay(market, payments); // the one whose outcome was not known
            assertThat(market.queue("a").budget()).isEqualTo(Credits.of(payments - 3));
        }
        try (Market market = market(disk)) {
            market.open();
            assertThat(market.queue("a").budget()).isEqualTo(Credits.of(payments - 3));
        }
    }

    /** One slot, in intervals of 10 s that cost a credit each. */
    private static void useFor(Market market, long millis) {
        EpochMeter meter = new EpochMeter(market.status().terms(), new long[] {1}, 0);
        meter.setCapacity(0, new long[] {10});
        QueueMeter queue = meter.queue("a", 0);
        meter.setUsage(queue, 0, new long[] {1});
        queue.setDemand(1, 0);
        for (long now = 0; now <= millis; now += 10_000) {
            long end = now;
            market.rollOver(epochTerms -> epochTerms.rollOver(meter, end));
        }
    }

    private static Market market(Path disk) throws Exception {
        JournalStore store = new JournalStore(disk.resolve("ledger"), "test");
        return new Market(TestTerms.PAPER.get(), store, () -> 1_800_000_000_000L, Duration.ofMillis(300));
    }

    private static void await(String what, Market market, StoreState state) throws Exception {
        Await.until(what, Duration.ofSeconds(20), () -> market.status().store() == state);
    }

    private static int payUntilFull(Market market) throws MarketException {
        for (int payment = 1; payment < 1_000; payment++) {
            try {
                pay(market, payment);
            } catch (MarketException e) {
                assertThat(e.reason()).isEqualTo(Reason.OUTCOME_UNKNOWN);
                return payment;
            }
        }
        throw new AssertionError("the disk does not become full");
    }

    private static void pay(Market market, int payment) throws MarketException {
        market.addBudget(new Mutation("alice", "test", "payment " + payment), "a", Credits.of(1), NOTE);
    }
}
