// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.tasks;

import org.apache.mesos.v1.Protos.CommandInfo;
import org.apache.mesos.v1.Protos.ContainerInfo;
import org.apache.mesos.v1.Protos.Environment;
import org.apache.mesos.v1.Protos.ExecutorInfo;
import org.apache.mesos.v1.Protos.TaskInfo;
import org.jspecify.annotations.Nullable;

/** Checks whether a task can be launched, by its description alone. */
final class TaskValidator {
    private static final int LONGEST_ID = 255;

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
        return isDefault(task.getExecutor())
                ? "Executor " + id + " is the default executor, which is for task groups: use LAUNCH_GROUP"
                : executorProblem(task.getExecutor());
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
        return task.hasCommand()
                ? commandProblem(task)
                : "Task " + task.getTaskId().getValue() + " has no command: the default executor runs commands";
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
        return task.hasContainer() && needsImage(task.getContainer())
                ? "Task " + id
                        + " wants a Docker container, an image, volumes or a network of its own: the offer bridge"
                        + " runs plain processes"
                : null;
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
        if (executor.hasContainer() && needsImage(executor.getContainer())) {
            return "Executor " + id + " wants a container image: the offer bridge runs plain processes";
        }
        return commandProblem("Executor " + id, executor.getCommand());
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
        if (id.isEmpty() || id.length() > LONGEST_ID || id.equals(".") || id.equals("..")) {
            return "ID of " + what + " '" + id + "': want 1 to " + LONGEST_ID + " characters, not . or ..";
        }
        for (int i = 0; i < id.length(); i++) {
            char c = id.charAt(i);
            if (c == '/' || c == '\\' || Character.isISOControl(c)) {
                return "ID of " + what + " '" + id + "' contains invalid characters";
            }
        }
        return null;
    }

    private static boolean needsImage(ContainerInfo container) {
        return container.getType() != ContainerInfo.Type.MESOS
                || container.getMesos().hasImage()
                || container.getVolumesCount() > 0
                || container.getNetworkInfosCount() > 0;
    }
}
