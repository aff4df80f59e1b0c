// SPDX-License-Identifier: Apache-2.0
package org.heddle.settings.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * Replaces a file as a whole: a reader sees the old content or the new one, never a part, also after a power failure.
 */
public final class AtomicFile {
    private AtomicFile() {}

    /**
     * Writes the text to a new file beside the old one, and then renames it. If that fails, the new one is deleted: it
     * would take room on a full disk.
     *
     * @return the file
     */
    public static Path write(Path file, String text) throws IOException {
        Path draft = file.resolveSibling(file.getFileName() + ".new");
        try {
            writeDraft(draft, text);
            replace(file, draft);
            return file;
        } catch (IOException e) {
            try {
                Files.deleteIfExists(draft);
            } catch (IOException left) {
                e.addSuppressed(left);
            }
            throw e;
        }
    }

    private static void writeDraft(Path draft, String text) throws IOException {
        try (FileChannel out = FileChannel.open(
                draft, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            ByteBuffer content = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (content.hasRemaining()) {
                out.write(content);
            }
            out.force(true);
        }
    }

    /**
     * Renames a complete file, which is on the disk already. When this method returns, the new name is on the disk too.
     */
    public static void replace(Path file, Path draft) throws IOException {
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        try (FileChannel directory = FileChannel.open(file.toAbsolutePath().getParent(), StandardOpenOption.READ)) {
            directory.force(true);
        }
    }
}
