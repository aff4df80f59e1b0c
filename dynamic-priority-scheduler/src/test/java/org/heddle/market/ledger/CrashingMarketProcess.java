// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.heddle.journal.LogPoint;
import org.heddle.market.TestTerms;
import org.heddle.market.epoch.EpochMeter;
import org.heddle.market.ledger.book.LedgerStore;
import org.heddle.market.ledger.jdbc.JdbcStore;
import org.heddle.market.ledger.journal.JournalStore;
import org.heddle.market.model.amount.Credits;
import org.heddle.market.model.amount.SpendingRate;
import org.heddle.market.model.change.MarketException;
import org.heddle.market.model.change.Mutation;
import org.heddle.market.model.change.Receipt;
import org.heddle.market.model.terms.MarketTerms;
import org.jspecify.annotations.Nullable;

/**
 * A process with a whole market that changes and charges as fast as it can, tells its parent what was acknowledged, and
 * is killed by it, or halts where it is told to: {@code directory or jdbc-url, user, cluster, fail point or ANY, how
 * many times to pass it before (0: never halt), run}. Where it is told a point it also drops what is old. One that has
 * not come to its point in good time ends with 3.
 */
public final class CrashingMarketProcess {
    static final String ANY = "any";
    static final int NEVER_CAME_BY = 3;
    private static final int LONG_ENOUGH = 300;
    private static final int ROLL_AFTER = 25;
    private static final Set<MarketException.Reason> OUTAGE =
            EnumSet.of(MarketException.Reason.STORE_OUTAGE, MarketException.Reason.OUTCOME_UNKNOWN);
    /** In tries of 20 ms: a database that recovers on a busy disk takes minutes. */
    private static final int LONGEST_OUTAGE = 20_000;

    private static final long OUTAGE_NANOS = 20_000_000;
    private static final Duration KEPT = Duration.ofSeconds(20);
    private static final String[] QUEUES = {"a", "b", "c"};

    private CrashingMarketProcess() {}

    /** @param clock of the market; null for a store that drops nothing */
    static LedgerStore store(
            String place, String user, String cluster, LogPoint.Watcher watcher, @Nullable LongSupplier clock) {
        if (place.startsWith("jdbc:")) {
            JdbcStore rows = new JdbcStore(place, user, "", cluster, watcher);
            return clock == null ? rows : rows.keeping(KEPT, clock);
        }
        JournalStore files =
                new JournalStore(Path.of(place, cluster), cluster, false, watcher).rollingAfter(ROLL_AFTER);
        // Files are as old as their last change really is.
        return clock == null ? files : files.keeping(Duration.ofMillis(1), System::currentTimeMillis);
    }

    public static void main(String[] args) throws Exception {
        String haltAt = args[3];
        int times = Integer.parseInt(args[4]);
        int[] passed = {0};
        long[] clock = {1_700_000_000_000L};
        LogPoint.Watcher watcher = point -> {
            if ((haltAt.equals(ANY) || haltAt.equals(point.name())) && ++passed[0] == times) {
                Runtime.getRuntime().halt(137);
            }
        };
        LedgerStore store = store(args[0], args[1], args[2], watcher, haltAt.equals(ANY) ? null : () -> clock[0]);
        MarketTerms terms = TestTerms.paper(args[2], 1_000);
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        Market market = new Market(terms, store, () -> clock[0], Duration.ofSeconds(30));
        market.open();
        EpochMeter meter = new EpochMeter(terms, new long[] {1}, 0);
        meter.setCapacity(0, new long[] {30});
        String run = args[5];
        SplittableRandom random = new SplittableRandom(run.hashCode());
        for (String queue : QUEUES) {
            if (!market.accountNames().contains(queue)) {
                Receipt opened = market.addQueue(new Mutation("child", "test", run + "-open-" + queue), queue);
                out.println("ack " + run + "-open-" + queue + " " + opened.sequence() + " 0");
            }
            meter.queue(queue, 0);
        }
        out.println("ready");
        for (int i = 0; i < (times == 0 ? Integer.MAX_VALUE : LONG_ENOUGH); i++) {
            String queue = QUEUES[random.nextInt(QUEUES.length)];
            String key = run + "-" + i;
            Mutation by = new Mutation("child", "test", key);
            long amount = 1L + random.nextInt(1_000_000_000);
            boolean rate = random.nextInt(3) == 0;
            if (out.checkError()) {
                Runtime.getRuntime().halt(NEVER_CAME_BY); // the reader is gone
            }
            for (int tries = 1; ; tries++) {
                try {
                    if (rate) {
                        market.setSpending(by, queue, new SpendingRate(amount % 1_000_000_000));
                        out.println("ack " + key + " 0 0");
                    } else {
                        Receipt paid = market.addBudget(by, queue, new Credits(amount), "");
                        out.println("ack " + key + " " + paid.sequence() + " " + amount);
                    }
                    break;
                } catch (MarketException e) {
                    if (!OUTAGE.contains(e.reason())) {
                        throw e;
                    }
                    if (tries == LONGEST_OUTAGE) {
                        Runtime.getRuntime().halt(NEVER_CAME_BY);
                    }
                    LockSupport.parkNanos(OUTAGE_NANOS); // then the same request again, as a client would
                }
            }
            meter.setUsage(meter.queue(queue, 0), clock[0] - 1_700_000_000_000L, new long[] {random.nextInt(12)});
            meter.queue(queue, 0).setDemand(1, 1);
            clock[0] += 700;
            market.rollOver(epochTerms -> epochTerms.rollOver(meter, clock[0] - 1_700_000_000_000L));
        }
        Runtime.getRuntime().halt(NEVER_CAME_BY);
    }
}
