// SPDX-License-Identifier: Apache-2.0
package org.heddle.journal;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** Tells a full disk, which passes when somebody makes room, from a broken one. */
public final class FullDisk {
    /** Java passes on the system's words for the errors ENOSPC and EDQUOT. */
    private static final Pattern WORDS = Pattern.compile("No space left on device|Disk quota exceeded");

    /**
     * The system may say it in another language; with less room than a block a write can have failed for no other
     * likely reason.
     */
    private static final long BLOCK_BYTES = 4096;

    private FullDisk() {}

    /** Something that writes. */
    @FunctionalInterface
    public interface Work<T> {
        T run() throws IOException;
    }

    /**
     * Does something that writes in a directory.
     *
     * @throws UnavailableException one sentence, if there is no room
     */
    public static <T> T noticed(Path directory, Work<T> work) throws IOException {
        try {
            return work.run();
        } catch (IOException e) {
            throw sentence(directory, e);
        }
    }

    private static IOException sentence(Path directory, IOException failure) {
        if (!isFull(directory, failure)) {
            return failure;
        }
        return UnavailableException.ofFullDisk(
                directory + " cannot be written, because its disk or the quota of this user is full ("
                        + failure.getMessage() + "); make room on that disk",
                failure);
    }

    private static boolean isFull(Path directory, IOException failure) {
        Class<?> kind = failure.getClass(); // the others have other reasons
        if (kind != IOException.class && kind != FileSystemException.class) {
            return false;
        }
        if (WORDS.matcher(String.valueOf(failure.getMessage())).find()) {
            return true;
        }
        try {
            return Files.getFileStore(directory).getUsableSpace() < BLOCK_BYTES;
        } catch (IOException e) {
            failure.addSuppressed(e);
            return false;
        }
    }
}
