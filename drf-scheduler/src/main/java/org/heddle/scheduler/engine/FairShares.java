// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.engine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.heddle.scheduler.policy.DominantShare;
import org.heddle.scheduler.policy.ShareOrders;
import org.jspecify.annotations.Nullable;

/**
 * The shares if the whole cluster were divided anew, without fragments: the same tree, orders, weights
 * and limits, run on one node with containers so small that rounding does not matter. For pages and tests, not for the
 * hot path: takes some milliseconds for a thousand applications.
 *
 * <p>The containers ("grains") are all of one size, at first {@code 1/4000} of the cluster or less.
 * Wherever a coarse grain would show in the result (a resource is nearly used up, a limit or a guarantee nearly
 * reached, a demand nearly met) they become finer, by a factor of up to 512, as far as the budget for that goes.
 */
public final class FairShares {
    /** The number of units of every resource here. */
    private static final long UNITS = 1_000_000_000_000L;

    private static final int LEAST_GRAINS = 4_000;
    private static final int GRAINS_PER_APPLICATION = 8;
    /** With more applications their shares are exact to two grains, which is 0.007 % of the cluster. */
    private static final int MOST_GRAINS = 32_000;

    /** A round ends often, so that blocked ones soon stop counting as the poorest. */
    private static final int MOST_ROUNDS = 400;

    private static final int LEAST_ROUNDS = 20;
    /** The end of a round looks at all applications: so many looks with many of them. */
    private static final int LOOKS = 200_000;

    /** The number of grains that replace one grain of the level before. */
    private static final int FINER = 8;

    private static final int FINEST_LEVEL = 3;
    /** Until a resource is used up, each application may have one grain more or less than its share. */
    private static final int GRAINS_TO_EVEN_OUT = 2;

    private static final int MOST_TO_EVEN_OUT = 500;
    /** The most work for finer grains, as a multiple of the work for coarse grains. */
    private static final double BUDGET = 2;

    private static final double BUDGET_OF_MANY = 0.5;
    private static final int MANY = 4_000;

    private final Map<Schedulable, Double> shares = new HashMap<>();
    private final Map<Schedulable, Schedulable> copies = new HashMap<>();
    private final List<Application> applications = new ArrayList<>();
    private final List<Schedulable> bounded = new ArrayList<>();
    private final ShareEngine fluid;
    private final long[] units;
    private final int grains;
    private final int step;

    /** An application's copy, the direction of its demand (the dominant resource's part is 1), and how far it goes. */
    private record Application(Schedulable copy, double[] direction, double demand) {
        long[] grain(long size) {
            long[] grain = new long[direction.length];
            for (int j = 0; j < grain.length; j++) {
                grain[j] = Math.round(direction[j] * size);
            }
            return grain;
        }

        /** The unserved part of its demand, in units of its dominant resource. */
        long rest(long[] units) {
            return Math.round((demand - DominantShare.of(copy.usage, units)) * UNITS);
        }
    }

    /** Divides the cluster among the engine's queues, users and applications by what each holds and asks for now. */
    public static FairShares of(ShareEngine engine, ShareOrders orders) {
        return copy(engine, orders).divide();
    }

    /** Copies the engine's queues, users and applications, so that the division needs no lock. */
    public static FairShares copy(ShareEngine engine, ShareOrders orders) {
        return new FairShares(engine, orders);
    }

    private FairShares(ShareEngine engine, ShareOrders orders) {
        int resources = engine.resources();
        long[] capacity = new long[resources];
        units = new long[resources];
        for (int j = 0; j < resources; j++) {
            capacity[j] = engine.capacity(j);
            units[j] = capacity[j] > 0 ? UNITS : 0;
        }
        fluid = new ShareEngine(resources, orders.create(orderOf(engine.root()), seed()), () -> true);
        fluid.setCapacity(units, 1);
        fluid.setResourceWeights(engine.resourceWeights());
        copies.put(engine.root(), fluid.root());
        int leaves = Math.max(1, countLeaves(engine.root()));
        grains = Math.min(MOST_GRAINS, Math.max(LEAST_GRAINS, GRAINS_PER_APPLICATION * leaves));
        step = grains / Math.min(MOST_ROUNDS, Math.max(LEAST_ROUNDS, LOOKS / leaves));
        new Copy(fluid, orders, capacity, copies, applications).below(engine.root(), fluid.root());
        copies.values().stream()
                .filter(copy -> copy.limit != null || copy.guarantee != null)
                .forEach(bounded::add);
    }

    /** Divides the cluster among the copies; takes milliseconds. */
    public FairShares divide() {
        long[] free = units.clone();
        long budget = (long) ((applications.size() > MANY ? BUDGET_OF_MANY : BUDGET) * grains);
        int coarsest = 0;
        int level = 0;
        askFor(grain(level));
        while (coarsest <= FINEST_LEVEL) {
            int placed = fluid.offer(free, step, 0, FairShares::first);
            if (placed == 0) {
                coarsest = level + 1; // what does not fit now will not fit later
            }
            budget -= level == 0 ? 0 : placed;
            int next = budget > 0 ? Math.max(coarsest, levelFor(free)) : coarsest;
            if (next != level && next <= FINEST_LEVEL) {
                budget -= applications.size();
                withdraw();
                askFor(grain(next));
                fluid.offer(free, 0, 0, FairShares::first); // a new container size counts as blocked only after a round
            }
            level = next;
        }
        withdraw();
        for (Application application : applications) {
            long rest = application.rest(units);
            if (rest > 0 && rest < grain(FINEST_LEVEL)) {
                fluid.hold(application.copy, application.grain(rest));
            }
        }
        copies.forEach((schedulable, copy) -> shares.put(schedulable, DominantShare.of(copy.usage, units)));
        return this;
    }

    private long grain(int level) {
        long size = UNITS / grains;
        for (int i = 0; i < level; i++) {
            size /= FINER;
        }
        return size;
    }

    private void askFor(long size) {
        for (Application application : applications) {
            long count = application.rest(units) / size;
            if (count > 0) {
                fluid.setAsk(application.copy, application.grain(size), count);
            }
        }
    }

    private void withdraw() {
        for (Application application : applications) {
            for (ContainerSize containerSize : fluid.asks(application.copy)) {
                fluid.setAsk(application.copy, containerSize.need, 0);
            }
        }
    }

    /** The level of grains needed now. */
    private int levelFor(long[] free) {
        long[] wanted = fluid.root().demand();
        int margin = step + Math.min(MOST_TO_EVEN_OUT, GRAINS_TO_EVEN_OUT * copies.size());
        int level = 0;
        for (int j = 0; j < free.length; j++) {
            if (wanted[j] > 0) {
                level = Math.max(level, levelFor(free[j], margin));
            }
        }
        for (Schedulable schedulable : bounded) {
            if (schedulable.pending > 0) {
                level = Math.max(level, levelFor(least(schedulable.limit, schedulable.usage, false), step + 1));
                level = Math.max(level, levelFor(least(schedulable.guarantee, schedulable.usage, true), step + 1));
            }
        }
        return level;
    }

    /** The level of grains needed for this remaining amount; the remainder at the end does not matter. */
    private int levelFor(long left, int margin) {
        int level = 0;
        while (left > grain(FINEST_LEVEL) && level < FINEST_LEVEL && left < margin * grain(level)) {
            level++;
        }
        return level;
    }

    /** The smallest distance to a bound. */
    private static long least(long @Nullable [] bound, long[] usage, boolean onlyPositive) {
        long least = UNITS;
        for (int j = 0; bound != null && j < bound.length; j++) {
            if (bound[j] > 0 || !onlyPositive) {
                least = Math.min(least, bound[j] - usage[j]);
            }
        }
        return least;
    }

    /** The schedulable's dominant share, 0 to 1. */
    public double of(Schedulable schedulable) {
        return shares.getOrDefault(schedulable, 0.0);
    }

    private static SplittableRandom seed() {
        return new SplittableRandom(1);
    }

    private static String orderOf(Schedulable group) {
        if (group.order == null) {
            throw new IllegalArgumentException(group + " is an application and has no order");
        }
        return group.order.name();
    }

    private static int countLeaves(Schedulable schedulable) {
        int leaves = schedulable.isLeaf() ? 1 : 0;
        for (Schedulable child : schedulable.children) {
            leaves += countLeaves(child);
        }
        return leaves;
    }

    private static @Nullable ContainerSize first(Schedulable application, Placer.Gate gate) {
        for (int k = 0; k < application.slots; k++) {
            if (gate.admits(application.containerSize[k])) {
                return application.containerSize[k];
            }
        }
        return null;
    }

    private record Copy(
            ShareEngine fluid,
            ShareOrders orders,
            long[] capacity,
            Map<Schedulable, Schedulable> copies,
            List<Application> applications) {
        void below(Schedulable group, Schedulable parent) {
            for (Schedulable child : group.children) {
                Schedulable copy = child.isLeaf()
                        ? fluid.addApplication(parent, child.name, child.weight, child.priority)
                        : fluid.addGroup(parent, child.name, orders.create(orderOf(child), seed()), child.weight);
                copies.put(child, copy);
                fluid.setLimit(copy, limitInUnits(child.limit));
                fluid.setGuarantee(copy, guaranteeInUnits(child.guarantee));
                if (child.isLeaf()) {
                    ask(child, copy);
                } else {
                    below(child, copy);
                }
            }
        }

        private void ask(Schedulable app, Schedulable copy) {
            long[] demand = app.demand();
            double dominant = 0;
            for (int j = 0; j < demand.length; j++) {
                demand[j] += app.usage[j];
                if (capacity[j] > 0) {
                    dominant = Math.max(dominant, (double) demand[j] / capacity[j]);
                }
            }
            if (dominant <= 0) {
                return;
            }
            double[] direction = new double[demand.length];
            for (int j = 0; j < direction.length; j++) {
                direction[j] = capacity[j] > 0 ? (double) demand[j] / capacity[j] / dominant : 0;
            }
            applications.add(new Application(copy, direction, Math.min(dominant, 1)));
        }

        private long @Nullable [] guaranteeInUnits(long @Nullable [] guarantee) {
            if (guarantee == null) {
                return null;
            }
            long[] units = new long[guarantee.length];
            for (int j = 0; j < units.length; j++) {
                units[j] = capacity[j] > 0 ? Math.round(Math.min(1, (double) guarantee[j] / capacity[j]) * UNITS) : 0;
            }
            return units;
        }

        private long @Nullable [] limitInUnits(long @Nullable [] limit) {
            if (limit == null) {
                return null;
            }
            long[] units = new long[limit.length];
            for (int j = 0; j < units.length; j++) {
                units[j] = capacity[j] > 0 && limit[j] < capacity[j]
                        ? Math.round((double) limit[j] / capacity[j] * UNITS)
                        : Long.MAX_VALUE / 2;
            }
            return units;
        }
    }
}
