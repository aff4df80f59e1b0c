// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.policy;

/** The reason of a decision. Each decision has one code, so that decisions can be counted. */
public enum Reason {
    /** Launch: the longest approximate time to end among the tasks that qualify. */
    LONGEST_TIME_TO_END(Decision.Action.LAUNCH),
    /** Launch: neither the original nor its backup makes progress. */
    BACKUP_STALLED_TOO(Decision.Action.LAUNCH),
    /** Launch: there are too few tasks to show a normal run time, and it has run longer than the timeout. */
    FEW_TASKS_TIMEOUT(Decision.Action.LAUNCH),

    /** No attempt of the kind has finished or advanced far enough to show a normal run time. */
    NO_BASELINE(Decision.Action.HOLD),
    /** Originals of the kind still wait for a container; a backup would take their slot. */
    ORIGINALS_WAITING(Decision.Action.HOLD),
    /** The attempt is younger than the minimum age. */
    TOO_YOUNG(Decision.Action.HOLD),
    /** The attempt has not reported progress yet, and it is not late. */
    NO_REPORT(Decision.Action.HOLD),
    /** A backup runs or is requested, and it is not late. */
    ALREADY_BACKED_UP(Decision.Action.HOLD),
    /** The task has the largest number of live attempts that is allowed. */
    ATTEMPT_LIMIT(Decision.Action.HOLD),
    /** Paper profile: the progress rate is not below SlowTaskThreshold. */
    FAST_ENOUGH(Decision.Action.HOLD),
    /** A fresh copy would not finish enough earlier. */
    NO_BENEFIT(Decision.Action.HOLD),
    /** Other tasks end later than this one, so a backup of it does not shorten the job. */
    NOT_THE_LAST(Decision.Action.HOLD),
    /**
     * The attempt is slow on a healthy node at a steady pace: the task is probably large, and a backup would be as
     * slow.
     */
    TASK_BOUND(Decision.Action.HOLD),
    /** The reducer has fetched all finished map outputs and waits for maps. */
    WAITS_FOR_MAPS(Decision.Action.HOLD),
    /** The largest number of backups that is allowed runs already. */
    CAP_REACHED(Decision.Action.HOLD),
    /** No free slot is known on a node on which the backup would end early enough. */
    NO_ROOM(Decision.Action.HOLD),
    /** All nodes with known free slots are too slow. */
    ONLY_SLOW_NODES(Decision.Action.HOLD),

    /** The backup was placed on the node of another live attempt of its task. */
    SAME_NODE(Decision.Action.KILL),
    /** The backup was placed on a node that is known to be slow. */
    SLOW_NODE(Decision.Action.KILL),
    /** The reduce only waits for maps, and gives its slot to the backup of one. */
    MAKES_ROOM(Decision.Action.KILL),
    /** The backup was placed badly, but it has been moved the largest number of times. */
    MOVED_ENOUGH(Decision.Action.KEEP),
    /** The backup was placed badly, but it keeps its slot, so that the next backup is placed on another node. */
    HOLDS_ITS_PLACE(Decision.Action.KEEP),
    /** The backup was placed badly, but no free slot on a better node is known. */
    NO_BETTER_ROOM(Decision.Action.KEEP),
    /** The backup was placed well. */
    PLACED_WELL(Decision.Action.KEEP);

    private final Decision.Action action;

    Reason(Decision.Action action) {
        this.action = action;
    }

    /** The action of decisions with this reason. */
    public Decision.Action action() {
        return action;
    }
}
