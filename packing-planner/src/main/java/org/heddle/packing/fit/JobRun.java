// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.fit;

/**
 * What a job history says about one run.
 *
 * @param job name of the job
 * @param id job id
 * @param succeeded whether it may be used to fit
 * @param seconds from submission to end
 * @param limit containers it was capped to by configuration; 0 if it was not
 * @param averageVms mean number of attempts that ran at once
 * @param mostVms largest number of attempts that ran at once
 * @param tasks map and reduce tasks
 * @param cpu CPU time per attempt time and vcore, 0 .. 1 and above; NaN if not counted
 * @param ioPerVm bytes read, written and shuffled per second and VM; NaN if not counted
 * @param source the file
 */
public record JobRun(
        String job,
        String id,
        boolean succeeded,
        double seconds,
        int limit,
        double averageVms,
        int mostVms,
        int tasks,
        double cpu,
        double ioPerVm,
        String source) {
    /** n of the run: the cap if it was reached, else the mean concurrency. */
    public int vms() {
        if (limit > 0 && mostVms >= limit) {
            return limit;
        }
        return Math.max(1, (int) Math.round(averageVms));
    }

    /** Whether the last wave left much of the VMs idle, so that the time sits on a stair. */
    public boolean ragged() {
        return mostVms > 1 && averageVms < 0.8 * mostVms;
    }
}
