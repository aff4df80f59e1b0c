// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.policy;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.heddle.offers.model.Resources;

/**
 * Places tasks into several offers of one node: first fit, largest task first; of equal tasks the earlier one first. A
 * task must fit into one offer, because each offer is a container.
 */
public final class TaskPlacement {
    /** The task fits into no offer. */
    public static final int NOWHERE = -1;

    private TaskPlacement() {}

    /**
     * @param tasks what each task needs
     * @param offers what each offer holds
     * @param preferred for each task the offer to try first, or {@link #NOWHERE}
     * @return for each task the index of its offer, or {@link #NOWHERE}
     */
    public static int[] place(List<Resources> tasks, List<Resources> offers, int[] preferred) {
        int[] placed = new int[tasks.size()];
        Arrays.fill(placed, NOWHERE);
        Resources[] free = offers.toArray(new Resources[0]);
        IntStream.range(0, tasks.size())
                .boxed()
                .sorted(Comparator.comparingLong(
                                (Integer task) -> -tasks.get(task).memMb())
                        .thenComparingLong(task -> -tasks.get(task).milliCpus())
                        .thenComparingInt(task -> task))
                .forEach(task -> {
                    int offer = fit(tasks.get(task), free, preferred[task]);
                    placed[task] = offer;
                    if (offer != NOWHERE) {
                        free[offer] = free[offer].minus(tasks.get(task));
                    }
                });
        return placed;
    }

    private static int fit(Resources task, Resources[] free, int preferred) {
        if (preferred != NOWHERE && free[preferred].contains(task)) {
            return preferred;
        }
        for (int offer = 0; offer < free.length; offer++) {
            if (free[offer].contains(task)) {
                return offer;
            }
        }
        return NOWHERE;
    }
}
