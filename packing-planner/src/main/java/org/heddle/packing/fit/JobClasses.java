// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.fit;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * CPU and I/O classes from counters. The paper (section 3) calls a job CPU intensive above 60 % CPU and
 * I/O intensive above 100 MB/s on 6 VMs, which is 100/6 MB/s per VM; both limits depend on the nodes and
 * can be given.
 *
 * @param cpu share of a core
 * @param ioPerVm bytes per second and VM
 */
public record JobClasses(double cpu, double ioPerVm) {
    /** The paper's limits. */
    public static final JobClasses PAPER = new JobClasses(0.6, 100e6 / 6);

    /** Is the mean CPU share above the limit? */
    public boolean isCpu(List<JobRun> runs) {
        return mean(runs, JobRun::cpu) > cpu;
    }

    /** Is the mean data rate above the limit? */
    public boolean isIo(List<JobRun> runs) {
        return mean(runs, JobRun::ioPerVm) > ioPerVm;
    }

    /** Of the runs in which something was counted; 0 if there is none. */
    public static double mean(List<JobRun> runs, ToDoubleFunction<JobRun> value) {
        return runs.stream()
                .mapToDouble(value)
                .filter(one -> !Double.isNaN(one))
                .average()
                .orElse(0);
    }
}
