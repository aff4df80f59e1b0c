// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.sim;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * The scenarios results are given for. Results are given for seeds from 1 on; rules and defaults were chosen on seeds
 * from {@link #TUNING_SEEDS} on, with other layouts and other durations.
 */
public final class Scenarios {
    /** Where the seeds begin that rules may be tuned on. */
    public static final long TUNING_SEEDS = 1_001;

    private static final int NODES = 100;
    private static final int MAPS = 500;

    private Scenarios() {}

    /**
     * All of one size: 100 nodes of 2 slots, 500 maps of a minute, unless a scenario says otherwise.
     *
     * @param seed draws which nodes are bad, and the speeds where they are spread
     */
    public static List<Scenario> all(long seed) {
        return List.of(
                slow(seed),
                heterogeneous(seed),
                ec2(seed),
                stalls(seed),
                degrading(seed),
                badDisk(seed),
                skewed(seed),
                even());
    }

    public static Scenario slow(long seed) {
        int[] rank = ranks(NODES, seed);
        return Scenario.maps("slow node", NODES, 2, MAPS, 60_000, i -> SimNode.of(rank[i] < 10 ? 5 : 1));
    }

    public static Scenario heterogeneous(long seed) {
        int[] rank = ranks(NODES, seed);
        return Scenario.maps(
                "heterogeneous", NODES, 2, MAPS, 60_000, i -> SimNode.of(rank[i] < 10 ? 5 : rank[i] < 40 ? 2 : 1));
    }

    /** Speeds spread as by co-located machines (Table 2: up to 2.5 times), every 20th a straggler. */
    public static Scenario ec2(long seed) {
        int[] rank = ranks(NODES, seed);
        double[] factors =
                new Random(seed).doubles(NODES, 0, 1).map(x -> 1 + 1.5 * x * x).toArray();
        return Scenario.maps("EC2-like", NODES, 2, MAPS, 60_000, i -> SimNode.of(rank[i] < 5 ? 4 : factors[i]));
    }

    public static Scenario stalls(long seed) {
        int[] rank = ranks(NODES, seed);
        return Scenario.maps(
                "stalled attempts",
                NODES,
                2,
                MAPS,
                60_000,
                i -> rank[i] < 10 ? SimNode.of(1).stalling(600_000) : SimNode.of(1));
    }

    public static Scenario degrading(long seed) {
        int[] rank = ranks(NODES, seed);
        return Scenario.maps(
                "degrading node",
                NODES,
                2,
                MAPS,
                60_000,
                i -> rank[i] < 10 ? SimNode.of(1).degrading(1_000_000 + 90_000, 8) : SimNode.of(1));
    }

    public static Scenario badDisk(long seed) {
        int[] rank = ranks(NODES, seed);
        return Scenario.maps(
                        "faulty disk in reduce",
                        NODES,
                        2,
                        200,
                        30_000,
                        i -> rank[i] < 7 ? SimNode.of(1).badDisk(6) : SimNode.of(1))
                .reduces(160, 20_000, 60_000, 0);
    }

    public static Scenario skewed(long seed) {
        int[] rank = ranks(MAPS, seed);
        return Scenario.maps("skewed input", NODES, 2, MAPS, 60_000, i -> SimNode.of(1))
                .sizes(i -> rank[i] < MAPS / 25 ? 4 : 1, i -> 1);
    }

    public static Scenario even() {
        return Scenario.maps("even cluster", NODES, 2, MAPS, 60_000, i -> SimNode.of(1));
    }

    /** 20 slots, short tasks: ten nodes of two slots, one of them bad; and a sort on four nodes. */
    public static List<Scenario> small(long seed) {
        int[] rank = ranks(10, seed);
        return List.of(
                Scenario.maps("small, slow node", 10, 2, 36, 40_000, i -> SimNode.of(rank[i] == 0 ? 5 : 1)),
                Scenario.maps(
                        "small, heterogeneous",
                        10,
                        2,
                        36,
                        40_000,
                        i -> SimNode.of(rank[i] == 0 ? 5 : rank[i] < 4 ? 2 : 1)),
                Scenario.maps(
                        "small, stalls",
                        10,
                        2,
                        36,
                        40_000,
                        i -> rank[i] == 0 ? SimNode.of(1).stalling(300_000) : SimNode.of(1)),
                sharedSlots(seed));
    }

    /**
     * A small YARN cluster with a slow node: while it runs the last maps, reduces may hold all other slots. Processors
     * are scarce, so that half of a map's time is the start of its JVM, as in a sort on four nodes of 0.4 processors.
     */
    static Scenario sharedSlots(long seed) {
        int[] rank = ranks(4, seed);
        return Scenario.maps("small, shared slots", 4, 2, 16, 15_000, i -> SimNode.of(rank[i] == 0 ? 4 : 1))
                .startup(14_000)
                .reduces(16, 8_000, 10_000, 0)
                .sharedSlots();
    }

    /** A permutation of 0 to count - 1. */
    static int[] ranks(int count, long seed) {
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            order.add(i);
        }
        Collections.shuffle(order, new Random(seed));
        return order.stream().mapToInt(Integer::intValue).toArray();
    }

    /**
     * Section 5.4: 40 machines, factors 1 and 1.5, five at 3, one at 10; maps of 15 s, reduces of 100 sleeps of 0 to
     * 2t with t = 0.7 s. The paper leaves open how many reduces there were; none = 10 x 70 s says one wave, and
     * section 5.2.1 that some reduce slots stayed free: 72 on 80 slots. Which machines are slow is drawn per seed
     * there as here.
     *
     * @param thirds report reduces as MapReduce does, rather than linearly as the paper's text suggests
     */
    public static Scenario paper54(boolean thirds, long seed) {
        int[] rank = ranks(40, seed);
        Scenario scenario = Scenario.maps(
                        thirds ? "paper 5.4, score in thirds" : "paper 5.4",
                        40,
                        2,
                        80,
                        15_000,
                        i -> SimNode.of(rank[i] == 0 ? 10 : rank[i] <= 5 ? 3 : rank[i] % 2 == 0 ? 1 : 1.5)
                                .reducesOnly())
                .reduces(72, 1_000, 70_000, 100);
        return thirds ? scenario : scenario.linearScore();
    }

    /** The size the harness must do in seconds. */
    public static Scenario large() {
        return Scenario.maps(
                "1,000 nodes", 1_000, 2, 4_000, 60_000, i -> SimNode.of(i % 10 == 3 ? 5 : i % 3 == 0 ? 2 : 1));
    }

    /** Section 5.4.3: ten nodes of a minute, X of 2.9, Y of 10; 32 tasks, one slot each. */
    public static Scenario xAndY() {
        return Scenario.maps("X and Y", 12, 1, 32, 58_500, i -> SimNode.of(i == 10 ? 2.9 : i == 11 ? 10 : 1))
                .noise(0);
    }
}
