// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.engine;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The children of one queue or user that ask for one container size, smallest key first: a binary heap which stores the
 * index of each child, so that a changed key moves it in O(log n). Hot; allocates only to grow.
 */
final class ChildHeap {
    private static final Schedulable[] EMPTY = new Schedulable[0];

    private Schedulable[] schedulable = EMPTY;
    /** The slot of this heap's container size in the child at the same index. */
    private int[] slot = new int[0];

    private int size;

    @Nullable
    Schedulable head() {
        return size == 0 ? null : schedulable[0];
    }

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    Schedulable get(int index) {
        return schedulable[index];
    }

    /**
     * The smallest normalized share of the children not at their limit, in a heap by normalized share; infinity if
     * there is none.
     */
    double poorest() {
        return poorest(0);
    }

    private double poorest(int index) {
        if (index >= size) {
            return Double.POSITIVE_INFINITY;
        }
        if (!schedulable[index].atLimit) {
            return schedulable[index].normalizedShare;
        }
        return Math.min(poorest(2 * index + 1), poorest(2 * index + 2));
    }

    boolean hasChildWithinLimits() {
        for (int i = 0; i < size; i++) {
            if (!schedulable[i].atLimit) {
                return true;
            }
        }
        return false;
    }

    void add(Schedulable added, int addedSlot) {
        if (size == schedulable.length) {
            int more = Math.max(4, size * 2);
            schedulable = Arrays.copyOf(schedulable, more);
            slot = Arrays.copyOf(slot, more);
        }
        schedulable[size] = added;
        slot[size] = addedSlot;
        added.position[addedSlot] = size;
        up(size++);
    }

    void remove(int index, int mark) {
        schedulable[index].position[slot[index]] = mark;
        size--;
        Schedulable moved = schedulable[size];
        int movedSlot = slot[size];
        schedulable[size] = null;
        if (index != size) {
            put(index, moved, movedSlot);
            moved(index);
        }
    }

    /** The key of the child at an index has changed. */
    void moved(int index) {
        if (!up(index)) {
            down(index);
        }
    }

    /** Sets the slot of this heap's container size in the child at an index. */
    void renumber(int index, int newSlot) {
        slot[index] = newSlot;
    }

    /** Any number of keys have changed. */
    void rebuild() {
        for (int i = size / 2 - 1; i >= 0; i--) {
            down(i);
        }
    }

    private boolean up(int index) {
        Schedulable rising = schedulable[index];
        int risingSlot = slot[index];
        int at = index;
        while (at > 0) {
            int above = (at - 1) >>> 1;
            if (!rising.precedes(schedulable[above])) {
                break;
            }
            put(at, schedulable[above], slot[above]);
            at = above;
        }
        put(at, rising, risingSlot);
        return at != index;
    }

    private void down(int index) {
        Schedulable sinking = schedulable[index];
        int sinkingSlot = slot[index];
        int at = index;
        while (true) {
            int below = 2 * at + 1;
            if (below >= size) {
                break;
            }
            if (below + 1 < size && schedulable[below + 1].precedes(schedulable[below])) {
                below++;
            }
            if (!schedulable[below].precedes(sinking)) {
                break;
            }
            put(at, schedulable[below], slot[below]);
            at = below;
        }
        put(at, sinking, sinkingSlot);
    }

    private void put(int index, Schedulable placed, int placedSlot) {
        schedulable[index] = placed;
        slot[index] = placedSlot;
        placed.position[placedSlot] = index;
    }
}
