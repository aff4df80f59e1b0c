// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.market;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.heddle.market.floor.ClosedEpoch;
import org.heddle.market.floor.FloorQueue;
import org.heddle.market.floor.Funds;
import org.heddle.market.floor.MarketFloor;
import org.heddle.market.floor.MarketOrder;
import org.heddle.market.floor.Steering;
import org.heddle.market.model.ChargePolicy;
import org.heddle.market.model.ExhaustionPolicy;
import org.heddle.market.model.MarketTerms;
import org.heddle.market.model.Metering;
import org.heddle.market.model.OutagePolicy;
import org.heddle.scheduler.engine.Claim;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.policy.DrfOrder;

/**
 * Times the boundary between two epochs: all that happens under the scheduler's lock. Every queue is active, pays and has
 * used two resources; bills are reckoned, balances moved, shares divided, debts settled and weights set. The books are
 * written by another thread and are not in it. Exit code 1 if a percentile is beyond its budget.
 */
public final class EpochTimes {
    private static final int WARM_UP = 300;
    private static final int ROUNDS = 1_000;
    private static final long INTERVAL = 20_000;

    private EpochTimes() {}

    public static void main(String[] args) {
        boolean good = measure(1_000, 1.0);
        good &= measure(10_000, 10.0);
        if (!good) {
            System.exit(1);
        }
    }

    private static boolean measure(int queues, double budgetMillis) {
        MarketTerms terms = new MarketTerms(
                "benchmark",
                INTERVAL,
                3_600_000,
                Metering.INTEGRAL,
                ChargePolicy.NONE,
                ExhaustionPolicy.FRACTIONAL,
                false,
                INTERVAL,
                10,
                OutagePolicy.CONTINUE_UNBILLED);
        long[] capacity = {40_000_000, 10_000};
        ShareEngine engine = new ShareEngine(2, new MarketOrder(), () -> true);
        engine.setCapacity(capacity, 1_000);
        MarketFloor floor = new MarketFloor(terms, new long[] {4_096, 1}, 0);
        floor.capacity(0, capacity);
        Steering steering = new Steering(engine, floor);
        DrfOrder withinQueue = new DrfOrder();
        SplittableRandom random = new SplittableRandom(queues);
        Map<String, Funds> purses = new HashMap<>();
        Map<FloorQueue, Claim> claims = new HashMap<>();
        for (int i = 0; i < queues; i++) {
            String name = "queue" + i;
            purses.put(name, new Funds(1_000_000_000_000_000L, 1 + random.nextLong(5_000_000_000L), 0));
            claims.put(floor.queue(name, 0), engine.addGroup(engine.root(), name, withinQueue, new double[] {0, 0}));
        }
        double[] millis = new double[ROUNDS];
        long now = 0;
        for (int round = -WARM_UP; round < ROUNDS; round++) {
            long use = now;
            claims.forEach((queue, claim) -> {
                floor.used(queue, use, new long[] {random.nextInt(80_000), random.nextInt(20)});
                queue.demand(3, random.nextInt(4));
            });
            now += INTERVAL;
            long begin = System.nanoTime();
            ClosedEpoch closed = floor.turn(now, name -> purses.getOrDefault(name, Funds.NONE), true);
            for (ClosedEpoch.Line bill : closed.bills()) {
                Funds has = purses.getOrDefault(bill.queue(), Funds.NONE);
                purses.put(bill.queue(), new Funds(bill.balanceNanos(), has.rateNanos(), bill.remainder()));
            }
            claims.forEach((queue, claim) -> steering.steer(claim, queue, withinQueue));
            if (round >= 0) {
                millis[round] = (System.nanoTime() - begin) / 1e6;
            }
        }
        Arrays.sort(millis);
        double p99 = millis[ROUNDS * 99 / 100];
        System.out.printf(
                "%6d active queues: median %.3f ms, p99 %.3f ms (budget %.1f ms), longest %.3f ms%n",
                queues, millis[ROUNDS / 2], p99, budgetMillis, millis[ROUNDS - 1]);
        return p99 < budgetMillis;
    }
}
