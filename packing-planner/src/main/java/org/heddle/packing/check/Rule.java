// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.check;

/** The rules for plans. D1 to D5 are those of the module's README. */
public enum Rule {
    /** An assignment names a job that is not in the problem. */
    UNKNOWN_JOB,
    /** A job of the problem does not run. */
    JOB_MISSING,
    /** A job runs twice (or twice in one phase). */
    JOB_REPEATED,
    /** The parts of a job's work do not sum up to 1. */
    WORK_FRACTION,
    /** A host must be I/O intensive, an extra CPU intensive. */
    ROLE_CLASS,
    /** An extra in a phase without hosts. */
    EXTRA_WITHOUT_HOST,
    /** A VM count out of 1 .. N (extras: 1 .. P floor(k/r)). */
    VM_COUNT,
    /** More primaries than N, or normal VMs and machines with extras together exceed N. */
    CAPACITY,
    /** Placement entries and VM count differ. */
    PLACEMENT_COUNT,
    /** A machine or disk that does not exist. */
    PLACE_UNKNOWN,
    /** D1: two primaries on one disk at the same time. */
    DISK_SHARED,
    /** D2: more extras on a machine than its hosts (or reserved disks) have room for. */
    EXTRAS_PER_MACHINE,
    /** D3: a normal VM on a machine with an extra. */
    NORMAL_BESIDE_EXTRA,
    /** The time of an assignment differs from its model times the penalty. */
    DURATION,
    /** Phases overlap, or an assignment starts before its phase or ends after it. */
    TIMING,
    /** The makespan is not the end of the last assignment. */
    MAKESPAN,
    /** The lower bound is above the makespan, or below what the area bound proves. */
    LOWER_BOUND,
    /** The gap is not the one between makespan and lower bound. */
    GAP,
    /** Says optimal with a gap, or not optimal without one. */
    OPTIMAL
}
