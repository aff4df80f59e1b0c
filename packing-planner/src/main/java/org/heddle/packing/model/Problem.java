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
 */
public record Problem(String id, int machines, int disks, int ratio, Alpha alpha, List<Job> jobs) {
    public Problem {
        jobs = List.copyOf(jobs);
    }

    /** N = P k: VMs that fit without overcommit. */
    public int slots() {
        return machines * disks;
    }

    /** Extra VMs one machine may carry: floor(k / r). */
    public int extrasPerMachine() {
        return disks / ratio;
    }

    /** The same cluster with other jobs. */
    public Problem withJobs(List<Job> others) {
        return new Problem(id, machines, disks, ratio, alpha, others);
    }
}
