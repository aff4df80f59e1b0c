// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.policy;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** What is known about one node: the attempts that run there, and the most that have run there at once. */
final class NodeRecord {
    private static final class Count {
        int live;
        int peak;
    }

    private final String name;
    private final int index;
    private final Map<String, AttemptRecord> live = new LinkedHashMap<>();
    private final Map<TaskKind, Count> kinds = new EnumMap<>(TaskKind.class);
    private int peak;
    private int succeeded;
    private double lastSlowdown = 1;

    /** @param index the number of nodes that were known before this one */
    NodeRecord(String name, int index) {
        this.name = name;
        this.index = index;
    }

    String name() {
        return name;
    }

    /** Place of this node in arrays over all nodes. */
    int index() {
        return index;
    }

    void started(AttemptRecord attempt) {
        Count count = of(attempt.task().kind());
        count.live++;
        count.peak = Math.max(count.peak, count.live);
        live.put(attempt.id(), attempt);
        peak = Math.max(peak, live.size());
    }

    void ended(AttemptRecord attempt, boolean success) {
        if (live.remove(attempt.id()) != null) {
            of(attempt.task().kind()).live--;
        }
        if (success) {
            succeeded++;
        }
        if (attempt.showsPace()) {
            lastSlowdown = attempt.slowdown();
        }
    }

    /**
     * How many times slower than before the attempts on the node go on: all that run, or else the last one that has
     * ended. Of a single one it may be its own slowness, but there are other nodes for a backup.
     */
    double slowdown() {
        double least = Double.POSITIVE_INFINITY;
        for (AttemptRecord attempt : live.values()) {
            if (attempt.showsPace()) {
                least = Math.min(least, attempt.slowdown());
            }
        }
        return least < Double.POSITIVE_INFINITY ? least : lastSlowdown;
    }

    /**
     * Slots of the kind which this job has had on the node and does not use now; if the kind has never run there, the
     * slots of the other kind. Other applications may have taken them.
     */
    int free(TaskKind kind) {
        int all = peak - live.size();
        Count count = of(kind);
        return count.peak == 0 ? all : Math.min(count.peak - count.live, all);
    }

    /** Whether all slots are in use, and reduces hold some in which maps have run. */
    boolean reducesHoldSlotsOfMaps() {
        Count maps = of(TaskKind.MAP);
        return live.size() >= peak && maps.live < maps.peak;
    }

    /** Sum of the progress scores of succeeded and running attempts (paper, section 4). */
    double progress() {
        double sum = succeeded;
        for (AttemptRecord attempt : live.values()) {
            sum += attempt.score();
        }
        return sum;
    }

    private Count of(TaskKind kind) {
        return kinds.computeIfAbsent(kind, k -> new Count());
    }
}
