// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.explain;

import java.util.EnumMap;
import java.util.Map;
import org.heddle.late.policy.Reason;

/** The reasons of decisions in words. */
final class Reasons {
    private static final Map<Reason, String> WORDS = new EnumMap<>(Reason.class);

    static {
        WORDS.put(Reason.LONGEST_TIME_TO_END, "a backup starts, because a fresh run ends clearly earlier");
        WORDS.put(
                Reason.FEW_TASKS_TIMEOUT,
                "a backup starts, because the task has run longer than mapreduce.heddle.late.few-tasks.timeout");
        WORDS.put(Reason.BACKUP_STALLED_TOO, "a further backup starts, because the attempts so far are all slow");
        WORDS.put(Reason.NO_BASELINE, "nothing has ended or come far enough to show what is normal");
        WORDS.put(Reason.ORIGINALS_WAITING, "tasks that have not run yet wait for containers, and they come first");
        WORDS.put(Reason.TOO_YOUNG, "the attempt has just started");
        WORDS.put(Reason.NO_REPORT, "the attempt has not reported progress yet, and it is not late");
        WORDS.put(Reason.ALREADY_BACKED_UP, "a backup runs or is requested, and it is not late");
        WORDS.put(Reason.ATTEMPT_LIMIT, "the task has as many attempts as are allowed");
        WORDS.put(Reason.FAST_ENOUGH, "its progress rate is not among the slowest");
        WORDS.put(Reason.NO_BENEFIT, "a fresh run would not end clearly earlier");
        WORDS.put(Reason.NOT_THE_LAST, "other tasks end later, so a backup would not shorten the job");
        WORDS.put(Reason.TASK_BOUND, "the task is probably large, so a backup would be as slow");
        WORDS.put(Reason.WAITS_FOR_MAPS, "the reduce only waits for maps");
        WORDS.put(Reason.CAP_REACHED, "as many backups as are allowed run already");
        WORDS.put(Reason.NO_ROOM, "no free slot is known on a node that is fast enough");
        WORDS.put(Reason.ONLY_SLOW_NODES, "only slow nodes have free slots");
        WORDS.put(Reason.SAME_NODE, "the backup is moved, because it was placed on the node of another attempt");
        WORDS.put(Reason.SLOW_NODE, "the backup is moved, because it was placed on a slow node");
        WORDS.put(Reason.MAKES_ROOM, "the reduce only waits for maps, and gives its slot to the backup of one");
        WORDS.put(Reason.MOVED_ENOUGH, "the backup stays on a bad node, because it has been moved often enough");
        WORDS.put(Reason.HOLDS_ITS_PLACE, "the backup stays on a bad node, so that the next one starts elsewhere");
        WORDS.put(Reason.NO_BETTER_ROOM, "the backup stays on a bad node, because no better one has a free slot");
        WORDS.put(Reason.PLACED_WELL, "the backup was placed well");
    }

    private Reasons() {}

    /** In words; a name that this version does not know stays as it is. */
    static String inWords(String name) {
        for (Map.Entry<Reason, String> entry : WORDS.entrySet()) {
            if (entry.getKey().name().equals(name)) {
                return entry.getValue();
            }
        }
        return "a reason that this version does not know";
    }

    static boolean known(Reason reason) {
        return WORDS.containsKey(reason);
    }
}
