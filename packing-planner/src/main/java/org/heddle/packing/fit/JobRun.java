// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.fit;

import org.heddle.packing.model.RuntimeModel;
import org.jspecify.annotations.Nullable;

/**
 * One run of a job, from its history.
 *
 * @param job name of the job
 * @param id job id
 * @param succeeded whether it may be used to fit
 * @param seconds from submission to end
 * @param limit container limit in its configuration; 0 if there was none
 * @param averageVms mean number of attempts that ran at once
 * @param mostVms largest number of attempts that ran at once
 * @param tasks map and reduce tasks that ran
 * @param curve F(n) by what its tasks took; null if no task ran
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
        @Nullable RuntimeModel curve,
        double cpu,
        double ioPerVm,
        String source) {
    /** n of the run: the limit if it was reached, else the mean concurrency. */
    public int vms() {
        if (limit > 0 && mostVms >= limit) {
            return limit;
        }
        return Math.max(1, (int) Math.round(averageVms));
    }

    /** Whether the last wave left many VMs idle, so that the time lies on a staircase. */
    public boolean ragged() {
        return mostVms > 1 && averageVms < 0.8 * mostVms;
    }
}
