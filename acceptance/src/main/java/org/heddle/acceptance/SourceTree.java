// SPDX-License-Identifier: Apache-2.0
package org.heddle.acceptance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The source tree that a test was built in, and directories below its module's target/. */
public final class SourceTree {
    private SourceTree() {}

    /** The root of the source tree: the directory with README.md. */
    public static Path root() {
        String root = System.getProperty("heddle.root");
        if (root == null) {
            throw new IllegalStateException(
                    "the system property heddle.root is not set: the module's pom.xml must set it"
                            + " for its tests to the directory that holds README.md");
        }
        return Path.of(root).toAbsolutePath().normalize();
    }

    /** A new empty directory below target/ of the module whose tests run. */
    public static Path newDirectory(String name) throws IOException {
        Path parent = Files.createDirectories(Path.of("target", "acceptance").toAbsolutePath());
        return Files.createTempDirectory(parent, name + "-");
    }

    /** Removes a directory with all that is in it; does not follow links. */
    public static void delete(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (UncheckedIOException e) {
            throw new IOException("something still writes below " + directory, e);
        }
    }

    /** All files and directories below a directory, as relative paths in order; links are not followed. */
    public static List<String> list(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.map(path -> directory.relativize(path).toString())
                    .sorted()
                    .toList();
        }
    }
}
