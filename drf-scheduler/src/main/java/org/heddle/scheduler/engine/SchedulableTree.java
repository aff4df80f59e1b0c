// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.heddle.scheduler.policy.DominantShare;
import org.heddle.scheduler.policy.ShareOrder;
import org.heddle.scheduler.policy.UsageMeter;
import org.jspecify.annotations.Nullable;

/**
 * Hierarchical dominant resource fairness, kept incrementally. Hot: every grant and release walks one path to the root,
 * O(resources + log siblings) for each level and container size.
 *
 * <p><b>Normalized share.</b> The weighted dominant share relative to the entitlement: 1 means that a queue, user or
 * application has what it is entitled to (its weight's part, among its active siblings, of what its parent is entitled
 * to). The child with the smallest normalized share is served next.
 *
 * <p><b>The share of a parent</b> (H-DRF: Bhattacharya et al., SoCC 2013). Adding up its children starves: a queue
 * whose one user fills the GPUs would count as full, and its other user would get no core. So each unblocked child's
 * usage is scaled down to the poorest of them, M, and the sum counts: {@code h = max_j price_j * (M * sum_c a_cj / s_c
 * + fixed)}. Children that ask for nothing, are blocked (nothing they ask for fitted a node of the last whole round) or
 * are held by a limit do not set M; they count as they are but with no more than M.
 *
 * <p><b>Newcomers.</b> Rescaling alone lets a queue look empty whenever a fresh user joins it. We bound it by the
 * entitlement: with n the plain sum's normalized share, a parent's normalized share is n up to 1, and {@code max(1, h)}
 * beyond: the median of h, 1 and n. So a queue below its entitlement is never held back by a sibling above its own,
 * even if that sibling has many new users, and rescaling decides only about the rest (docs/decisions/0004).
 *
 * <p><b>Many siblings.</b> One that becomes active takes a part of the entitlement of each sibling. With more than
 * {@link #MANY} siblings that waits until the sum of the active weights has changed by more than {@link #TOLERANCE}, or
 * until everything is computed anew, which is at least once in each round of all nodes (docs/decisions/0050). All
 * siblings are off by nearly the same factor until then, so their order stays.
 *
 * <p>A weight of 0 means an infinite normalized share: served when no other can be, in order of arrival.
 */
final class SchedulableTree {
    /** The tier of those that hold less than their guarantee, before all tiers of all orders. */
    static final long BELOW_GUARANTEE = Long.MIN_VALUE;

    /** Up to so many children have exact entitlements at each {@link #refresh}. */
    static final int MANY = 256;
    /**
     * By what part of itself the sum of the active weights may differ from the one by which it was divided, if there
     * are more.
     */
    static final double TOLERANCE = 1.0 / 64;

    private final int resources;
    private final ChildView view;
    final Schedulable root;
    final long[] capacity;
    /** Weight of each resource in the dominant share; 1 unless configured. */
    final double[] resourceWeight;

    private long sequence;
    /** Weights, capacity or limits have changed since {@link #renew}: everything must be computed anew. */
    boolean stale = true;
    /** Parents whose set of active children has changed since then: only what is below them must. */
    private final List<Schedulable> staleParents = new ArrayList<>();
    /** The open trial, if any. */
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
        this.view = new ChildView(capacity);
    }

    Schedulable add(
            Schedulable parent,
            String name,
            @Nullable ShareOrder order,
            double[] weight,
            int priority,
            @Nullable UsageMeter meter) {
        Schedulable added = create(parent, name, order, weight, priority, meter);
        for (int j = 0; j < resources; j++) {
            entitle(added, parent, j);
        }
        restate(added);
        return added;
    }

    /** Adds one of many: its entitlement and its place are not known before {@link #renew}. */
    Schedulable addLater(Schedulable parent, String name, @Nullable ShareOrder order, double[] weight, int priority) {
        Schedulable added = create(parent, name, order, weight, priority, null);
        markStale(parent);
        return added;
    }

    private Schedulable create(
            Schedulable parent,
            String name,
            @Nullable ShareOrder order,
            double[] weight,
            int priority,
            @Nullable UsageMeter meter) {
        Schedulable added = new Schedulable(name, parent, order, weight, sequence++);
        added.priority = priority;
        added.meter = meter;
        parent.children.add(added);
        if (parent.order != null) {
            parent.order.added(view.of(added));
        }
        return added;
    }

    void setOrder(Schedulable group, ShareOrder order) {
        group.order = order;
        for (int i = 0; i < group.children.size(); i++) {
            order.added(view.of(group.children.get(i)));
        }
        stale = true;
    }

    /** Removes a schedulable without usage, asks and children. */
    void remove(Schedulable removed) {
        Schedulable parent = removed.parent;
        if (parent == null || removed.isActive() || !removed.children.isEmpty() || removed.slots > 0) {
            throw new IllegalStateException("schedulable " + removed + " still holds " + removed.running
                    + " containers, asks for " + removed.pending + " and has " + removed.children.size()
                    + " children: it cannot be removed");
        }
        withdrawContribution(removed, parent);
        parent.children.remove(removed);
        if (parent.order != null) {
            parent.order.removed(view.of(removed));
        }
        if (removed.staleBelow) {
            removed.staleBelow = false;
            staleParents.remove(removed);
        }
    }

    void setWeight(Schedulable changed, double[] weight) {
        Schedulable parent = changed.parent;
        for (int j = 0; j < resources && parent != null && changed.isActive(); j++) {
            parent.activeWeight[j] += weight[j] - changed.weight[j];
        }
        System.arraycopy(weight, 0, changed.weight, 0, resources);
        if (parent != null) {
            tell(changed, parent);
            markStale(parent);
        }
    }

    /** Tells the parent's order what it does not ask for. */
    private void tell(Schedulable changed, Schedulable parent) {
        if (trial == null && parent.order != null) {
            parent.order.changed(view.of(changed));
        }
    }

    /**
     * One has become active, or is active no longer: its parent's entitlement is to be divided anew, if that changes
     * enough.
     */
    private void activityChanged(Schedulable changed) {
        Schedulable parent = changed.parent;
        if (parent == null) { // the root is always entitled to everything
            return;
        }
        int sign = changed.isActive() ? 1 : -1;
        boolean enough = parent.children.size() <= MANY;
        for (int j = 0; j < resources; j++) {
            parent.activeWeight[j] += sign * changed.weight[j];
            double difference = Math.abs(parent.activeWeight[j] - parent.dividedBy[j]);
            enough |= difference > TOLERANCE * parent.dividedBy[j];
        }
        if (enough) {
            markStale(parent);
        }
    }

    private void markStale(Schedulable parent) {
        if (!parent.staleBelow && !stale) {
            parent.staleBelow = true;
            staleParents.add(parent);
        }
    }

    /** How many parents are marked as stale. */
    int staleParents() {
        return staleParents.size();
    }

    /** Takes back the marks of a trial. */
    void keepStaleParents(int first) {
        while (staleParents.size() > first) {
            staleParents.remove(staleParents.size() - 1).staleBelow = false;
        }
    }

    boolean isStale() {
        return stale || !staleParents.isEmpty();
    }

    /** Adds to the asks of an application and of all above it. The caller updates the total of the container size. */
    void ask(Schedulable schedulable, ContainerSize containerSize, long delta) {
        if (delta > 0) {
            askMore(schedulable, containerSize, delta);
        } else if (delta < 0) {
            askLess(schedulable, containerSize, -delta);
        }
    }

    private void askMore(Schedulable schedulable, ContainerSize containerSize, long delta) {
        if (schedulable.parent != null) {
            askMore(schedulable.parent, containerSize, delta);
        }
        boolean was = schedulable.isActive();
        schedulable.pending += delta;
        if (!was) {
            activityChanged(schedulable);
        }
        int k = schedulable.slotOf(containerSize);
        if (k < 0) {
            k = schedulable.addSlot(containerSize);
        }
        schedulable.asked[k] += delta;
        if (schedulable.position[k] == Schedulable.NOT_IN_HEAP && schedulable.parent != null) {
            heapOf(schedulable.parent, containerSize).add(schedulable, k);
        }
    }

    private void askLess(Schedulable app, ContainerSize containerSize, long delta) {
        for (Schedulable schedulable = app; schedulable != null; schedulable = schedulable.parent) {
            int k = schedulable.slotOf(containerSize);
            schedulable.pending -= delta;
            schedulable.asked[k] -= delta;
            if (schedulable.asked[k] == 0) {
                if (schedulable.position[k] >= 0 && schedulable.parent != null) {
                    heapOf(schedulable.parent, containerSize).remove(schedulable.position[k], Schedulable.NOT_IN_HEAP);
                }
                schedulable.removeSlot(k);
            }
            if (!schedulable.isActive()) {
                activityChanged(schedulable);
            }
        }
    }

    static ChildHeap heapOf(Schedulable parent, ContainerSize containerSize) {
        return parent.heap[parent.slotOf(containerSize)];
    }

    /**
     * Adds to the usage of an application and of all above it. Call {@link #settle} after this and the change of asks.
     */
    void hold(Schedulable app, long[] amount, int sign, int containers) {
        for (Schedulable schedulable = app; schedulable != null; schedulable = schedulable.parent) {
            boolean was = schedulable.isActive();
            for (int j = 0; j < resources; j++) {
                schedulable.usage[j] += sign * amount[j];
            }
            schedulable.running += containers;
            if (schedulable.meter != null && trial == null) {
                schedulable.meter.usageChanged(schedulable.usage);
            }
            if (was != schedulable.isActive()) {
                activityChanged(schedulable);
            }
        }
    }

    /** Brings normalized shares, places and sums up to date on the path to the root after usage or asks changed. */
    void settle(Schedulable changed) {
        for (Schedulable schedulable = changed; schedulable.parent != null; schedulable = schedulable.parent) {
            tell(schedulable, schedulable.parent);
            restate(schedulable);
            for (int k = 0; k < schedulable.slots; k++) {
                if (schedulable.position[k] >= 0) {
                    heapOf(schedulable.parent, schedulable.containerSize[k]).moved(schedulable.position[k]);
                }
            }
            contribute(schedulable, schedulable.parent);
        }
    }

    /**
     * Computes everything anew: entitlements from the top, normalized shares from the bottom, sums without rounding
     * errors.
     */
    void renew() {
        Arrays.fill(root.entitlement, 1);
        renewBelow(root);
        keepStaleParents(0);
        stale = false;
    }

    /**
     * Brings everything up to date: computes anew what is below each parent whose set of active children has changed,
     * or everything if more has changed. An application that comes costs as much as it has siblings then (if they are
     * many: now and then), not as much as there are queues and applications.
     */
    void refresh() {
        if (stale) {
            renew();
            return;
        }
        for (int i = 0; i < staleParents.size(); i++) {
            Schedulable parent = staleParents.get(i);
            if (!hasStaleAncestor(parent)) {
                renewBelow(parent);
                settle(parent);
            }
        }
        keepStaleParents(0);
    }

    private static boolean hasStaleAncestor(Schedulable schedulable) {
        Schedulable above = schedulable.parent;
        while (above != null && !above.staleBelow) {
            above = above.parent;
        }
        return above != null;
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

    /** Divides a parent's entitlement among its active children by weight. */
    private void entitle(Schedulable parent) {
        for (int j = 0; j < resources; j++) {
            double active = 0;
            for (int i = 0; i < parent.children.size(); i++) {
                Schedulable child = parent.children.get(i);
                if (child.isActive()) {
                    active += child.weight[j];
                }
            }
            parent.activeWeight[j] = active;
            parent.dividedBy[j] = active;
            for (int i = 0; i < parent.children.size(); i++) {
                entitle(parent.children.get(i), parent, j);
            }
        }
    }

    /** What it is entitled to of a resource; if it is not active, what it would be. */
    private void entitle(Schedulable child, Schedulable parent, int resource) {
        double weight = child.weight[resource];
        double sum = child.isActive() ? parent.activeWeight[resource] : parent.activeWeight[resource] + weight;
        child.entitlement[resource] = weight > 0 ? parent.entitlement[resource] * weight / sum : 0;
        child.price[resource] =
                resourceWeight[resource] * DominantShare.price(capacity[resource], child.entitlement[resource]);
    }

    private void restate(Schedulable schedulable) {
        schedulable.normalizedShare = normalizedShareOf(schedulable);
        schedulable.atLimit = !schedulable.isWithinLimits();
        ShareOrder order = schedulable.parent == null ? null : schedulable.parent.order;
        if (order != null && (trial == null || order.rescales())) {
            double held = schedulable.guarantee == null || !order.entitles() ? 1 : schedulable.guaranteeHeld();
            if (held < 1) {
                schedulable.tier = BELOW_GUARANTEE;
                schedulable.key = held;
            } else {
                schedulable.tier = Math.max(BELOW_GUARANTEE + 1, order.tier(view.of(schedulable)));
                schedulable.key = order.key(view.of(schedulable));
            }
        }
    }

    /** The normalized share; leaves in {@code countedUsage} what it counts as in its parent. */
    private double normalizedShareOf(Schedulable schedulable) {
        double plain = plainShare(schedulable);
        double[] countedUsage = schedulable.countedUsage;
        if (plain <= 1
                || schedulable.order == null
                || !schedulable.order.rescales()
                || plain == Double.POSITIVE_INFINITY) {
            for (int j = 0; j < resources; j++) {
                countedUsage[j] = schedulable.usage[j];
            }
            return plain;
        }
        double poorest = poorest(schedulable);
        if (poorest != schedulable.sortedBy && (poorest < schedulable.nextBelow || poorest >= schedulable.nextAbove)) {
            sort(schedulable, poorest);
        }
        for (int j = 0; j < resources; j++) {
            double scaled = poorest == Double.POSITIVE_INFINITY ? 0 : poorest * schedulable.scaledSum[j];
            countedUsage[j] = Math.min((double) schedulable.usage[j], scaled + schedulable.fixedSum[j]);
        }
        double rescaled = DominantShare.weighted(countedUsage, schedulable.price);
        if (rescaled >= 1) {
            return rescaled;
        }
        for (int j = 0; j < resources; j++) {
            countedUsage[j] = schedulable.usage[j] / plain;
        }
        return 1;
    }

    /** The weighted dominant share of its whole usage, without rescaling. */
    static double plainShare(Schedulable schedulable) {
        if (isWorthless(schedulable)) {
            return Double.POSITIVE_INFINITY;
        }
        return DominantShare.weighted(schedulable.usage, schedulable.price);
    }

    private static boolean isWorthless(Schedulable schedulable) {
        for (double weight : schedulable.weight) {
            if (weight > 0) {
                return false;
            }
        }
        return true;
    }

    private static boolean maySetPoorest(Schedulable child) {
        return child.normalizedShare < Double.POSITIVE_INFINITY && !child.atLimit && child.isOpenForRescaling();
    }

    /**
     * Sorts the children that do not set the poorest normalized share by which side of it they are on. Seldom needed.
     */
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

    /**
     * The smallest normalized share of the children that are neither blocked nor at a limit; infinity if there is none.
     */
    private static double poorest(Schedulable parent) {
        double poorest = parent.poorestSuspended;
        for (int k = 0; k < parent.slots; k++) {
            if (!parent.containerSize[k].blocked) {
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
        } else if (child.normalizedShare > parent.sortedBy) {
            child.scales = true;
            parent.nextAbove = Math.min(parent.nextAbove, child.normalizedShare);
        } else {
            child.scales = false;
            parent.nextBelow = Math.max(parent.nextBelow, child.normalizedShare);
        }
        double factor;
        if (!child.scales) {
            factor = 1;
        } else if (child.normalizedShare > 0) {
            factor = 1 / child.normalizedShare;
        } else {
            factor = 0;
        }
        double[] sum = child.scales ? parent.scaledSum : parent.fixedSum;
        for (int j = 0; j < resources; j++) {
            child.contribution[j] = child.countedUsage[j] * factor;
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

    /**
     * What is above an application, or itself, where its path to the root and that of another one part; null if it is
     * that one.
     */
    static @Nullable Schedulable siblingBeside(Schedulable application, Schedulable other) {
        for (Schedulable below = other; below.parent != null; below = below.parent) {
            Schedulable sibling = siblingAbove(application, below);
            if (sibling != null) {
                return sibling;
            }
        }
        return null;
    }

    static @Nullable Schedulable siblingAbove(Schedulable application, Schedulable below) {
        Schedulable at = application;
        while (at != null && at.parent != below.parent) {
            at = at.parent;
        }
        return at == below ? null : at;
    }

    double excess(Schedulable schedulable, long[] need, double count) {
        Schedulable parent = schedulable.parent;
        if (parent == null || parent.order == null) {
            return Double.NaN;
        }
        return parent.order.excess(view.of(schedulable), need, count);
    }

    @Nullable
    Turn turn(Schedulable application) {
        Schedulable parent = application.parent;
        if (parent == null || parent.order == null) {
            return null;
        }
        int place = 1;
        int waiting = 0;
        double work = 0;
        for (Schedulable sibling : parent.children) {
            boolean waits = sibling.pending > 0;
            boolean before = sibling != application && sibling.precedes(application);
            waiting += waits ? 1 : 0;
            place += waits && before ? 1 : 0;
            if (before || !waits || sibling == application) {
                work += parent.order.remainingWork(view.of(sibling));
            }
        }
        if (Double.isNaN(work)) {
            return null;
        }
        double share = 0;
        for (double part : parent.entitlement) {
            share = Math.max(share, part);
        }
        return new Turn(place, waiting, Math.round(work / share));
    }
}
