// SPDX-License-Identifier: Apache-2.0
package org.heddle.frameworks.batch;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Elements of arrays that are to get a second attempt, on another agent than the first. */
final class Backups {
    private final Speculation speculation;
    /** With the agent of the first attempt. */
    private final Map<Part, String> wanted = new LinkedHashMap<>();

    Backups(Speculation speculation) {
        this.speculation = speculation;
    }

    /** Looks for late elements when no original waits. */
    void find(JobQueue queue, long now) {
        boolean waiting = queue.parts(Part.State.QUEUED).findAny().isPresent()
                || queue.parts(Part.State.STARTING).findAny().isPresent();
        if (waiting) {
            wanted.clear();
            return;
        }
        for (Job job : queue.jobs()) {
            if (job.spec().speculate() && !job.isOver()) {
                for (int index : speculation.late(job, now)) {
                    Part part = job.parts().get(index);
                    if (part.state == Part.State.RUNNING && part.tasks.size() == 1) {
                        wanted.put(part, part.tasks.values().iterator().next());
                    }
                }
            }
        }
    }

    /** The element that has waited longest; null if none waits. */
    @Nullable
    Part first() {
        wanted.keySet().removeIf(part -> part.state != Part.State.RUNNING);
        return wanted.keySet().stream().findFirst().orElse(null);
    }

    /** Those whose first attempt runs on another agent. */
    List<Part> awayFrom(String agent) {
        return wanted.entrySet().stream()
                .filter(one -> !one.getValue().equals(agent))
                .map(Map.Entry::getKey)
                .toList();
    }

    void remove(Part part) {
        wanted.remove(part);
    }
}
