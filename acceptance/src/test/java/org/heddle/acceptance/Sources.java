// SPDX-License-Identifier: Apache-2.0
package org.heddle.acceptance;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** Java sources of a user, which no build of ours has compiled: javac meets them during the test. */
final class Sources {
    private Sources() {}

    /** Compiles a source among the test's resources; returns the directory of the classes. */
    static Path compile(String source, String classPath) throws IOException {
        Path directory = SourceTree.newDirectory("compiled");
        Path file = directory.resolve("source").resolve(source);
        Files.createDirectories(file.getParent());
        try (InputStream text = Objects.requireNonNull(Sources.class.getResourceAsStream(source))) {
            Files.copy(text, file);
        }
        Path classes = Files.createDirectories(directory.resolve("classes"));
        Command.of(Path.of(System.getProperty("java.home"), "bin", "javac"), "-proc:none", "-cp", classPath)
                .and("-d", classes, file)
                .run()
                .orFail();
        return classes;
    }
}
