// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.mesos.v1.Protos.CommandInfo;
import org.apache.mesos.v1.Protos.ContainerInfo;
import org.apache.mesos.v1.Protos.Environment;
import org.apache.mesos.v1.Protos.ExecutorInfo;
import org.apache.mesos.v1.Protos.TaskInfo;
import org.heddle.offers.agent.LaunchSpec;
import org.heddle.offers.master.ClusterState.Executor;
import org.heddle.offers.master.ClusterState.Host;
import org.heddle.offers.master.ClusterState.Task;
import org.jspecify.annotations.Nullable;

/** What an agent has to start for a task or an executor. */
final class LaunchBuilder {
    private static final int LONGEST_ID = 255;

    private LaunchBuilder() {}

    /** Runs under a program of the framework's own, not under the default executor or as a command. */
    static boolean hasOwnExecutor(TaskInfo task) {
        return task.hasExecutor() && !isDefault(task.getExecutor());
    }

    /** Mesos' default executor, which the agent stands for: it runs commands. */
    private static boolean isDefault(ExecutorInfo executor) {
        return executor.getType() == ExecutorInfo.Type.DEFAULT;
    }

    /** Why a task cannot be launched alone as it is described, or null. */
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

    /** Why a task cannot be launched in a group with that executor, or null. */
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

    /** Does the task say that it ends within that time? Agents see to it for commands; executors are their own masters. */
    static boolean endsWithin(TaskInfo task, long millis) {
        return task.hasCommand()
                && !hasOwnExecutor(task)
                && task.hasMaxCompletionTime()
                && task.getMaxCompletionTime().getNanoseconds() / 1_000_000 <= millis;
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

    static LaunchSpec command(Task task) {
        CommandInfo command = task.info.getCommand();
        Map<String, String> environment = common(task.host);
        environment.put("MESOS_EXECUTOR_ID", task.executorId);
        environment.put("MESOS_TASK_ID", task.id);
        variables(command, environment);
        long most = task.info.hasMaxCompletionTime()
                ? Math.max(1, task.info.getMaxCompletionTime().getNanoseconds() / 1_000_000)
                : 0;
        return new LaunchSpec(
                task.key,
                sandbox(task),
                false,
                words(command),
                environment,
                uris(command),
                task.needs.milliCpus(),
                task.needs.memMb(),
                most,
                TaskChecks.of(task.info));
    }

    static LaunchSpec executor(Executor executor, boolean checkpoint) {
        CommandInfo command = executor.info.getCommand();
        Map<String, String> environment = common(executor.host);
        environment.put("MESOS_EXECUTOR_ID", executor.id);
        environment.put("MESOS_CHECKPOINT", checkpoint ? "1" : "0");
        environment.put("MESOS_RECOVERY_TIMEOUT", "15mins");
        environment.put("MESOS_SUBSCRIPTION_BACKOFF_MAX", "2secs");
        environment.put("MESOS_EXECUTOR_SHUTDOWN_GRACE_PERIOD", "5secs");
        environment.put("MESOS_HTTP_COMMAND_EXECUTOR", "0");
        variables(command, environment);
        // No limit of its own: it runs tasks, whose resources come on top of its own.
        return new LaunchSpec(
                executor.key, sandbox(executor), true, words(command), environment, uris(command), 0, 0, 0, List.of());
    }

    private static Map<String, String> common(Host host) {
        Map<String, String> environment = new LinkedHashMap<>();
        environment.put("MESOS_FRAMEWORK_ID", host.role.framework.id);
        environment.put("MESOS_SLAVE_ID", host.agentId);
        environment.put("MESOS_AGENT_ID", host.agentId);
        environment.put("LIBPROCESS_IP", "127.0.0.1");
        return environment;
    }

    private static void variables(CommandInfo command, Map<String, String> environment) {
        command.getEnvironment()
                .getVariablesList()
                .forEach(variable -> environment.put(variable.getName(), variable.getValue()));
    }

    /** With a shell the value is a line for it; without, arguments hold the whole argv as in Mesos. */
    static List<String> words(CommandInfo command) {
        if (command.getShell()) {
            return List.of("sh", "-c", command.getValue());
        }
        List<String> words = new ArrayList<>();
        words.add(command.getValue());
        for (int i = 1; i < command.getArgumentsCount(); i++) {
            words.add(command.getArguments(i));
        }
        return words;
    }

    private static List<LaunchSpec.Uri> uris(CommandInfo command) {
        return command.getUrisList().stream()
                .map(uri ->
                        new LaunchSpec.Uri(uri.getValue(), uri.getExtract(), uri.getExecutable(), uri.getOutputFile()))
                .toList();
    }

    static String sandbox(Task task) {
        return task.custom ? "executors/" + task.executorId : "tasks/" + task.id;
    }

    static String sandbox(Executor executor) {
        return "executors/" + executor.id;
    }
}
