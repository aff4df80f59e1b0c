// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.sim;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.mapreduce.v2.api.records.TaskAttemptId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskId;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;
import org.apache.hadoop.mapreduce.v2.app.job.Task;
import org.apache.hadoop.mapreduce.v2.util.MRBuilderUtils;

/**
 * The bound for all speculators: it knows the end of each attempt, and the time of a copy on each node, to the
 * millisecond. Once a second it starts a copy of each task whose copy would end a second earlier, latest end first.
 * Like every speculator it starts no copy while originals wait, keeps to the cap, and waits for the way of a request to
 * the ResourceManager and back.
 *
 * <p>In one form it also chooses the node: a bound for any system. In the other form the ResourceManager chooses the
 * node, and it starts a copy if a mean free node would be fast enough. The last form knows that nodes have become
 * slower as soon as they have, but not before: a bound for anything that does not foresee the future.
 */
final class Clairvoyant {
    private static final long GAIN_MILLIS = 1_000;
    // Three heartbeats, each half its interval away on average, and the launch.
    private static final long WAY_MILLIS = 3 * Simulation.HEARTBEAT_MILLIS / 2;
    // As the heddle profile's defaults.
    private static final double CAP_SLOTS = 0.25;
    private static final int CAP_MINIMUM = 10;

    private final Simulation sim;

    Clairvoyant(Simulation sim) {
        this.sim = sim;
    }

    void foresee() {
        sim.at(sim.now() + Simulation.HEARTBEAT_MILLIS, this::foresee);
        for (TaskType type : List.of(TaskType.MAP, TaskType.REDUCE)) {
            boolean knowable = type == TaskType.MAP || sim.job.mapsDone == sim.job.maps.size();
            if (sim.containers.waiting(type) || !knowable) {
                continue;
            }
            Map<SimTask, Long> ends = new LinkedHashMap<>();
            int backups = 0;
            for (Map.Entry<TaskId, Task> entry : sim.job.tasks(type).entrySet()) {
                SimTask task = (SimTask) entry.getValue();
                long end = Long.MAX_VALUE;
                int live = 0;
                for (SimAttempt attempt : task.live()) {
                    end = Math.min(end, attempt.course == null ? 0 : end(attempt));
                    live++;
                }
                backups += Math.max(0, live - 1);
                if (task.running() && end > sim.now() && end < Long.MAX_VALUE) {
                    ends.put(task, end);
                }
            }
            int slots = sim.scenario.slots() * sim.scenario.nodes().size();
            int[] room = {Math.max(CAP_MINIMUM, (int) (CAP_SLOTS * slots)) - backups};
            ends.entrySet().stream()
                    .sorted(Map.Entry.<SimTask, Long>comparingByValue().reversed())
                    .forEach(e -> room[0] -= room[0] > 0 && copyIfEarlier(e.getKey(), e.getValue()) ? 1 : 0);
        }
    }

    private boolean copyIfEarlier(SimTask task, long end) {
        boolean asked = task.attempts.values().stream()
                .map(SimAttempt.class::cast)
                .anyMatch(a -> !a.isFinished() && (a.node < 0 || a.course == null));
        if (asked) {
            return false;
        }
        List<SimNode> nodes = sim.scenario.nodes();
        Map<SimNode, Long> ends = new HashMap<>();
        int best = -1;
        double sum = 0;
        int candidates = 0;
        for (int n = 0; n < nodes.size(); n++) {
            if (sim.containers.free(task.getType(), n) > 0) {
                int node = n;
                long copyEnd = ends.computeIfAbsent(nodes.get(n), key -> foreseenEnd(task, node));
                best = best < 0 || copyEnd < ends.getOrDefault(nodes.get(best), Long.MAX_VALUE) ? n : best;
                sum += copyEnd;
                candidates++;
            }
        }
        if (best < 0) {
            return false;
        }
        boolean chooses = sim.mode.kind() == Mode.Kind.CLAIRVOYANT;
        double copyEnd = chooses ? ends.getOrDefault(nodes.get(best), Long.MAX_VALUE) : sum / candidates;
        if (copyEnd >= end - GAIN_MILLIS) {
            return false;
        }
        if (chooses) {
            SimAttempt copy = copy(task);
            task.attempts.put(copy.id, copy);
            sim.containers.reserve(task.getType(), best);
            int node = best;
            sim.at(sim.now() + WAY_MILLIS, () -> {
                if (task.succeeded) {
                    sim.containers.release(task.getType(), node);
                } else {
                    sim.launch(copy, node);
                }
            });
        } else {
            sim.request(task);
        }
        return true;
    }

    private static SimAttempt copy(SimTask task) {
        return new SimAttempt(MRBuilderUtils.newTaskAttemptId(task.id, task.attempts.size()), task, false);
    }

    private SimNode asKnown(SimNode node) {
        boolean changesLater = sim.mode.kind() == Mode.Kind.INFORMED_SPECULATOR && sim.now() < node.changesAt();
        return changesLater ? node.degrading(Long.MAX_VALUE, node.factor()) : node;
    }

    private long end(SimAttempt attempt) {
        SimNode node = sim.scenario.nodes().get(attempt.node);
        SimNode known = asKnown(node);
        if (known.equals(node) || attempt.task.getType() != TaskType.MAP) {
            return attempt.course.end();
        }
        return sim.scenario
                .mapCourse(attempt.task.id.getId(), known, attempt.startedAt, sim.random(attempt.id))
                .end();
    }

    private long foreseenEnd(SimTask task, int on) {
        SimAttempt copy = copy(task);
        copy.startedAt = sim.now() + WAY_MILLIS + Simulation.LAUNCH_MILLIS;
        SimNode node = asKnown(sim.scenario.nodes().get(on));
        TaskAttemptId id = copy.id;
        if (task.getType() == TaskType.MAP) {
            return sim.scenario
                    .mapCourse(task.id.getId(), node, copy.startedAt, sim.random(id))
                    .end();
        }
        copy.node = on;
        copy.course = sim.scenario.begin(node, copy.startedAt);
        sim.fetch(copy, 0);
        return copy.course.end();
    }
}
