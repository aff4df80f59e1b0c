// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.whatif;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.heddle.whatif.model.History;
import org.heddle.whatif.model.Job;
import org.heddle.whatif.model.Size;
import org.heddle.whatif.model.TaskGroup;
import org.heddle.whatif.model.TaskKind;

/** Collects the jobs of a replay. Each user has a queue of the same name; masters take the smallest container. */
final class Jobs {
    private static final Size MASTER = new Size(1_024, 1);

    private final List<Job> all = new ArrayList<>();
    private final Size master;
    private final long endMillis;

    /** @param endSeconds after the beginning; the curves have an interval for each 240th of this time */
    Jobs(long endSeconds) {
        this(endSeconds, MASTER);
    }

    Jobs(long endSeconds, Size master) {
        this.endMillis = ReplayedCluster.BEGIN + 1_000 * endSeconds;
        this.master = master;
    }

    /** A job of equal tasks. */
    Jobs add(String user, double afterSeconds, int tasks, Size size, double seconds) {
        long[] millis = new long[tasks];
        Arrays.fill(millis, Math.round(1_000 * seconds));
        return add(user, afterSeconds, size, millis);
    }

    Jobs add(String user, double afterSeconds, Size size, long[] millis) {
        all.add(new Job(
                user + "-" + (all.size() + 1),
                user,
                "root." + user,
                ReplayedCluster.BEGIN + Math.round(1_000 * afterSeconds),
                endMillis,
                master,
                0,
                1,
                true,
                List.of(new TaskGroup(TaskKind.MAP, size, millis))));
        return this;
    }

    History history() {
        return new History(all, List.of());
    }
}
