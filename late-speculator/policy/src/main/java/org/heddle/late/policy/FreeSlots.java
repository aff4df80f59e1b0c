// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.policy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/**
 * The free slots in which backups would run if they were requested now.
 *
 * <p>In the paper a node asks LATE for a task. In YARN a speculator requests a container, and the ResourceManager
 * chooses the node. A request that has to wait gets the first node that becomes free, which may be a slow one.
 * Therefore a backup is requested only if a node that is fast enough has a free slot. The expected time of a backup is
 * the time of a run on such a node, and of the moves of a badly placed backup before.
 *
 * <p>A known free slot is a slot that this job has used before and does not use now. The cluster may have more: if
 * attempts have lately started at once on nodes without a known free slot, as many backups are requested beyond the
 * known slots. When no slot has been free for 15 seconds, one backup is requested all the same, as a probe.
 */
final class FreeSlots {
    // Time that a backup on the wrong node loses until it is placed again.
    static final double RETRY_MILLIS = 3_000;
    // After this time other applications have taken the slot for which a request was made.
    private static final long VALID_MILLIS = 20_000;
    private static final long PROBE_AFTER_MILLIS = 15_000;

    private static final class Slot {
        final NodeRecord node;
        final double slowness;
        final boolean good;

        Slot(NodeRecord node, double slowness, boolean good) {
            this.node = node;
            this.slowness = slowness;
            this.good = good;
        }
    }

    private final Rules rules;
    private final List<Slot> free;
    private int unknownSlots;

    private FreeSlots(Rules rules, List<Slot> free, int unknownSlots) {
        this.rules = rules;
        this.free = free;
        this.unknownSlots = unknownSlots;
    }

    /** The free slot of a node that asks for a task. */
    static FreeSlots given(Rules rules) {
        return new FreeSlots(rules, new ArrayList<>(), Integer.MAX_VALUE);
    }

    /** @param noSlotSince since when tasks that deserve a backup have found no free slot */
    static FreeSlots of(AttemptRegistry registry, TaskKind kind, Rules rules, long noSlotSince, long now) {
        List<Slot> free = new ArrayList<>();
        for (NodeRecord node : registry.nodes().values()) {
            int slots = node.free(kind);
            if (slots > 0) {
                Slot slot = new Slot(node, rules.slowness(node), !rules.slow(node));
                free.addAll(Collections.nCopies(slots, slot));
            }
        }
        free.sort(Comparator.<Slot>comparingDouble(s -> s.slowness).thenComparing(s -> s.node.name()));
        int pending = 0;
        for (TaskRecord task : registry.running(kind)) {
            if (now - task.requestedAt < VALID_MILLIS) {
                pending += task.requested;
            }
        }
        // 1. Pending requests take the best slots; 2. slots beyond the known ones; 3. a probe.
        int reserved = Math.min(pending, free.size());
        free.subList(0, reserved).clear();
        int unknownSlots = 0;
        if (free.isEmpty()) {
            unknownSlots = registry.of(kind).unknownNodesUsed - (pending - reserved);
        }
        if (pending == 0 && now - noSlotSince >= PROBE_AFTER_MILLIS) {
            unknownSlots = Math.max(1, unknownSlots);
        }
        return new FreeSlots(rules, free, unknownSlots);
    }

    /**
     * Expected time of a backup that is requested now, from the request to its end on a good node; infinite if no free
     * slot is known.
     */
    double expectedMillis(TaskRecord task) {
        double best = Double.POSITIVE_INFINITY;
        double sum = 0;
        int good = 0;
        for (Slot slot : free) {
            if (!slot.good || runsOn(task, slot.node)) {
                continue;
            }
            sum += rules.freshMillis(task, slot.node);
            good++;
            best = Math.min(best, sum / good + RETRY_MILLIS * ((double) free.size() / good - 1));
        }
        return best;
    }

    private static boolean runsOn(TaskRecord task, NodeRecord node) {
        for (int i = 0; i < task.live.size(); i++) {
            if (task.live.get(i).on() == node) {
                return true;
            }
        }
        return false;
    }

    /** Takes a slot for a backup; false if no slot is good enough. */
    boolean take(TaskRecord task, double remainingMillis) {
        if (rules.pays(remainingMillis, expectedMillis(task))) {
            free.remove(0);
            return true;
        }
        return unknownSlots-- > 0;
    }
}
