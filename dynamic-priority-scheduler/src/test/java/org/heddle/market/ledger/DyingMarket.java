// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.ledger;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;
import org.heddle.market.floor.MarketFloor;
import org.heddle.market.model.Credits;
import org.heddle.market.model.MarketTerms;
import org.heddle.market.model.Mutation;
import org.heddle.market.model.Receipt;
import org.heddle.market.model.SpendingRate;

/**
 * A process with a whole market that changes and charges as fast as it can, tells its parent what was acknowledged, and is
 * killed by it, or halts at a write point of its choice: {@code directory or jdbc-url, user, halt at (0: never), run}.
 */
public final class DyingMarket {
    static final String CLUSTER = "dying";
    static final String[] QUEUES = {"a", "b", "c"};

    private DyingMarket() {}

    static MarketTerms terms() {
        return MarketTerms.legacy(CLUSTER, 1_000);
    }

    static LedgerStore store(String place, String user, WritePoint.Watcher watcher) {
        return place.startsWith("jdbc:")
                ? new JdbcStore(place, user, "", CLUSTER, watcher)
                : new JournalStore(Path.of(place), CLUSTER, false, watcher);
    }

    public static void main(String[] args) throws Exception {
        int haltAt = Integer.parseInt(args[2]);
        int[] passed = {0};
        LedgerStore store = store(args[0], args[1], point -> {
            if (++passed[0] == haltAt) {
                Runtime.getRuntime().halt(137);
            }
        });
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        long[] clock = {1_700_000_000_000L};
        LedgerMarket market = new LedgerMarket(terms(), store, () -> clock[0], Duration.ofSeconds(30));
        market.open();
        MarketFloor floor = new MarketFloor(terms(), new long[] {1}, 0);
        floor.capacity(0, new long[] {30});
        String run = args[3];
        SplittableRandom random = new SplittableRandom(run.hashCode());
        for (String queue : QUEUES) {
            if (!market.accountNames().contains(queue)) {
                Receipt opened = market.addQueue(new Mutation("child", "test", run + "-open-" + queue), queue);
                out.println("ack " + run + "-open-" + queue + " " + opened.sequence() + " 0");
            }
            floor.queue(queue, 0);
        }
        out.println("ready");
        for (int i = 0; i < 100_000; i++) {
            String queue = QUEUES[random.nextInt(QUEUES.length)];
            String key = run + "-" + i;
            Mutation by = new Mutation("child", "test", key);
            long amount = 1L + random.nextInt(1_000_000_000);
            if (random.nextInt(3) == 0) {
                market.setSpending(by, queue, new SpendingRate(amount % 1_000_000_000));
                out.println("ack " + key + " 0 0");
            } else {
                Receipt paid = market.addBudget(by, queue, new Credits(amount), "");
                out.println("ack " + key + " " + paid.sequence() + " " + amount);
            }
            floor.used(floor.queue(queue, 0), clock[0] - 1_700_000_000_000L, new long[] {random.nextInt(12)});
            floor.queue(queue, 0).demand(1, 1);
            clock[0] += 700;
            market.turn(boundary -> boundary.turn(floor, clock[0] - 1_700_000_000_000L));
        }
    }
}
