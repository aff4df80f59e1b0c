// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.replay;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.heddle.late.policy.AttemptRecord;
import org.heddle.late.policy.AttemptRegistry;
import org.heddle.late.policy.Decision;
import org.heddle.late.policy.LatePolicy;
import org.heddle.late.policy.Settings;
import org.heddle.late.policy.TaskKind;
import org.jspecify.annotations.Nullable;

/**
 * Replays a recorded job under the policy, second by second. It removes the recorded backups; an original that lost
 * against its backup gets the usual time of its node. A new backup runs on a node with a free container, for the time of a
 * typical task there. Tasks keep their recorded start; reduces end as much earlier as the maps do.
 */
final class Replay {
    private static final long STEP_MILLIS = 1_000;
    private static final long REPORT_MILLIS = 6_000;
    private static final long CONTAINER_MILLIS = 2_000;

    private final JobTrace trace;
    private final Pace pace;
    private final AttemptRegistry registry;
    private final LatePolicy policy;
    private final Map<String, Span> live = new LinkedHashMap<>();
    private final List<Span> done = new ArrayList<>();
    private final List<Decision> launches = new ArrayList<>();
    private final List<String> requests = new ArrayList<>();
    private final Map<String, int[]> liveAndPeak = new HashMap<>();
    private int attempts;

    private Replay(JobTrace trace, Settings settings, long windowMillis) {
        this.trace = trace;
        this.pace = new Pace(trace);
        this.registry = new AttemptRegistry(windowMillis);
        this.policy = new LatePolicy(registry, settings);
    }

    /** The result: the attempts as they would have run, and the launches with their reasons. */
    static final class Result {
        private final JobTrace replayed;
        private final List<Decision> launches;

        Result(JobTrace replayed, List<Decision> launches) {
            this.replayed = replayed;
            this.launches = launches;
        }

        JobTrace trace() {
            return replayed;
        }

        List<Decision> launches() {
            return launches;
        }
    }

    static Result of(JobTrace trace, Settings settings, long windowMillis) {
        return new Replay(trace, settings, windowMillis).run();
    }

    private Result run() {
        // 1. The originals, as they would have run alone.
        List<Span> originals = new ArrayList<>();
        for (Span span : trace.spans()) {
            if (!span.backup) {
                originals.add(alone(span));
            }
        }
        for (TaskKind kind : TaskKind.values()) {
            long count = originals.stream().filter(s -> s.kind == kind).count();
            registry.total(kind, (int) count);
            registry.waiting(kind, (int) count);
        }
        // 2. Second by second: starts, reports, ends, decisions.
        int next = 0;
        for (long now = trace.begin(); next < originals.size() || !live.isEmpty(); now += STEP_MILLIS) {
            while (next < originals.size() && originals.get(next).start <= now) {
                Span span = originals.get(next++);
                registry.waiting(span.kind, -1);
                long saved = registry.mapsDoneAt() > 0 ? Math.max(0, trace.mapsDone() - registry.mapsDoneAt()) : 0;
                start(span.kind == TaskKind.REDUCE ? span.earlier(saved, registry.mapsDoneAt()) : span);
            }
            endAndReport(now);
            decide(now);
        }
        return new Result(new JobTrace(trace.job(), done), launches);
    }

    private Span alone(Span original) {
        if (original.won) {
            return original;
        }
        long usual = original.start + pace.copyMillis(original.kind, original.node);
        return original.ending(Math.max(original.end, usual), true);
    }

    private void start(Span span) {
        String id = span.task + "_" + attempts++;
        live.put(id, span);
        registry.started(span.kind, span.task, id, span.node, span.start);
        int[] counts = liveAndPeak.computeIfAbsent(span.node, n -> new int[2]);
        counts[1] = Math.max(counts[1], ++counts[0]);
    }

    private void endAndReport(long now) {
        for (String id : List.copyOf(live.keySet())) {
            Span span = live.get(id);
            if (span == null) {
                continue; // ended with the winner of its task
            }
            if (span.end <= now) {
                win(id, span);
            } else if ((now - span.start) / STEP_MILLIS % (REPORT_MILLIS / STEP_MILLIS) == 0) {
                registry.reported(id, span.score(now), now);
            }
        }
    }

    private void win(String winner, Span span) {
        boolean mapsRan = registry.mapsDoneAt() < 0;
        for (String id : List.copyOf(live.keySet())) {
            Span other = live.get(id);
            if (other != null && other.task.equals(span.task)) {
                live.remove(id);
                done.add(other.ending(span.end, id.equals(winner)));
                registry.ended(id, span.end, id.equals(winner));
                free(other.node);
            }
        }
        requests.remove(span.task);
        if (mapsRan && registry.mapsDoneAt() > 0) {
            long saved = Math.max(0, trace.mapsDone() - registry.mapsDoneAt());
            live.replaceAll((id, s) -> s.kind == TaskKind.REDUCE ? s.earlier(saved, registry.mapsDoneAt()) : s);
        }
    }

    private void decide(long now) {
        for (String task : List.copyOf(requests)) {
            place(task, now);
        }
        for (Decision decision : policy.scan(now)) {
            if (decision.action() == Decision.Action.LAUNCH) {
                launches.add(decision);
                var record = registry.taskRecord(decision.task());
                if (record != null) {
                    registry.requested(record.kind(), decision.task(), decision.cost(), now);
                    requests.add(decision.task());
                }
            }
        }
    }

    /** Places a requested backup on the fastest node with a free container that runs no other attempt of the task. */
    private void place(String task, long now) {
        var record = registry.taskRecord(task);
        String node = record == null ? null : freeNode(record.live());
        if (record == null || node == null) {
            return;
        }
        requests.remove(task);
        long start = now + CONTAINER_MILLIS;
        long run = pace.copyMillis(record.kind(), node);
        start(new Span(task, record.kind(), node, start, start + run / 3, start + run / 2, start + run, true, true));
    }

    private @Nullable String freeNode(List<AttemptRecord> siblings) {
        String best = null;
        for (String node : new TreeSet<>(liveAndPeak.keySet())) {
            int[] counts = liveAndPeak.getOrDefault(node, new int[2]);
            boolean taken = siblings.stream().anyMatch(a -> a.node().equals(node));
            boolean faster = best == null || pace.copyMillis(TaskKind.MAP, node) < pace.copyMillis(TaskKind.MAP, best);
            if (counts[0] < counts[1] && !taken && faster) {
                best = node;
            }
        }
        return best;
    }

    private void free(String node) {
        int[] counts = liveAndPeak.get(node);
        if (counts != null) {
            counts[0]--;
        }
    }
}
