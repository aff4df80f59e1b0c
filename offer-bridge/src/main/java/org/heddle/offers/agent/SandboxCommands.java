// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.agent;

import java.nio.file.Path;
import java.util.List;

/** Commands as they are started for tasks: in the sandbox, and without what is meant for the agent alone. */
final class SandboxCommands {
    private SandboxCommands() {}

    /** The agent's secrets are not shown, nor its settings inherited. */
    static ProcessBuilder in(Path sandbox, List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command).directory(sandbox.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("HEDDLE_") || name.equals("MALLOC_ARENA_MAX"));
        return builder;
    }
}
