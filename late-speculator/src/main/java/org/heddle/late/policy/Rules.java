// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.policy;

/** Judges the tasks of one kind at one moment; one instance per scan. */
interface Rules {

    /** LAUNCH when a backup of this task is worth having, otherwise why not. Knows nothing of caps and prices. */
    Verdict judge(TaskRecord task);

    /** Whether a backup on this node would be in bad hands. */
    boolean slow(String node);
}
