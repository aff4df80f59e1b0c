// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.tasks;

import java.util.ArrayList;
import java.util.List;
import org.apache.mesos.v1.Protos.CheckInfo;
import org.apache.mesos.v1.Protos.CheckStatusInfo;
import org.apache.mesos.v1.Protos.CommandInfo;
import org.apache.mesos.v1.Protos.HealthCheck;
import org.apache.mesos.v1.Protos.TaskInfo;
import org.apache.mesos.v1.Protos.TaskStatus;
import org.heddle.offers.agent.Probe;
import org.jspecify.annotations.Nullable;

/**
 * Converts checks and health checks of commands between Mesos' form and the agent's. Executors run the checks of
 * their own tasks.
 */
final class TaskChecks {
    private static final String ROOT = "/";

    private TaskChecks() {}

    /** The reason why the checks of a command cannot be run, or null. */
    static @Nullable String problem(TaskInfo task) {
        String id = task.getTaskId().getValue();
        String user = task.getCommand().getUser();
        for (CommandInfo command : List.of(
                task.getHealthCheck().getCommand(), task.getCheck().getCommand().getCommand())) {
            if (command.hasUser() && !command.getUser().equals(user)) {
                return "Task " + id + " has a check with command.user '" + command.getUser()
                        + "': checks run as the user of their task";
            }
        }
        if (task.hasHealthCheck()) {
            HealthCheck check = task.getHealthCheck();
            String scheme = check.getHttp().getScheme();
            if (!scheme.isEmpty() && !scheme.equals("http")) {
                return "Task " + id + " has a health check over " + scheme + ": the offer bridge's agents speak http";
            }
            String problem = problem(
                    "health_check",
                    kind(check.hasCommand(), check.hasHttp(), check.hasTcp()),
                    check.getHttp().getPort() + check.getTcp().getPort(),
                    check.getCommand(),
                    check.getDelaySeconds(),
                    check.getIntervalSeconds(),
                    check.getTimeoutSeconds(),
                    check.getGracePeriodSeconds());
            if (problem != null) {
                return "Task " + id + ": " + problem;
            }
        }
        if (task.hasCheck()) {
            CheckInfo check = task.getCheck();
            String problem = problem(
                    "check",
                    kind(check.hasCommand(), check.hasHttp(), check.hasTcp()),
                    check.getHttp().getPort() + check.getTcp().getPort(),
                    check.getCommand().getCommand(),
                    check.getDelaySeconds(),
                    check.getIntervalSeconds(),
                    check.getTimeoutSeconds());
            if (problem != null) {
                return "Task " + id + ": " + problem;
            }
        }
        return null;
    }

    private static int kind(boolean command, boolean http, boolean tcp) {
        return (command ? 1 : 0) + (http ? 1 : 0) + (tcp ? 1 : 0);
    }

    private static @Nullable String problem(String field, int kinds, int port, CommandInfo command, double... seconds) {
        if (kinds != 1) {
            return "'" + field + "' needs exactly one of command, http and tcp";
        }
        if (command.getValue().isEmpty() && (port < 1 || port > 65_535)) {
            return "'" + field + "' needs a command with a value, or a port from 1 to 65535, not " + port;
        }
        for (double one : seconds) {
            if (!(one >= 0 && one < 1e9)) {
                return "'" + field + "' has a time of " + one + " s: want 0 or more";
            }
        }
        return null;
    }

    static List<Probe> of(TaskInfo task) {
        List<Probe> probes = new ArrayList<>();
        if (task.hasHealthCheck()) {
            HealthCheck check = task.getHealthCheck();
            probes.add(new Probe(
                    true,
                    check.hasCommand() ? LaunchBuilder.words(check.getCommand()) : List.of(),
                    check.hasHttp() ? check.getHttp().getPort() : check.getTcp().getPort(),
                    check.hasHttp() ? path(check.getHttp().getPath()) : "",
                    millis(check.getDelaySeconds()),
                    Math.max(1, millis(check.getIntervalSeconds())),
                    millis(check.getTimeoutSeconds()),
                    Math.max(1, check.getConsecutiveFailures()),
                    millis(check.getGracePeriodSeconds())));
        }
        if (task.hasCheck()) {
            CheckInfo check = task.getCheck();
            probes.add(new Probe(
                    false,
                    check.hasCommand() ? LaunchBuilder.words(check.getCommand().getCommand()) : List.of(),
                    check.hasHttp() ? check.getHttp().getPort() : check.getTcp().getPort(),
                    check.hasHttp() ? path(check.getHttp().getPath()) : "",
                    millis(check.getDelaySeconds()),
                    Math.max(1, millis(check.getIntervalSeconds())),
                    millis(check.getTimeoutSeconds()),
                    1,
                    0));
        }
        return probes;
    }

    private static String path(String path) {
        return path.startsWith(ROOT) ? path : ROOT + path;
    }

    private static long millis(double seconds) {
        return Math.round(seconds * 1000);
    }

    /** A check's result before its first run. */
    static CheckStatusInfo.Builder nothingYet(CheckInfo check) {
        CheckStatusInfo.Builder status = CheckStatusInfo.newBuilder();
        if (check.hasCommand()) {
            return status.setType(CheckInfo.Type.COMMAND).setCommand(CheckStatusInfo.Command.getDefaultInstance());
        }
        if (check.hasHttp()) {
            return status.setType(CheckInfo.Type.HTTP).setHttp(CheckStatusInfo.Http.getDefaultInstance());
        }
        return status.setType(CheckInfo.Type.TCP).setTcp(CheckStatusInfo.Tcp.getDefaultInstance());
    }

    /** A check's result; it has no value if the check failed to run. */
    static CheckStatusInfo.Builder status(CheckInfo check, int found) {
        CheckStatusInfo.Builder status = nothingYet(check);
        if (found < 0) {
            return status;
        }
        switch (status.getType()) {
            case COMMAND -> status.getCommandBuilder().setExitCode(found);
            case HTTP -> status.getHttpBuilder().setStatusCode(found);
            default -> status.getTcpBuilder().setSucceeded(found == 1);
        }
        return status;
    }

    /** Keeps the last known health and check result of a running task. */
    static void keep(TaskStatus before, TaskStatus.Builder status) {
        if (before.hasHealthy()) {
            status.setHealthy(before.getHealthy());
        }
        if (before.hasCheckStatus()) {
            status.setCheckStatus(before.getCheckStatus());
        }
        if (before.hasContainerStatus()) {
            status.setContainerStatus(before.getContainerStatus());
        }
    }
}
