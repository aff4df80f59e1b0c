// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.yarn;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;

/**
 * Queues that always ask for more, in a real ResourceManager with a manual clock. Containers end after random
 * times, and their masters return them between the nodes' heartbeats, so slots are empty for a while.
 */
final class GapsRun {
    static final long STEP = 1_000;
    private static final int MANY = 50_000;

    private final MarketFixture fixture;
    private final long credit;
    private final Random random;
    private final List<Payer> payers = new ArrayList<>();
    private final Map<String, Long> got = new HashMap<>();
    private final Map<ContainerId, Long> ends = new HashMap<>();

    /** A queue that pays; its containers run from the shortest time up to the longest, without that itself. */
    record Payer(String queue, int rate, int slots, int shortestMillis, int longestMillis, MarketFixture.App app) {}

    /** @param credit of each queue */
    GapsRun(MarketFixture fixture, long credit, long seed) {
        this.fixture = fixture;
        this.credit = credit;
        this.random = new Random(seed);
    }

    GapsRun payer(String queue, int rate, int shortestMillis, int longestMillis) throws Exception {
        return payer(queue, rate, 1, shortestMillis, longestMillis);
    }

    GapsRun payer(String queue, int rate, int slots, int shortestMillis, int longestMillis) throws Exception {
        fixture.queue(queue, String.valueOf(rate), String.valueOf(credit));
        payers.add(new Payer(queue, rate, slots, shortestMillis, longestMillis, fixture.app(queue, queue)));
        return this;
    }

    List<Payer> payers() {
        return payers;
    }

    /** Slot-milliseconds that a queue got. */
    long got(Payer payer) {
        return got.getOrDefault(payer.queue(), 0L);
    }

    /** Slot-milliseconds that all got. */
    double all() {
        return got.values().stream().mapToLong(Long::longValue).sum();
    }

    /** The part of what all got that a queue pays for. */
    double part(Payer payer) {
        return all() * payer.rate() / payers.stream().mapToLong(Payer::rate).sum();
    }

    /** A queue asks before all others and takes what is free. */
    GapsRun takesFirst(String queue) throws Exception {
        for (Payer payer : payers) {
            if (payer.queue().equals(queue)) {
                payer.app().ask(MANY, payer.slots());
            }
        }
        fixture.heartbeat();
        return this;
    }

    /** Plays so many intervals; all bills are in the ledger on return. */
    void run(int intervals) throws Exception {
        run(0, intervals);
    }

    /** The same after some intervals that do not count. */
    void run(int before, int intervals) throws Exception {
        // All ask before the first epoch, and no node's heartbeat comes before it: nobody gets a container for free.
        for (Payer payer : payers) {
            payer.app().ask(MANY, payer.slots());
        }
        fixture.nextEpoch();
        for (long now = 0; now < (before + intervals) * MarketFixture.INTERVAL; now += STEP) {
            fixture.heartbeat();
            fixture.scheduler().tick();
            for (Payer payer : payers) {
                step(payer, now, now >= before * MarketFixture.INTERVAL);
            }
            fixture.after(STEP);
        }
        fixture.scheduler().tick();
        fixture.market().record(fixture.by(), "wait", "bills"); // changes are stored in order
    }

    private void step(Payer payer, long now, boolean counts) throws Exception {
        MarketFixture.App app = payer.app();
        app.holds();
        for (Container container : app.containers) {
            ends.computeIfAbsent(
                    container.getId(),
                    id -> now
                            + payer.shortestMillis()
                            + random.nextInt(payer.longestMillis() - payer.shortestMillis()));
        }
        List<ContainerId> over = app.containers.stream()
                .map(Container::getId)
                .filter(id -> ends.getOrDefault(id, Long.MAX_VALUE) <= now)
                .toList();
        app.containers.removeIf(container -> over.contains(container.getId()));
        if (!over.isEmpty()) {
            app.heartbeat(List.of(), over);
        }
        if (counts) {
            got.merge(payer.queue(), STEP * app.containers.size() * payer.slots(), Long::sum);
        }
    }
}
