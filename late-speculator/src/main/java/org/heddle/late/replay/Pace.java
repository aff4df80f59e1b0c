// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.replay;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.heddle.late.policy.TaskKind;

/** What a recorded job says about how long its tasks take and how its nodes compare. Medians of successful attempts. */
final class Pace {
    private final Map<TaskKind, Long> typical = new HashMap<>();
    private final Map<String, Double> slowness = new HashMap<>();

    Pace(JobTrace trace) {
        for (TaskKind kind : TaskKind.values()) {
            List<Long> runs = new ArrayList<>();
            Map<String, List<Long>> byNode = new HashMap<>();
            for (Span span : trace.spans()) {
                if (span.won && span.kind == kind) {
                    long run = run(span, trace.mapsDone());
                    runs.add(run);
                    byNode.computeIfAbsent(span.node, n -> new ArrayList<>()).add(run);
                }
            }
            if (!runs.isEmpty()) {
                long middle = Math.max(1, median(runs));
                typical.put(kind, middle);
                byNode.forEach((node, own) -> slowness.merge(node, (double) median(own) / middle, Math::max));
            }
        }
    }

    /** Working time: a reduce that started before the maps were done only worked since then. */
    static long run(Span span, long mapsDone) {
        return span.kind == TaskKind.REDUCE
                ? span.end - Math.max(span.start, Math.min(mapsDone, span.end))
                : span.end - span.start;
    }

    /** Milliseconds a copy takes on a node. */
    long copyMillis(TaskKind kind, String node) {
        return Math.round(typical.getOrDefault(kind, 1L) * slowness.getOrDefault(node, 1.0));
    }

    private static long median(List<Long> values) {
        Collections.sort(values);
        return values.get(values.size() / 2);
    }
}
