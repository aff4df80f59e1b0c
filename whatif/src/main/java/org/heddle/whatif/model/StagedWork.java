// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.model;

import java.util.Arrays;
import java.util.List;

/**
 * The work of an application whose containers take task after task, such as Spark's executors.
 *
 * @param tasksAtOnce tasks that each container runs at once
 * @param driverMillis from the start of the master to the first task, in which the application does not need its
 *     containers
 * @param idleMillis after which a container without a task is given back; {@code Long.MAX_VALUE} if it never is
 * @param stages in the order in which they are served
 */
public record StagedWork(int tasksAtOnce, long driverMillis, long idleMillis, List<Stage> stages) {
    /**
     * Tasks that need not wait for each other.
     *
     * @param millis how long each task runs
     * @param after stages that must have ended, by their places, each before its own
     */
    public record Stage(long[] millis, List<Integer> after) {}

    public StagedWork {
        stages = List.copyOf(stages);
    }

    public int tasks() {
        return stages.stream().mapToInt(stage -> stage.millis().length).sum();
    }

    /** How long it takes on as many containers as it can use. */
    public long shortestMillis() {
        long[] ends = new long[stages.size()];
        for (int i = 0; i < ends.length; i++) {
            long ready = stages.get(i).after().stream()
                    .mapToLong(before -> ends[before])
                    .max()
                    .orElse(0);
            ends[i] = ready + Arrays.stream(stages.get(i).millis()).max().orElse(0);
        }
        return driverMillis + Arrays.stream(ends).max().orElse(0);
    }
}
