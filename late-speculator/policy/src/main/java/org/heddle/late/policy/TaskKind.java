// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.policy;

/** The two populations LATE compares tasks within (paper, section 4: percentiles are per category). */
public enum TaskKind {
    MAP,
    REDUCE
}
