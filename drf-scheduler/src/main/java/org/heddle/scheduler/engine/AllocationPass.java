// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.heddle.scheduler.policy.ShareOrder;
import org.jspecify.annotations.Nullable;

/**
 * Fills one node, or the room of many: serves the next application that asks for a container size that fits, until none
 * is left. Hot: allocates nothing. A queue, user or application that cannot be served here (the placer refuses it, or
 * it is at its limit) is suspended: it leaves its parent's heap until the pass ends. So each is tried once, and free
 * resources remain on the node only if no application can use them.
 */
final class AllocationPass implements Placer.Gate {
    private final SchedulableTree tree;
    private final ContainerSizeTable containerSizes;
    private final long[] used;
    private final List<ContainerSize> open = new ArrayList<>();
    private final List<Schedulable> suspendedSchedulable = new ArrayList<>();
    private final List<ContainerSize> suspendedSize = new ArrayList<>();
    private @Nullable Schedulable chosen;

    AllocationPass(SchedulableTree tree, ContainerSizeTable containerSizes) {
        this.tree = tree;
        this.containerSizes = containerSizes;
        this.used = tree.root.usage;
    }

    /** Opens the container sizes that fit. */
    void open(Room room) {
        open(containerSizes.pending(), room);
    }

    private void open(List<ContainerSize> sizes, @Nullable Room room) {
        for (int i = 0; i < sizes.size(); i++) {
            open(sizes.get(i), room);
        }
    }

    private boolean open(ContainerSize containerSize, @Nullable Room room) {
        boolean fits = room == null || room.fits(containerSize);
        if (fits) {
            containerSize.open = true;
            open.add(containerSize);
        }
        return fits;
    }

    /**
     * Opens the container sizes that fit, and counts them as not passed over.
     *
     * @return whether one of them was blocked until now, so that the tree must be renewed before {@link #fill}
     */
    boolean openAndCount(Room room, long round) {
        List<ContainerSize> sizes = containerSizes.pending();
        boolean unblocked = false;
        for (int i = 0; i < sizes.size(); i++) {
            ContainerSize containerSize = sizes.get(i);
            if (open(containerSize, room)) {
                containerSize.fittedInRound = round;
                unblocked |= containerSize.blocked;
                containerSize.blocked = false;
            }
        }
        return unblocked;
    }

    /**
     * Places containers until no open container size fits any more, or none is wanted.
     *
     * @param room reduced by what is placed
     * @param most most containers to place
     * @return number of containers placed
     */
    int fill(Room room, int most, Placer placer) {
        int placed = 0;
        try {
            while (placed < most && !open.isEmpty() && room.goesOn()) {
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
                    take(room, granted);
                }
            }
        } finally {
            chosen = null;
            closeAll();
            resumeAll();
        }
        return placed;
    }

    /** Whether any container size is open. */
    boolean isOpen() {
        return !open.isEmpty();
    }

    /**
     * The first application below that would be next on a node on which all of these container sizes fit, among those
     * that a test accepts; null if none.
     */
    @Nullable
    Schedulable nextOf(Schedulable below, List<ContainerSize> considered, Predicate<Schedulable> accepted) {
        open(considered, null);
        try {
            Schedulable app = next(below);
            while (app != null && !accepted.test(app)) {
                suspendOpen(app);
                app = next(below);
            }
            return app;
        } finally {
            closeAll();
            resumeAll();
        }
    }

    /** The next application: from the top, always into the first child that asks for an open container size. */
    private @Nullable Schedulable next(Schedulable top) {
        Schedulable at = start(top);
        while (!at.isLeaf()) {
            Schedulable first = firstChild(at);
            if (first == null) {
                if (at == top) {
                    return null;
                }
                at = start(top); // on the way down all below were suspended, and so was at
            } else if (first.limit == null || !suspendOverLimit(first)) {
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

    /** Excludes the container sizes for which the parent is suspended from the choice below it. */
    private static void barSuspended(Schedulable schedulable) {
        for (int k = 0; k < schedulable.slots; k++) {
            schedulable.containerSize[k].barred |= schedulable.position[k] < 0;
        }
    }

    /** Picks the next queue, user or application: the smallest key, in the parent's own order. */
    private @Nullable Schedulable firstChild(Schedulable parent) {
        ShareOrder order = parent.order;
        if (order != null && order.looksAtSizes()) {
            return firstChildBySize(parent, order);
        }
        Schedulable first = null;
        for (int k = 0; k < parent.slots; k++) {
            Schedulable head = parent.containerSize[k].isReachable() ? parent.heap[k].head() : null;
            if (head != null && (first == null || head.precedes(first))) {
                first = head;
            }
        }
        return first;
    }

    private @Nullable Schedulable firstChildBySize(Schedulable parent, ShareOrder order) {
        Schedulable first = null;
        double smallest = 0;
        for (int k = 0; k < parent.slots; k++) {
            ContainerSize containerSize = parent.containerSize[k];
            Schedulable head = containerSize.isReachable() ? parent.heap[k].head() : null;
            if (head != null) {
                double key;
                if (head.tier == SchedulableTree.BELOW_GUARANTEE) {
                    key = head.key;
                } else {
                    key = order.keyForSize(head.key, containerSize.need, used, tree.capacity);
                }
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

    /**
     * Suspends the schedulable for open container sizes that would exceed the limit; returns whether there were any.
     */
    private boolean suspendOverLimit(Schedulable schedulable) {
        boolean any = false;
        for (int k = 0; k < schedulable.slots; k++) {
            ContainerSize containerSize = schedulable.containerSize[k];
            if (containerSize.open
                    && schedulable.position[k] >= 0
                    && schedulable.exceedsLimitWith(containerSize.need)) {
                suspend(schedulable, k);
                any = true;
            }
        }
        return any;
    }

    @Override
    public boolean admits(ContainerSize containerSize) {
        if (!containerSize.open) {
            return false;
        }
        for (Schedulable at = chosen; at != null && at.parent != null; at = at.parent) {
            int k = at.slotOf(containerSize);
            if (k < 0 || at.position[k] < 0) {
                return false;
            }
            if (at.exceedsLimitWith(containerSize.need)) {
                return false;
            }
        }
        return true;
    }

    private void suspendOpen(Schedulable app) {
        for (int k = 0; k < app.slots; k++) {
            if (app.containerSize[k].open && app.position[k] >= 0) {
                suspend(app, k);
            }
        }
    }

    private void suspend(Schedulable suspended, int slot) {
        ContainerSize containerSize = suspended.containerSize[slot];
        Schedulable schedulable = suspended;
        for (Schedulable parent = schedulable.parent; parent != null; parent = schedulable.parent) {
            int k = schedulable.slotOf(containerSize);
            if (schedulable.position[k] < 0) {
                return; // suspended already, for its limit
            }
            if (!schedulable.atLimit) {
                parent.poorestSuspended = Math.min(parent.poorestSuspended, schedulable.normalizedShare);
            }
            ChildHeap heap = SchedulableTree.heapOf(parent, containerSize);
            heap.remove(schedulable.position[k], Schedulable.SUSPENDED);
            suspendedSchedulable.add(schedulable);
            suspendedSize.add(containerSize);
            if (!heap.isEmpty() || parent.parent == null) {
                return;
            }
            schedulable = parent;
        }
    }

    void book(Schedulable app, ContainerSize granted) {
        tree.hold(app, granted.need, 1, 1); // first, so that the schedulable stays active
        tree.ask(app, granted, -1);
        containerSizes.addPending(granted, -1);
        tree.settle(app);
    }

    /** Suspends a parent without a child to serve: the last one that was not suspended got all it asked for. */
    private void suspendDeserted(Schedulable app, ContainerSize granted) {
        for (Schedulable schedulable = app.parent;
                schedulable != null && schedulable.parent != null;
                schedulable = schedulable.parent) {
            int k = schedulable.slotOf(granted);
            if (k >= 0 && schedulable.position[k] >= 0 && schedulable.heap[k].isEmpty()) {
                suspend(schedulable, k);
            }
        }
    }

    private void take(Room room, ContainerSize granted) {
        room.take(granted);
        for (int i = open.size() - 1; i >= 0; i--) {
            ContainerSize containerSize = open.get(i);
            if (containerSize.pending == 0 || !room.fits(containerSize)) {
                containerSize.open = false;
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

    /** Resumes the suspended schedulables, the last one first, and computes their parents' shares anew. */
    private void resumeAll() {
        for (int i = suspendedSchedulable.size() - 1; i >= 0; i--) {
            Schedulable schedulable = suspendedSchedulable.get(i);
            Schedulable parent = schedulable.parent;
            int k = schedulable.slotOf(suspendedSize.get(i));
            if (parent != null) {
                parent.poorestSuspended = Double.POSITIVE_INFINITY;
                if (k >= 0 && schedulable.position[k] == Schedulable.SUSPENDED) {
                    SchedulableTree.heapOf(parent, suspendedSize.get(i)).add(schedulable, k);
                }
            }
        }
        for (int i = 0; i < suspendedSchedulable.size(); i++) {
            tree.settle(suspendedSchedulable.get(i));
        }
        suspendedSchedulable.clear();
        suspendedSize.clear();
    }
}
