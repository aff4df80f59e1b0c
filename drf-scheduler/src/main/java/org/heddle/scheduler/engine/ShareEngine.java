// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.engine;

import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.heddle.scheduler.policy.DominantShare;
import org.heddle.scheduler.policy.ShareOrder;
import org.heddle.scheduler.policy.UsageMeter;
import org.jspecify.annotations.Nullable;

/**
 * Decides which application gets the next container. It uses queues, users and applications ({@link Schedulable}),
 * container sizes and the free resources of nodes, and nothing of Hadoop.
 *
 * <p>Lock rule: the caller holds the engine's one lock. Every public method checks this but {@link #root}, {@link
 * #resources} and {@link #capacity}, which any thread may call. The engine uses no clock and no randomness: the same
 * calls give the same choices.
 */
public final class ShareEngine {
    private final BooleanSupplier ownerHoldsLock;
    private final SchedulableTree tree;
    private final ContainerSizeTable containerSizes = new ContainerSizeTable();
    private final AllocationPass pass;
    private final NodeRoom nodeRoom = new NodeRoom();
    private int nodes;
    private long round;
    private int visitsInRound;

    /**
     * @param resources number of resource types
     * @param rootOrder order among the children of the root
     * @param ownerHoldsLock whether the calling thread holds the lock that guards this engine
     */
    public ShareEngine(int resources, ShareOrder rootOrder, BooleanSupplier ownerHoldsLock) {
        this.ownerHoldsLock = ownerHoldsLock;
        this.tree = new SchedulableTree(resources, rootOrder);
        this.pass = new AllocationPass(tree, containerSizes);
    }

    public Schedulable root() {
        return tree.root;
    }

    public int resources() {
        return tree.capacity.length;
    }

    public long capacity(int resource) {
        return tree.capacity[resource];
    }

    /** A copy of what the cluster has, per resource. */
    public long[] capacity() {
        return tree.capacity.clone();
    }

    /** Sets what the cluster has, per resource, and on how many nodes. Takes effect with the next pass. */
    public void setCapacity(long[] capacity, int nodeCount) {
        checkLock();
        if (nodes != nodeCount || !Arrays.equals(capacity, tree.capacity)) {
            System.arraycopy(capacity, 0, tree.capacity, 0, capacity.length);
            nodes = nodeCount;
            tree.stale = true;
        }
    }

    /**
     * Sets how much a share of each resource counts at every level: with 0.5 for memory, 40 % of the memory weighs as
     * much as 20 % of the cores. Takes effect with the next pass.
     *
     * @param weights more than 0, per resource
     */
    public void setResourceWeights(double[] weights) {
        checkLock();
        System.arraycopy(weights, 0, tree.resourceWeight, 0, weights.length);
        tree.stale = true;
    }

    double[] resourceWeights() {
        return tree.resourceWeight;
    }

    /** Adds a queue or a user, which orders its children. */
    public Schedulable addGroup(Schedulable parent, String name, ShareOrder order, double[] weight) {
        checkLock();
        return tree.add(parent, name, order, weight, 0, null);
    }

    /** Adds an application whose usage nobody measures. */
    public Schedulable addApplication(Schedulable parent, String name, double[] weight, int priority) {
        return addApplication(parent, name, weight, priority, null);
    }

    /** Adds an application with the meter of its usage. */
    public Schedulable addApplication(
            Schedulable parent, String name, double[] weight, int priority, @Nullable UsageMeter meter) {
        checkLock();
        Schedulable app = tree.add(parent, name, null, weight, priority, meter);
        tree.settle(app);
        return app;
    }

    /** The dominant share of the cluster that a usage is, 0 or more. */
    public double dominantShare(long[] usage) {
        checkLock();
        return DominantShare.of(usage, tree.capacity);
    }

    /**
     * Adds one of many queues, users and applications at once, in constant time; what follows from it is computed at
     * the next {@link #offer}.
     *
     * @param order null for an application
     */
    Schedulable addLater(Schedulable parent, String name, @Nullable ShareOrder order, double[] weight, int priority) {
        checkLock();
        return tree.addLater(parent, name, order, weight, priority);
    }

    /**
     * Removes a queue, a user or an application.
     *
     * @throws IllegalStateException if it still holds or asks for something, or has children
     */
    public void remove(Schedulable schedulable) {
        checkLock();
        tree.remove(schedulable);
    }

    public void setWeight(Schedulable schedulable, double[] weight) {
        checkLock();
        if (!Arrays.equals(weight, schedulable.weight)) {
            tree.setWeight(schedulable, weight);
        }
    }

    public void setOrder(Schedulable group, ShareOrder order) {
        checkLock();
        tree.setOrder(group, order);
    }

    /** Sets the place of a queue or an application under an order that looks at priorities. */
    public void setPriority(Schedulable schedulable, int priority) {
        checkLock();
        schedulable.priority = priority;
        tree.settle(schedulable);
    }

    /**
     * Asks the parent's order for the place of a queue or an application anew, because values have changed that the
     * order reads and the engine does not know.
     */
    public void updatePlace(Schedulable schedulable) {
        checkLock();
        tree.settle(schedulable);
    }

    /** Sets the most that a queue, a user or an application may hold, per resource; null for no limit. */
    public void setLimit(Schedulable schedulable, long @Nullable [] limit) {
        checkLock();
        if (!Arrays.equals(limit, schedulable.limit)) {
            schedulable.limit = limit == null ? null : limit.clone();
            tree.stale |= schedulable.pending > 0; // else it holds nothing back
        }
    }

    /** Sets whether the container with which it passes its limit is allowed. */
    public void setLastMayExceed(Schedulable schedulable, boolean allowed) {
        checkLock();
        if (schedulable.lastMayExceed != allowed) {
            schedulable.lastMayExceed = allowed;
            tree.stale |= schedulable.pending > 0;
        }
    }

    /** Sets what a queue gets before the shares of its siblings count, per resource; null for nothing. */
    public void setGuarantee(Schedulable schedulable, long @Nullable [] guarantee) {
        checkLock();
        if (!Arrays.equals(guarantee, schedulable.guarantee)) {
            schedulable.guarantee = guarantee == null ? null : guarantee.clone();
            tree.stale = true;
        }
    }

    /**
     * Sets how many containers of one size an application asks for.
     *
     * @return the container size, by which the size is known while it is asked for; null if nothing is asked for
     */
    public @Nullable ContainerSize setAsk(Schedulable application, long[] need, long count) {
        checkLock();
        ContainerSize containerSize = containerSizes.of(need, round);
        if (changeAsk(application, containerSize, count)) {
            tree.settle(application);
        }
        return count == 0 ? null : containerSize;
    }

    /** The same for one of many applications at once; shares and places are computed at the next {@link #offer}. */
    void setAskLater(Schedulable application, long[] need, long count) {
        checkLock();
        tree.stale |= changeAsk(application, containerSizes.of(need, round), count);
    }

    private boolean changeAsk(Schedulable application, ContainerSize containerSize, long count) {
        int k = application.slotOf(containerSize);
        long delta = count - (k < 0 ? 0 : application.asked[k]);
        if (delta != 0) {
            tree.ask(application, containerSize, delta);
            containerSizes.addPending(containerSize, delta);
        } else if (containerSize.pending == 0) {
            containerSizes.forget(containerSize);
        }
        return delta != 0;
    }

    /** Sizes that an application asks for now. */
    public List<ContainerSize> asks(Schedulable application) {
        checkLock();
        return List.of(Arrays.copyOf(application.containerSize, application.slots));
    }

    /** Number of containers of one size that an application asks for. */
    public long asked(Schedulable schedulable, ContainerSize containerSize) {
        checkLock();
        int k = schedulable.slotOf(containerSize);
        return k < 0 ? 0 : schedulable.asked[k];
    }

    /** Adds a container that no pass has chosen (recovered, moved, reserved) to an application's usage. */
    public void hold(Schedulable application, long[] amount) {
        checkLock();
        tree.hold(application, amount, 1, 1);
        tree.settle(application);
    }

    /** The same for one of many applications at once; shares and places are computed at the next {@link #offer}. */
    void holdLater(Schedulable application, long[] amount) {
        checkLock();
        tree.hold(application, amount, 1, 1);
        tree.stale = true;
    }

    /** Subtracts an ended container from an application's usage. */
    public void release(Schedulable application, long[] amount) {
        checkLock();
        tree.hold(application, amount, -1, -1);
        tree.settle(application);
    }

    /** Counts a container placed for an ask without a pass: on a reserved node. */
    public void grant(Schedulable application, ContainerSize containerSize) {
        checkLock();
        pass.book(application, containerSize);
    }

    /**
     * Moves an application with its usage and asks.
     *
     * @return the schedulable of the application from now on
     */
    public Schedulable move(Schedulable application, Schedulable newParent) {
        checkLock();
        Schedulable moved = tree.add(
                newParent, application.name, null, application.weight, application.priority, application.meter);
        application.meter = null; // it goes along
        moved.limit = application.limit;
        moved.lastMayExceed = application.lastMayExceed;
        if (application.owner() != null) {
            moved.attach(application.owner());
        }
        for (ContainerSize containerSize : asks(application)) {
            long count = asked(application, containerSize);
            tree.ask(moved, containerSize, count);
            tree.ask(application, containerSize, -count);
        }
        tree.hold(moved, application.usage(), 1, (int) application.running);
        tree.hold(application, application.usage(), -1, (int) -application.running);
        tree.settle(application);
        tree.settle(moved);
        tree.remove(application);
        return moved;
    }

    /** Adds a change of container sizes to an application's usage. */
    public void resize(Schedulable application, long[] delta) {
        checkLock();
        tree.hold(application, delta, 1, 0);
        tree.settle(application);
    }

    /**
     * Offers the free resources of a node to the applications.
     *
     * @param free per resource; counted down by what is placed
     * @param most most containers to place
     * @param nowMillis any clock that does not go back
     * @return how many containers were placed
     */
    public int offer(long[] free, int most, long nowMillis, Placer placer) {
        checkLock();
        if (visitsInRound >= nodes) {
            endRound(nowMillis);
        }
        nodeRoom.of(free, placer);
        tree.stale |= pass.openAndCount(nodeRoom, round);
        tree.refresh();
        visitsInRound++;
        return pass.fill(nodeRoom, most, placer);
    }

    /**
     * Offers the free resources of many nodes at once; the placer chooses the node. Does not count as a visit of a
     * node.
     *
     * @param most most containers to place
     * @return how many containers were placed
     */
    public int offer(Room room, int most, Placer placer) {
        checkLock();
        tree.stale |= pass.openAndCount(room, round);
        if (!pass.isOpen()) {
            return 0;
        }
        tree.refresh();
        return pass.fill(room, most, placer);
    }

    /**
     * Offers the free resources of a node that is kept for another ask. Does not count as a visit of a node, and what
     * fits there counts as passed over all the same.
     *
     * @param free per resource; counted down by what is placed
     * @param most most containers to place
     * @return how many containers were placed
     */
    public int offerKept(long[] free, int most, Placer placer) {
        checkLock();
        nodeRoom.of(free, placer);
        pass.open(nodeRoom);
        if (!pass.isOpen()) {
            return 0;
        }
        tree.refresh();
        return pass.fill(nodeRoom, most, placer);
    }

    /** Whether any application asks for something. */
    public boolean hasAsks() {
        checkLock();
        return !containerSizes.pending().isEmpty();
    }

    /** Computes everything anew. */
    public void renew() {
        checkLock();
        tree.renew();
    }

    /** Brings what has changed up to date now, as the next {@link #offer} would. */
    void refresh() {
        tree.refresh();
    }

    /**
     * Whether weights, capacity or the set of active children have changed, so that the next {@link #offer} refreshes
     * the tree.
     */
    boolean isStale() {
        return tree.isStale();
    }

    /** Whether an application may hold one more container of a container size, as far as limits go. */
    public boolean withinLimits(Schedulable application, ContainerSize containerSize) {
        checkLock();
        return limitingAt(application, containerSize.need) == null;
    }

    /**
     * The application, user or queue with a limit that forbids an application another container; null if no limit does.
     *
     * @param need of the container, per resource
     */
    public @Nullable Schedulable limiting(Schedulable application, long[] need) {
        checkLock();
        return limitingAt(application, need);
    }

    private static @Nullable Schedulable limitingAt(Schedulable application, long[] need) {
        Schedulable at = application;
        while (at != null && !at.exceedsLimitWith(need)) {
            at = at.parent;
        }
        return at;
    }

    /** The application that is next, free resources ignored; null if no application asks within its limits. */
    public @Nullable Schedulable nextWithUnlimitedRoom() {
        return nextWithUnlimitedRoom(ShareEngine::every);
    }

    /** The same among the applications that a test accepts. */
    public @Nullable Schedulable nextWithUnlimitedRoom(Predicate<Schedulable> accepted) {
        checkLock();
        tree.refresh();
        return pass.nextOf(tree.root, containerSizes.pending(), accepted);
    }

    private static boolean every(Schedulable application) {
        return true;
    }

    /** The same below one queue or user. */
    public @Nullable Schedulable nextBelow(Schedulable schedulable) {
        checkLock();
        tree.refresh();
        if (schedulable.isLeaf()) {
            return schedulable;
        }
        return pass.nextOf(schedulable, containerSizes.pending(), ShareEngine::every);
    }

    /**
     * Per resource the largest need of the container sizes that an application within its limits asks for and that are
     * no larger than {@code most}.
     */
    public long[] largestAskWithin(long[] most) {
        checkLock();
        long[] largest = new long[most.length];
        for (ContainerSize containerSize : containerSizes.pending()) {
            int k = tree.root.slotOf(containerSize);
            if (containerSize.fits(most) && k >= 0 && tree.root.heap[k].hasChildWithinLimits()) {
                for (int j = 0; j < largest.length; j++) {
                    largest[j] = Math.max(largest[j], containerSize.need[j]);
                }
            }
        }
        return largest;
    }

    /**
     * By how much a queue, a user or an application would exceed what it should hold among its siblings, with so many
     * containers more ({@link ShareOrder#excess}); NaN if their order does not know.
     */
    double excess(Schedulable schedulable, long[] need, double count) {
        checkLock();
        return tree.excess(schedulable, need, count);
    }

    /**
     * Whether an application would exceed what it should hold beside another one, with one container more: where their
     * paths to the root part, by {@link #excess}. False if the order there does not know.
     */
    public boolean exceeds(Schedulable application, ContainerSize size, Schedulable other) {
        checkLock();
        Schedulable sibling = SchedulableTree.siblingBeside(application, other);
        return sibling != null && excess(sibling, size.need, 1) > 0;
    }

    /** When it is an application's turn among its siblings; null if their order does not estimate sizes. */
    public @Nullable Turn turn(Schedulable application) {
        checkLock();
        return tree.turn(application);
    }

    /** The weighted dominant share of all that a queue, a user or an application holds; 1: what it is entitled to. */
    public double weightedShare(Schedulable schedulable) {
        checkLock();
        return SchedulableTree.plainShare(schedulable);
    }

    /** Rounds completed: in a round every node has been offered once. */
    public long rounds() {
        checkLock();
        return round;
    }

    /** Tries changes out on the engine's own state; {@link Trial#revert} undoes them. */
    public Trial trial() {
        checkLock();
        return new Trial(tree);
    }

    private void endRound(long nowMillis) {
        for (ContainerSize containerSize : containerSizes.pending()) {
            boolean fitted = containerSize.fittedInRound >= round || containerSize.bornInRound >= round;
            containerSize.blocked = !fitted;
            if (fitted) {
                containerSize.passedOverSinceMillis = Long.MAX_VALUE;
            } else if (containerSize.passedOverSinceMillis == Long.MAX_VALUE) {
                containerSize.passedOverSinceMillis = nowMillis;
            }
        }
        round++;
        visitsInRound = 0;
        tree.stale = true;
    }

    private void checkLock() {
        if (!ownerHoldsLock.getAsBoolean()) {
            throw new IllegalStateException("the scheduler's lock must be held by " + Thread.currentThread());
        }
    }
}
