// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.report;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.heddle.whatif.outcome.Outcome;

/** What a comparison says beside its tables, as sentences. */
final class Notes {
    private static final int MOST_NAMED = 3;

    /** Of every replay; docs/limitations.md has all. */
    private static final List<String> ALWAYS = List.of(
            "tasks run as long as they did, on whatever node they get: data locality, slow nodes, failures and labels are"
                    + " not replayed",
            "compare the column recorded with the scheduler that the cluster had; if their times differ by more than a"
                    + " fifth, the replay lacks something that the cluster had, and its other columns prove nothing");

    private Notes() {}

    /** What was replayed, on what. */
    static List<String> subject(Comparison comparison) {
        List<String> lines = new ArrayList<>();
        int jobs = comparison.history().jobs().size();
        long tasks = comparison.history().tasks();
        lines.add(comparison.source() + ": " + jobs + (jobs == 1 ? " job, " : " jobs, ") + tasks
                + (tasks == 1 ? " task, " : " tasks, ") + "from "
                + Instant.ofEpochMilli(comparison.history().beginMillis()) + " to "
                + Instant.ofEpochMilli(comparison.history().endMillis()));
        lines.addAll(comparison.nodeSizes());
        return lines;
    }

    /** What the reader has to know to judge the figures. */
    static List<String> remarks(Comparison comparison) {
        List<String> lines = new ArrayList<>(comparison.history().remarks());
        for (Outcome outcome : comparison.outcomes()) {
            String name = outcome.scheduler();
            outcome.remarks().forEach(remark -> lines.add(name + ": " + remark));
            outcome.refused()
                    .forEach((reason, jobs) -> lines.add(name + " refuses " + jobs + (jobs == 1 ? " job" : " jobs")
                            + " of queue " + reason + "; --queue OLD=NEW sends them elsewhere"));
            List<String> unfinished = outcome.unfinished();
            if (!unfinished.isEmpty()) {
                lines.add(name + " allocates nothing more to " + unfinished.size()
                        + (unfinished.size() == 1 ? " job" : " jobs") + " that did not end: "
                        + String.join(", ", unfinished.subList(0, Math.min(MOST_NAMED, unfinished.size())))
                        + (unfinished.size() > MOST_NAMED ? ", ..." : "")
                        + "; a limit of their queue is smaller than a container that they request");
            }
        }
        lines.addAll(ALWAYS);
        return lines;
    }
}
