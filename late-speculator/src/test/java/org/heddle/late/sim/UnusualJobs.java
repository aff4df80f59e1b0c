// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.sim;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.function.LongFunction;

/**
 * Jobs whose reports, sizes or announcements are unlike those of {@link Scenarios}: 20 nodes of two slots and maps of a
 * minute, unless a scenario says otherwise; where a name says slow, two of the nodes are five times slower.
 */
public final class UnusualJobs {
    private static final int NODES = 20;
    private static final int SLOW_NODES = 2;
    private static final int MAPS = 100;
    /** The last wave has free slots beside it. */
    private static final int FEWER_MAPS = 65;

    private static final double MINUTE = 60_000;
    // The clock starts at 1,000 s; the first wave takes a little more than a minute.
    private static final long SECOND_WAVE = 1_065_000;

    private UnusualJobs() {}

    /** Scenarios by name; a seed draws the layout. */
    public static Map<String, LongFunction<Scenario>> all() {
        Map<String, LongFunction<Scenario>> jobs = new LinkedHashMap<>();
        jobs.put(
                "known 20 s late, slow",
                seed -> job(MAPS, MINUTE, SLOW_NODES, seed).with("known 20 s late, slow", Faults.createdAfter(20_000)));
        jobs.put(
                "reports each second, slow",
                seed -> job(MAPS, MINUTE, SLOW_NODES, seed).reporting(1_000));
        jobs.put(
                "maps of 10 s, reports each 60 s, slow",
                seed -> job(MAPS, 10_000, SLOW_NODES, seed).reporting(60_000));
        scored(jobs, "score in 6 steps, reports each second", MINUTE, 0, Faults.scoreSteps(6), 1_000);
        scored(jobs, "score in 6 steps, reports each second, slow", MINUTE, SLOW_NODES, Faults.scoreSteps(6), 1_000);
        scored(jobs, "score in 10 steps, 10 minutes", 10 * MINUTE, 0, Faults.scoreSteps(10), 6_000);
        scored(jobs, "score in 4 steps, 4 minutes, slow", 4 * MINUTE, SLOW_NODES, Faults.scoreSteps(4), 6_000);
        scored(jobs, "score is the square of the time", MINUTE, 0, Faults.score(time -> time * time), 6_000);
        scored(jobs, "0.1 of the score takes 0.7 of the time", MINUTE, 0, Faults.score(knee(0.7, 0.1)), 6_000);
        scored(
                jobs,
                "0.9 of the score takes 0.3 of the time, slow",
                MINUTE,
                SLOW_NODES,
                Faults.score(knee(0.3, 0.9)),
                6_000);
        jobs.put("three of five inputs empty", seed -> mostlyEmpty(0, seed));
        jobs.put("three of five inputs empty, slow", seed -> mostlyEmpty(SLOW_NODES, seed));
        jobs.put("times do not follow sizes, slow", seed -> {
            double[] sizes = spread(seed);
            return job(MAPS, MINUTE, SLOW_NODES, seed).inputs(i -> sizes[i]);
        });
        jobs.put("sizes spread forty times, slow", seed -> {
            double[] sizes = spread(seed);
            return job(MAPS, MINUTE, SLOW_NODES, seed).sizes(i -> sizes[i], i -> 1);
        });
        jobs.put("sizes spread forty times, unknown", seed -> {
            double[] sizes = spread(seed);
            return job(MAPS, MINUTE, 0, seed).sizes(i -> sizes[i], i -> 1).inputsUnknown();
        });
        jobs.put("times follow the squares of sizes", seed -> {
            double[] sizes = spread(seed);
            return job(MAPS, MINUTE, 0, seed)
                    .sizes(i -> Math.min(20, sizes[i] * sizes[i]), i -> 1)
                    .inputs(i -> sizes[i]);
        });
        jobs.put("shared slots, largest map last, slow", UnusualJobs::largestLast);
        jobs.put("nodes become four times slower in the last wave", seed -> slowerInTheLastWave(4, seed));
        jobs.put("nodes become twice as slow in the last wave", seed -> slowerInTheLastWave(2, seed));
        jobs.put("30 % of the nodes pause for 15 s of each 45 s", UnusualJobs::pausing);
        jobs.put("one wave, sizes unknown", seed -> oneWave(seed).inputsUnknown());
        jobs.put("one wave, sizes by counters", UnusualJobs::oneWaveOfCountedSizes);
        return jobs;
    }

    private static void scored(
            Map<String, LongFunction<Scenario>> jobs,
            String name,
            double mapMillis,
            int slow,
            Faults score,
            long reportMillis) {
        jobs.put(
                name,
                seed -> job(FEWER_MAPS, mapMillis, slow, seed)
                        .reporting(reportMillis)
                        .with(name, score));
    }

    private static Scenario job(int maps, double mapMillis, int slow, long seed) {
        int[] rank = Scenarios.ranks(NODES, seed);
        return Scenario.maps("unusual", NODES, 2, maps, mapMillis, i -> SimNode.of(rank[i] < slow ? 5 : 1));
    }

    /** Some time in the first half of the last wave. */
    static Scenario slowerInTheLastWave(double factor, long seed) {
        int[] rank = Scenarios.ranks(NODES, seed);
        long at = SECOND_WAVE + new Random(seed).nextInt(30_000);
        return Scenario.maps("slower", NODES, 2, FEWER_MAPS, MINUTE, i -> {
            SimNode node = SimNode.of(1);
            return rank[i] < SLOW_NODES ? node.degrading(at, factor) : node;
        });
    }

    static Scenario pausing(long seed) {
        int[] rank = Scenarios.ranks(NODES, seed);
        long[] starts = new Random(seed).longs(NODES, 0, 45_000).toArray();
        return Scenario.maps("pauses", NODES, 2, MAPS, MINUTE, i -> {
            SimNode node = SimNode.of(1);
            return rank[i] < 0.3 * NODES ? node.pausing(45_000, 15_000, starts[i]) : node;
        });
    }

    /** Large maps beside many free slots. */
    static Scenario oneWave(long seed) {
        Random random = new Random(seed);
        double[] sizes = new double[MAPS];
        for (int i = 0; i < MAPS; i++) {
            sizes[i] = Math.exp(0.5 * random.nextGaussian());
        }
        return Scenario.maps("one wave", 50, 2, 60, MINUTE, i -> SimNode.of(1)).sizes(i -> sizes[i], i -> 1);
    }

    static Scenario oneWaveOfCountedSizes(long seed) {
        return oneWave(seed).inputsUnknown().inputsCounted();
    }

    private static Scenario mostlyEmpty(int slow, long seed) {
        return job(MAPS, MINUTE, slow, seed)
                .sizes(i -> i % 5 < 3 ? 0.02 : 1, i -> 1)
                .inputs(i -> i % 5 < 3 ? 0 : 1);
    }

    /**
     * Four nodes; the largest map runs last, on the slow node where it is unlucky, and reduces hold the other slots.
     */
    private static Scenario largestLast(long seed) {
        long slow = seed % 4;
        return Scenario.maps("largest last", 4, 2, 17, 30_000, i -> SimNode.of(i == slow ? 2.2 : 1))
                .startup(10_000)
                .sizes(i -> i == 15 ? 4 : 1, i -> 1)
                .reduces(16, 8_000, 10_000, 0)
                .sharedSlots();
    }

    /** A score that goes up at one pace until a part of the time, and at another pace after it. */
    private static DoubleUnaryOperator knee(double time, double score) {
        return t -> t < time ? t / time * score : score + (t - time) / (1 - time) * (1 - score);
    }

    /** Pareto's distribution with exponent 1.3 from 0.3 on, cut at 12. */
    private static double[] spread(long seed) {
        Random random = new Random(seed);
        double[] sizes = new double[MAPS];
        for (int i = 0; i < MAPS; i++) {
            sizes[i] = Math.min(12, 0.3 / Math.pow(1 - random.nextDouble(), 1 / 1.3));
        }
        return sizes;
    }
}
