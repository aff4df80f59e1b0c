// SPDX-License-Identifier: Apache-2.0
package org.heddle.frameworks.offers;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.mesos.v1.Protos.CommandInfo;
import org.apache.mesos.v1.Protos.Environment;
import org.apache.mesos.v1.Protos.Filters;
import org.apache.mesos.v1.Protos.Offer;
import org.apache.mesos.v1.Protos.TaskID;
import org.apache.mesos.v1.Protos.TaskInfo;
import org.apache.mesos.v1.Protos.TaskState;
import org.apache.mesos.v1.Protos.TaskStatus;
import org.heddle.offers.client.SchedulerDriver;

/** Messages about tasks. */
public final class Tasks {
    private Tasks() {}

    /** A task that runs a script of bash. */
    public static TaskInfo.Builder bash(
            String id, String name, Offer offer, Size size, String script, Map<String, String> environment) {
        Environment.Builder variables = Environment.newBuilder();
        environment.forEach(
                (key, value) -> variables.addVariablesBuilder().setName(key).setValue(value));
        return TaskInfo.newBuilder()
                .setName(name)
                .setTaskId(id(id))
                .setAgentId(offer.getAgentId())
                .addAllResources(size.resources())
                .setCommand(CommandInfo.newBuilder()
                        .setShell(false)
                        .setValue("bash")
                        .addAllArguments(List.of("bash", "-c", script))
                        .setEnvironment(variables));
    }

    public static TaskID id(String id) {
        return TaskID.newBuilder().setValue(id).build();
    }

    /** Filters that refuse an offer's resources for some time. */
    public static Filters refuse(double seconds) {
        return Filters.newBuilder().setRefuseSeconds(seconds).build();
    }

    /**
     * Asks the bridge what became of these tasks; those that it does not know are answered as lost. It also names its
     * other tasks, which are to be killed: a KILL may have been lost with the connection.
     */
    public static void reconcile(SchedulerDriver driver, Collection<String> ids) {
        if (!ids.isEmpty()) {
            driver.reconcileTasks(ids.stream()
                    .map(id -> TaskStatus.newBuilder()
                            .setTaskId(id(id))
                            .setState(TaskState.TASK_STAGING)
                            .build())
                    .toList());
        }
        driver.reconcileTasks(List.of());
    }

    public static boolean isOver(TaskStatus status) {
        return switch (status.getState()) {
            case TASK_STAGING, TASK_STARTING, TASK_RUNNING, TASK_KILLING, TASK_UNREACHABLE -> false;
            default -> true;
        };
    }

    /** Whether the cluster took the task away, so that the same task may run again elsewhere. */
    public static boolean isLost(TaskStatus status) {
        return switch (status.getState()) {
            case TASK_LOST, TASK_DROPPED, TASK_GONE, TASK_GONE_BY_OPERATOR, TASK_UNKNOWN -> true;
            default -> false;
        };
    }

    /** For messages: state, reason and text of a status. */
    public static String describe(TaskStatus status) {
        return status.getState()
                + (status.hasReason() ? ", " + status.getReason() : "")
                + (status.getMessage().isEmpty() ? "" : ": " + status.getMessage());
    }
}
