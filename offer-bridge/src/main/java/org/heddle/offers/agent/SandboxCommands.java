// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.agent;

import java.nio.file.Path;
import java.util.List;

/** Every command that the agent starts for a task, in its sandbox and with a clean environment: the task, its checks, its fetches. */
final class SandboxCommands {
    private SandboxCommands() {}

    /** Removes the agent's own variables, secrets included, from the environment. */
    static ProcessBuilder in(Path sandbox, List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command).directory(sandbox.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("HEDDLE_") || name.equals("MALLOC_ARENA_MAX"));
        return builder;
    }
}
