// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.policy;

/**
 * Decides which of a parent's children is served next. Each parent has an instance of its own, which is called under
 * the scheduler's lock and may keep state.
 *
 * <p>The child with the smallest tier is served first; within a tier the child with the smallest key; with equal keys
 * the child that arrived first. A key must not be NaN.
 *
 * <p>The engine caches the keys. It calls {@link #key} again when the usage, the weight or the asks of that child
 * change (so a grant costs O(log children)), and for all children when it computes everything anew. So a call does not
 * mean that something happened, and must change nothing: what happens is told by {@link #added}, {@link #changed} and
 * {@link #removed}. While the engine only simulates a change it does not call the order, unless the order rescales.
 *
 * <p>The keys of Heddle's own orders: {@code drf}: the normalized share. {@code asset}: the sum of the shares of all
 * resources. {@code fair}: the share of one resource. {@code priority}: each priority is a tier; within it the
 * normalized share. {@code fifo}: each priority is a tier; within it the arrival. {@code sojourn}: the end in the
 * virtual time of equal sharing, within each priority (see {@link SojournOrder}). {@code lottery}: an exponential race
 * (each grant adds a draw with the child's weight as its rate, which makes wins proportional). {@code max-utilization}:
 * a constant, and {@link #keyForSize} is the variance of the utilisation after the allocation.
 */
public interface ShareOrder {
    /** The name by which configuration refers to it. */
    String name();

    /** The child's key within its tier: smaller is earlier. May be called at any time. */
    double key(SchedulableView child);

    /**
     * The child's tier: while a child of a smaller tier asks for something that fits, no child of a larger tier is
     * served. May be called at any time, as {@link #key}. The engine serves children that hold less than their
     * guarantee before all tiers.
     */
    default long tier(SchedulableView child) {
        return 0;
    }

    /** A child was added, or the order is the parent's new one: then it is called for each child. */
    default void added(SchedulableView child) {}

    /** The usage, the asks or the weight of a child may have changed. */
    default void changed(SchedulableView child) {}

    /** A child was removed: the order can drop its state of that child. */
    default void removed(SchedulableView child) {}

    /**
     * The work that a child still needs for what it holds and asks for, in shares of the cluster times milliseconds, 0
     * or more; NaN if the order does not estimate it.
     */
    default double remainingWork(SchedulableView child) {
        return Double.NaN;
    }

    /**
     * Whether {@link #key} is the child's normalized share, and the share of the parent is computed by rescaling the
     * children to the poorest of them (H-DRF). If false the usage of a parent is the sum of its children's.
     */
    default boolean rescales() {
        return false;
    }

    /**
     * Whether each child is entitled to a share by its weight, so that containers of children above their share may be
     * preempted for one below. False for orders in which later children wait.
     */
    default boolean entitles() {
        return true;
    }

    /**
     * By how much a child would exceed what it should hold if it got so much in addition; less than 0 if it would stay
     * below it. The unit is the order's own. NaN if the order does not know what its children should hold, as those in
     * which later children wait.
     *
     * @param more a container size, per resource
     * @param count of such containers, 0 or more
     */
    default double excess(SchedulableView child, long[] more, double count) {
        if (!entitles()) {
            return Double.NaN;
        }
        double most = 0;
        for (int j = 0; j < more.length; j++) {
            double held = child.usage(j) + count * more[j];
            if (held > 0) {
                most = Math.max(most, held / (child.capacity(j) * child.entitlement(j)));
            }
        }
        return most - 1;
    }

    /**
     * Whether children that hold more than they should, by {@link #excess}, leave the room of nodes to those before
     * them that hold less and need more room than is free there.
     */
    default boolean leavesRoom() {
        return false;
    }

    /** Whether the engine calls {@link #keyForSize} at each choice. */
    default boolean looksAtSizes() {
        return false;
    }

    /**
     * The key of the first child that asks for a container size, given that size and the cluster's usage. Called only
     * if {@link #looksAtSizes}, at each choice, once for each container size that fits on the node; not for children
     * below their guarantee.
     *
     * @param key the child's key
     * @param need the container size, per resource
     * @param used what is in use in the cluster, per resource; not to be changed
     * @param capacity the cluster's total, per resource; not to be changed
     */
    default double keyForSize(double key, long[] need, long[] used, long[] capacity) {
        return key;
    }
}
