// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.heddle.testkit.Await;

/** Finds the operating system's processes that work below a directory, which is what containers do. Linux only. */
public final class ContainerProcesses {
    private ContainerProcesses() {}

    /** Kills what is left; returns when none is. */
    public static void end(Path directory) {
        if (below(directory).isEmpty()) {
            return;
        }
        Await.until(
                "container processes below " + directory + " to end",
                Duration.ofSeconds(20),
                () -> {
                    List<ProcessHandle> left = below(directory);
                    left.forEach(ProcessHandle::destroyForcibly);
                    return left.isEmpty();
                },
                () -> below(directory).toString());
    }

    public static List<ProcessHandle> below(Path directory) {
        return ProcessHandle.allProcesses()
                .filter(process -> process.pid() != ProcessHandle.current().pid())
                .filter(process -> worksBelow(process, directory))
                .toList();
    }

    private static boolean worksBelow(ProcessHandle process, Path directory) {
        try {
            return Files.readSymbolicLink(Path.of("/proc", String.valueOf(process.pid()), "cwd"))
                    .startsWith(directory);
        } catch (IOException | UnsupportedOperationException e) {
            return false; // ended meanwhile, or another user's
        }
    }
}
