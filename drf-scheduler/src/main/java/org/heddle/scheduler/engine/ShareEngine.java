// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.engine;

import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.heddle.scheduler.policy.ShareOrder;
import org.jspecify.annotations.Nullable;

/**
 * Decides who gets the next container. Knows claims, shapes and nodes' free room, and nothing of Hadoop.
 *
 * <p>Lock rule: the caller holds the engine's one lock. Every public method checks this but {@link #root}, {@link
 * #resources} and {@link #capacity}, which any thread may call. The engine uses no clock and no randomness: the same calls
 * give the same choices.
 */
public final class ShareEngine {
    private final BooleanSupplier ownerHoldsLock;
    private final SchedulableTree tree;
    private final ContainerSizeTable shapes = new ContainerSizeTable();
    private final AllocationPass pass;
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
        this.pass = new AllocationPass(tree, shapes);
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
        return tree.add(parent, name, order, weight);
    }

    /** Adds an application. */
    public Schedulable addApplication(Schedulable parent, String name, double[] weight, int priority) {
        checkLock();
        Schedulable app = tree.add(parent, name, null, weight);
        app.priority = priority;
        tree.settle(app);
        return app;
    }

    /**
     * Removes a claim.
     *
     * @throws IllegalStateException if it still holds or asks for something, or has children
     */
    public void remove(Schedulable claim) {
        checkLock();
        tree.remove(claim);
    }

    public void setWeight(Schedulable claim, double[] weight) {
        checkLock();
        if (!Arrays.equals(weight, claim.weight)) {
            System.arraycopy(weight, 0, claim.weight, 0, weight.length);
            tree.stale = true;
        }
    }

    public void setOrder(Schedulable group, ShareOrder order) {
        checkLock();
        group.order = order;
        tree.stale = true;
    }

    /** Sets the place of a queue or an application under an order that looks at priorities. */
    public void setPriority(Schedulable claim, int priority) {
        checkLock();
        claim.priority = priority;
        tree.settle(claim);
    }

    /** Sets the most that a claim may hold, per resource; null for no limit. */
    public void setLimit(Schedulable claim, long @Nullable [] limit) {
        checkLock();
        claim.limit = limit == null ? null : limit.clone();
        tree.stale = true;
    }

    /** Sets what a claim is given before its siblings' shares are considered, per resource; null for nothing. */
    public void setGuarantee(Schedulable claim, long @Nullable [] guarantee) {
        checkLock();
        claim.guarantee = guarantee == null ? null : guarantee.clone();
        tree.stale = true;
    }

    /**
     * Sets how many containers of one size an application asks for.
     *
     * @return the shape, by which the size is known while it is asked for; null if nothing is asked for
     */
    public @Nullable ContainerSize setAsk(Schedulable application, long[] need, long count) {
        checkLock();
        ContainerSize shape = shapes.of(need, round);
        int k = application.slotOf(shape);
        long delta = count - (k < 0 ? 0 : application.asked[k]);
        if (delta != 0) {
            tree.ask(application, shape, delta);
            shapes.addPending(shape, delta);
            tree.settle(application);
        } else if (shape.pending == 0) {
            shapes.forget(shape);
        }
        return count == 0 ? null : shape;
    }

    /** Sizes that an application asks for now. */
    public List<ContainerSize> asks(Schedulable application) {
        checkLock();
        return List.of(Arrays.copyOf(application.shape, application.slots));
    }

    /** How many containers of a shape an application asks for. */
    public long asked(Schedulable claim, ContainerSize shape) {
        checkLock();
        int k = claim.slotOf(shape);
        return k < 0 ? 0 : claim.asked[k];
    }

    /** Books a container that an application holds without having been chosen by a pass: recovered, moved, reserved. */
    public void hold(Schedulable application, long[] amount) {
        checkLock();
        tree.hold(application, amount, 1, 1);
        tree.settle(application);
    }

    /** Books the end of a container. */
    public void release(Schedulable application, long[] amount) {
        checkLock();
        tree.hold(application, amount, -1, -1);
        tree.settle(application);
    }

    /** Books a container that was placed for an ask without having been chosen by a pass: on a reserved node. */
    public void grant(Schedulable application, ContainerSize shape) {
        checkLock();
        pass.book(application, shape);
    }

    /** Moves an application with all that it holds and asks for; the claim that it is from now on. */
    public Schedulable move(Schedulable application, Schedulable newParent) {
        checkLock();
        Schedulable moved = tree.add(newParent, application.name, null, application.weight);
        moved.priority = application.priority;
        moved.limit = application.limit;
        if (application.owner() != null) {
            moved.attach(application.owner());
        }
        for (ContainerSize shape : asks(application)) {
            long count = asked(application, shape);
            tree.ask(moved, shape, count);
            tree.ask(application, shape, -count);
        }
        tree.hold(moved, application.usage(), 1, (int) application.running);
        tree.hold(application, application.usage(), -1, (int) -application.running);
        tree.settle(application);
        tree.settle(moved);
        tree.remove(application);
        return moved;
    }

    /** Books that an application's containers changed in size by so much. */
    public void resize(Schedulable application, long[] delta) {
        checkLock();
        tree.hold(application, delta, 1, 0);
        tree.settle(application);
    }

    /**
     * Offers a node's free room to the claims.
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
        tree.stale |= pass.open(free, round);
        if (tree.stale) {
            tree.renew();
        }
        visitsInRound++;
        return pass.fill(free, most, placer);
    }

    /** Brings everything up to date now, as the next {@link #offer} would. */
    public void renew() {
        checkLock();
        tree.renew();
    }

    /** Whether weights, capacity or who is active have changed, so that the next {@link #offer} will renew. */
    boolean isStale() {
        return tree.stale;
    }

    /** Whether an application may hold one more container of a shape, as far as limits go. */
    public boolean withinLimits(Schedulable application, ContainerSize shape) {
        checkLock();
        return limitingAt(application, shape.need) == null;
    }

    /**
     * The claim whose limit leaves an application no room for a container: the application itself or one above it; null
     * if limits allow the container.
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

    /** The application whose turn it is, if room were no matter; null if nobody asks or limits forbid it to all. */
    public @Nullable Schedulable nextIfRoomWereNoMatter() {
        checkLock();
        if (tree.stale) {
            tree.renew();
        }
        return pass.nextOf(tree.root, shapes.pending());
    }

    /** The same below one claim. */
    public @Nullable Schedulable nextBelow(Schedulable claim) {
        checkLock();
        if (tree.stale) {
            tree.renew();
        }
        return claim.isLeaf() ? claim : pass.nextOf(claim, shapes.pending());
    }

    /**
     * Room in which any pending shape fits that somebody within limits asks for and that is no larger than {@code most}:
     * per resource the largest need.
     */
    public long[] largestAskWithin(long[] most) {
        checkLock();
        long[] largest = new long[most.length];
        for (ContainerSize shape : shapes.pending()) {
            int k = tree.root.slotOf(shape);
            if (shape.fits(most) && k >= 0 && tree.root.heap[k].hasChildWithinLimits()) {
                for (int j = 0; j < largest.length; j++) {
                    largest[j] = Math.max(largest[j], shape.need[j]);
                }
            }
        }
        return largest;
    }

    /** A claim's weighted dominant share, from all that it holds: 1 means that it holds what it is entitled to. */
    public double weightedShare(Schedulable claim) {
        checkLock();
        return SchedulableTree.plainStanding(claim);
    }

    /** Rounds completed: in a round every node has been offered once. */
    public long rounds() {
        checkLock();
        return round;
    }

    /** Tries something out on the books; {@link Trial#revert} leaves no trace. */
    public Trial trial() {
        checkLock();
        return new Trial(tree);
    }

    private void endRound(long nowMillis) {
        for (ContainerSize shape : shapes.pending()) {
            boolean fitted = shape.fittedInRound >= round || shape.bornInRound >= round;
            shape.blocked = !fitted;
            if (fitted) {
                shape.passedOverSinceMillis = Long.MAX_VALUE;
            } else if (shape.passedOverSinceMillis == Long.MAX_VALUE) {
                shape.passedOverSinceMillis = nowMillis;
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
