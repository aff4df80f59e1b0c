// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.tez;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.util.Clock;
import org.apache.tez.dag.api.oldrecords.TaskAttemptState;
import org.apache.tez.dag.api.oldrecords.TaskState;
import org.apache.tez.dag.app.dag.Task;
import org.apache.tez.dag.app.dag.TaskAttempt;
import org.apache.tez.dag.app.dag.Vertex;
import org.apache.tez.dag.app.dag.VertexState;
import org.apache.tez.dag.app.dag.speculation.legacy.TaskRuntimeEstimator;
import org.apache.tez.dag.records.TezTaskAttemptID;
import org.apache.tez.dag.records.TezTaskID;
import org.heddle.late.policy.AttemptRegistry;
import org.heddle.late.policy.Decision;
import org.heddle.late.policy.LatePolicy;
import org.heddle.late.policy.Settings;
import org.heddle.late.policy.TaskKind;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * LATE for {@code tez.am.task.estimator.class}. Tez makes one of these for each vertex, asks it in each pass about each
 * task, and launches the backup that it chooses: the one with the longest time to its end. Its limits, pauses and its
 * choice of nodes stay as they are.
 *
 * <p>Only {@link #enrollAttempt} is called by another thread than the speculator's.
 */
public final class LateEstimator implements TaskRuntimeEstimator {
    private static final Logger LOG = LoggerFactory.getLogger(LateEstimator.class);
    // Tez asks once a second, about one task after the other.
    private static final long PASS_MILLIS = 500;
    private static final long REPORT_MILLIS = 1_000;
    private static final long ENDLESS_MILLIS = 1L << 40;

    private final Map<TezTaskAttemptID, Long> starts = new ConcurrentHashMap<>();
    private final AttemptRegistry registry = new AttemptRegistry();
    // Tez counts backups itself, and has at most two attempts of a task at once.
    private final LatePolicy policy = new LatePolicy(registry, Settings.heddle().with(draft -> {
        draft.capMinimum = Integer.MAX_VALUE;
        draft.maxAttempts = 2;
        draft.reportMillis = REPORT_MILLIS;
    }));
    private final Set<String> waiting = new HashSet<>();
    private final Set<TezTaskID> done = new HashSet<>();
    private final Map<String, Decision> launches = new HashMap<>();

    @SuppressWarnings("NullAway.Init") // contextualize is called first
    private Vertex vertex;

    @SuppressWarnings("NullAway.Init") // as above
    private Clock clock;

    private long inputsDoneAt = -1;
    private long lookedAt;

    @Override
    public void contextualize(Configuration conf, Vertex ofVertex) {
        vertex = ofVertex;
        clock = ofVertex.getAppContext().getClock();
    }

    @Override
    public void enrollAttempt(TezTaskAttemptID id, long timestamp) {
        starts.put(id, timestamp);
    }

    @Override
    public long attemptEnrolledTime(TezTaskAttemptID id) {
        return starts.getOrDefault(id, Long.MAX_VALUE);
    }

    /** Nothing: each pass reads the state of the vertex. */
    @Override
    public void updateAttempt(TezTaskAttemptID id, TaskAttemptState state, long timestamp) {}

    /** @return 0 if the task is to have a backup now, else more than any run takes */
    @Override
    public long thresholdRuntime(TezTaskID id) {
        long now = clock.getTime();
        if (now - lookedAt >= PASS_MILLIS) {
            lookedAt = now;
            pass(now);
        }
        return launches.containsKey(id.toString()) ? 0 : Long.MAX_VALUE;
    }

    @Override
    public long estimatedRuntime(TezTaskAttemptID id) {
        Decision launch = launches.get(id.getTaskID().toString());
        if (launch == null) {
            return -1;
        }
        long left = (long) Math.min(ENDLESS_MILLIS, launch.remainingMillis());
        return clock.getTime() - attemptEnrolledTime(id) + left;
    }

    /** @return 0: that a new attempt ends earlier is decided already, and what is left ranks the tasks */
    @Override
    public long newAttemptEstimatedRuntime() {
        return 0;
    }

    @Override
    public long runtimeEstimateVariance(TezTaskAttemptID id) {
        return -1;
    }

    private void pass(long now) {
        launches.clear();
        if (!inputsDone(now)) {
            return; // its tasks wait for those of other vertices
        }
        registry.total(TaskKind.MAP, vertex.getTotalTasks());
        vertex.getTasks().forEach((id, task) -> {
            if (!done.contains(id)) {
                look(id, task, now);
            }
        });
        for (Decision decision : policy.scan(TaskKind.MAP, now)) {
            if (decision.action() == Decision.Action.LAUNCH) {
                launches.put(decision.task(), decision);
                LOG.info("{} may have a backup: {}", decision.task(), decision);
            }
        }
    }

    private boolean inputsDone(long now) {
        if (inputsDoneAt < 0
                && vertex.getInputVertices().keySet().stream()
                        .allMatch(input -> input.getState() == VertexState.SUCCEEDED)) {
            inputsDoneAt = vertex.getInputVertices().isEmpty() ? 0 : now;
        }
        return inputsDoneAt >= 0;
    }

    private void look(TezTaskID id, Task task, long now) {
        Map<TezTaskAttemptID, TaskAttempt> attempts = task.getAttempts();
        boolean runs = attempts.entrySet().stream()
                .anyMatch(entry ->
                        starts.containsKey(entry.getKey()) && !entry.getValue().isFinished());
        for (Map.Entry<TezTaskAttemptID, TaskAttempt> entry : attempts.entrySet()) {
            String attempt = entry.getKey().toString();
            Long start = starts.get(entry.getKey());
            if (start != null) {
                waitsNoLonger(attempt);
                look(id.toString(), attempt, entry.getValue(), start, now);
            } else if (entry.getValue().isFinished()) {
                waitsNoLonger(attempt);
            } else if (!runs && waiting.add(attempt)) { // a backup that waits holds no other back
                registry.waiting(TaskKind.MAP, 1);
            }
        }
        if (task.getState() == TaskState.SUCCEEDED && attempts.values().stream().allMatch(TaskAttempt::isFinished)) {
            done.add(id);
        }
    }

    private void waitsNoLonger(String attempt) {
        if (waiting.remove(attempt)) {
            registry.waiting(TaskKind.MAP, -1);
        }
    }

    private void look(String task, String id, TaskAttempt attempt, long start, long now) {
        registry.started(TaskKind.MAP, task, id, String.valueOf(attempt.getNodeId()), Math.max(start, inputsDoneAt));
        registry.reported(id, attempt.getProgress(), now);
        if (attempt.isFinished()) {
            registry.ended(id, attempt.getFinishTime(), attempt.getState() == TaskAttemptState.SUCCEEDED);
        }
    }
}
