// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.replay;

import java.util.HashMap;
import java.util.Map;
import org.heddle.late.policy.TaskKind;
import org.heddle.late.policy.statistics.Sample;

/** How long the tasks of a recorded job take, and how its nodes compare: medians over successful attempts. */
final class Pace {
    private final Map<TaskKind, Double> typical = new HashMap<>();
    private final Map<String, Double> slowness = new HashMap<>();

    Pace(JobTrace trace) {
        for (TaskKind kind : TaskKind.values()) {
            Sample runs = new Sample(trace.spans().size());
            Map<String, Sample> byNode = new HashMap<>();
            for (Span span : trace.spans()) {
                if (span.won && span.kind == kind) {
                    double run = (double) run(span, trace.mapsDone());
                    runs.add(run);
                    byNode.computeIfAbsent(span.node, n -> new Sample(4)).add(run);
                }
            }
            if (!byNode.isEmpty()) {
                double middle = Math.max(1, runs.median());
                typical.put(kind, middle);
                byNode.forEach((node, onNode) -> slowness.merge(node, onNode.median() / middle, Math::max));
            }
        }
    }

    /** Working time: a reduce that started before the end of the maps has worked since that end only. */
    static long run(Span span, long mapsDone) {
        if (span.kind == TaskKind.MAP) {
            return span.end - span.start;
        }
        return span.end - Math.max(span.start, Math.min(mapsDone, span.end));
    }

    /** Milliseconds of a backup on a node. */
    long copyMillis(TaskKind kind, String node) {
        return Math.round(typical.getOrDefault(kind, 1.0) * slowness.getOrDefault(node, 1.0));
    }
}
