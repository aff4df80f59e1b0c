// SPDX-License-Identifier: Apache-2.0
package org.heddle.frameworks.batch;

import com.fasterxml.jackson.annotation.JsonIgnore;
import org.heddle.frameworks.offers.Size;

/**
 * What a user submits.
 *
 * @param command of bash, the same for all tasks; BATCH_JOB, BATCH_INDEX and BATCH_TASKS tell them apart
 * @param tasks of a rigid job, which start together; or elements of an array, each of which starts when there is room
 * @param cpus of each task
 * @param memMb memory of each task, MiB
 * @param walltimeSeconds the longest time that a task may run
 * @param output directory on the nodes for the output of tasks; empty: their sandboxes
 * @param speculate whether late elements of the array may run twice
 */
record JobSpec(
        String name,
        String command,
        int tasks,
        double cpus,
        double memMb,
        long walltimeSeconds,
        boolean array,
        String output,
        boolean speculate) {
    private static final int MOST_TASKS = 10_000;
    private static final long LONGEST = 366L * 24 * 3600;

    JobSpec {
        if (command.isBlank()) {
            throw new IllegalArgumentException("the job has no command");
        }
        if (tasks < 1 || tasks > MOST_TASKS) {
            throw new IllegalArgumentException(tasks + " tasks: must be 1 to " + MOST_TASKS);
        }
        if (!(cpus > 0) || !(memMb >= 1) || cpus > 1e6 || memMb > 1e9) {
            throw new IllegalArgumentException(
                    "--cpus " + cpus + " --mem " + memMb + ": must be above 0, and memory at least 1 MiB");
        }
        if (walltimeSeconds < 1 || walltimeSeconds > LONGEST) {
            throw new IllegalArgumentException("--walltime of " + walltimeSeconds + " s: must be 1 s to 366 days");
        }
        if (speculate && !array) {
            throw new IllegalArgumentException("--speculate is for arrays (--array): their tasks do equal work");
        }
    }

    @JsonIgnore
    Size taskSize() {
        return new Size(cpus, memMb);
    }

    /** How many parts start on their own. */
    @JsonIgnore
    int parts() {
        return array ? tasks : 1;
    }

    @JsonIgnore
    int tasksOfPart() {
        return array ? 1 : tasks;
    }

    @JsonIgnore
    long walltimeMillis() {
        return walltimeSeconds * 1000;
    }
}
