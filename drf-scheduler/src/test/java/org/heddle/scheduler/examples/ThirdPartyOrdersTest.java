// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.heddle.scheduler.engine.Claim;
import org.heddle.scheduler.engine.Placer;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.engine.Trial;
import org.heddle.scheduler.policy.DrfOrder;
import org.heddle.scheduler.policy.ShareOrders;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The SPI carries orders that draw lots and orders that look at what fits. */
@Tag("pure")
class ThirdPartyOrdersTest {
    private static final long PLENTY = 1_000_000;

    @TempDir
    Path jar;

    private static double[] weight(double value) {
        return new double[] {value, value};
    }

    private static Placer first(ShareEngine engine) {
        return (app, gate) ->
                engine.asks(app).stream().filter(gate::admits).findFirst().orElse(null);
    }

    /** 20,000 draws with 1, 2 and 5 tickets of 8: each within five standard deviations (0.018 at most). */
    @Test
    void lotteryDrawsInProportionToTickets() {
        ShareEngine engine = new ShareEngine(2, new LotteryOrder(new SplittableRandom(7)), () -> true);
        engine.setCapacity(new long[] {100, 100}, 1);
        double[] tickets = {1, 2, 5};
        List<Claim> users = new ArrayList<>();
        for (double ticket : tickets) {
            Claim user = engine.addApplication(engine.root(), "t" + ticket, weight(ticket), 0);
            engine.setAsk(user, new long[] {1, 1}, PLENTY);
            users.add(user);
        }
        int[] won = new int[3];
        int draws = 20_000;
        long[] free = {1, 1};
        for (int i = 0; i < draws; i++) {
            engine.offer(free, 1, i, (app, gate) -> {
                won[users.indexOf(app)]++;
                return engine.asks(app).get(0);
            });
            Claim winner = users.stream()
                    .filter(user -> user.running() > 0)
                    .findFirst()
                    .orElseThrow();
            engine.release(winner, new long[] {1, 1});
            free[0]++;
            free[1]++;
        }
        for (int i = 0; i < 3; i++) {
            assertThat((double) won[i] / draws).isCloseTo(tickets[i] / 8, within(0.018));
        }
    }

    /** Somebody who was away does not come back with a backlog of luck. */
    @Test
    void lotteryHasNoMemoryOfAbsence() {
        ShareEngine engine = new ShareEngine(2, new LotteryOrder(new SplittableRandom(8)), () -> true);
        engine.setCapacity(new long[] {10_000, 10_000}, 1);
        Claim always = engine.addApplication(engine.root(), "always", weight(1), 0);
        Claim late = engine.addApplication(engine.root(), "late", weight(1), 0);
        engine.setAsk(always, new long[] {1, 1}, PLENTY);
        engine.offer(new long[] {2_000, 2_000}, Integer.MAX_VALUE, 0, first(engine));
        engine.setAsk(late, new long[] {1, 1}, PLENTY);
        engine.offer(new long[] {2_000, 2_000}, Integer.MAX_VALUE, 0, first(engine));
        assertThat((double) late.running()).isCloseTo(1000, within(110.0));
    }

    /** A what-if must not draw lots, or it would not be undone: two engines, one of which tries things, stay alike. */
    @Test
    void whatIfDoesNotDrawLots() {
        assertThat(lotteryLog(true)).isEqualTo(lotteryLog(false));
    }

    private static List<String> lotteryLog(boolean trying) {
        ShareEngine engine = new ShareEngine(2, new LotteryOrder(new SplittableRandom(9)), () -> true);
        engine.setCapacity(new long[] {100, 100}, 100);
        List<Claim> users = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            users.add(engine.addApplication(engine.root(), "u" + i, weight(1), 0));
            engine.setAsk(users.get(i), new long[] {1, 1}, PLENTY);
        }
        List<String> log = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            engine.offer(new long[] {1, 1}, 1, i, (app, gate) -> {
                log.add(app.name());
                return engine.asks(app).get(0);
            });
            if (trying) {
                Trial trial = engine.trial();
                users.forEach(user -> trial.hold(user, new long[] {1, 1}));
                trial.revert();
            }
        }
        return log;
    }

    @Test
    void anOrderCanForgetWhoWasRemoved() {
        LotteryOrder order = new LotteryOrder(new SplittableRandom(1));
        ShareEngine engine = new ShareEngine(2, order, () -> true);
        Claim user = engine.addApplication(engine.root(), "u", weight(1), 0);
        assertThat(order.remembered()).isEqualTo(1);
        engine.remove(user);
        assertThat(order.remembered()).isZero();
    }

    /** Task for task what the greedy rule does when it is run by itself. */
    @Test
    void maxUtilizationIsTheGreedyRuleAfterTheGuarantee() {
        for (long seed = 0; seed < 100; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            long[] capacity = {60 + random.nextInt(60), 60 + random.nextInt(60)};
            long[][] need = new long[3][2];
            for (long[] one : need) {
                one[0] = 1 + random.nextLong(6);
                one[1] = 1 + random.nextLong(6);
            }
            need[2] = new long[] {7, 7}; // no two alike in size, so that each is a shape of its own
            assertThat(byEngine(capacity, need)).as("seed %s", seed).isEqualTo(byHand(capacity, need));
        }
    }

    private static List<Integer> byEngine(long[] capacity, long[][] need) {
        ShareEngine engine = new ShareEngine(2, new MaxUtilizationOrder(), () -> true);
        engine.setCapacity(capacity, 1);
        List<Claim> users = new ArrayList<>();
        for (long[] one : need) {
            users.add(engine.addApplication(engine.root(), "u" + users.size(), weight(1), 0));
            engine.setAsk(users.get(users.size() - 1), one, PLENTY);
        }
        List<Integer> log = new ArrayList<>();
        engine.offer(capacity.clone(), Integer.MAX_VALUE, 0, (app, gate) -> {
            log.add(users.indexOf(app));
            return engine.asks(app).get(0);
        });
        return log;
    }

    private static List<Integer> byHand(long[] capacity, long[][] need) {
        long[] used = new long[2];
        long[] count = new long[need.length];
        List<Integer> log = new ArrayList<>();
        while (true) {
            int best = -1;
            double smallest = Double.POSITIVE_INFINITY;
            for (int i = 0; i < need.length; i++) {
                if (used[0] + need[i][0] <= capacity[0] && used[1] + need[i][1] <= capacity[1]) {
                    double share = 0;
                    for (int j = 0; j < 2; j++) {
                        share = Math.max(share, count[i] * need[i][j] * (1 / (capacity[j] * (1.0 / need.length))));
                    }
                    double key = share < 1 ? share : 1 + MaxUtilizationOrder.variance(need[i], used, capacity);
                    if (key < smallest) {
                        smallest = key;
                        best = i;
                    }
                }
            }
            if (best < 0) {
                return log;
            }
            count[best]++;
            used[0] += need[best][0];
            used[1] += need[best][1];
            log.add(best);
        }
    }

    /** Nexus 4.1: whoever shapes its demand like what remains is always next, which DRF does not allow. */
    @Test
    void maxUtilizationCanBeGamedAndDrfCannot() {
        assertThat(gamed(new ShareEngine(3, new MaxUtilizationOrder(), () -> true)))
                .isEqualTo(6);
        assertThat(gamed(new ShareEngine(3, new DrfOrder(), () -> true))).isLessThan(6);
    }

    private static long gamed(ShareEngine engine) {
        engine.setCapacity(new long[] {12, 36, 48}, 1);
        double[] one = {1, 1, 1};
        Claim liar = engine.addApplication(engine.root(), "liar", one, 0);
        Claim honest = engine.addApplication(engine.root(), "honest", one, 0);
        engine.setAsk(liar, new long[] {1, 3, 4}, PLENTY);
        engine.setAsk(honest, new long[] {2, 3, 3}, PLENTY);
        engine.hold(liar, new long[] {6, 0, 0}); // both have their half of something, half of everything is left
        engine.hold(honest, new long[] {0, 18, 24});
        long before = liar.running();
        engine.offer(new long[] {6, 18, 24}, Integer.MAX_VALUE, 0, first(engine));
        return liar.running() - before;
    }

    /** One class and one line in META-INF/services: that is all another jar needs. */
    @Test
    void anOrderFromAnotherJarIsFoundByItsName() throws IOException {
        Path services = Files.createDirectories(jar.resolve("META-INF/services"));
        Files.writeString(
                services.resolve(ShareOrders.Provider.class.getName()), LotteryOrder.Provider.class.getName() + "\n");
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {jar.toUri().toURL()}, ThirdPartyOrdersTest.class.getClassLoader())) {
            ShareOrders orders = ShareOrders.discover(loader);
            assertThat(orders.names()).contains(LotteryOrder.NAME);
            assertThat(orders.create(LotteryOrder.NAME, new SplittableRandom(1)))
                    .isInstanceOf(LotteryOrder.class);
        }
        assertThatThrownBy(() -> new ShareOrders().create(LotteryOrder.NAME, new SplittableRandom(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("example-lottery", "drf", "fifo");
    }
}
