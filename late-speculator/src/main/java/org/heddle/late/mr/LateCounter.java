// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.mr;

import org.heddle.late.policy.Reason;
import org.jspecify.annotations.Nullable;

/**
 * Counters that the speculator adds to the job; the job's page, its history and its client show them. A VETO counter
 * counts a task once each time its reason changes, not in each scan.
 */
public enum LateCounter {
    /** Requested backups; in a dry run, backups that would have been requested. */
    LAUNCHED,
    /** Backups that finished before their original. */
    WON,
    /** Milliseconds of attempts whose task succeeded with another attempt. */
    WASTED_MS,
    /** Badly placed backups that were moved to another node. */
    MOVED,
    /** Reduces that only waited for maps and gave their slots to backups of maps; they start again later. */
    ROOM_MADE,
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
    VETO_ORIGINALS_WAITING,
    VETO_NO_BASELINE;

    /** The counter of a reason against a backup; null for other reasons. */
    static @Nullable LateCounter veto(Reason reason) {
        for (LateCounter counter : values()) {
            if (counter.name().equals("VETO_" + reason.name())) {
                return counter;
            }
        }
        return null;
    }
}
