// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.policy;

/**
 * Which of a parent's children is served next. One instance serves one parent, under the scheduler's lock, so it may
 * keep state.
 *
 * <p>The engine keeps each child's key and asks for it again when that child's own usage, weight or asks changed, so that
 * a grant costs O(log children), and whenever it reckons everything anew. An order with state must therefore not take
 * being asked for a sign that something happened; it is not asked while something is only tried out, unless it rescales.
 * The smallest tier is served first; within a tier the smallest key; with equal keys the child that arrived first. A key
 * must not be NaN.
 *
 * <p>How the orders that come with Heddle use this: {@code drf} is the normalized share itself; {@code asset} the sum of its
 * parts; {@code fair} the part of one resource; {@code priority} makes each priority a tier and uses the normalized share within
 * it; {@code fifo} makes each priority a tier and leaves the rest to arrival; {@code lottery} is an exponential race (each
 * grant adds a draw with the schedulable's weight as its rate, which makes wins proportional); {@code max-utilization} is a
 * constant for each schedulable and {@link #keyForSize} for the variance that a container size would leave.
 */
public interface ShareOrder {
    /** The name by which configuration refers to it. */
    String name();

    /** The child's place within its tier: smaller is earlier. May be called at any time. */
    double key(SchedulableView child);

    /**
     * The child's tier: while a child of a smaller tier asks for something that fits, no child of a larger tier is served.
     * May be called at any time, as {@link #key}. The engine serves children that hold less than their guarantee before
     * all tiers.
     */
    default long tier(SchedulableView child) {
        return 0;
    }

    /** A child is gone for good: what an order remembers of it can be forgotten. */
    default void removed(SchedulableView child) {}

    /**
     * Whether {@link #key} is the child's normalized share and the parent is reckoned by rescaling its children to the poorest of
     * them (H-DRF). If false a parent counts with all that its children hold.
     */
    default boolean rescales() {
        return false;
    }

    /**
     * Whether each child is entitled to its weight's part, so that containers may be preempted from those above theirs for
     * one below. False for orders in which the later simply wait.
     */
    default boolean entitles() {
        return true;
    }

    /** Whether {@link #keyForSize} is to be asked at each choice. */
    default boolean looksAtSizes() {
        return false;
    }

    /**
     * The place, within its tier, of the first child that asks for a container size, given that container size and the cluster's usage.
     * Called at each choice, once for each container size that fits the node, and only if {@link #looksAtSizes}; not for children
     * that hold less than their guarantee.
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
