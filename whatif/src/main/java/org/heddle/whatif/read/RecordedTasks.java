// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.read;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.heddle.settings.past.JobSpan;
import org.heddle.whatif.model.Size;
import org.heddle.whatif.model.TaskGroup;
import org.heddle.whatif.model.TaskKind;

/** Collects the tasks of one job as they ran, and groups them by kind and size. */
final class RecordedTasks {
    private record Alike(TaskKind kind, Size size) {}

    private record Span(long startMillis, long endMillis) {}

    private final Map<Alike, List<Span>> spans = new LinkedHashMap<>();
    private long mapsEndMillis = Long.MIN_VALUE;

    /** A task that ran from one time to another, in milliseconds since any moment. */
    void add(TaskKind kind, Size size, long startMillis, long endMillis) {
        spans.computeIfAbsent(new Alike(kind, size), alike -> new ArrayList<>()).add(new Span(startMillis, endMillis));
        if (kind == TaskKind.MAP) {
            mapsEndMillis = Math.max(mapsEndMillis, endMillis);
        }
    }

    /** The groups; a reduce that ran while maps ran counts from the end of the last map. */
    List<TaskGroup> groups() {
        List<TaskGroup> groups = new ArrayList<>();
        spans.forEach((alike, all) -> groups.add(new TaskGroup(
                alike.kind(),
                alike.size(),
                all.stream().mapToLong(span -> millis(alike.kind(), span)).toArray())));
        return groups;
    }

    private long millis(TaskKind kind, Span span) {
        boolean isReduce = kind == TaskKind.REDUCE;
        long start = isReduce ? JobSpan.reduceStart(span.startMillis, span.endMillis, mapsEndMillis) : span.startMillis;
        return span.endMillis - start;
    }
}
