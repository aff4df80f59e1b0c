// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.engine;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.heddle.scheduler.policy.DominantShare;
import org.heddle.scheduler.policy.ShareOrders;
import org.jspecify.annotations.Nullable;

/**
 * What everybody would hold if the whole cluster were divided anew, without fragments: the same tree, orders, weights
 * and limits, run on one node with containers so small that rounding does not matter. For pages and tests, not for the
 * hot path: takes some milliseconds for a thousand applications.
 */
public final class FairShares {
    /** Every resource has this many units here. */
    private static final long UNITS = 1_000_000_000_000L;

    private static final int LEAST_GRAINS = 4_000;
    private static final int GRAINS_PER_APPLICATION = 8;
    private static final int ROUNDS = 400;

    private final Map<Claim, Double> shares = new HashMap<>();
    private final Map<Claim, Claim> copies = new HashMap<>();
    private final ShareEngine fluid;
    private final long[] units;
    private final int grains;

    /** Divides the engine's cluster among its present claims, each asking for what it holds and asks for now. */
    public static FairShares of(ShareEngine engine, ShareOrders orders) {
        return copy(engine, orders).divide();
    }

    /** Copies the engine's present claims, so that they can be divided without holding its lock. */
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
        grains = Math.max(LEAST_GRAINS, GRAINS_PER_APPLICATION * countLeaves(engine.root()));
        new Copy(fluid, orders, capacity, grains, copies).below(engine.root(), fluid.root());
    }

    /** Divides the cluster among the copied claims; takes milliseconds. */
    public FairShares divide() {
        long[] free = units.clone();
        int step = grains / ROUNDS; // a round each, lest who is blocked meanwhile still count as the poorest
        int placed;
        do {
            placed = fluid.offer(free, step, 0, FairShares::first);
        } while (placed > 0);
        copies.forEach((claim, copy) -> shares.put(claim, DominantShare.of(copy.usage, units)));
        return this;
    }

    /** The claim's dominant share, 0 to 1. */
    public double of(Claim claim) {
        return shares.getOrDefault(claim, 0.0);
    }

    private static SplittableRandom seed() {
        return new SplittableRandom(1);
    }

    private static String orderOf(Claim group) {
        if (group.order == null) {
            throw new IllegalArgumentException(group + " is an application and has no order");
        }
        return group.order.name();
    }

    private static int countLeaves(Claim claim) {
        int leaves = claim.isLeaf() ? 1 : 0;
        for (Claim child : claim.children) {
            leaves += countLeaves(child);
        }
        return leaves;
    }

    private static @Nullable Shape first(Claim application, Placer.Gate gate) {
        for (int k = 0; k < application.slots; k++) {
            if (gate.admits(application.shape[k])) {
                return application.shape[k];
            }
        }
        return null;
    }

    private record Copy(ShareEngine fluid, ShareOrders orders, long[] capacity, int grains, Map<Claim, Claim> copies) {
        void below(Claim group, Claim parent) {
            for (Claim child : group.children) {
                Claim copy = child.isLeaf()
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

        private void ask(Claim app, Claim copy) {
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
            long[] grain = new long[demand.length];
            for (int j = 0; j < grain.length; j++) {
                if (capacity[j] > 0) {
                    grain[j] = Math.round((double) demand[j] / capacity[j] / dominant * UNITS / grains);
                }
            }
            fluid.setAsk(copy, grain, Math.max(1, Math.round(Math.min(dominant, 1) * grains)));
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
