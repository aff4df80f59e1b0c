// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.replay;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.heddle.whatif.model.Size;

/** The jobs that wait for containers; only those that have changed are looked at again, for many may wait. */
final class Waiting {
    /** The sizes that each of them waits for. */
    private final Map<ReplayedJob, Set<Size>> jobs = new HashMap<>();

    private final Map<Size, Integer> sizes = new HashMap<>();
    private final Map<String, Integer> users = new HashMap<>();
    private final Set<ReplayedJob> changed = new LinkedHashSet<>();

    /** What a job requests may be another now. */
    void changed(ReplayedJob job) {
        changed.add(job);
    }

    boolean isEmpty() {
        settle();
        return jobs.isEmpty();
    }

    Set<Size> sizes() {
        settle();
        return sizes.keySet();
    }

    Set<String> users() {
        settle();
        return users.keySet();
    }

    private void settle() {
        for (ReplayedJob job : changed) {
            Set<Size> before = jobs.remove(job);
            if (before != null) {
                before.forEach(size -> count(sizes, size, -1));
                count(users, job.job().user(), -1);
            }
            if (job.wants()) {
                Set<Size> now = new HashSet<>();
                job.wanted(now);
                jobs.put(job, now);
                now.forEach(size -> count(sizes, size, 1));
                count(users, job.job().user(), 1);
            }
        }
        changed.clear();
    }

    private static <T> void count(Map<T, Integer> counts, T what, int more) {
        if (counts.merge(what, more, Integer::sum) == 0) {
            counts.remove(what);
        }
    }
}
