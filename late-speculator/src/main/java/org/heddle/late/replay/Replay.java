// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.replay;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.heddle.late.policy.AttemptRecord;
import org.heddle.late.policy.AttemptRegistry;
import org.heddle.late.policy.Decision;
import org.heddle.late.policy.LatePolicy;
import org.heddle.late.policy.Settings;
import org.heddle.late.policy.TaskKind;
import org.jspecify.annotations.Nullable;

/**
 * Replays a recorded job under the policy, second by second. It removes the recorded backups; an original that lost
 * against its backup gets the usual time of its node. A new backup runs on a node that has a free container until the
 * backup ends, for the time of a typical task there. Tasks keep their recorded start; reduces end as much earlier as
 * the maps do.
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
    private final List<Span> originals = new ArrayList<>();
    // The most attempts that the recorded job ran at once, by node.
    private final Map<String, Integer> containers = new TreeMap<>();
    private int next;
    private int attempts;

    private Replay(JobTrace trace, Settings settings) {
        this.trace = trace;
        this.pace = new Pace(trace);
        this.registry = new AttemptRegistry();
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

    static Result of(JobTrace trace, Settings settings) {
        return new Replay(trace, settings).run();
    }

    private Result run() {
        // 1. The originals, as they would have run alone.
        Map<String, Span> firsts = new LinkedHashMap<>();
        for (Span span : trace.spans()) {
            if (!span.backup) {
                // Of an attempt that failed and its successor, the one that succeeded.
                firsts.merge(span.task, span, (a, b) -> b.won ? b : a);
            }
        }
        firsts.values().forEach(span -> originals.add(alone(span)));
        originals.sort(Comparator.comparingLong(span -> span.start));
        countContainers();
        for (TaskKind kind : TaskKind.values()) {
            long count = originals.stream().filter(s -> s.kind == kind).count();
            registry.total(kind, (int) count);
            registry.waiting(kind, (int) count);
        }
        // 2. Second by second: starts, reports, ends, decisions.
        for (long now = trace.begin(); next < originals.size() || !live.isEmpty(); now += STEP_MILLIS) {
            while (next < originals.size() && originals.get(next).start <= now) {
                Span span = originals.get(next++);
                registry.waiting(span.kind, -1);
                start(afterMaps(span));
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
            }
        }
        requests.remove(span.task);
        if (mapsRan) {
            live.replaceAll((id, each) -> afterMaps(each));
        }
    }

    /** Once the maps are done, a reduce ends as much earlier as they did. */
    private Span afterMaps(Span span) {
        long done = registry.mapsDoneAt();
        if (done <= 0 || span.kind == TaskKind.MAP) {
            return span;
        }
        return span.earlier(Math.max(0, trace.mapsDone() - done), done);
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
                    registry.requested(record.kind(), decision.task(), now);
                    requests.add(decision.task());
                }
            }
        }
    }

    /** Starts a requested backup if a node has a free container for it. */
    private void place(String task, long now) {
        var record = registry.taskRecord(task);
        String node = record == null ? null : freeNode(record.kind(), record.live(), now + CONTAINER_MILLIS);
        if (record == null || node == null) {
            return;
        }
        requests.remove(task);
        long start = now + CONTAINER_MILLIS;
        long run = pace.copyMillis(record.kind(), node);
        Span.Times times = new Span.Times(start, start + run / 3, start + run / 2, start + run);
        start(new Span(task, record.kind(), node, times, true, true));
    }

    /** The fastest node that has a free container until the backup ends, and runs no other attempt of the task. */
    private @Nullable String freeNode(TaskKind kind, List<AttemptRecord> siblings, long start) {
        String best = null;
        for (String node : containers.keySet()) {
            boolean taken = siblings.stream().anyMatch(a -> a.node().equals(node));
            boolean faster = best == null || pace.copyMillis(kind, node) < pace.copyMillis(kind, best);
            if (!taken && faster && hasRoom(node, start, start + pace.copyMillis(kind, node))) {
                best = node;
            }
        }
        return best;
    }

    /** Whether one more attempt has a container from start to end, beside those that run and those that will start. */
    private boolean hasRoom(String node, long start, long end) {
        List<Span> others = new ArrayList<>(live.values());
        others.addAll(originals.subList(next, originals.size()));
        others.removeIf(s -> !s.node.equals(node) || s.end <= start || s.start >= end);
        int most = containers.getOrDefault(node, 0);
        return runningAt(others, start) < most
                && others.stream().allMatch(s -> runningAt(others, Math.max(start, s.start)) < most);
    }

    /** Counts the containers of each node: the most attempts that the recorded job ran there at once. */
    private void countContainers() {
        Map<String, List<Span>> byNode = new TreeMap<>();
        for (Span span : trace.spans()) {
            byNode.computeIfAbsent(span.node, n -> new ArrayList<>()).add(span);
        }
        byNode.forEach((node, spans) -> containers.put(
                node,
                spans.stream().mapToInt(s -> runningAt(spans, s.start)).max().orElse(0)));
    }

    /** Attempts that run at a time. */
    private static int runningAt(List<Span> spans, long at) {
        return (int) spans.stream().filter(s -> s.start <= at && at < s.end).count();
    }
}
