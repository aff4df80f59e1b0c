// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.mr;

import org.heddle.late.policy.Reason;
import org.jspecify.annotations.Nullable;

/**
 * Counters of the job the speculator adds to; they show in the job's page, its history and its client. A VETO is
 * counted when a task begins to be held back for that reason, not once per scan.
 */
public enum LateCounter {
    /** Backups asked for; in a dry run, that would have been. */
    LAUNCHED,
    /** Backups that finished before their original. */
    WON,
    /** Milliseconds run by attempts that another attempt of their task beat. */
    WASTED_MS,
    /** Badly landed backups sent elsewhere. */
    MOVED,
    /** Nodes this job asked the ResourceManager to leave out. */
    BLACKLISTED_NODES,
    VETO_TOO_YOUNG,
    VETO_NO_REPORT,
    VETO_ALREADY_BACKED_UP,
    VETO_ATTEMPT_LIMIT,
    VETO_FAST_ENOUGH,
    VETO_NO_BENEFIT,
    VETO_NOT_THE_LAST,
    VETO_TASK_BOUND,
    VETO_WAITS_FOR_MAPS,
    VETO_CAP_REACHED,
    VETO_NO_ROOM,
    VETO_TOO_EXPENSIVE,
    VETO_BUDGET_SPENT,
    VETO_ORIGINALS_WAITING,
    VETO_NO_BASELINE;

    /** The counter of a reason to hold back; null for reasons that are not vetoes. */
    static @Nullable LateCounter veto(Reason reason) {
        for (LateCounter counter : values()) {
            if (counter.name().equals("VETO_" + reason.name())) {
                return counter;
            }
        }
        return null;
    }
}
