// SPDX-License-Identifier: Apache-2.0
package org.heddle.frameworks.batch;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.heddle.frameworks.batch.Part.State;

/** The queue as text for qstat. */
final class QueueView {
    private QueueView() {}

    /** One line for each job. */
    static List<String> lines(List<Job> jobs, List<Spool.Message> unseen, long now) {
        List<String> lines = new ArrayList<>();
        lines.add(line("ID", "NAME", "STATE", "TASKS", "SIZE OF A TASK", "WALLTIME", "RAN", "NOTE"));
        for (Job job : jobs) {
            JobSpec spec = job.spec();
            long began = job.parts().stream()
                    .mapToLong(part -> part.startedAt)
                    .filter(at -> at > 0)
                    .min()
                    .orElse(0);
            long ended;
            if (job.isOver()) {
                ended = job.parts().stream()
                        .mapToLong(part -> part.endedAt)
                        .max()
                        .orElse(now);
            } else {
                ended = now;
            }
            String note = job.parts().stream()
                    .map(part -> part.note)
                    .filter(one -> !one.isEmpty())
                    .distinct()
                    .limit(2)
                    .collect(Collectors.joining("; "));
            lines.add(line(
                    job.id() + (spec.array() ? "[]" : ""),
                    spec.name(),
                    state(job),
                    Integer.toString(spec.tasks()),
                    spec.taskSize().toString(),
                    spec.walltimeSeconds() + " s",
                    began == 0 ? "-" : Math.max(0, ended - began) / 1000 + " s",
                    note));
        }
        for (Spool.Message message : unseen) {
            JobSpec spec = message.job();
            if (spec != null) {
                lines.add(line(
                        message.id(),
                        spec.name(),
                        "NEW",
                        Integer.toString(spec.tasks()),
                        spec.taskSize().toString(),
                        spec.walltimeSeconds() + " s",
                        "-",
                        "the daemon has not seen it yet"));
            }
        }
        return lines;
    }

    /** One word, or for an array with parts in several states their numbers: {@code 3 DONE, 1 RUNNING}. */
    static String state(Job job) {
        List<String> states = new ArrayList<>();
        for (State state : State.values()) {
            long count = job.count(state);
            if (count == job.parts().size()) {
                return state.name();
            }
            if (count > 0) {
                states.add(count + " " + state.name());
            }
        }
        return String.join(", ", states);
    }

    private static String line(String... columns) {
        return String.format(Locale.ROOT, "%-8s %-16s %-22s %6s  %-22s %9s %7s  %s", (Object[]) columns)
                .stripTrailing();
    }
}
