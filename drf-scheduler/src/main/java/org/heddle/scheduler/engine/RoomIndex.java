// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Nodes by their free resources, in order of their load: finds the least or the most loaded node on which a container
 * fits. A treap (Seidel and Aragon 1996) whose vertices also know the most of each resource that is free on any node
 * below them, so that a search leaves out whole subtrees. A change costs O(resources x log nodes). So does a search,
 * unless many nodes lack different resources: then it may visit all. A size that has been found to fit nowhere is not
 * searched for again before a node has more room than at that time. Hot: changes and searches allocate nothing.
 *
 * <p>Nodes are known by handles: whole numbers from 0, used again after {@link #remove}. Guarded by its owner's lock.
 *
 * @param <E> the nodes
 */
public final class RoomIndex<E> {
    /** No node. */
    public static final int NONE = -1;

    /** How many sizes that fit nowhere, and how many growths of nodes, are remembered. */
    private static final int MEMORY = 64;

    private final int resources;
    private final RandomGenerator random;
    private final List<@Nullable E> items = new ArrayList<>();
    private int[] spare = new int[1];
    private int spares;
    private long[] free = {};
    private long[] most = {};
    private double[] load = {};
    private int[] priority = {};
    private int[] left = {};
    private int[] right = {};
    private int root = NONE;
    private int size;
    private int splitLeft;
    private int splitRight;

    private final @Nullable ContainerSize[] lacking = new ContainerSize[MEMORY];
    private final long[] lackingSince = new long[MEMORY];
    private int nextLacking;
    private final int[] grown = new int[MEMORY];
    private long growths;

    /**
     * @param resources number of resource types
     * @param random for the balance of the tree, and for {@link #anyOf}
     */
    public RoomIndex(int resources, RandomGenerator random) {
        this.resources = resources;
        this.random = random;
    }

    /** Number of nodes. */
    public int size() {
        return size;
    }

    /** The node with a handle that {@link #add} has returned and {@link #remove} has not been called for. */
    @SuppressWarnings("NullAway") // null only for handles that are not in use
    public E item(int handle) {
        return items.get(handle);
    }

    /**
     * Adds a node.
     *
     * @param room what is free, per resource
     * @param newLoad 0 for an empty node
     * @return its handle
     */
    public int add(E item, long[] room, double newLoad) {
        int handle;
        if (spares > 0) {
            handle = spare[--spares];
            items.set(handle, item);
        } else {
            handle = items.size();
            items.add(item);
            ensure(handle + 1);
        }
        size++;
        priority[handle] = random.nextInt();
        set(handle, room, newLoad);
        noteGrowth(handle);
        root = insert(root, handle);
        return handle;
    }

    public void remove(int handle) {
        root = erase(root, handle);
        items.set(handle, null);
        Arrays.fill(free, handle * resources, (handle + 1) * resources, -1);
        size--;
        if (spares == spare.length) {
            spare = Arrays.copyOf(spare, spares * 2);
        }
        spare[spares++] = handle;
    }

    /** Sets what is free on a node, per resource, and its load. */
    public void update(int handle, long[] room, double newLoad) {
        boolean more = false;
        boolean same = newLoad == load[handle];
        for (int j = 0; j < resources; j++) {
            long before = free[handle * resources + j];
            more |= room[j] > before;
            same &= room[j] == before;
        }
        if (same) {
            return;
        }
        root = erase(root, handle);
        set(handle, room, newLoad);
        if (more) {
            noteGrowth(handle);
        }
        root = insert(root, handle);
    }

    /**
     * The first node on which a container fits, in order of load; of equally loaded nodes, the one with the lowest
     * handle comes first (last if the most loaded comes first).
     *
     * @return its handle, or {@link #NONE}
     */
    public int first(ContainerSize wanted, boolean mostLoadedFirst) {
        int memory = memoryOf(wanted);
        if (memory >= 0 && isStillLacking(memory, wanted)) {
            return NONE;
        }
        int found = firstIn(root, wanted.need, mostLoadedFirst);
        if (found != NONE) {
            if (memory >= 0) {
                lacking[memory] = null;
            }
        } else {
            if (memory < 0) {
                memory = nextLacking;
                nextLacking = (nextLacking + 1) % MEMORY;
                lacking[memory] = wanted;
            }
            lackingSince[memory] = growths;
        }
        return found;
    }

    /** The next node after another one, in the same order, on which a container fits; or {@link #NONE}. */
    public int next(int handle, ContainerSize wanted, boolean mostLoadedFirst) {
        return nextIn(root, handle, wanted.need, mostLoadedFirst);
    }

    /**
     * The least loaded of a few nodes chosen at random on which a container fits; {@link #NONE} if it fits on none of
     * these.
     *
     * @param draws how many are chosen
     */
    public int anyOf(int draws, ContainerSize wanted) {
        int best = NONE;
        for (int i = 0; i < draws && !items.isEmpty(); i++) {
            int drawn = random.nextInt(items.size());
            if (items.get(drawn) != null && fits(free, drawn, wanted.need) && (best == NONE || isBefore(drawn, best))) {
                best = drawn;
            }
        }
        return best;
    }

    // ---- sizes that fit nowhere ----

    private int memoryOf(ContainerSize wanted) {
        for (int i = 0; i < MEMORY; i++) {
            if (lacking[i] == wanted) {
                return i;
            }
        }
        return NONE;
    }

    private boolean isStillLacking(int memory, ContainerSize wanted) {
        if (growths - lackingSince[memory] > MEMORY) {
            return false;
        }
        for (long at = lackingSince[memory]; at < growths; at++) {
            if (fits(free, grown[(int) (at % MEMORY)], wanted.need)) {
                return false;
            }
        }
        lackingSince[memory] = growths;
        return true;
    }

    private void noteGrowth(int handle) {
        grown[(int) (growths % MEMORY)] = handle;
        growths++;
    }

    // ---- search ----

    private int firstIn(int vertex, long[] need, boolean backwards) {
        if (vertex == NONE || !fits(most, vertex, need)) {
            return NONE;
        }
        int found = firstIn(backwards ? right[vertex] : left[vertex], need, backwards);
        if (found != NONE) {
            return found;
        }
        if (fits(free, vertex, need)) {
            return vertex;
        }
        return firstIn(backwards ? left[vertex] : right[vertex], need, backwards);
    }

    private int nextIn(int vertex, int after, long[] need, boolean backwards) {
        if (vertex == NONE || !fits(most, vertex, need)) {
            return NONE;
        }
        boolean passed = vertex == after || (backwards ? isBefore(after, vertex) : isBefore(vertex, after));
        int far = backwards ? left[vertex] : right[vertex];
        if (passed) {
            return nextIn(far, after, need, backwards);
        }
        int found = nextIn(backwards ? right[vertex] : left[vertex], after, need, backwards);
        if (found != NONE) {
            return found;
        }
        return fits(free, vertex, need) ? vertex : firstIn(far, need, backwards);
    }

    private boolean fits(long[] amounts, int vertex, long[] need) {
        int from = vertex * resources;
        for (int j = 0; j < resources; j++) {
            if (need[j] > amounts[from + j]) {
                return false;
            }
        }
        return true;
    }

    private boolean isBefore(int a, int b) {
        return load[a] < load[b] || (load[a] == load[b] && a < b);
    }

    // ---- the tree ----

    private void set(int handle, long[] room, double newLoad) {
        System.arraycopy(room, 0, free, handle * resources, resources);
        load[handle] = newLoad;
        left[handle] = NONE;
        right[handle] = NONE;
        pull(handle);
    }

    private int insert(int vertex, int added) {
        if (vertex == NONE) {
            return added;
        }
        if (priority[added] > priority[vertex]) {
            split(vertex, added);
            left[added] = splitLeft;
            right[added] = splitRight;
            pull(added);
            return added;
        }
        if (isBefore(added, vertex)) {
            left[vertex] = insert(left[vertex], added);
        } else {
            right[vertex] = insert(right[vertex], added);
        }
        pull(vertex);
        return vertex;
    }

    private int erase(int vertex, int removed) {
        if (vertex == removed) {
            return merge(left[vertex], right[vertex]);
        }
        if (isBefore(removed, vertex)) {
            left[vertex] = erase(left[vertex], removed);
        } else {
            right[vertex] = erase(right[vertex], removed);
        }
        pull(vertex);
        return vertex;
    }

    private void split(int vertex, int at) {
        if (vertex == NONE) {
            splitLeft = NONE;
            splitRight = NONE;
        } else if (isBefore(vertex, at)) {
            split(right[vertex], at);
            right[vertex] = splitLeft;
            pull(vertex);
            splitLeft = vertex;
        } else {
            split(left[vertex], at);
            left[vertex] = splitRight;
            pull(vertex);
            splitRight = vertex;
        }
    }

    private int merge(int lower, int upper) {
        if (lower == NONE || upper == NONE) {
            return lower == NONE ? upper : lower;
        }
        if (priority[lower] > priority[upper]) {
            right[lower] = merge(right[lower], upper);
            pull(lower);
            return lower;
        }
        left[upper] = merge(lower, left[upper]);
        pull(upper);
        return upper;
    }

    private void pull(int vertex) {
        int at = vertex * resources;
        for (int j = 0; j < resources; j++) {
            long largest = free[at + j];
            if (left[vertex] != NONE) {
                largest = Math.max(largest, most[left[vertex] * resources + j]);
            }
            if (right[vertex] != NONE) {
                largest = Math.max(largest, most[right[vertex] * resources + j]);
            }
            most[at + j] = largest;
        }
    }

    private void ensure(int nodes) {
        if (nodes > left.length) {
            int capacity = Math.max(16, nodes * 2);
            free = Arrays.copyOf(free, capacity * resources);
            most = Arrays.copyOf(most, capacity * resources);
            load = Arrays.copyOf(load, capacity);
            priority = Arrays.copyOf(priority, capacity);
            left = Arrays.copyOf(left, capacity);
            right = Arrays.copyOf(right, capacity);
        }
    }
}
