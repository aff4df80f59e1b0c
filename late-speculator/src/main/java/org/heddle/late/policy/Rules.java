// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.policy;

/** Judges the tasks of one kind at one moment; one instance per scan. */
interface Rules {

    /** LAUNCH when a backup of this task is worth having, otherwise why not. Knows nothing of caps and prices. */
    Decision judge(TaskRecord task);

    /** How many times slower than typical a node is; 1 where the rules do not know. */
    double slowness(String node);

    /** Milliseconds a fresh run of the task takes on a node; 0 where the rules do not know. */
    double freshMillis(TaskRecord task, String node);

    /** Whether it is worth it to take {@code freshMillis} instead of {@code remainingMillis}. */
    boolean pays(double remainingMillis, double freshMillis);

    /** Whether a backup that has just landed had better be sent elsewhere, if there is room elsewhere. */
    boolean misplaced(AttemptRecord backup, FreeSlots room);

    /** Whether a backup on this node would be in bad hands. */
    boolean slow(String node);

    /** Whether at least two attempts on this node say so. */
    boolean provenSlow(String node);
}
