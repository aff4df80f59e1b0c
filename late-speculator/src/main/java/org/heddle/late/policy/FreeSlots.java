// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.policy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Where backups asked for now would land. LATE answers a node that asks; a speculator asks, and the ResourceManager
 * places on any node with room, so a request that has to wait gets whatever node is free first. Therefore nothing is
 * asked for unless nodes that would do are known to have room; and because a badly landed backup is sent elsewhere, what
 * a backup takes is a run on a good node and some attempts to hit one.
 *
 * <p>Known are the slots this job has had and does not use now. A cluster may have more: as long as attempts find room
 * on nodes not known to have any, without waiting, that many more are asked for when all that is known is in use; and one now and then in any case.
 */
final class FreeSlots {
    // What a backup loses that lands on the wrong node: noticing, asking again, being placed again.
    static final double RETRY_MILLIS = 3_000;
    // A request that has waited this long has found its room taken by others.
    private static final long BELIEVE_MILLIS = 20_000;
    private static final long PROBE_AFTER_MILLIS = 15_000;

    private static final class Slot {
        final String node;
        final double slowness;

        Slot(String node, double slowness) {
            this.node = node;
            this.slowness = slowness;
        }
    }

    private final Rules rules;
    private final List<Slot> free;
    private int beyond;

    private FreeSlots(Rules rules, List<Slot> free, int beyond) {
        this.rules = rules;
        this.free = free;
        this.beyond = beyond;
    }

    /** For a node that asks: there is room. */
    static FreeSlots given(Rules rules) {
        return new FreeSlots(rules, new ArrayList<>(), Integer.MAX_VALUE);
    }

    /** @param wantedSince when tasks that deserve a backup began to find no room */
    static FreeSlots of(AttemptRegistry book, TaskKind kind, Rules rules, long wantedSince, long now) {
        List<Slot> free = new ArrayList<>();
        for (Map.Entry<String, NodeRecord> node : book.nodes().entrySet()) {
            double slowness = rules.slowness(node.getKey());
            for (int i = node.getValue().free(kind); i > 0; i--) {
                free.add(new Slot(node.getKey(), slowness));
            }
        }
        free.sort(Comparator.<Slot>comparingDouble(s -> s.slowness).thenComparing(s -> s.node));
        int pending = 0;
        for (TaskRecord task : book.running(kind)) {
            pending += now - task.askedAt < BELIEVE_MILLIS ? task.requested : 0;
        }
        // 1. What is on its way takes the best; 2. what is beyond the known nodes; 3. a probe.
        int reserved = Math.min(pending, free.size());
        free.subList(0, reserved).clear();
        int unknown = free.isEmpty() ? book.of(kind).foundBeyond - (pending - reserved) : 0;
        boolean probe = pending == 0 && now - wantedSince >= PROBE_AFTER_MILLIS;
        int beyond = Math.max(probe ? 1 : 0, unknown);
        return new FreeSlots(rules, free, beyond);
    }

    /**
     * What a backup takes that is asked for now, until it has landed well and has run; infinite where no node is known
     * to have room.
     */
    double expectedMillis(TaskRecord task) {
        double best = Double.POSITIVE_INFINITY;
        double sum = 0;
        int good = 0;
        for (Slot slot : free) {
            if (rules.slow(slot.node)
                    || task.live.stream().anyMatch(a -> a.node().equals(slot.node))) {
                continue;
            }
            sum += rules.freshMillis(task, slot.node);
            good++;
            best = Math.min(best, sum / good + RETRY_MILLIS * ((double) free.size() / good - 1));
        }
        return best;
    }

    /** Takes a place for a backup; false when there is none worth it. */
    boolean take(TaskRecord task, double remainingMillis) {
        if (rules.pays(remainingMillis, expectedMillis(task))) {
            free.remove(0);
            return true;
        }
        return beyond-- > 0;
    }
}
