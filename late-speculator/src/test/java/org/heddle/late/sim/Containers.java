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
    // Part of all slots that reduces may have while maps wait: yarn.app.mapreduce.am.job.reduce.rampup.limit.
    private static final double MOST_REDUCES = 0.5;

    private final Map<TaskType, Slots> kinds = new EnumMap<>(TaskType.class);
    private final boolean shared;
    private final int all;

    /** Map slots, or reduce slots. */
    private static final class Slots {
        final int[] free;
        final ArrayDeque<SimAttempt> waiting = new ArrayDeque<>();
        final List<Integer> granted = new ArrayList<>();
        int asked;
        int running;

        Slots(int[] free) {
            this.free = free;
        }
    }

    /**
     * @param slots of each kind, per node; or of both together
     * @param shared whether maps and reduces share the slots
     */
    Containers(int nodes, int slots, boolean shared) {
        this.shared = shared;
        this.all = nodes * slots;
        int[] free = full(nodes, slots);
        for (TaskType type : TaskType.values()) {
            kinds.put(type, new Slots(shared ? free : full(nodes, slots)));
        }
    }

    private static int[] full(int nodes, int slots) {
        int[] free = new int[nodes];
        Arrays.fill(free, slots);
        return free;
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
        of(type).running--;
    }

    /** Takes a slot out of turn, for the clairvoyant. */
    void reserve(TaskType type, int node) {
        of(type).free[node]--;
        of(type).running++;
    }

    /**
     * The master's heartbeat: takes over what was granted, asks for what waits.
     *
     * @param mapsDone part of the maps, 0 to 1
     */
    void masterBeat(double mapsDone, ObjIntConsumer<SimAttempt> launch) {
        for (Slots slots : kinds.values()) {
            for (int node : slots.granted) {
                SimAttempt attempt = slots.waiting.poll();
                if (attempt == null) {
                    slots.free[node]++;
                } else {
                    slots.running++;
                    launch.accept(attempt, node);
                }
            }
            slots.granted.clear();
            slots.asked = slots == of(TaskType.REDUCE) ? askedReduces(mapsDone) : slots.waiting.size();
        }
    }

    /**
     * As MapReduce's master does: it asks for all reduces once no map waits, and does not change that if the backup of
     * a map waits later, unless another reduce waits then.
     */
    private int askedReduces(double mapsDone) {
        Slots maps = of(TaskType.MAP);
        Slots reduces = of(TaskType.REDUCE);
        if (!shared || maps.waiting.isEmpty() || reduces.waiting.size() <= reduces.asked) {
            return reduces.waiting.size();
        }
        int wanted = maps.waiting.size() + maps.running;
        double ideal = all * Math.min(mapsDone, MOST_REDUCES);
        double most = all - ideal >= wanted ? all - wanted : ideal;
        return Math.max(0, Math.min(reduces.waiting.size(), (int) most - reduces.running));
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
