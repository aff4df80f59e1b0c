// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.heddle.settings.process.ProcessStart;

/**
 * Every command that the agent starts for a task, in its sandbox and with a clean environment: the task, its checks,
 * its fetches.
 */
final class SandboxCommands {
    private SandboxCommands() {}

    /** Starts a command of the framework, in the node's own locale. */
    static Process users(Path sandbox, List<String> command, Consumer<ProcessBuilder> settings) throws IOException {
        return ProcessStart.users(command, clean(sandbox).andThen(settings));
    }

    /** Starts a command of the agent's own, in its locale: the names of files that it writes are in UTF-8. */
    static Process ours(Path sandbox, List<String> command, Consumer<ProcessBuilder> settings) throws IOException {
        return ProcessStart.ours(command, clean(sandbox).andThen(settings));
    }

    private static Consumer<ProcessBuilder> clean(Path sandbox) {
        return builder -> removeOwn(builder.directory(sandbox.toFile()).environment());
    }

    /**
     * A file of the sandbox to which output is appended. Fetched archives may have brought something else of that name:
     * to open a pipe would wait for its other end.
     */
    static ProcessBuilder.Redirect output(Path sandbox, String name) throws IOException {
        Path file = sandbox.resolve(name);
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS) && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException("'" + name
                    + "' in the sandbox is no regular file: output goes there, so leave it out of" + " the uris");
        }
        return ProcessBuilder.Redirect.appendTo(file.toFile());
    }

    /** Removes the agent's own variables, secrets included. */
    static void removeOwn(Map<String, String> environment) {
        environment.keySet().removeIf(name -> name.startsWith("HEDDLE_") || name.equals("MALLOC_ARENA_MAX"));
    }
}
