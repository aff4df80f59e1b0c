// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.heddle.scheduler.policy.DominantShare;
import org.heddle.scheduler.policy.DrfOrder;
import org.heddle.scheduler.policy.ShareOrders;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What hierarchical DRF promises, over random trees whose leaves never have enough. */
@Tag("pure")
class TreeLawsTest {
    private static final long PLENTY = 1_000_000;
    private static final int SEEDS = 50;
    private static final int RESOURCES = 3;
    private static final long CAPACITY = 20_000;
    private static final int LARGEST = 6;
    private static final int NODES = 20;
    private static final int MAX = Integer.MAX_VALUE;
    private static final double GRAIN = 0.03;

    private final List<Schedulable> groups = new ArrayList<>();
    private final List<Schedulable> leaves = new ArrayList<>();

    private ShareEngine randomTree(SplittableRandom random) {
        groups.clear();
        leaves.clear();
        ShareEngine engine = new ShareEngine(RESOURCES, new DrfOrder(), () -> true);
        long[] capacity = new long[RESOURCES];
        Arrays.fill(capacity, CAPACITY);
        engine.setCapacity(capacity, 1);
        groups.add(engine.root());
        int inner = 1 + random.nextInt(6);
        for (int i = 0; i < inner; i++) {
            Schedulable parent = groups.get(random.nextInt(groups.size()));
            groups.add(engine.addGroup(parent, "g" + i, new DrfOrder(), weight(random)));
        }
        for (int i = 0; i < inner + 4; i++) {
            Schedulable parent = groups.get(i <= inner ? i : random.nextInt(groups.size()));
            Schedulable leaf = engine.addApplication(parent, "a" + i, weight(random), 0);
            long[] need = new long[RESOURCES];
            for (int j = 0; j < RESOURCES; j++) {
                need[j] = random.nextInt(5) < 2 ? 0 : 1 + random.nextInt(LARGEST);
            }
            need[random.nextInt(RESOURCES)] = 1 + random.nextLong(LARGEST);
            engine.setAsk(leaf, need, PLENTY);
            leaves.add(leaf);
        }
        return engine;
    }

    private static double[] weight(SplittableRandom random) {
        double[] weight = new double[RESOURCES];
        Arrays.fill(weight, 1 + random.nextInt(3));
        return weight;
    }

    /**
     * By offers of one node, or immediately among nodes that together have as much.
     *
     * @param nodes number of nodes for immediate allocation; 0 for offers
     */
    private static void fill(ShareEngine engine, int mostInAnOffer, int nodes) {
        if (nodes > 0) {
            IndexedRoom room = new IndexedRoom(engine, nodes, CAPACITY / nodes);
            while (engine.offer(room, mostInAnOffer, room) > 0) {
                room.heartbeats();
            }
            return;
        }
        long[] free = new long[RESOURCES];
        Arrays.fill(free, CAPACITY);
        int placed;
        do {
            placed = engine.offer(
                    free, mostInAnOffer, 0, (app, gate) -> engine.asks(app).get(0));
        } while (placed > 0);
    }

    /**
     * Every schedulable, at every level, gets at least what it is entitled to: its plain weighted dominant share
     * reaches 1, up to a container of each leaf.
     */
    @ParameterizedTest
    @CsvSource({"40, false", "1000, false", MAX + ", false", "1000, true"})
    void hierarchicalShareGuarantee(int mostInAnOffer, boolean immediate) {
        sharesAreGuaranteed(mostInAnOffer, immediate, 0, SEEDS);
    }

    @ParameterizedTest
    @CsvSource({"40, false", "1000, false", MAX + ", false", "1000, true"})
    @Tag("long-3")
    void hierarchicalShareGuaranteeInMoreTrees(int mostInAnOffer, boolean immediate) {
        sharesAreGuaranteed(mostInAnOffer, immediate, SEEDS, 2 * SEEDS);
    }

    private void sharesAreGuaranteed(int mostInAnOffer, boolean immediate, long first, int seeds) {
        for (long seed = first; seed < first + seeds; seed++) {
            ShareEngine engine = randomTree(new SplittableRandom(seed));
            fill(engine, mostInAnOffer, immediate ? NODES : 0);
            engine.renew();
            int rests = leaves.size() + (immediate ? NODES : 0); // each node has a rest that nobody can use
            for (Schedulable schedulable : schedulables()) {
                double slack = 0;
                for (int j = 0; j < RESOURCES; j++) {
                    slack = Math.max(slack, (double) LARGEST * rests / CAPACITY / schedulable.entitlement(j));
                }
                assertThat(EngineInvariants.plain(schedulable))
                        .as(
                                "seed %s: %s holds %s and is entitled to %s",
                                seed, schedulable, schedulable.usage(), schedulable.entitlement(0))
                        .isGreaterThan(1 - slack);
            }
        }
    }

    /**
     * What pages show as the fair share is what a cluster filled step by step comes to, within what containers of up to
     * 6 of 20,000 units make of it (with 400,000 units: within 0.005).
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void fairSharesAreWhatLongFillsComeTo(boolean immediate) {
        for (long seed = 5000; seed < 5000 + SEEDS; seed++) {
            ShareEngine engine = randomTree(new SplittableRandom(seed));
            FairShares fair = FairShares.of(engine, new ShareOrders());
            fill(engine, 40, immediate ? 1 : 0); // one node: on several, some resources stay free that fit nobody
            long[] capacity = new long[RESOURCES];
            Arrays.fill(capacity, CAPACITY);
            for (Schedulable schedulable : schedulables()) {
                assertThat(fair.of(schedulable))
                        .as("seed %s: fair share of %s", seed, schedulable)
                        .isCloseTo(DominantShare.of(schedulable.usage(), capacity), within(GRAIN));
            }
        }
    }

    private List<Schedulable> schedulables() {
        List<Schedulable> all = new ArrayList<>(groups.subList(1, groups.size()));
        all.addAll(leaves);
        return all;
    }
}
