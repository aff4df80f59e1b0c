// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.model;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A job of the past. Times are in milliseconds since 1970.
 *
 * @param id for messages
 * @param user who submitted it
 * @param queue the queue that it named
 * @param submittedMillis when it was submitted
 * @param finishedMillis when it ended; 0 if the source does not say
 * @param master the size of its ApplicationMaster
 * @param startMillis from the start of the master's container to the first request for a task, in milliseconds
 * @param slowstart the part of the maps that end before reduces are requested, 0 to 1
 * @param succeeded whether it ended well in the past; true if the source does not say
 * @param groups its containers; empty if all of it ran in the master
 * @param work what its containers do, if they take task after task; null if each runs one task
 * @param priority among the applications of its queue, the larger first; 0 if the source does not say
 */
public record Job(
        String id,
        String user,
        String queue,
        long submittedMillis,
        long finishedMillis,
        Size master,
        long startMillis,
        double slowstart,
        boolean succeeded,
        List<TaskGroup> groups,
        @Nullable StagedWork work,
        int priority) {
    public Job {
        groups = List.copyOf(groups);
    }

    /** A job each of whose containers runs one task. */
    public Job(
            String id,
            String user,
            String queue,
            long submittedMillis,
            long finishedMillis,
            Size master,
            long startMillis,
            double slowstart,
            boolean succeeded,
            List<TaskGroup> groups) {
        this(
                id,
                user,
                queue,
                submittedMillis,
                finishedMillis,
                master,
                startMillis,
                slowstart,
                succeeded,
                groups,
                null,
                0);
    }

    public int tasks() {
        if (work != null) {
            return work.tasks();
        }
        return groups.stream().mapToInt(group -> group.millis().length).sum();
    }

    /** The sizes of its containers, its master's first. */
    public Stream<Size> sizes() {
        return Stream.concat(Stream.of(master), groups.stream().map(TaskGroup::size));
    }

    /** The same job in another queue. */
    public Job in(String other) {
        return copy(other, priority);
    }

    /** The same job with another priority. */
    public Job withPriority(int other) {
        return copy(queue, other);
    }

    private Job copy(String toQueue, int withPriority) {
        return new Job(
                id,
                user,
                toQueue,
                submittedMillis,
                finishedMillis,
                master,
                startMillis,
                slowstart,
                succeeded,
                groups,
                work,
                withPriority);
    }
}
