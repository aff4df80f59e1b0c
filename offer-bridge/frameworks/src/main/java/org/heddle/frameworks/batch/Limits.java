// SPDX-License-Identifier: Apache-2.0
package org.heddle.frameworks.batch;

import java.util.List;
import java.util.stream.Collectors;
import org.heddle.frameworks.offers.Size;
import org.jspecify.annotations.Nullable;

/**
 * What the cluster has at most.
 *
 * @param nodes the different sizes of its nodes
 * @param capacity how much all jobs together may use
 */
record Limits(List<Size> nodes, Size capacity) {
    /** Why this job cannot start on this cluster, as a sentence; null if it can. */
    @Nullable
    String problem(JobSpec spec) {
        Size task = spec.taskSize();
        if (nodes.stream().noneMatch(task::fitsIn)) {
            return "no node has " + task + " for a task: nodes have "
                    + nodes.stream().map(Size::toString).collect(Collectors.joining(", or "));
        }
        Size together = task.times(spec.tasksOfPart());
        if (!together.fitsIn(capacity)) {
            return "the job needs " + together + " at a time, and the queue has " + capacity
                    + ": submit fewer or smaller tasks, an --array, or run serve with --whole-cluster";
        }
        return null;
    }
}
