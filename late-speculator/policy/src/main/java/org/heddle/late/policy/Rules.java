// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.policy;

/** Judges the tasks of one kind at one time by the rules of a profile; each scan makes one instance. */
interface Rules {

    /** Returns LAUNCH if a backup of this task pays, else the reason. The caps are checked elsewhere. */
    Decision judge(TaskRecord task);

    /** How many times slower than typical a node is; 1 if unknown. */
    double slowness(NodeRecord node);

    /** Milliseconds a fresh run of the task takes on a node; 0 if unknown. */
    double freshMillis(TaskRecord task, NodeRecord node);

    /** Whether the backup of this task, which is probably large, is a trial. */
    default boolean tries(TaskRecord task) {
        return false;
    }

    /** How many trials may start. */
    default int trialsLeft() {
        return 0;
    }

    /** Whether a fresh run of {@code freshMillis} is better than waiting for {@code remainingMillis}. */
    boolean pays(double remainingMillis, double freshMillis);

    /** Whether it is known how long the task still runs, and not only that it is late. */
    boolean foresees(TaskRecord task);

    /** Whether a new backup should move to another node, if another node has a free slot. */
    boolean misplaced(AttemptRecord backup, FreeSlots freeSlots);

    /** Whether this node is too slow for backups. */
    boolean slow(NodeRecord node);
}
