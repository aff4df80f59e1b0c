// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.model;

import java.util.List;

/**
 * A cluster and the jobs to plan on it (paper section 5, whose letters are used here).
 *
 * @param id name of the problem
 * @param machines P, identical machines
 * @param disks k, disks and so VMs per machine without overcommit
 * @param ratio r &lt;= k, primary VMs of hosts that one extra VM needs on its machine
 * @param alpha overcommit penalty
 * @param jobs the jobs, names unique
 * @param unknown what was assumed and not measured, or not seen, a sentence each; a plan is as good as these
 */
public record Problem(
        String id, int machines, int disks, int ratio, Alpha alpha, List<Job> jobs, List<String> unknown) {
    public Problem {
        jobs = List.copyOf(jobs);
        unknown = List.copyOf(unknown);
    }

    /** A problem of which nothing is said to be unknown. */
    public Problem(String id, int machines, int disks, int ratio, Alpha alpha, List<Job> jobs) {
        this(id, machines, disks, ratio, alpha, jobs, List.of());
    }

    /** N = P k: VMs that fit without overcommit. */
    public int slots() {
        return machines * disks;
    }

    /** Extra VMs one machine may carry: floor(k / r). */
    public int extrasPerMachine() {
        return disks / ratio;
    }

    /** The same with other sentences about what is not known. */
    public Problem withUnknown(List<String> others) {
        return new Problem(id, machines, disks, ratio, alpha, jobs, others);
    }

    /** The same cluster with other jobs. */
    public Problem withJobs(List<Job> others) {
        return new Problem(id, machines, disks, ratio, alpha, others, unknown);
    }
}
