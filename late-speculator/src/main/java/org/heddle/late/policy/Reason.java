// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.policy;

/** Why a verdict is what it is. One code per decision, so that decisions can be counted. */
public enum Reason {
    /** Launch: the longest approximate time to end among the tasks that qualify. */
    LONGEST_TIME_TO_END(Decision.Action.LAUNCH),
    /** Launch: the original and its backup are both going nowhere. */
    BACKUP_STALLED_TOO(Decision.Action.LAUNCH),

    /** No attempt of the kind has finished or advanced far enough to know what normal is. */
    NO_BASELINE(Decision.Action.HOLD),
    /** Originals of the kind still wait for a container; a backup would take their place. */
    ORIGINALS_WAITING(Decision.Action.HOLD),
    /** The attempt is younger than the minimum age. */
    TOO_YOUNG(Decision.Action.HOLD),
    /** The attempt never reported progress and is not late yet. */
    NO_REPORT(Decision.Action.HOLD),
    /** A backup is running or requested, and it is doing well. */
    ALREADY_BACKED_UP(Decision.Action.HOLD),
    /** The task has as many live attempts as it may have. */
    ATTEMPT_LIMIT(Decision.Action.HOLD),
    /** Paper profile: the progress rate is not below SlowTaskThreshold. */
    FAST_ENOUGH(Decision.Action.HOLD),
    /** A fresh copy would not finish enough earlier. */
    NO_BENEFIT(Decision.Action.HOLD),
    /** The job cannot end before this attempt does, whatever is copied. */
    NOT_THE_LAST(Decision.Action.HOLD),
    /** Slow on a healthy node at a steady pace: the task is large, a copy would be as slow. */
    TASK_BOUND(Decision.Action.HOLD),
    /** A reducer that has fetched all there is and waits for maps. */
    WAITS_FOR_MAPS(Decision.Action.HOLD),
    /** As many backups are running as may. */
    CAP_REACHED(Decision.Action.HOLD),
    /** No node on which the backup would end early enough is known to have room. */
    NO_ROOM(Decision.Action.HOLD),
    /** No node that is known to have room is fast enough. */
    ONLY_SLOW_NODES(Decision.Action.HOLD),
    /** The time saved is worth less than the backup costs. */
    TOO_EXPENSIVE(Decision.Action.HOLD),
    /** The job's speculation budget is spent. */
    BUDGET_SPENT(Decision.Action.HOLD),

    /** The backup landed on the node of another live attempt of its task. */
    SAME_NODE(Decision.Action.KILL),
    /** The backup landed on a node known to be slow. */
    SLOW_NODE(Decision.Action.KILL),
    /** The backup landed badly, but it was moved often enough already. */
    MOVED_ENOUGH(Decision.Action.KEEP),
    /** The backup landed badly; it stays, so that the next one, which may be asked for, lands elsewhere. */
    HOLDS_ITS_PLACE(Decision.Action.KEEP),
    /** The backup landed badly, but no better node is known to have room. */
    NO_BETTER_ROOM(Decision.Action.KEEP),
    /** The backup landed well. */
    LANDED_WELL(Decision.Action.KEEP);

    private final Decision.Action action;

    Reason(Decision.Action action) {
        this.action = action;
    }

    /** What a verdict with this reason asks for. */
    public Decision.Action action() {
        return action;
    }
}
