// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.drf;

import java.util.SplittableRandom;

/**
 * A cluster and users who never have enough, each with tasks of one size.
 *
 * @param capacity of each resource
 * @param needs of a task, by user and resource; no user needs nothing
 */
record RandomUsers(long[] capacity, long[][] needs) {
    /** A task is at most a five-hundredth of a resource, so that whole tasks hardly matter. */
    private static final int LEAST_CAPACITY = 10_000;

    private static final int LARGEST_NEED = 20;
    private static final int MOST_USERS = 6;
    private static final int MOST_RESOURCES = 3;

    /** Two to six users and two or three resources. */
    static RandomUsers draw(SplittableRandom random) {
        long[] capacity = new long[random.nextInt(2, MOST_RESOURCES + 1)];
        for (int j = 0; j < capacity.length; j++) {
            capacity[j] = random.nextLong(LEAST_CAPACITY, 2 * LEAST_CAPACITY);
        }
        long[][] needs = new long[random.nextInt(2, MOST_USERS + 1)][capacity.length];
        for (long[] need : needs) {
            for (int j = 0; j < need.length; j++) {
                need[j] = random.nextInt(1, LARGEST_NEED + 1);
            }
        }
        return new RandomUsers(capacity, needs);
    }

    int users() {
        return needs.length;
    }

    /** The same, but one user overstates what its tasks need of a resource, at most by what the largest task needs. */
    RandomUsers overstated(int user, SplittableRandom random) {
        long[][] others = needs.clone();
        others[user] = needs[user].clone();
        others[user][random.nextInt(capacity.length)] += random.nextInt(1, LARGEST_NEED + 1);
        return new RandomUsers(capacity, others);
    }

    /** The cluster filled under a share order. */
    OneNode filled(String order) {
        OneNode node = new OneNode(order, capacity);
        for (int i = 0; i < users(); i++) {
            node.user("u" + i, needs[i]);
        }
        return node.fill();
    }
}
