// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.engine;

import java.util.Arrays;
import org.heddle.scheduler.policy.DominantShare;
import org.heddle.scheduler.policy.SchedulableView;
import org.heddle.scheduler.policy.ShareOrder;
import org.jspecify.annotations.Nullable;

/**
 * Hierarchical dominant resource fairness, kept incrementally. Hot: every grant and release walks one path to the root,
 * O(resources + log siblings) for each level and shape.
 *
 * <p><b>Standing.</b> A claim's standing is its weighted dominant share relative to its entitlement: 1 means it has
 * what it is entitled to (its weight's part, among its active siblings, of what its parent is entitled to). The child
 * with the smallest standing is served next.
 *
 * <p><b>Reckoning a parent</b> (H-DRF: Bhattacharya et al., SoCC 2013). Adding up its children starves: a queue whose
 * one user fills the GPUs would count as full, and its other user would get no core. So each unblocked child's usage is
 * scaled down to the poorest of them, M, and the sum counts: {@code h = max_j price_j * (M * sum_c a_cj / s_c + fixed)}.
 * Children that ask for nothing, are blocked (nothing they ask for fitted a node of the last whole round) or are held
 * by a limit do not set M; they count as they are but with no more than M.
 *
 * <p><b>Newcomers.</b> Rescaling alone lets a queue look empty whenever a fresh user joins it. We bound it by the
 * entitlement: with n the plain sum's standing, a parent's standing is n up to 1, and {@code max(1, h)} beyond: the
 * median of h, 1 and n. So a queue below its entitlement is never held back by a sibling above its own, however many
 * users that one spawns, and rescaling decides only about what is left over (docs/decisions/0004).
 *
 * <p>A weight of 0 means an infinite standing: served when nobody else can be, in order of arrival.
 */
final class SchedulableTree {
    /** The tier of those that hold less than their guarantee, before all tiers of all orders. */
    static final long BELOW_GUARANTEE = Long.MIN_VALUE;

    private final int resources;
    private final View view;
    final Schedulable root;
    final long[] capacity;
    /** How much a share of each resource counts; 1 unless configured. */
    final double[] resourceWeight;

    private long sequence;
    /** Weights, capacity, or who is active have changed since {@link #renew}. */
    boolean stale = true;
    /** What is being tried out now, if anything. */
    @Nullable
    Trial trial;

    SchedulableTree(int resources, ShareOrder rootOrder) {
        this.resources = resources;
        this.capacity = new long[resources];
        this.resourceWeight = new double[resources];
        Arrays.fill(resourceWeight, 1);
        double[] ones = new double[resources];
        Arrays.fill(ones, 1);
        this.root = new Schedulable("root", null, rootOrder, ones, sequence++);
        this.view = new View(capacity);
    }

    Schedulable add(Schedulable parent, String name, @Nullable ShareOrder order, double[] weight) {
        Schedulable added = new Schedulable(name, parent, order, weight, sequence++);
        parent.children.add(added);
        entitle(parent);
        restate(added);
        stale = true;
        return added;
    }

    /** Removes a claim that holds and asks for nothing and has no children. */
    void remove(Schedulable removed) {
        Schedulable parent = removed.parent;
        if (parent == null || removed.isActive() || !removed.children.isEmpty() || removed.slots > 0) {
            throw new IllegalStateException("claim " + removed + " still holds " + removed.running
                    + " containers, asks for " + removed.pending + " and has " + removed.children.size()
                    + " children: it cannot be removed");
        }
        withdrawContribution(removed, parent);
        parent.children.remove(removed);
        if (parent.order != null) {
            parent.order.removed(view.of(removed));
        }
        stale = true;
    }

    /** Adds to what a claim and all above it ask for. The shape's own total is the caller's. */
    void ask(Schedulable claim, ContainerSize shape, long delta) {
        if (delta > 0) {
            askMore(claim, shape, delta);
        } else if (delta < 0) {
            askLess(claim, shape, -delta);
        }
    }

    private void askMore(Schedulable claim, ContainerSize shape, long delta) {
        if (claim.parent != null) {
            askMore(claim.parent, shape, delta);
        }
        stale |= !claim.isActive();
        claim.pending += delta;
        int k = claim.slotOf(shape);
        if (k < 0) {
            k = claim.addSlot(shape);
        }
        claim.asked[k] += delta;
        if (claim.position[k] == Schedulable.NOT_IN_HEAP && claim.parent != null) {
            heapOf(claim.parent, shape).add(claim, k);
        }
    }

    private void askLess(Schedulable app, ContainerSize shape, long delta) {
        for (Schedulable claim = app; claim != null; claim = claim.parent) {
            int k = claim.slotOf(shape);
            claim.pending -= delta;
            claim.asked[k] -= delta;
            if (claim.asked[k] == 0) {
                if (claim.position[k] >= 0 && claim.parent != null) {
                    heapOf(claim.parent, shape).remove(claim.position[k], Schedulable.NOT_IN_HEAP);
                }
                claim.removeSlot(k);
            }
            stale |= !claim.isActive();
        }
    }

    static ChildHeap heapOf(Schedulable parent, ContainerSize shape) {
        return parent.heap[parent.slotOf(shape)];
    }

    /** Adds to what a claim and all above it hold. Call {@link #settle} after this and the change of asks. */
    void hold(Schedulable app, long[] amount, int sign, int containers) {
        for (Schedulable claim = app; claim != null; claim = claim.parent) {
            boolean was = claim.isActive();
            for (int j = 0; j < resources; j++) {
                claim.usage[j] += sign * amount[j];
            }
            claim.running += containers;
            if (claim.meter != null) {
                claim.meter.usageChanged(claim.usage);
            }
            stale |= was != claim.isActive();
        }
    }

    /** Brings standings, places and sums up to date along the path from a claim whose usage or asks changed. */
    void settle(Schedulable changed) {
        for (Schedulable claim = changed; claim.parent != null; claim = claim.parent) {
            restate(claim);
            for (int k = 0; k < claim.slots; k++) {
                if (claim.position[k] >= 0) {
                    heapOf(claim.parent, claim.shape[k]).moved(claim.position[k]);
                }
            }
            contribute(claim, claim.parent);
        }
    }

    /** Does everything anew: entitlements from the top, standings from the bottom, sums free of rounding. */
    void renew() {
        Arrays.fill(root.entitlement, 1);
        renewBelow(root);
        stale = false;
    }

    private void renewBelow(Schedulable parent) {
        entitle(parent);
        Arrays.fill(parent.scaledSum, 0);
        Arrays.fill(parent.fixedSum, 0);
        for (int i = 0; i < parent.children.size(); i++) {
            Schedulable child = parent.children.get(i);
            Arrays.fill(child.contribution, 0);
            if (!child.isLeaf()) {
                renewBelow(child);
            }
            restate(child);
        }
        for (int k = 0; k < parent.slots; k++) {
            parent.heap[k].rebuild();
        }
        parent.sortedBy = poorest(parent);
        parent.nextBelow = Double.NEGATIVE_INFINITY;
        parent.nextAbove = Double.POSITIVE_INFINITY;
        for (int i = 0; i < parent.children.size(); i++) {
            contribute(parent.children.get(i), parent);
        }
    }

    /** Divides what a parent is entitled to among its children by weight; who is not active does not count. */
    private void entitle(Schedulable parent) {
        for (int j = 0; j < resources; j++) {
            double active = 0;
            for (int i = 0; i < parent.children.size(); i++) {
                Schedulable child = parent.children.get(i);
                if (child.isActive()) {
                    active += child.weight[j];
                }
            }
            for (int i = 0; i < parent.children.size(); i++) {
                Schedulable child = parent.children.get(i);
                double sum = child.isActive() ? active : active + child.weight[j];
                child.entitlement[j] = child.weight[j] > 0 ? parent.entitlement[j] * child.weight[j] / sum : 0;
                child.price[j] = resourceWeight[j] * DominantShare.price(capacity[j], child.entitlement[j]);
            }
        }
    }

    private void restate(Schedulable claim) {
        claim.standing = reckon(claim);
        claim.atLimit = !claim.isWithinLimits();
        ShareOrder order = claim.parent == null ? null : claim.parent.order;
        if (order != null && (trial == null || order.rescales())) {
            double held = claim.guarantee == null || !order.entitles() ? 1 : claim.guaranteeHeld();
            if (held < 1) {
                claim.tier = BELOW_GUARANTEE;
                claim.key = held;
            } else {
                claim.tier = Math.max(BELOW_GUARANTEE + 1, order.tier(view.of(claim)));
                claim.key = order.key(view.of(claim));
            }
        }
    }

    /** The claim's standing; leaves in {@code reckoned} what it counts as in its parent. */
    private double reckon(Schedulable claim) {
        double plain = plainStanding(claim);
        double[] reckoned = claim.reckoned;
        if (plain <= 1 || claim.order == null || !claim.order.rescales() || plain == Double.POSITIVE_INFINITY) {
            for (int j = 0; j < resources; j++) {
                reckoned[j] = claim.usage[j];
            }
            return plain;
        }
        double poorest = poorest(claim);
        if (poorest != claim.sortedBy && (poorest < claim.nextBelow || poorest >= claim.nextAbove)) {
            sort(claim, poorest);
        }
        for (int j = 0; j < resources; j++) {
            double scaled = poorest == Double.POSITIVE_INFINITY ? 0 : poorest * claim.scaledSum[j];
            reckoned[j] = Math.min((double) claim.usage[j], scaled + claim.fixedSum[j]);
        }
        double rescaled = DominantShare.weighted(reckoned, claim.price);
        if (rescaled >= 1) {
            return rescaled;
        }
        for (int j = 0; j < resources; j++) {
            reckoned[j] = claim.usage[j] / plain;
        }
        return 1;
    }

    /** The weighted dominant share of all that a claim holds, without rescaling. */
    static double plainStanding(Schedulable claim) {
        return isWorthless(claim) ? Double.POSITIVE_INFINITY : DominantShare.weighted(claim.usage, claim.price);
    }

    private static boolean isWorthless(Schedulable claim) {
        for (double weight : claim.weight) {
            if (weight > 0) {
                return false;
            }
        }
        return true;
    }

    private static boolean maySetPoorest(Schedulable child) {
        return child.standing < Double.POSITIVE_INFINITY && !child.atLimit && child.isOpenForRescaling();
    }

    /** Sorts the children that do not set the poorest standing by which side of it they are on. Seldom needed. */
    private void sort(Schedulable parent, double poorest) {
        parent.sortedBy = poorest;
        parent.nextBelow = Double.NEGATIVE_INFINITY;
        parent.nextAbove = Double.POSITIVE_INFINITY;
        for (int i = 0; i < parent.children.size(); i++) {
            Schedulable child = parent.children.get(i);
            if (!maySetPoorest(child)) {
                if (trial != null) {
                    trial.save(child);
                }
                contribute(child, parent);
            }
        }
    }

    /** The smallest standing of the children that are neither blocked nor at a limit; infinity if there is none. */
    private static double poorest(Schedulable parent) {
        double poorest = parent.poorestSuspended;
        for (int k = 0; k < parent.slots; k++) {
            if (!parent.shape[k].blocked) {
                poorest = Math.min(poorest, parent.heap[k].poorest());
            }
        }
        return poorest;
    }

    /**
     * Replaces what a child has put into its parent's sums. A child that may be the poorest is scaled; of the others
     * those above the poorest are too, which lets them count with no more than M whatever M becomes.
     */
    private void contribute(Schedulable child, Schedulable parent) {
        if (parent.order == null || !parent.order.rescales()) {
            return;
        }
        withdrawContribution(child, parent);
        if (maySetPoorest(child)) {
            child.scales = true;
        } else if (child.standing > parent.sortedBy) {
            child.scales = true;
            parent.nextAbove = Math.min(parent.nextAbove, child.standing);
        } else {
            child.scales = false;
            parent.nextBelow = Math.max(parent.nextBelow, child.standing);
        }
        double factor = !child.scales ? 1 : child.standing > 0 ? 1 / child.standing : 0;
        double[] sum = child.scales ? parent.scaledSum : parent.fixedSum;
        for (int j = 0; j < resources; j++) {
            child.contribution[j] = child.reckoned[j] * factor;
            sum[j] += child.contribution[j];
        }
    }

    private void withdrawContribution(Schedulable child, Schedulable parent) {
        double[] sum = child.scales ? parent.scaledSum : parent.fixedSum;
        for (int j = 0; j < resources; j++) {
            sum[j] -= child.contribution[j];
            child.contribution[j] = 0;
        }
    }

    private static long front(Schedulable claim) {
        long front = Long.MAX_VALUE;
        for (int k = 0; k < claim.slots; k++) {
            front = Math.min(front, front(claim, claim.shape[k]));
        }
        return front;
    }

    private static long front(Schedulable claim, ContainerSize shape) {
        Schedulable at = claim;
        while (!at.isLeaf()) {
            Schedulable head = heapOf(at, shape).head();
            if (head == null) {
                return Long.MAX_VALUE;
            }
            at = head;
        }
        return at.sequence;
    }

    /** Shows one claim after another to the orders without allocating. */
    private static final class View implements SchedulableView {
        private final long[] capacity;
        private Schedulable claim;

        @SuppressWarnings("NullAway.Init") // set before each use
        View(long[] capacity) {
            this.capacity = capacity;
        }

        View of(Schedulable shown) {
            claim = shown;
            return this;
        }

        @Override
        public int resources() {
            return capacity.length;
        }

        @Override
        public long usage(int resource) {
            return claim.usage[resource];
        }

        @Override
        public long capacity(int resource) {
            return capacity[resource];
        }

        @Override
        public double weight(int resource) {
            return claim.weight[resource];
        }

        @Override
        public double entitlement(int resource) {
            return claim.entitlement[resource];
        }

        @Override
        public double standing() {
            return claim.standing;
        }

        @Override
        public long pendingContainers() {
            return claim.pending;
        }

        @Override
        public long runningContainers() {
            return claim.running;
        }

        @Override
        public int priority() {
            return claim.priority;
        }

        @Override
        public long sequence() {
            return claim.sequence;
        }

        @Override
        public long front() {
            return SchedulableTree.front(claim);
        }
    }
}
