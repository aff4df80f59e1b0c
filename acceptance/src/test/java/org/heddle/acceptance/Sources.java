// SPDX-License-Identifier: Apache-2.0
package org.heddle.acceptance;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import javax.tools.ToolProvider;

/** Java sources of a user, which no build of ours has compiled: javac meets them during the test. */
final class Sources {
    private Sources() {}

    /** Compiles a source among the test's resources; returns the directory of the classes. */
    static Path compile(String source, String classPath) throws IOException {
        Path directory = Tree.newDirectory("compiled");
        Path file = directory.resolve("source").resolve(source);
        Files.createDirectories(file.getParent());
        try (InputStream text = Objects.requireNonNull(Sources.class.getResourceAsStream(source))) {
            Files.copy(text, file);
        }
        Path classes = Files.createDirectories(directory.resolve("classes"));
        ByteArrayOutputStream complaints = new ByteArrayOutputStream();
        int exit = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        complaints,
                        complaints,
                        "-proc:none",
                        "-cp",
                        classPath,
                        "-d",
                        classes.toString(),
                        file.toString());
        if (exit != 0) {
            throw new AssertionError(source + ": " + complaints.toString(StandardCharsets.UTF_8));
        }
        return classes;
    }
}
