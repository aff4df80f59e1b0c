// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.policy;

/** Why a verdict is what it is. One code per decision, so that decisions can be counted. */
public enum Reason {
    /** Launch: the longest approximate time to end among the tasks that qualify. */
    LONGEST_TIME_TO_END(Verdict.Action.LAUNCH),
    /** Launch: the original and its backup are both going nowhere. */
    BACKUP_STALLED_TOO(Verdict.Action.LAUNCH),

    /** No attempt of the kind has finished or advanced far enough to know what normal is. */
    NO_BASELINE(Verdict.Action.HOLD),
    /** Originals of the kind still wait for a container; a backup would take their place. */
    ORIGINALS_WAITING(Verdict.Action.HOLD),
    /** The attempt is younger than the minimum age. */
    TOO_YOUNG(Verdict.Action.HOLD),
    /** The attempt never reported progress and is not late yet. */
    NO_REPORT(Verdict.Action.HOLD),
    /** A backup is running or requested, and it is doing well. */
    ALREADY_BACKED_UP(Verdict.Action.HOLD),
    /** The task has as many live attempts as it may have. */
    ATTEMPT_LIMIT(Verdict.Action.HOLD),
    /** Paper profile: the progress rate is not below SlowTaskThreshold. */
    FAST_ENOUGH(Verdict.Action.HOLD),
    /** A fresh copy would not finish enough earlier. */
    NO_BENEFIT(Verdict.Action.HOLD),
    /** The job cannot end before this attempt does, whatever is copied. */
    NOT_THE_LAST(Verdict.Action.HOLD),
    /** Slow on a healthy node at a steady pace: the task is large, a copy would be as slow. */
    TASK_BOUND(Verdict.Action.HOLD),
    /** A reducer that has fetched all there is and waits for maps. */
    WAITS_FOR_MAPS(Verdict.Action.HOLD),
    /** As many backups are running as may. */
    CAP_REACHED(Verdict.Action.HOLD),
    /** No node on which the backup would end early enough is known to have room. */
    NO_ROOM(Verdict.Action.HOLD),
    /** No node that is known to have room is fast enough. */
    ONLY_SLOW_NODES(Verdict.Action.HOLD),
    /** The time saved is worth less than the backup costs. */
    TOO_EXPENSIVE(Verdict.Action.HOLD),
    /** The job's speculation budget is spent. */
    BUDGET_SPENT(Verdict.Action.HOLD),

    /** The backup landed on the node of another live attempt of its task. */
    SAME_NODE(Verdict.Action.KILL),
    /** The backup landed on a node known to be slow. */
    SLOW_NODE(Verdict.Action.KILL),
    /** The backup landed badly, but it was moved often enough already. */
    MOVED_ENOUGH(Verdict.Action.KEEP),
    /** The backup landed badly; it stays, so that the next one, which may be asked for, lands elsewhere. */
    HOLDS_ITS_PLACE(Verdict.Action.KEEP),
    /** The backup landed badly, but no better node is known to have room. */
    NO_BETTER_ROOM(Verdict.Action.KEEP),
    /** The backup landed well. */
    LANDED_WELL(Verdict.Action.KEEP);

    private final Verdict.Action action;

    Reason(Verdict.Action action) {
        this.action = action;
    }

    /** What a verdict with this reason asks for. */
    public Verdict.Action action() {
        return action;
    }
}
