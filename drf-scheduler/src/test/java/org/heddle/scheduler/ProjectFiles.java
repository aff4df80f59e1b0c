// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** Files of the project, from the directory of this module or of the one that runs its tests on another Hadoop. */
public final class ProjectFiles {
    private ProjectFiles() {}

    /** The file of this name, such as {@code docs/metrics.md}. */
    public static Path of(String name) {
        Path at = Path.of("").toAbsolutePath();
        while (!Files.exists(at.resolve(name))) {
            at = Objects.requireNonNull(at.getParent(), name + " is in no directory above");
        }
        return at.resolve(name);
    }
}
