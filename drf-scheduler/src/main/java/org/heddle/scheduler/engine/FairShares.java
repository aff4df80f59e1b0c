// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.heddle.scheduler.policy.DominantShare;
import org.heddle.scheduler.policy.ShareOrder;
import org.heddle.scheduler.policy.ShareOrders;
import org.jspecify.annotations.Nullable;

/**
 * The shares if the whole cluster were divided anew, without fragments: the same tree, orders, weights
 * and limits, run on one node with containers so small that rounding does not matter. For pages and tests, not for the
 * hot path: takes some milliseconds. Of more than 500 applications, those of one queue or user that ask for about the
 * same are divided as one, and what they get is then divided among them.
 *
 * <p>The containers ("grains") are all of one size, at first {@code 1/4000} of the cluster or less.
 * Wherever a coarse grain would show in the result (a resource is nearly used up, a limit or a guarantee nearly
 * reached, a demand nearly met) they become finer, by a factor of up to 512, as far as the budget for that goes.
 */
public final class FairShares {
    /** The number of units of every resource here. */
    private static final long UNITS = 1_000_000_000_000L;

    private static final int LEAST_GRAINS = 4_000;
    private static final int GRAINS_PER_CLAIM = 8;
    /** With more claims their shares are exact to two grains, which is 0.025 % of the cluster. */
    private static final int MOST_GRAINS = 8_000;

    /** With more applications, those of one parent that ask for the same are divided as one. */
    private static final int MOST_APPLICATIONS = 500;

    /**
     * With more directions than this they are rounded: each is a container size, and each choice looks at all sizes.
     */
    private static final int MOST_DIRECTIONS = 64;

    private static final int STEPS_OF_DIRECTIONS = 16;

    /**
     * Applications that are served one after the other become one up to this part of what all of their parent ask for.
     */
    private static final double MOST_OF_DEMAND = 1.0 / 16;

    /** A round ends often, so that blocked ones soon stop counting as the poorest. */
    private static final int MOST_ROUNDS = 400;

    private static final int LEAST_ROUNDS = 20;
    /** The end of a round looks at all claims: so many looks with many of them. */
    private static final int LOOKS = 200_000;

    /** The number of grains that replace one grain of the level before. */
    private static final int FINER = 8;

    private static final int FINEST_LEVEL = 3;
    /** Until a resource is used up, each claim may have one grain more or less than its share. */
    private static final int GRAINS_TO_EVEN_OUT = 2;

    private static final int MOST_TO_EVEN_OUT = 500;
    /** The most work for finer grains, as a multiple of the work for coarse grains. */
    private static final double BUDGET = 2;

    private final Map<Schedulable, Double> shares = new HashMap<>();
    private final Map<Schedulable, Schedulable> copies = new HashMap<>();
    private final List<Claim> claims = new ArrayList<>();
    private final List<Schedulable> bounded = new ArrayList<>();
    private final ShareEngine fluid;
    private final long[] units;
    private final int grains;
    private final int step;

    /**
     * An application.
     *
     * @param demand how much of its dominant resource it holds and asks for, as a part of the cluster
     * @param weight among the children of its parent; 0 if these are served one after the other
     */
    private record Member(Schedulable application, double demand, double weight) {}

    /**
     * What one application, or several of one parent, hold and ask for: a copy that stands for them, the direction (the
     * dominant resource's part is 1), and how far it goes.
     *
     * @param scale the sum of the applications' dominant shares for each unit of the claim's; above 1 if these are of
     *     different resources
     */
    private record Claim(Schedulable copy, double[] direction, double demand, double scale, List<Member> members) {
        long[] grain(long size) {
            long[] grain = new long[direction.length];
            for (int j = 0; j < grain.length; j++) {
                grain[j] = Math.round(direction[j] * size);
            }
            return grain;
        }

        Claim withRoundedDirection() {
            return new Claim(copy, rounded(direction), demand, scale, members);
        }

        /** The unserved part of its demand, in units of its dominant resource. */
        long rest(long[] units) {
            return Math.round((demand - share(units)) * UNITS);
        }

        double share(long[] units) {
            return DominantShare.of(copy.usage, units);
        }
    }

    private static double[] rounded(double[] direction) {
        double[] rounded = new double[direction.length];
        Arrays.setAll(rounded, j -> Math.rint(direction[j] * STEPS_OF_DIRECTIONS) / STEPS_OF_DIRECTIONS);
        return rounded;
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
        Copy copy = new Copy(engine, orders, capacity, copies, claims);
        fluid = copy.fluid;
        fluid.setCapacity(units, 1);
        fluid.setResourceWeights(engine.resourceWeights());
        copies.put(engine.root(), fluid.root());
        copy.below(engine.root(), fluid.root());
        int most = Math.max(1, claims.size());
        grains = Math.min(MOST_GRAINS, Math.max(LEAST_GRAINS, GRAINS_PER_CLAIM * most));
        step = grains / Math.min(MOST_ROUNDS, Math.max(LEAST_ROUNDS, LOOKS / most));
        copies.values().stream()
                .filter(each -> each.limit != null || each.guarantee != null)
                .forEach(bounded::add);
    }

    private boolean hasManyDirections() {
        return claims.stream()
                        .map(claim -> new VectorKey(claim.grain(UNITS)))
                        .distinct()
                        .limit(MOST_DIRECTIONS + 1L)
                        .count()
                > MOST_DIRECTIONS;
    }

    /** Divides the cluster among the copies; takes milliseconds. */
    public FairShares divide() {
        if (hasManyDirections()) {
            claims.replaceAll(Claim::withRoundedDirection);
        }
        long[] free = units.clone();
        long budget = (long) (BUDGET * grains);
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
                budget -= claims.size();
                withdraw();
                askFor(grain(next));
                fluid.offer(free, 0, 0, FairShares::first); // a new container size counts as blocked only after a round
            }
            level = next;
        }
        for (Claim claim : claims) {
            long rest = claim.rest(units);
            if (rest > 0 && rest < grain(FINEST_LEVEL)) {
                fluid.holdLater(claim.copy, claim.grain(rest));
            }
            divide(claim);
        }
        copies.forEach((schedulable, copy) -> shares.put(schedulable, DominantShare.of(copy.usage, units)));
        return this;
    }

    /** Divides what a claim has got among its applications, by weight or one after the other. */
    private void divide(Claim claim) {
        double left = claim.share(units) * claim.scale;
        double weights = claim.members.stream().mapToDouble(Member::weight).sum();
        for (Member member : claim.members) {
            double part = weights > 0 ? left * member.weight / weights : left;
            double share = Math.min(member.demand, part);
            shares.put(member.application, share);
            left -= share;
            weights -= member.weight;
        }
    }

    private long grain(int level) {
        long size = UNITS / grains;
        for (int i = 0; i < level; i++) {
            size /= FINER;
        }
        return size;
    }

    private void askFor(long size) {
        for (Claim claim : claims) {
            long count = claim.rest(units) / size;
            if (count > 0) {
                fluid.setAskLater(claim.copy, claim.grain(size), count);
            }
        }
    }

    private void withdraw() {
        for (Claim claim : claims) {
            for (ContainerSize containerSize : fluid.asks(claim.copy)) {
                fluid.setAskLater(claim.copy, containerSize.need, 0);
            }
        }
    }

    /** The level of grains needed now. */
    private int levelFor(long[] free) {
        long[] wanted = fluid.root().demand();
        int margin = step + Math.min(MOST_TO_EVEN_OUT, GRAINS_TO_EVEN_OUT * (copies.size() + claims.size()));
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

    /** Copies the tree; of many applications those of one parent that ask for the same become one. */
    private static final class Copy {
        private static final Comparator<Schedulable> IN_TURN = Comparator.<Schedulable>comparingInt(
                        child -> child.priority)
                .reversed()
                .thenComparingLong(child -> child.sequence);

        final ShareEngine fluid;
        private final ShareOrders orders;
        private final long[] capacity;
        private final Map<Schedulable, Schedulable> copies;
        private final List<Claim> claims;
        private final boolean merges;

        /**
         * What an application holds and asks for.
         *
         * @param demand as parts of the cluster
         * @param dominant the largest of them
         */
        private record Asking(Schedulable application, double[] demand, double dominant) {
            double[] direction() {
                return divided(demand, dominant);
            }

            Member member(double weight) {
                return new Member(application, Math.min(dominant, 1), weight);
            }
        }

        /** What applications that become one have in common; the demand is that by weight, in powers of four. */
        private record Kind(VectorKey direction, int priority, int demand) {}

        Copy(
                ShareEngine engine,
                ShareOrders orders,
                long[] capacity,
                Map<Schedulable, Schedulable> copies,
                List<Claim> claims) {
            this.orders = orders;
            this.capacity = capacity;
            this.copies = copies;
            this.claims = claims;
            this.merges = countLeaves(engine.root()) > MOST_APPLICATIONS;
            this.fluid =
                    new ShareEngine(capacity.length, orders.create(engine.root().order(), seed()), () -> true);
        }

        void below(Schedulable group, Schedulable parent) {
            if (merges && !group.entitlesChildren()) {
                belowInTurn(group, parent);
                return;
            }
            Map<Kind, List<Member>> merged = new LinkedHashMap<>();
            for (Schedulable child : group.children) {
                if (!child.isLeaf()) {
                    group(child, parent);
                    continue;
                }
                Asking asking = asking(child);
                if (asking.dominant > 0 && merges && isPlain(child)) {
                    merged.computeIfAbsent(kind(asking), kind -> new ArrayList<>())
                            .add(asking.member(child.weight[0]));
                } else if (asking.dominant > 0) {
                    claim(parent, asking);
                }
            }
            merged.forEach((kind, members) -> merge(parent, kind, members));
        }

        private void group(Schedulable child, Schedulable parent) {
            ShareOrder order = orders.create(child.order(), seed());
            Schedulable copy = fluid.addLater(parent, child.name, order, child.weight, child.priority);
            bound(child, copy);
            below(child, copy);
        }

        private void claim(Schedulable parent, Asking asking) {
            Schedulable child = asking.application;
            Schedulable copy = fluid.addLater(parent, child.name, null, child.weight, child.priority);
            bound(child, copy);
            Member alone = asking.member(child.weight[0]);
            claims.add(new Claim(copy, asking.direction(), alone.demand, 1, List.of(alone)));
        }

        private static boolean isPlain(Schedulable child) {
            return child.limit == null && child.guarantee == null && child.weight[0] > 0;
        }

        /**
         * Applications that are served one after the other: neighbours in this order become one while they ask for the
         * same, and others while they are a small part of all.
         */
        private void belowInTurn(Schedulable group, Schedulable parent) {
            List<Schedulable> children = new ArrayList<>(group.children);
            children.sort(IN_TURN);
            List<Asking> inTurn = new ArrayList<>(children.size());
            double all = 0;
            for (Schedulable child : children) {
                Asking asking = asking(child);
                inTurn.add(asking);
                all += child.isLeaf() ? asking.dominant : 0;
            }
            Run run = new Run();
            for (Asking asking : inTurn) {
                Schedulable child = asking.application;
                if (!child.isLeaf()) {
                    run = closed(run, parent);
                    group(child, parent);
                } else if (asking.dominant > 0 && !isPlain(child)) {
                    run = closed(run, parent);
                    claim(parent, asking);
                } else if (asking.dominant > 0) {
                    VectorKey kind = steps(asking.direction());
                    run = run.takes(kind, asking.dominant, all * MOST_OF_DEMAND) ? run : closed(run, parent);
                    run.add(asking, kind);
                }
            }
            closed(run, parent);
        }

        private Run closed(Run run, Schedulable parent) {
            if (!run.members.isEmpty()) {
                Schedulable first = run.members.get(0).application;
                double dominant = max(run.demand);
                Schedulable copy = fluid.addLater(parent, first.name, null, first.weight, first.priority);
                claims.add(new Claim(
                        copy,
                        divided(run.demand, dominant),
                        Math.min(dominant, 1),
                        run.dominants / dominant,
                        run.members));
            }
            return new Run();
        }

        /** Neighbours that become one. */
        private final class Run {
            final List<Member> members = new ArrayList<>();
            final double[] demand = new double[capacity.length];
            double dominants;
            private @Nullable VectorKey kind;
            private boolean isMixed;

            boolean takes(VectorKey next, double dominant, double most) {
                return kind == null || (!isMixed && kind.equals(next)) || dominants + dominant <= most;
            }

            void add(Asking asking, VectorKey next) {
                members.add(asking.member(0));
                isMixed |= kind != null && !kind.equals(next);
                kind = next;
                dominants += asking.dominant;
                for (int j = 0; j < demand.length; j++) {
                    demand[j] += asking.demand[j];
                }
            }
        }

        private static double max(double[] demand) {
            double most = 0;
            for (double part : demand) {
                most = Math.max(most, part);
            }
            return most;
        }

        private static double[] divided(double[] demand, double dominant) {
            double[] parts = new double[demand.length];
            for (int j = 0; j < parts.length; j++) {
                parts[j] = demand[j] / dominant;
            }
            return parts;
        }

        private void bound(Schedulable original, Schedulable copy) {
            copies.put(original, copy);
            fluid.setLimit(copy, limitInUnits(original.limit));
            fluid.setGuarantee(copy, guaranteeInUnits(original.guarantee));
        }

        private static Kind kind(Asking asking) {
            Member member = asking.member(asking.application.weight[0]);
            int demand = Math.getExponent(member.demand / member.weight) / 2;
            return new Kind(steps(asking.direction()), member.application.priority, demand);
        }

        private static VectorKey steps(double[] direction) {
            long[] steps = new long[direction.length];
            for (int j = 0; j < steps.length; j++) {
                steps[j] = Math.round(direction[j] * STEPS_OF_DIRECTIONS);
            }
            return new VectorKey(steps);
        }

        /** One for several, with the sum of their weights. */
        private void merge(Schedulable parent, Kind kind, List<Member> members) {
            members.sort(Comparator.<Member>comparingDouble(member -> member.demand / member.weight)
                    .thenComparingLong(member -> member.application.sequence));
            double demand = 0;
            double[] weight = new double[capacity.length];
            for (Member member : members) {
                demand += member.demand;
                for (int j = 0; j < weight.length; j++) {
                    weight[j] += member.application.weight[j];
                }
            }
            double[] direction = new double[capacity.length];
            Arrays.setAll(direction, j -> (double) kind.direction.vector()[j] / STEPS_OF_DIRECTIONS);
            Schedulable copy = fluid.addLater(parent, members.get(0).application.name, null, weight, kind.priority);
            claims.add(new Claim(copy, direction, Math.min(demand, 1), 1, members));
        }

        private Asking asking(Schedulable app) {
            long[] pending = app.demand();
            double[] demand = new double[pending.length];
            for (int j = 0; j < demand.length; j++) {
                demand[j] = capacity[j] > 0 ? (double) (pending[j] + app.usage[j]) / capacity[j] : 0;
            }
            return new Asking(app, demand, max(demand));
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
                units[j] = Long.MAX_VALUE / 2;
                if (capacity[j] > 0 && limit[j] < capacity[j]) {
                    units[j] = Math.round((double) limit[j] / capacity[j] * UNITS);
                }
            }
            return units;
        }
    }
}
