// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.engine;

import java.util.ArrayList;
import java.util.List;
import org.heddle.scheduler.policy.ShareOrder;
import org.jspecify.annotations.Nullable;

/**
 * Fills one node: again and again, of the claims that ask for a shape that fits, the one whose turn it is. Hot:
 * allocates nothing. A claim that cannot be served here (refused by the placer, or at its limit) is suspended, which
 * takes it out of its parent's heap until the pass ends; so nobody is asked twice and the node is left with room only if
 * nobody can use it.
 */
final class AllocationPass implements Placer.Gate {
    private final SchedulableTree tree;
    private final ContainerSizeTable shapes;
    private final long[] used;
    private final List<ContainerSize> open = new ArrayList<>();
    private final List<Schedulable> suspendedClaim = new ArrayList<>();
    private final List<ContainerSize> suspendedShape = new ArrayList<>();
    private @Nullable Schedulable chosen;

    AllocationPass(SchedulableTree tree, ContainerSizeTable shapes) {
        this.tree = tree;
        this.shapes = shapes;
        this.used = tree.root.usage;
    }

    /**
     * Opens the shapes that fit a node.
     *
     * @return whether one of them was blocked until now, so that the tree must be renewed before {@link #fill}
     */
    boolean open(long[] free, long round) {
        boolean unblocked = false;
        List<ContainerSize> pending = shapes.pending();
        for (int i = 0; i < pending.size(); i++) {
            ContainerSize shape = pending.get(i);
            if (shape.fits(free)) {
                shape.fittedInRound = round;
                shape.open = true;
                open.add(shape);
                unblocked |= shape.blocked;
                shape.blocked = false;
            }
        }
        return unblocked;
    }

    /**
     * Places containers until nothing that was opened fits any more or nobody wants more.
     *
     * @param free what the node has left, per resource; counted down
     * @param most most containers to place
     * @return how many were placed
     */
    int fill(long[] free, int most, Placer placer) {
        int placed = 0;
        try {
            while (placed < most && !open.isEmpty() && placer.goesOn(free)) {
                Schedulable app = next(tree.root);
                if (app == null) {
                    break;
                }
                chosen = app;
                ContainerSize granted = placer.place(app, this);
                if (granted == null) {
                    suspendOpen(app);
                } else {
                    placed++;
                    book(app, granted);
                    suspendDeserted(app, granted);
                    take(free, granted);
                }
            }
        } finally {
            chosen = null;
            closeAll();
            resumeAll();
        }
        return placed;
    }

    /** The application below a claim whose turn it would be on a node with room for all of these shapes; null if none. */
    @Nullable
    Schedulable nextOf(Schedulable below, List<ContainerSize> considered) {
        for (int i = 0; i < considered.size(); i++) {
            considered.get(i).open = true;
            open.add(considered.get(i));
        }
        try {
            return next(below);
        } finally {
            closeAll();
            resumeAll();
        }
    }

    /** Whose turn it is: from the top, always into the first child that asks for a shape that is open. */
    private @Nullable Schedulable next(Schedulable top) {
        Schedulable at = start(top);
        while (!at.isLeaf()) {
            Schedulable first = firstChild(at);
            if (first == null) {
                if (at == top) {
                    return null;
                }
                at = start(top); // all below were suspended on the way down, and at with them
            } else if (first.limit == null || !suspendOverLimit(first, first.limit)) {
                at = first;
                barSuspended(at);
            }
        }
        return at;
    }

    private Schedulable start(Schedulable top) {
        for (int i = 0; i < open.size(); i++) {
            open.get(i).barred = false;
        }
        return top;
    }

    /** Below a claim nobody can have a shape for which the claim itself is suspended. */
    private static void barSuspended(Schedulable claim) {
        for (int k = 0; k < claim.slots; k++) {
            claim.shape[k].barred |= claim.position[k] < 0;
        }
    }

    /** The line that picks the next queue, user or application: the smallest key, in the parent's own order. */
    private @Nullable Schedulable firstChild(Schedulable parent) {
        ShareOrder order = parent.order;
        if (order != null && order.looksAtShapes()) {
            return firstChildByShape(parent, order);
        }
        Schedulable first = null;
        for (int k = 0; k < parent.slots; k++) {
            Schedulable head = parent.shape[k].isReachable() ? parent.heap[k].head() : null;
            if (head != null && (first == null || head.precedes(first))) {
                first = head;
            }
        }
        return first;
    }

    private @Nullable Schedulable firstChildByShape(Schedulable parent, ShareOrder order) {
        Schedulable first = null;
        double smallest = 0;
        for (int k = 0; k < parent.slots; k++) {
            ContainerSize shape = parent.shape[k];
            Schedulable head = shape.isReachable() ? parent.heap[k].head() : null;
            if (head != null) {
                double key = head.tier == SchedulableTree.BELOW_GUARANTEE
                        ? head.key
                        : order.keyForShape(head.key, shape.need, used, tree.capacity);
                if (first == null || isBefore(head, key, first, smallest)) {
                    first = head;
                    smallest = key;
                }
            }
        }
        return first;
    }

    private static boolean isBefore(Schedulable a, double keyOfA, Schedulable b, double keyOfB) {
        if (a.tier != b.tier) {
            return a.tier < b.tier;
        }
        return keyOfA < keyOfB || (keyOfA == keyOfB && a.precedes(b));
    }

    /** Suspends the open shapes of which one more would break the limit; whether there were any. */
    private boolean suspendOverLimit(Schedulable claim, long[] limit) {
        boolean any = false;
        for (int k = 0; k < claim.slots; k++) {
            ContainerSize shape = claim.shape[k];
            if (shape.open && claim.position[k] >= 0 && exceeds(claim.usage, shape.need, limit)) {
                suspend(claim, k);
                any = true;
            }
        }
        return any;
    }

    static boolean exceeds(long[] usage, long[] need, long[] limit) {
        for (int j = 0; j < need.length; j++) {
            if (need[j] > 0 && usage[j] + need[j] > limit[j]) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean admits(ContainerSize shape) {
        if (!shape.open) {
            return false;
        }
        for (Schedulable at = chosen; at != null && at.parent != null; at = at.parent) {
            int k = at.slotOf(shape);
            if (k < 0 || at.position[k] < 0) {
                return false;
            }
            if (at.exceedsLimitWith(shape.need)) {
                return false;
            }
        }
        return true;
    }

    private void suspendOpen(Schedulable app) {
        for (int k = 0; k < app.slots; k++) {
            if (app.shape[k].open && app.position[k] >= 0) {
                suspend(app, k);
            }
        }
    }

    private void suspend(Schedulable suspended, int slot) {
        ContainerSize shape = suspended.shape[slot];
        Schedulable claim = suspended;
        for (Schedulable parent = claim.parent; parent != null; parent = claim.parent) {
            int k = claim.slotOf(shape);
            if (claim.position[k] < 0) {
                return; // suspended already, for its limit
            }
            if (!claim.atLimit) {
                parent.poorestSuspended = Math.min(parent.poorestSuspended, claim.standing);
            }
            ChildHeap heap = SchedulableTree.heapOf(parent, shape);
            heap.remove(claim.position[k], Schedulable.SUSPENDED);
            suspendedClaim.add(claim);
            suspendedShape.add(shape);
            if (!heap.isEmpty() || parent.parent == null) {
                return;
            }
            claim = parent;
        }
    }

    void book(Schedulable app, ContainerSize granted) {
        tree.hold(app, granted.need, 1, 1); // first, lest the claim seem to have left
        tree.ask(app, granted, -1);
        shapes.addPending(granted, -1);
        tree.settle(app);
    }

    /** If the last child that was not suspended got what it asked for, its parent has nobody left to give it to. */
    private void suspendDeserted(Schedulable app, ContainerSize granted) {
        for (Schedulable claim = app.parent; claim != null && claim.parent != null; claim = claim.parent) {
            int k = claim.slotOf(granted);
            if (k >= 0 && claim.position[k] >= 0 && claim.heap[k].isEmpty()) {
                suspend(claim, k);
            }
        }
    }

    private void take(long[] free, ContainerSize granted) {
        for (int j = 0; j < free.length; j++) {
            free[j] -= granted.need[j];
        }
        for (int i = open.size() - 1; i >= 0; i--) {
            ContainerSize shape = open.get(i);
            if (shape.pending == 0 || !shape.fits(free)) {
                shape.open = false;
                open.remove(i);
            }
        }
    }

    private void closeAll() {
        for (int i = 0; i < open.size(); i++) {
            open.get(i).open = false;
        }
        open.clear();
    }

    /** Puts the suspended back, the last first, and reckons their parents without the notes taken meanwhile. */
    private void resumeAll() {
        for (int i = suspendedClaim.size() - 1; i >= 0; i--) {
            Schedulable claim = suspendedClaim.get(i);
            Schedulable parent = claim.parent;
            int k = claim.slotOf(suspendedShape.get(i));
            if (parent != null) {
                parent.poorestSuspended = Double.POSITIVE_INFINITY;
                if (k >= 0 && claim.position[k] == Schedulable.SUSPENDED) {
                    SchedulableTree.heapOf(parent, suspendedShape.get(i)).add(claim, k);
                }
            }
        }
        for (int i = 0; i < suspendedClaim.size(); i++) {
            tree.settle(suspendedClaim.get(i));
        }
        suspendedClaim.clear();
        suspendedShape.clear();
    }
}
