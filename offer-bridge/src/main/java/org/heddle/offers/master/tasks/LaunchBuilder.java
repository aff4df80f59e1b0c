// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.tasks;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.mesos.v1.Protos.CommandInfo;
import org.heddle.offers.agent.LaunchSpec;
import org.heddle.offers.master.state.AgentContainer;
import org.heddle.offers.master.state.FrameworkExecutor;
import org.heddle.offers.master.state.FrameworkTask;

/** Builds the description with which an agent starts a task or an executor. */
final class LaunchBuilder {
    private LaunchBuilder() {}

    static LaunchSpec command(FrameworkTask task) {
        CommandInfo command = task.info().getCommand();
        Map<String, String> environment = common(task.container());
        environment.put("MESOS_EXECUTOR_ID", task.executorId());
        environment.put("MESOS_TASK_ID", task.id());
        variables(command, environment);
        long most;
        if (task.info().hasMaxCompletionTime()) {
            most = Math.max(1, task.info().getMaxCompletionTime().getNanoseconds() / 1_000_000);
        } else {
            most = 0;
        }
        return new LaunchSpec(
                task.key(),
                task.sandbox(),
                false,
                command.getUser(),
                words(command),
                environment,
                uris(command),
                task.resources().milliCpus(),
                task.resources().memMb(),
                most,
                TaskChecks.of(task.info()));
    }

    static LaunchSpec executor(FrameworkExecutor executor, boolean checkpoint) {
        CommandInfo command = executor.info().getCommand();
        Map<String, String> environment = common(executor.container());
        environment.put("MESOS_EXECUTOR_ID", executor.id());
        environment.put("MESOS_CHECKPOINT", checkpoint ? "1" : "0");
        environment.put("MESOS_RECOVERY_TIMEOUT", "15mins");
        environment.put("MESOS_SUBSCRIPTION_BACKOFF_MAX", "2secs");
        environment.put("MESOS_EXECUTOR_SHUTDOWN_GRACE_PERIOD", ExecutorManager.graceMillis(executor.info()) + "ms");
        environment.put("MESOS_HTTP_COMMAND_EXECUTOR", "0");
        variables(command, environment);
        // The executor has no limit of its own, because its tasks need more than the executor itself.
        return new LaunchSpec(
                executor.key(),
                executor.sandbox(),
                true,
                command.getUser(),
                words(command),
                environment,
                uris(command),
                0,
                0,
                0,
                List.of());
    }

    private static Map<String, String> common(AgentContainer container) {
        Map<String, String> environment = new LinkedHashMap<>();
        environment.put("MESOS_FRAMEWORK_ID", container.role().framework().id());
        environment.put("MESOS_SLAVE_ID", container.agentId());
        environment.put("MESOS_AGENT_ID", container.agentId());
        environment.put("LIBPROCESS_IP", "127.0.0.1");
        return environment;
    }

    private static void variables(CommandInfo command, Map<String, String> environment) {
        command.getEnvironment()
                .getVariablesList()
                .forEach(variable -> environment.put(variable.getName(), variable.getValue()));
    }

    /** As in Mesos: with a shell, the value is a command line; without one, the arguments are the whole argv. */
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
}
