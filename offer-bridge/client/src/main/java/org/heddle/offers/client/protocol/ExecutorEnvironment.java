// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.client.protocol;

import java.net.URI;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** What an agent tells an executor by environment variables. */
public final class ExecutorEnvironment {
    /**
     * Without checkpoints Mesos' executors do not wait for their agent; ours first see whether it answers a new
     * connection.
     */
    private static final long NO_RECOVERY_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** What Java reads in place of other characters than those of ASCII, where there is no locale. */
    private static final char UNREADABLE = '\ufffd';

    private final Map<String, String> variables;

    /**
     * @param variables {@code System.getenv()} of the executor's process
     * @throws IllegalStateException if the process was not started by an agent, or cannot read its id
     */
    public ExecutorEnvironment(Map<String, String> variables) {
        this.variables = variables;
        api();
        frameworkId();
        executorId();
    }

    private String required(String name) {
        String value = variables.get(name);
        if (value == null) {
            throw new IllegalStateException(name + " is not set: executors are started by an agent");
        }
        if (value.indexOf(UNREADABLE) >= 0) {
            throw new IllegalStateException(
                    name + " = '" + value + "' has characters that the locale of this process does"
                            + " not have: set LC_ALL=C.UTF-8 in the command.environment of the executor");
        }
        return value;
    }

    private String optional(String name, String fallback) {
        return variables.getOrDefault(name, fallback);
    }

    URI api() {
        return URI.create("http://" + required("MESOS_AGENT_ENDPOINT") + "/api/v1/executor");
    }

    public String frameworkId() {
        return required("MESOS_FRAMEWORK_ID");
    }

    public String executorId() {
        return required("MESOS_EXECUTOR_ID");
    }

    String token() {
        return optional("MESOS_EXECUTOR_AUTHENTICATION_TOKEN", "");
    }

    /** How long an executor without its agent waits for it. */
    long recoveryNanos() {
        if (optional("MESOS_CHECKPOINT", "0").equals("1")) {
            return MesosDuration.nanos(optional("MESOS_RECOVERY_TIMEOUT", "15mins"));
        }
        return NO_RECOVERY_NANOS;
    }

    /** How long a process may run after SHUTDOWN. */
    public long shutdownGraceNanos() {
        return MesosDuration.nanos(optional("MESOS_EXECUTOR_SHUTDOWN_GRACE_PERIOD", "5secs"));
    }
}
