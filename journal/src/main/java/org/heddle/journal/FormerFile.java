// SPDX-License-Identifier: Apache-2.0
package org.heddle.journal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.heddle.settings.file.AtomicFile;
import org.jspecify.annotations.Nullable;

/**
 * A file in the format of version 0.1.0, which is converted once, and then kept in the directory {@code 0.1.0} beside the
 * log. So the file in its old place means that the conversion has not ended.
 */
public final class FormerFile implements Closeable {
    private static final String KEPT = "0.1.0";

    private final Path file;
    private final Path kept;

    private @Nullable FileChannel lock;

    private FormerFile(Path file, Path kept) {
        this.file = file;
        this.kept = kept;
    }

    /**
     * Looks for a file that must be converted.
     *
     * @param lockName file beside it that its writer has locked; empty if that is the lock of the log, too
     * @return null if there is none
     * @throws InUseException if a process of version 0.1.0 writes it
     * @throws IOException if one was converted before and an old version has written a new one since
     */
    public static @Nullable FormerFile find(Path file, String lockName) throws IOException {
        if (!Files.exists(file)) {
            return null;
        }
        FormerFile former = of(file);
        if (Files.exists(former.kept)) {
            throw new IOException(
                    file + " was written by version 0.1.0 after its first content had been converted (see "
                            + former.kept + "); move the one away that you do not need");
        }
        if (!lockName.isEmpty()) {
            former.lock(file.resolveSibling(lockName));
        }
        return former;
    }

    private void lock(Path lockFile) throws IOException {
        FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (!LocalStorage.isLocked(channel)) {
            channel.close();
            throw new InUseException(file + " is in use by another process; stop it");
        }
        lock = channel;
    }

    /** A file beside one that has been found. */
    public static FormerFile of(Path file) {
        return new FormerFile(file, file.resolveSibling(KEPT).resolve(String.valueOf(file.getFileName())));
    }

    public Path file() {
        return file;
    }

    /** Ends the conversion: moves the file. */
    public void setAside() throws IOException {
        Files.createDirectories(kept.getParent());
        AtomicFile.replace(kept, file);
    }

    /** Ends the lock. */
    @Override
    public void close() throws IOException {
        if (lock != null) {
            lock.close();
        }
    }
}
