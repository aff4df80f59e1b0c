// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.policy;

import java.util.LinkedHashMap;
import java.util.Map;

/** What is known about one node: what runs there, and how much has run there at once. */
final class NodeRecord {
    private static final int KINDS = TaskKind.values().length;

    private final Map<String, AttemptRecord> live = new LinkedHashMap<>();
    private final int[] liveOf = new int[KINDS];
    private final int[] peakOf = new int[KINDS];
    private int peak;
    private int succeeded;

    void started(AttemptRecord attempt) {
        int kind = attempt.task().kind().ordinal();
        live.put(attempt.id(), attempt);
        peakOf[kind] = Math.max(peakOf[kind], ++liveOf[kind]);
        peak = Math.max(peak, live.size());
    }

    void ended(AttemptRecord attempt, boolean success) {
        if (live.remove(attempt.id()) != null) {
            liveOf[attempt.task().kind().ordinal()]--;
        }
        succeeded += success ? 1 : 0;
    }

    /**
     * Slots of the kind this job has had on the node and does not use now; where the kind has never run, those of the
     * other kind. Others may have taken them.
     */
    int free(TaskKind kind) {
        int all = peak - live.size();
        int had = peakOf[kind.ordinal()];
        return had == 0 ? all : Math.min(had - liveOf[kind.ordinal()], all);
    }

    /** Sum of the progress scores of succeeded and running attempts (paper, section 4). */
    double progress() {
        double sum = succeeded;
        for (AttemptRecord attempt : live.values()) {
            sum += attempt.score();
        }
        return sum;
    }
}
