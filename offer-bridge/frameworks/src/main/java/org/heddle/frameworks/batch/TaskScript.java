// SPDX-License-Identifier: Apache-2.0
package org.heddle.frameworks.batch;

import java.util.Map;
import org.apache.mesos.v1.Protos.DurationInfo;
import org.apache.mesos.v1.Protos.Offer;
import org.apache.mesos.v1.Protos.TaskInfo;
import org.apache.mesos.v1.Protos.TaskStatus;
import org.heddle.frameworks.offers.Tasks;

/** Makes the tasks of a part: their names, what they run, and what they know. */
final class TaskScript {
    /** How long the agent waits beyond the walltime, in case there is no daemon to end the task. */
    private static final long BACKSTOP_MILLIS = 10_000;

    /** Status of a script that cannot write its output. */
    private static final int NO_OUTPUT = 92;

    private TaskScript() {}

    /** Why a task has failed, for the job's note. */
    static String failure(JobSpec spec, TaskStatus status) {
        if (!spec.output().isEmpty() && status.getMessage().endsWith("status " + NO_OUTPUT)) {
            return "its node cannot write into " + spec.output();
        }
        return Tasks.describe(status);
    }

    /** The smallest number of a member of the part that has no task. */
    static int freeMember(Part part) {
        int member = 0;
        while (hasMember(part, member)) {
            member++;
        }
        return member;
    }

    private static boolean hasMember(Part part, int member) {
        String prefix = prefix(part, member);
        return part.tasks.keySet().stream().anyMatch(task -> task.startsWith(prefix));
    }

    private static String prefix(Part part, int member) {
        return part.job + "." + part.index + "." + member + ".";
    }

    /** Names the next task of a member, and notes on which agent it will run. */
    static String launch(Part part, int member, Offer offer) {
        String id = prefix(part, member) + part.launches++;
        part.tasks.put(id, offer.getAgentId().getValue());
        return id;
    }

    /**
     * @param first what the script does before the job's command; empty for nothing
     * @param firstMillis how long that may take
     */
    static TaskInfo task(String id, Part part, int member, JobSpec spec, Offer offer, String first, long firstMillis) {
        String index = Integer.toString(spec.array() ? part.index : member);
        StringBuilder script = new StringBuilder(first);
        if (!spec.output().isEmpty()) {
            script.append("exec >\"$BATCH_OUTPUT/$BATCH_JOB.$BATCH_INDEX.out\""
                    + " 2>\"$BATCH_OUTPUT/$BATCH_JOB.$BATCH_INDEX.err\" || exit " + NO_OUTPUT + "\n");
        }
        script.append("exec bash -c \"$BATCH_COMMAND\"\n");
        Map<String, String> environment = Map.of(
                "BATCH_JOB", part.job,
                "BATCH_INDEX", index,
                "BATCH_TASKS", Integer.toString(spec.tasks()),
                "BATCH_COMMAND", spec.command(),
                "BATCH_OUTPUT", spec.output());
        long most = spec.walltimeMillis() + BACKSTOP_MILLIS + firstMillis;
        return Tasks.bash(id, spec.name(), offer, spec.taskSize(), script.toString(), environment)
                .setMaxCompletionTime(DurationInfo.newBuilder().setNanoseconds(most * 1_000_000))
                .build();
    }
}
