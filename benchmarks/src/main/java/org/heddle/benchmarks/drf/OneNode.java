// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.drf;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.heddle.scheduler.engine.ContainerSize;
import org.heddle.scheduler.engine.Placer;
import org.heddle.scheduler.engine.Schedulable;
import org.heddle.scheduler.engine.ShareEngine;
import org.heddle.scheduler.policy.DominantShare;
import org.heddle.scheduler.policy.ShareOrders;
import org.jspecify.annotations.Nullable;

/** A share engine with one node, and users who each ask for tasks of one size without end. */
final class OneNode {
    private static final int PLENTY = 100_000;

    private final ShareEngine engine;
    private final long[] capacity;
    private final long[] free;
    private final List<Schedulable> users = new ArrayList<>();
    private long nowMillis;

    /**
     * @param order name of a share order
     * @param capacity of each resource
     */
    OneNode(String order, long... capacity) {
        this.capacity = capacity.clone();
        free = capacity.clone();
        engine = new ShareEngine(capacity.length, new ShareOrders().create(order, new SplittableRandom(1)), () -> true);
        engine.setCapacity(capacity, 1);
    }

    /** Adds a user; of users with equal shares the one that came first is served first. */
    OneNode user(String name, long... need) {
        double[] weight = new double[capacity.length];
        Arrays.fill(weight, 1);
        Schedulable user = engine.addApplication(engine.root(), name, weight, 0);
        engine.setAsk(user, need, PLENTY);
        users.add(user);
        return this;
    }

    /** Places one task; false if none fits. */
    boolean step() {
        nowMillis++;
        return engine.offer(free, 1, nowMillis, this::place) > 0;
    }

    private @Nullable ContainerSize place(Schedulable user, Placer.Gate gate) {
        ContainerSize size = engine.asks(user).get(0);
        return gate.admits(size) ? size : null;
    }

    /** Places tasks until none fits. */
    OneNode fill() {
        nowMillis++;
        engine.offer(free, Integer.MAX_VALUE, nowMillis, this::place);
        return this;
    }

    long tasks(int user) {
        return users.get(user).running();
    }

    String name(int user) {
        return users.get(user).name();
    }

    double dominantShare(int user) {
        return DominantShare.of(users.get(user).usage(), capacity);
    }

    /** Part of a resource that is in use. */
    double used(int resource) {
        return 1 - (double) free[resource] / capacity[resource];
    }
}
