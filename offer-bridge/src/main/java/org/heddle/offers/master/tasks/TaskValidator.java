// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.tasks;

import com.google.protobuf.Descriptors.FieldDescriptor;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.apache.mesos.v1.Protos.CommandInfo;
import org.apache.mesos.v1.Protos.ContainerInfo;
import org.apache.mesos.v1.Protos.Environment;
import org.apache.mesos.v1.Protos.ExecutorInfo;
import org.apache.mesos.v1.Protos.TaskInfo;
import org.jspecify.annotations.Nullable;

/** Checks whether a task can be launched, by its description alone. */
final class TaskValidator {
    private static final int LONGEST_ID = 255;
    /** Fields of ContainerInfo that ask for nothing. */
    private static final Set<String> WITHOUT_WISH = Set.of("type", "mesos");

    private TaskValidator() {}

    /** Mesos' default executor. It runs commands; here the agent does its work. */
    private static boolean isDefault(ExecutorInfo executor) {
        return executor.getType() == ExecutorInfo.Type.DEFAULT;
    }

    /** The reason why the task cannot be launched alone, or null. */
    static @Nullable String problem(TaskInfo task, String agentId) {
        String problem = describedProblem(task, agentId);
        if (problem != null) {
            return problem;
        }
        if (task.hasExecutor() == task.hasCommand()) {
            return "Task should have at least one (but not both) of CommandInfo or ExecutorInfo present";
        }
        if (task.hasCommand()) {
            return commandProblem(task);
        }
        String id = task.getExecutor().getExecutorId().getValue();
        if (isDefault(task.getExecutor())) {
            return "Executor " + id + " is the default executor, which is for task groups: use LAUNCH_GROUP";
        }
        return executorProblem(task.getExecutor());
    }

    /** The reason why the task cannot be launched in a group with this executor, or null. */
    static @Nullable String groupProblem(TaskInfo task, ExecutorInfo executor, String agentId) {
        String problem = describedProblem(task, agentId);
        if (problem != null) {
            return problem;
        }
        if (task.hasExecutor()) {
            return "Task " + task.getTaskId().getValue() + ": 'TaskInfo.executor' must not be set in a task group";
        }
        if (!isDefault(executor)) {
            return executorProblem(executor);
        }
        if (executor.hasCommand()) {
            return "'ExecutorInfo.command' must not be set for the default executor";
        }
        String badId = idProblem("executor", executor.getExecutorId().getValue());
        if (badId != null) {
            return badId;
        }
        if (task.hasCommand()) {
            return commandProblem(task);
        }
        return "Task " + task.getTaskId().getValue() + " has no command: the default executor runs commands";
    }

    private static @Nullable String describedProblem(TaskInfo task, String agentId) {
        String id = task.getTaskId().getValue();
        String badId = idProblem("task", id);
        if (badId != null) {
            return badId;
        }
        if (!task.getAgentId().getValue().equals(agentId)) {
            return "Task uses invalid agent " + task.getAgentId().getValue() + " while agent " + agentId
                    + " is expected";
        }
        if (task.getLimitsCount() > 0) {
            return "Task " + id + " has 'limits': the limits of a task here are its resources";
        }
        return task.hasContainer() ? containerProblem("Task " + id, task.getContainer()) : null;
    }

    private static @Nullable String executorProblem(ExecutorInfo executor) {
        String id = executor.getExecutorId().getValue();
        String badId = idProblem("executor", id);
        if (badId != null) {
            return badId;
        }
        if (!executor.hasCommand()) {
            return "Executor " + id + " has no command";
        }
        String badContainer =
                executor.hasContainer() ? containerProblem("Executor " + id, executor.getContainer()) : null;
        return badContainer != null ? badContainer : commandProblem("Executor " + id, executor.getCommand());
    }

    private static @Nullable String commandProblem(TaskInfo task) {
        String badCheck = TaskChecks.problem(task);
        return badCheck == null ? commandProblem("Task " + task.getTaskId().getValue(), task.getCommand()) : badCheck;
    }

    private static @Nullable String commandProblem(String whose, CommandInfo command) {
        if (command.getValue().isEmpty()) {
            return whose + " has no command.value: nothing to run";
        }
        for (Environment.Variable variable : command.getEnvironment().getVariablesList()) {
            if (variable.hasSecret()) {
                return "Environment variable " + variable.getName()
                        + " is a secret: the offer bridge has no secret store";
            }
        }
        return null;
    }

    private static @Nullable String idProblem(String what, String id) {
        // It is the name of a directory, and names have a limit in bytes.
        int bytes = id.getBytes(StandardCharsets.UTF_8).length;
        if (id.isEmpty() || bytes > LONGEST_ID || id.equals(".") || id.equals("..")) {
            return "ID of " + what + " '" + id + "': want 1 to " + LONGEST_ID + " bytes of UTF-8, not . or ..";
        }
        for (int i = 0; i < id.length(); i++) {
            char c = id.charAt(i);
            if (c == '/' || c == '\\' || Character.isISOControl(c)) {
                return "ID of " + what + " '" + id + "' contains invalid characters";
            }
        }
        return null;
    }

    /** Of a container description only the one without any wish can be honoured. */
    private static @Nullable String containerProblem(String whose, ContainerInfo container) {
        if (container.getType() == ContainerInfo.Type.DOCKER
                || container.hasDocker()
                || container.getMesos().hasImage()
                || container.getVolumesCount() > 0
                || container.getNetworkInfosCount() > 0) {
            return whose + " wants a Docker container, an image, volumes or a network of its own: the offer bridge"
                    + " runs plain processes";
        }
        for (FieldDescriptor field : container.getAllFields().keySet()) {
            if (!WITHOUT_WISH.contains(field.getName())) {
                return whose + " sets 'container." + field.getName() + "': the offer bridge runs plain processes";
            }
        }
        return null;
    }
}
