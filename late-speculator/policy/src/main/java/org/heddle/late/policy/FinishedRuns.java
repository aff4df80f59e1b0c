// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.policy;

import java.util.Arrays;
import java.util.List;

/**
 * The finished attempts of a kind in columns. Each scan reads all of them; following the references of 50,000 attempts
 * would take half of its time.
 */
final class FinishedRuns {
    private int[] nodes = new int[16];
    private long[] starts = new long[16];
    private long[] ends = new long[16];
    private double[] sizes = new double[16];
    private int count;
    private boolean sizesChanged;

    /** Adds an attempt that has ended; they are in the order of their ends. */
    void add(AttemptRecord attempt) {
        if (count == nodes.length) {
            nodes = Arrays.copyOf(nodes, 2 * count);
            starts = Arrays.copyOf(starts, 2 * count);
            ends = Arrays.copyOf(ends, 2 * count);
            sizes = Arrays.copyOf(sizes, 2 * count);
        }
        nodes[count] = attempt.on().index();
        starts[count] = attempt.startedAt();
        ends[count] = attempt.endedAt();
        sizes[count++] = attempt.task().size;
    }

    /** The size of a task has become known after its end, as after a restart of the ApplicationMaster. */
    void sizesChanged() {
        sizesChanged = true;
    }

    /**
     * Copies the columns to the beginnings of these arrays.
     *
     * @param attempts the same attempts in the same order
     * @param earliest no run counts from before this time
     */
    void copy(List<AttemptRecord> attempts, long earliest, int[] toNodes, double[] toMillis, double[] toSizes) {
        if (sizesChanged) {
            for (int i = 0; i < count; i++) {
                sizes[i] = attempts.get(i).task().size;
            }
            sizesChanged = false;
        }
        System.arraycopy(nodes, 0, toNodes, 0, count);
        System.arraycopy(sizes, 0, toSizes, 0, count);
        for (int i = 0; i < count; i++) {
            toMillis[i] = (double) (ends[i] - Math.max(starts[i], earliest));
        }
    }
}
