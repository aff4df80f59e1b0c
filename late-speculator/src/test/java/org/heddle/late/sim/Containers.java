// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.sim;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ObjIntConsumer;
import org.apache.hadoop.mapreduce.v2.api.records.TaskType;

/**
 * Containers between an ApplicationMaster and the ResourceManager. What an attempt asks for leaves the master with its
 * next heartbeat, is placed with the heartbeat of any node that has room, and is taken over, first come first served,
 * with the master's next one.
 */
final class Containers {
    private final Map<TaskType, Slots> kinds = new EnumMap<>(TaskType.class);

    /** Map slots, or reduce slots. */
    private static final class Slots {
        final int[] free;
        final ArrayDeque<SimAttempt> waiting = new ArrayDeque<>();
        final List<Integer> granted = new ArrayList<>();
        int asked;

        Slots(int nodes, int slots) {
            free = new int[nodes];
            Arrays.fill(free, slots);
        }
    }

    /** @param slots of each kind, per node */
    Containers(int nodes, int slots) {
        for (TaskType type : TaskType.values()) {
            kinds.put(type, new Slots(nodes, slots));
        }
    }

    void request(SimAttempt attempt) {
        of(attempt.task.getType()).waiting.add(attempt);
    }

    void withdraw(SimAttempt attempt) {
        of(attempt.task.getType()).waiting.remove(attempt);
    }

    boolean waiting(TaskType type) {
        return !of(type).waiting.isEmpty();
    }

    int free(TaskType type, int node) {
        return of(type).free[node];
    }

    void release(TaskType type, int node) {
        of(type).free[node]++;
    }

    /** Takes a slot out of turn, for the clairvoyant. */
    void reserve(TaskType type, int node) {
        of(type).free[node]--;
    }

    /** The master's heartbeat: takes over what was granted, asks for what waits. */
    void masterBeat(ObjIntConsumer<SimAttempt> launch) {
        for (Slots slots : kinds.values()) {
            for (int node : slots.granted) {
                SimAttempt attempt = slots.waiting.poll();
                if (attempt == null) {
                    slots.free[node]++;
                } else {
                    launch.accept(attempt, node);
                }
            }
            slots.granted.clear();
            slots.asked = slots.waiting.size();
        }
    }

    /** A node's heartbeat: fills its room. Reduces come first, as they do in MapReduce's priorities. */
    void nodeBeat(int node) {
        for (TaskType type : List.of(TaskType.REDUCE, TaskType.MAP)) {
            Slots slots = of(type);
            while (slots.free[node] > 0 && slots.asked > 0) {
                slots.free[node]--;
                slots.asked--;
                slots.granted.add(node);
            }
        }
    }

    private Slots of(TaskType type) {
        Slots slots = kinds.get(type);
        if (slots == null) {
            throw new IllegalStateException("no slots for " + type);
        }
        return slots;
    }
}
