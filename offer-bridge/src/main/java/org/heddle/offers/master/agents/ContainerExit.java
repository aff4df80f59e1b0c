// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.agents;

import org.apache.mesos.v1.Protos.TaskState;
import org.apache.mesos.v1.Protos.TaskStatus;

/** Meaning of a container's exit status for its tasks. The numbers are those of YARN's {@code ContainerExitStatus}. */
final class ContainerExit {
    /** The node is lost. */
    static final int ABORTED = -100;

    private static final int DISKS_FAILED = -101;
    private static final int PREEMPTED = -102;
    private static final int KILLED_EXCEEDED_VMEM = -103;
    private static final int KILLED_EXCEEDED_PMEM = -104;
    private static final int KILLED_BY_RESOURCEMANAGER = -106;

    private ContainerExit() {}

    static TaskStatus.Reason reason(int exitStatus) {
        return switch (exitStatus) {
            case PREEMPTED, DISKS_FAILED, KILLED_BY_RESOURCEMANAGER -> TaskStatus.Reason.REASON_CONTAINER_PREEMPTED;
            case KILLED_EXCEEDED_VMEM, KILLED_EXCEEDED_PMEM -> TaskStatus.Reason.REASON_CONTAINER_LIMITATION_MEMORY;
            case ABORTED -> TaskStatus.Reason.REASON_AGENT_REMOVED;
            default -> TaskStatus.Reason.REASON_AGENT_DISCONNECTED;
        };
    }

    static TaskState state(int exitStatus) {
        if (reason(exitStatus) == TaskStatus.Reason.REASON_CONTAINER_LIMITATION_MEMORY) {
            return TaskState.TASK_FAILED;
        }
        return TaskState.TASK_LOST;
    }
}
