// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.market;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.heddle.market.epoch.ClosedEpoch;
import org.heddle.market.epoch.EpochMeter;
import org.heddle.market.epoch.MarketOrder;
import org.heddle.market.epoch.QueueMeters;
import org.heddle.market.ledger.EpochTerms;
import org.heddle.market.ledger.Market;
import org.heddle.market.ledger.journal.JournalStore;
import org.heddle.market.model.amount.Credits;
import org.heddle.market.model.amount.SpendingRate;
import org.heddle.market.model.change.MarketException;
import org.heddle.market.model.change.Mutation;
import org.heddle.market.model.terms.ChargePolicy;
import org.heddle.market.model.terms.MarketTerms;
import org.heddle.market.model.terms.OutagePolicy;
import org.heddle.scheduler.engine.Schedulable;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.policy.DrfOrder;
import org.heddle.scheduler.policy.ShareOrder;

/**
 * Times the boundary between two epochs with the scheduler's own classes and books in a journal. Every queue is active,
 * pays, holds two resources and asks for more, so that everyone has a bill each time. Three spans are measured:
 *
 * <ul>
 *   <li><b>epoch</b>: all that happens under the scheduler's lock: demand noted, slot-time settled, bills computed,
 *   price and
 *       entitlements divided, debts carried, the engine's weights set;
 *   <li><b>look</b>: the other time that the lock is taken, once a second: figures copied for pages;
 *   <li><b>whole</b>: from the call to the market until the bills are booked and handed to the thread that writes them;
 *       the lock is free for all of it but the epoch.
 * </ul>
 *
 * <p>Last comes what metering adds to the beginning or end of a container; a heartbeat without either is not metered.
 *
 * <p>Wall time is what waits; on a machine with other work it tells more about that, so the thread's processor time
 * stands beside it. Exit code 1 if an epoch's 99th percentile is beyond its budget.
 */
public final class EpochTimes {
    private static final int WARM_UP = 500;
    private static final int ROUNDS = 1_000;
    private static final long INTERVAL = 20_000;
    private static final long SETTLE_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long POLL_NANOS = 200_000;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final int queues;
    private final SplittableRandom random;
    private final ShareEngine engine = new ShareEngine(2, new MarketOrder(), () -> true);
    private final EpochMeter meter;
    private final QueueMeters queueMeters;
    private final Market market;
    private final List<Schedulable> applications = new ArrayList<>();
    private long now;

    private EpochTimes(int queues, Path directory) throws IOException, MarketException {
        this.queues = queues;
        this.random = new SplittableRandom(queues);
        MarketTerms terms = terms();
        long[] capacity = {40_000_000, 10_000};
        engine.setCapacity(capacity, 1_000);
        meter = new EpochMeter(terms, new long[] {4_096, 1}, 0);
        meter.setCapacity(0, capacity);
        queueMeters = new QueueMeters(engine, meter, () -> now, path -> path);
        market = new Market(
                terms, new JournalStore(directory, "benchmark"), () -> 1_000_000 + now, Duration.ofSeconds(60));
        market.open();
        open();
    }

    private static MarketTerms terms() {
        return new MarketTerms(
                "benchmark",
                INTERVAL,
                3_600_000,
                ChargePolicy.NONE,
                MarketTerms.MAX_DEFICIT_INTERVALS,
                OutagePolicy.CONTINUE);
    }

    /** Queues with a user and an application each; what money they have lasts. */
    private void open() throws MarketException {
        ShareOrder drf = new DrfOrder();
        Map<String, Schedulable> leaves = new TreeMap<>();
        for (int i = 0; i < queues; i++) {
            String name = "queue" + i;
            Schedulable queue = engine.addGroup(engine.root(), name, drf, new double[] {0, 0});
            Schedulable user = engine.addGroup(queue, "user", drf, new double[] {1, 1});
            applications.add(engine.addApplication(user, name + "-app", new double[] {1, 1}, 0));
            leaves.put(name, queue);
        }
        queueMeters.setQueues(leaves, path -> drf);
        market.openAccounts(leaves.keySet());
        List<Thread> clients = new ArrayList<>();
        for (int c = 0; c < 50; c++) {
            int first = c;
            clients.add(new Thread(() -> pay(first, 50)));
        }
        clients.forEach(Thread::start);
        for (Thread client : clients) {
            try {
                client.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Many at once, because each waits for a sync that others can share. */
    private void pay(int first, int step) {
        SplittableRandom own = new SplittableRandom(first);
        for (int i = first; i < queues; i += step) {
            try {
                String name = "queue" + i;
                market.addBudget(by("pay " + i), name, Credits.of(400_000), "");
                market.setSpending(by("bid " + i), name, new SpendingRate(1 + own.nextLong(5_000_000_000L)));
            } catch (MarketException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static Mutation by(String key) {
        return new Mutation("benchmark", "benchmark", key);
    }

    public static void main(String[] args) throws Exception {
        boolean good = run(1_000, 1.0);
        good &= run(10_000, 10.0);
        if (!good) {
            System.exit(1);
        }
    }

    private static boolean run(int queues, double budgetMillis) throws Exception {
        Path directory = Files.createTempDirectory("heddle-epochs");
        try {
            return new EpochTimes(queues, directory).measure(budgetMillis);
        } finally {
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    /** What one span took, round by round, in milliseconds. */
    private static final class Span {
        final double[] wall = new double[ROUNDS];
        final double[] processor = new double[ROUNDS];
        private long wallBegin;
        private long processorBegin;

        void begin() {
            processorBegin = THREADS.getCurrentThreadCpuTime();
            wallBegin = System.nanoTime();
        }

        void end(int round) {
            if (round >= 0) {
                wall[round] = (System.nanoTime() - wallBegin) / 1e6;
                processor[round] = (THREADS.getCurrentThreadCpuTime() - processorBegin) / 1e6;
            }
        }

        void print(String name) {
            Arrays.sort(wall);
            Arrays.sort(processor);
            System.out.printf(
                    "    %-6s median %7.3f ms, p99 %7.3f ms, longest %7.3f ms; processor median %7.3f ms, p99 %7.3f"
                            + " ms%n",
                    name,
                    wall[ROUNDS / 2],
                    p99(),
                    wall[ROUNDS - 1],
                    processor[ROUNDS / 2],
                    processor[ROUNDS * 99 / 100]);
        }

        double p99() {
            return wall[ROUNDS * 99 / 100];
        }
    }

    private boolean measure(double budgetMillis) throws IOException, MarketException {
        Span epoch = new Span();
        Span look = new Span();
        Span whole = new Span();
        long booked = 0;
        for (int round = -WARM_UP; round < ROUNDS; round++) {
            use();
            now += INTERVAL;
            int at = round;
            whole.begin();
            market.rollOver(boundary -> turn(boundary, epoch, at));
            whole.end(round);
            look.begin();
            queueMeters.updateDemand();
            market.publish(meter.snapshot(now));
            look.end(round);
            booked++;
            awaitBooks(booked);
        }
        market.close();
        System.out.printf("%d active queues, %d epochs:%n", queues, ROUNDS);
        epoch.print("epoch");
        look.print("look");
        whole.print("whole");
        System.out.printf("    metering a container's begin or end: %.0f ns more%n", metering());
        System.out.printf(
                "    p99 of the epoch is %s its budget of %.0f ms%n",
                epoch.p99() < budgetMillis ? "within" : "BEYOND", budgetMillis);
        return epoch.p99() < budgetMillis;
    }

    private ClosedEpoch turn(EpochTerms boundary, Span epoch, int round) {
        epoch.begin();
        queueMeters.updateDemand();
        ClosedEpoch closed = boundary.rollOver(meter, now);
        queueMeters.updateWeights();
        epoch.end(round);
        return closed;
    }

    /** Nanoseconds by which holding or releasing is longer for a queue that is metered; the best of several tries. */
    private double metering() {
        Schedulable plain = engine.addGroup(engine.root(), "plain", new DrfOrder(), new double[] {0, 0});
        Schedulable user = engine.addGroup(plain, "user", new DrfOrder(), new double[] {1, 1});
        Schedulable unmetered = engine.addApplication(user, "plain-app", new double[] {1, 1}, 0);
        engine.hold(unmetered, new long[] {1, 1});
        double metered = Double.POSITIVE_INFINITY;
        double without = Double.POSITIVE_INFINITY;
        for (int i = 0; i < 20; i++) {
            metered = Math.min(metered, beginAndEnd(applications.get(0)));
            without = Math.min(without, beginAndEnd(unmetered));
        }
        return metered - without;
    }

    private double beginAndEnd(Schedulable application) {
        long[] size = {4_096, 1};
        long begin = System.nanoTime();
        for (int i = 0; i < 50_000; i++) {
            now++;
            engine.hold(application, size);
            now++;
            engine.release(application, size);
        }
        return (System.nanoTime() - begin) / 100_000.0;
    }

    /** Every queue gives back what it held and takes something else, and asks for more. */
    private void use() {
        for (Schedulable application : applications) {
            if (application.running() > 0) {
                engine.release(application, application.usage());
            }
            engine.hold(application, new long[] {1 + random.nextInt(80_000), 1 + random.nextInt(20)});
            engine.setAsk(application, new long[] {4_096, 1}, random.nextInt(4));
        }
    }

    /** Epochs come every few seconds, not at once: the writer is done with one before the next. */
    private void awaitBooks(long epochs) {
        long deadline = System.nanoTime() + SETTLE_NANOS;
        while (market.status().epoch() <= epochs) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("the books have not been written for 30 s");
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }
}
