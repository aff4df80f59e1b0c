// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.policy;

/** Tasks are compared with tasks of their own kind only (paper, section 4: percentiles are per category). */
public enum TaskKind {
    /** May start at any time. Frameworks with one kind of task use it for all of them. */
    MAP,
    /** Its first phase, the shuffle, cannot end before all maps have ended. */
    REDUCE
}
