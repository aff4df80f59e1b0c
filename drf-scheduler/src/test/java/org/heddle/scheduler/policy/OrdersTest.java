// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;
import org.heddle.scheduler.engine.Placer;
import org.heddle.scheduler.engine.Schedulable;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.engine.Trial;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The orders that come with Heddle, and one that does not. */
@Tag("pure")
class OrdersTest {
    private static final long PLENTY = 1_000_000;

    @TempDir
    Path directory;

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
        List<Schedulable> users = new ArrayList<>();
        for (double ticket : tickets) {
            Schedulable user = engine.addApplication(engine.root(), "t" + ticket, weight(ticket), 0);
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
            Schedulable winner = users.stream()
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
        Schedulable always = engine.addApplication(engine.root(), "always", weight(1), 0);
        Schedulable late = engine.addApplication(engine.root(), "late", weight(1), 0);
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
        List<Schedulable> users = new ArrayList<>();
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
        Schedulable user = engine.addApplication(engine.root(), "u", weight(1), 0);
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
            need[2] = new long[] {7, 7}; // no two alike in size, so that each is a container size of its own
            assertThat(byEngine(capacity, need)).as("seed %s", seed).isEqualTo(byHand(capacity, need));
        }
    }

    private static List<Integer> byEngine(long[] capacity, long[][] need) {
        ShareEngine engine = new ShareEngine(2, new MaxUtilizationOrder(), () -> true);
        engine.setCapacity(capacity, 1);
        List<Schedulable> users = new ArrayList<>();
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

    /** Nexus 4.1: whoever container sizes its demand like what remains is always next, which DRF does not allow. */
    @Test
    void maxUtilizationCanBeGamedAndDrfCannot() {
        assertThat(gamed(new ShareEngine(3, new MaxUtilizationOrder(), () -> true)))
                .isEqualTo(6);
        assertThat(gamed(new ShareEngine(3, new DrfOrder(), () -> true))).isLessThan(6);
    }

    private static long gamed(ShareEngine engine) {
        engine.setCapacity(new long[] {12, 36, 48}, 1);
        double[] one = {1, 1, 1};
        Schedulable liar = engine.addApplication(engine.root(), "liar", one, 0);
        Schedulable honest = engine.addApplication(engine.root(), "honest", one, 0);
        engine.setAsk(liar, new long[] {1, 3, 4}, PLENTY);
        engine.setAsk(honest, new long[] {2, 3, 3}, PLENTY);
        engine.hold(liar, new long[] {6, 0, 0}); // both have their half of something, half of everything is left
        engine.hold(honest, new long[] {0, 18, 24});
        long before = liar.running();
        engine.offer(new long[] {6, 18, 24}, Integer.MAX_VALUE, 0, first(engine));
        return liar.running() - before;
    }

    /**
     * Nexus 4: 300 CPUs and 300 GB, one CPU and 3 GB a task against one and one: 60 and 120 tasks, 50 and 150 under
     * DRF.
     */
    @Test
    void assetFairnessOfTheReport() {
        assertThat(twoUsers(new AssetOrder())).containsExactly(60L, 120L);
        assertThat(twoUsers(new DrfOrder())).containsExactly(50L, 150L);
    }

    private static long[] twoUsers(ShareOrder order) {
        ShareEngine engine = new ShareEngine(2, order, () -> true);
        engine.setCapacity(new long[] {300, 300}, 1);
        Schedulable first = engine.addApplication(engine.root(), "first", weight(1), 0);
        Schedulable second = engine.addApplication(engine.root(), "second", weight(1), 0);
        engine.setAsk(first, new long[] {1, 3}, PLENTY);
        engine.setAsk(second, new long[] {1, 1}, PLENTY);
        engine.offer(new long[] {300, 300}, Integer.MAX_VALUE, 0, first(engine));
        return new long[] {first.running(), second.running()};
    }

    /** Memory alone counts, whatever is held of the rest. */
    @Test
    void fairSharesTheFirstResource() {
        ShareEngine engine = new ShareEngine(2, new FairOrder(), () -> true);
        engine.setCapacity(new long[] {120, 1_000}, 1);
        Schedulable waiting = engine.addApplication(engine.root(), "waiting", weight(1), 0);
        Schedulable modest = engine.addApplication(engine.root(), "modest", weight(2), 0);
        engine.setAsk(waiting, new long[] {2, 20}, PLENTY);
        engine.setAsk(modest, new long[] {2, 1}, PLENTY);
        engine.offer(new long[] {120, 1_000}, Integer.MAX_VALUE, 0, first(engine));
        assertThat(waiting.usage(0)).isEqualTo(40);
        assertThat(modest.usage(0)).isEqualTo(80);
    }

    /** While one of higher priority can be served nobody else is; equals share. */
    @Test
    void priorityIsStrict() {
        ShareEngine engine = new ShareEngine(2, new PriorityOrder(), () -> true);
        engine.setCapacity(new long[] {100, 100}, 1);
        Schedulable low = engine.addApplication(engine.root(), "low", weight(5), 1);
        Schedulable high = engine.addApplication(engine.root(), "high", weight(1), 7);
        Schedulable alsoHigh = engine.addApplication(engine.root(), "also-high", weight(1), 7);
        engine.setAsk(low, new long[] {1, 1}, PLENTY);
        engine.setAsk(high, new long[] {1, 2}, 30);
        engine.setAsk(alsoHigh, new long[] {2, 1}, 10);
        engine.offer(new long[] {100, 100}, 20, 0, first(engine));
        assertThat(List.of(low.running(), high.running(), alsoHigh.running())).containsExactly(0L, 10L, 10L);
        engine.offer(new long[] {70, 70}, 25, 1, first(engine));
        assertThat(List.of(low.running(), high.running())).containsExactly(5L, 30L);
    }

    /** Guarantees come before the largest priority, and neighbouring priorities of any size stay apart. */
    @Test
    void guaranteesComeBeforePrioritiesOfAnySize() {
        ShareEngine engine = new ShareEngine(2, new PriorityOrder(), () -> true);
        engine.setCapacity(new long[] {100, 100}, 1);
        Schedulable guaranteed = engine.addApplication(engine.root(), "guaranteed", weight(1), Integer.MIN_VALUE);
        Schedulable highest = engine.addApplication(engine.root(), "highest", weight(1), Integer.MAX_VALUE);
        Schedulable next = engine.addApplication(engine.root(), "next", weight(5), Integer.MAX_VALUE - 1);
        Schedulable worthless = engine.addApplication(engine.root(), "worthless", weight(0), Integer.MAX_VALUE);
        engine.setGuarantee(guaranteed, new long[] {10, 10});
        for (Schedulable schedulable : List.of(next, worthless, highest, guaranteed)) {
            engine.setAsk(schedulable, new long[] {1, 1}, 30);
        }
        List<Long> after = new ArrayList<>();
        long[] free = {100, 100};
        for (int most : new int[] {10, 30, 30, 30}) {
            engine.offer(free, most, 0, first(engine));
            List.of(guaranteed, highest, worthless, next).forEach(schedulable -> after.add(schedulable.running()));
        }
        assertThat(after)
                .containsExactly(
                        10L, 0L, 0L, 0L, // the guarantee
                        10L, 30L, 0L, 0L, // the largest priority, by share
                        10L, 30L, 30L, 0L, // the same priority, and no share
                        10L, 30L, 30L, 30L);
    }

    /** Under the largest priority two equals are served in turn however small their shares are. */
    @Test
    void equalsOfTheLargestPriorityAreServedInTurn() {
        ShareEngine engine = new ShareEngine(2, new PriorityOrder(), () -> true);
        engine.setCapacity(new long[] {1_000_000_000, 1_000_000_000}, 1);
        Schedulable first = engine.addApplication(engine.root(), "first", weight(1), Integer.MAX_VALUE);
        Schedulable second = engine.addApplication(engine.root(), "second", weight(1), Integer.MAX_VALUE);
        engine.setAsk(first, new long[] {1, 1}, 1_000);
        engine.setAsk(second, new long[] {1, 1}, 1_000);
        engine.offer(new long[] {1_000, 1_000}, Integer.MAX_VALUE, 0, first(engine));
        assertThat(List.of(first.running(), second.running())).containsExactly(500L, 500L);
    }

    /** First come, first served within a priority; a smaller priority never comes before a larger one. */
    @Test
    void fifoKeepsPrioritiesOfAnySizeApart() {
        ShareEngine engine = new ShareEngine(2, new FifoOrder(), () -> true);
        engine.setCapacity(new long[] {100, 100}, 1);
        int[] priorities = {Integer.MIN_VALUE, Integer.MAX_VALUE - 1, Integer.MAX_VALUE, Integer.MAX_VALUE};
        List<Schedulable> schedulables = new ArrayList<>();
        for (int priority : priorities) {
            Schedulable schedulable =
                    engine.addApplication(engine.root(), "a" + schedulables.size(), weight(1), priority);
            engine.setAsk(schedulable, new long[] {1, 1}, 1);
            schedulables.add(schedulable);
        }
        List<Integer> served = new ArrayList<>();
        engine.offer(new long[] {100, 100}, Integer.MAX_VALUE, 0, (app, gate) -> {
            served.add(schedulables.indexOf(app));
            return engine.asks(app).get(0);
        });
        assertThat(served).containsExactly(2, 3, 1, 0);
    }

    /** Strict priority at the root, by lot below one queue, by asset below the other. */
    @Test
    void ordersMixInOneTree() {
        ShareEngine engine = new ShareEngine(2, new PriorityOrder(), () -> true);
        engine.setCapacity(new long[] {400, 400}, 1);
        Schedulable urgent = engine.addGroup(engine.root(), "urgent", new AssetOrder(), weight(1));
        Schedulable rest = engine.addGroup(engine.root(), "rest", new LotteryOrder(new SplittableRandom(3)), weight(1));
        engine.setPriority(urgent, 1);
        Schedulable a = engine.addApplication(urgent, "a", weight(1), 0);
        Schedulable b = engine.addApplication(urgent, "b", weight(1), 0);
        Schedulable c = engine.addApplication(rest, "c", weight(3), 0);
        Schedulable d = engine.addApplication(rest, "d", weight(1), 0);
        engine.setAsk(a, new long[] {1, 3}, 20);
        engine.setAsk(b, new long[] {1, 1}, 40);
        engine.setAsk(c, new long[] {1, 1}, PLENTY);
        engine.setAsk(d, new long[] {1, 1}, PLENTY);
        long[] free = {400, 400};
        engine.offer(free, 45, 0, first(engine));
        assertThat(a.running() * 2).as("equal sums").isEqualTo(b.running());
        engine.offer(free, Integer.MAX_VALUE, 1, first(engine));
        assertThat(List.of(a.running(), b.running())).containsExactly(20L, 40L);
        double drawn = (double) (c.running() + d.running());
        assertThat(drawn).isEqualTo(300);
        assertThat((double) c.running() / drawn).isCloseTo(0.75, within(0.1));
    }

    /**
     * x_i = max_j s_ij / (w_ij / sum_k w_kj): a third of the memory at three quarters of its weight is less than a
     * half.
     */
    @Test
    void weightedShareIsRelativeToEntitlementByResource() {
        ShareEngine engine = new ShareEngine(2, new DrfOrder(), () -> true);
        engine.setCapacity(new long[] {120, 120}, 1);
        Schedulable one = engine.addApplication(engine.root(), "one", new double[] {3, 1}, 0);
        Schedulable two = engine.addApplication(engine.root(), "two", new double[] {1, 1}, 0);
        engine.setAsk(one, new long[] {1, 1}, 1);
        engine.setAsk(two, new long[] {1, 1}, 1);
        engine.hold(one, new long[] {40, 12});
        engine.hold(two, new long[] {15, 30});
        engine.renew();
        assertThat(engine.weightedShare(one)).isCloseTo((40.0 / 120) / (3.0 / 4), within(1e-12));
        assertThat(engine.weightedShare(two)).isCloseTo((15.0 / 120) / (1.0 / 4), within(1e-12));
        double[] x = {engine.weightedShare(one), engine.weightedShare(two)};
        assertThat(JainIndex.of(x, 2))
                .isCloseTo(Math.pow(x[0] + x[1], 2) / (2 * (x[0] * x[0] + x[1] * x[1])), within(1e-12));
    }

    /** One class and one line in META-INF/services, in a jar with a class loader of its own: docs/share-orders.md. */
    @Test
    void anOrderFromAnotherJarIsFoundByItsName() throws IOException {
        Path other = thirdPartyJar(directory);
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {other.toUri().toURL()}, OrdersTest.class.getClassLoader())) {
            ShareOrders orders = ShareOrders.discover(loader);
            ShareOrder order = orders.create("most-waiting", new SplittableRandom(1));
            assertThat(order.getClass().getClassLoader()).isSameAs(loader);
            ShareEngine engine = new ShareEngine(2, order, () -> true);
            engine.setCapacity(new long[] {100, 100}, 1);
            Schedulable many = engine.addApplication(engine.root(), "many", weight(1), 0);
            Schedulable few = engine.addApplication(engine.root(), "few", weight(1), 0);
            engine.setAsk(few, new long[] {1, 1}, 10);
            engine.setAsk(many, new long[] {1, 1}, 90);
            engine.offer(new long[] {40, 40}, Integer.MAX_VALUE, 0, first(engine));
            assertThat(many.running()).isGreaterThan(3 * few.running());
        }
        assertThatThrownBy(() -> new ShareOrders().create("most-waiting", new SplittableRandom(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("most-waiting", "drf", "lottery");
    }

    /** Compiles the example of the documentation and packs it as somebody else would. */
    private static Path thirdPartyJar(Path directory) throws IOException {
        String source;
        try (InputStream in = Objects.requireNonNull(
                OrdersTest.class.getResourceAsStream("/third-party/com/example/MostWaitingOrder.txt"))) {
            source = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        Path file = Files.createDirectories(directory.resolve("com/example")).resolve("MostWaitingOrder.java");
        Files.writeString(file, source);
        int failed = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-cp",
                        location(ShareOrder.class) + File.pathSeparator + location(OrdersTest.class),
                        "-proc:none",
                        file.toString());
        assertThat(failed).isZero();
        Path packed = directory.resolve("most-waiting.jar");
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(packed))) {
            jar.putNextEntry(new JarEntry("com/example/MostWaitingOrder.class"));
            jar.write(Files.readAllBytes(file.resolveSibling("MostWaitingOrder.class")));
            jar.putNextEntry(new JarEntry("META-INF/services/" + ShareOrders.Provider.class.getName()));
            jar.write("com.example.MostWaitingOrder\n".getBytes(StandardCharsets.UTF_8));
        }
        return packed;
    }

    private static String location(Class<?> known) {
        return Path.of(URI.create(known.getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toString()))
                .toString();
    }
}
