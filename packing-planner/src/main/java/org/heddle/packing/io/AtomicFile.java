// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.io;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Replaces a file as a whole: a reader sees the old content or the new one, never a part. */
public final class AtomicFile {
    private AtomicFile() {}

    /** Writes the text beside the file and then renames it. */
    public static void write(Path file, String text) throws IOException {
        Path draft = file.resolveSibling(file.getFileName() + ".new");
        Files.writeString(draft, text);
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
