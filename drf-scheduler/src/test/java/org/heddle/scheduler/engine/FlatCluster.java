// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.heddle.scheduler.policy.DrfOrder;

/**
 * One node and some users without a tree, each asking for containers of one size without end.
 *
 * @param capacity per resource
 * @param need per user and resource, some 0 but not all of a user's
 * @param weight per user and resource
 */
record FlatCluster(long[] capacity, long[][] need, double[][] weight) {
    private static final long PLENTY = 1_000_000;

    /** What came of it: containers per user, and per user what everybody held when that user could go on no longer. */
    public record Outcome(long[] containers, long[][] heldByAllAtEndOf) {}

    /** @param capacity of each resource; container needs are at most 20 of each */
    static FlatCluster random(SplittableRandom random, long capacity) {
        int users = 2 + random.nextInt(5);
        int resources = 2 + random.nextInt(2);
        long[] total = new long[resources];
        for (int j = 0; j < resources; j++) {
            total[j] = capacity + random.nextLong(capacity);
        }
        long[][] need = new long[users][resources];
        double[][] weight = new double[users][resources];
        boolean byResource = random.nextInt(3) == 0;
        boolean equal = random.nextInt(3) == 0;
        for (int i = 0; i < users; i++) {
            double base = equal ? 1 : 1 + random.nextInt(4);
            for (int j = 0; j < resources; j++) {
                need[i][j] = random.nextInt(4) == 0 ? 0 : 1 + random.nextInt(20);
                weight[i][j] = byResource && !equal ? 1 + random.nextInt(4) : base;
            }
            if (Arrays.stream(need[i]).sum() == 0) {
                need[i][0] = 1;
            }
        }
        return new FlatCluster(total, need, weight);
    }

    int users() {
        return need.length;
    }

    int resources() {
        return capacity.length;
    }

    /** The same with another size, or weight, for one user. */
    FlatCluster with(int user, long[] otherNeed, double[] otherWeight) {
        long[][] needs = need.clone();
        double[][] weights = weight.clone();
        needs[user] = otherNeed;
        weights[user] = otherWeight;
        return new FlatCluster(capacity, needs, weights);
    }

    double entitlement(int user, int resource) {
        double sum = 0;
        for (double[] one : weight) {
            sum += one[resource];
        }
        return weight[user][resource] / sum;
    }

    /** Weighted dominant share of so many containers. */
    double normalizedShare(int user, long containers) {
        double most = 0;
        for (int j = 0; j < resources(); j++) {
            most = Math.max(most, containers * need[user][j] / (capacity[j] * entitlement(user, j)));
        }
        return most;
    }

    /** Containers of a user's size that a bundle would do for. */
    static double worth(long[] need, double[] bundle) {
        double least = Double.POSITIVE_INFINITY;
        for (int j = 0; j < need.length; j++) {
            if (need[j] > 0) {
                least = Math.min(least, bundle[j] / need[j]);
            }
        }
        return least;
    }

    /** One offer of the whole node. */
    Outcome fill() {
        ShareEngine engine = new ShareEngine(resources(), new DrfOrder(), () -> true);
        engine.setCapacity(capacity, 1);
        List<Schedulable> schedulables = new ArrayList<>();
        for (int i = 0; i < users(); i++) {
            Schedulable user = engine.addApplication(engine.root(), "u" + i, weight[i], 0);
            engine.setAsk(user, need[i], PLENTY);
            schedulables.add(user);
        }
        long[] free = capacity.clone();
        long[][] ends = new long[users()][];
        engine.offer(free, Integer.MAX_VALUE, 0, (user, gate) -> {
            // what was placed before is booked by now, so whoever does not fit any more has just ended
            note(schedulables, free, ends);
            return engine.asks(user).get(0);
        });
        note(schedulables, free, ends);
        return new Outcome(schedulables.stream().mapToLong(Schedulable::running).toArray(), ends);
    }

    private void note(List<Schedulable> schedulables, long[] free, long[][] ends) {
        for (int i = 0; i < users(); i++) {
            if (ends[i] == null && !fits(need[i], free)) {
                ends[i] = schedulables.stream().mapToLong(Schedulable::running).toArray();
            }
        }
    }

    boolean fits(long[] size, long[] free) {
        for (int j = 0; j < size.length; j++) {
            if (size[j] > free[j]) {
                return false;
            }
        }
        return true;
    }

    /** What is left when everybody has so many. */
    long[] left(long[] containers) {
        long[] left = capacity.clone();
        for (int i = 0; i < users(); i++) {
            for (int j = 0; j < resources(); j++) {
                left[j] -= containers[i] * need[i][j];
            }
        }
        return left;
    }
}
