// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit.jobs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;

/** A jar for {@code hadoop jar} with programs that are on the class path already. */
public final class EmptyJar {
    private EmptyJar() {}

    /**
     * Writes it.
     *
     * @return the file
     */
    public static Path write(Path file) throws IOException {
        try (JarOutputStream entries = new JarOutputStream(Files.newOutputStream(file), new Manifest())) {
            entries.putNextEntry(new ZipEntry("org/"));
        }
        return file;
    }
}
