// SPDX-License-Identifier: Apache-2.0
package org.heddle.install;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/** Does changes as a whole, and says in a sentence why they cannot be done. */
final class Permissions {
    /** What is to be done. */
    interface Work {
        void run(FileChanges changes) throws IOException;
    }

    private Permissions() {}

    /** Refuses before anything is touched where the directory of a file does not allow it. */
    static void require(Set<Path> places) throws IOException {
        for (Path place : places) {
            Path folder = place.getParent();
            while (folder != null && !Files.exists(folder)) {
                folder = folder.getParent();
            }
            if (folder != null && !Files.isWritable(folder)) {
                throw new RefusedException("you (" + System.getProperty("user.name") + ") may not write to " + folder
                        + "; run this as its owner, " + Files.getOwner(folder).getName() + "; nothing was changed");
            }
        }
    }

    /** @throws RefusedException after everything that was done has been undone */
    static void guarded(HadoopHome home, Work work) throws IOException {
        try (FileChanges changes = new FileChanges()) {
            try {
                work.run(changes);
            } catch (IOException e) {
                undo(home, changes, e);
            }
            changes.commit();
        }
    }

    private static void undo(HadoopHome home, FileChanges changes, IOException cause) {
        try {
            changes.close();
        } catch (IOException e) {
            throw new RefusedException(reason(cause) + "; what had been done could not be undone, either: " + reason(e)
                    + "; compare " + home.resolve(InstalledFiles.PLACE) + " with what is there");
        }
        throw new RefusedException(reason(cause) + "; nothing was changed");
    }

    private static String reason(IOException e) {
        if (e instanceof AccessDeniedException) {
            return "you (" + System.getProperty("user.name") + ") may not change " + e.getMessage();
        }
        if (e instanceof FileSystemException) {
            FileSystemException failure = (FileSystemException) e;
            String reason = failure.getReason();
            return failure.getFile() + ": " + (reason == null ? e.getClass().getSimpleName() : reason);
        }
        return String.valueOf(e.getMessage());
    }
}
