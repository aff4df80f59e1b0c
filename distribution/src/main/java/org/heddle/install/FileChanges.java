// SPDX-License-Identifier: Apache-2.0
package org.heddle.install;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Changes to files which happen all or not at all: what was done is undone by {@link #close} unless {@link #commit}
 * came before. While they happen, files have names which end neither in .jar nor in .xml, so that no JVM loads them.
 */
final class FileChanges implements AutoCloseable {
    private static final String NEXT = ".heddle-next";
    private static final String LAST = ".heddle-last";

    /** One step back. */
    private interface Undo {
        void run() throws IOException;
    }

    private final Deque<Undo> undo = new ArrayDeque<>();
    private final List<Path> setAside = new ArrayList<>();

    /** Makes a directory and those above it. */
    void directory(Path directory) throws IOException {
        if (Files.isDirectory(directory)) {
            return;
        }
        Path parent = directory.getParent();
        if (parent != null) {
            directory(parent);
        }
        Files.createDirectory(directory);
        undo.push(() -> Files.delete(directory));
        permit(directory, "rwxr-xr-x");
    }

    /** Puts a copy at a place, whatever was there. */
    void copy(Path source, Path place) throws IOException {
        Path next = place.resolveSibling("." + place.getFileName() + NEXT);
        undo.push(() -> discard(next));
        Files.copy(source, next, StandardCopyOption.REPLACE_EXISTING);
        moveIn(next, place);
    }

    /** Puts a text at a place, whatever was there. */
    void write(String text, Path place) throws IOException {
        Path next = place.resolveSibling("." + place.getFileName() + NEXT);
        undo.push(() -> discard(next));
        Files.write(next, text.getBytes(StandardCharsets.UTF_8));
        moveIn(next, place);
    }

    private void moveIn(Path next, Path place) throws IOException {
        // Daemons run as another user than the one who installs, whose umask may be strict.
        permit(next, "rw-r--r--");
        if (Files.exists(place)) {
            remove(place);
        }
        Files.move(next, place, StandardCopyOption.ATOMIC_MOVE);
        undo.push(() -> Files.delete(place));
    }

    void remove(Path place) throws IOException {
        Path last = place.resolveSibling("." + place.getFileName() + LAST);
        Files.move(place, last, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        undo.push(() -> Files.move(last, place, StandardCopyOption.ATOMIC_MOVE));
        setAside.add(last);
    }

    /** From here on nothing is undone. */
    void commit() throws IOException {
        undo.clear();
        for (Path last : setAside) {
            Files.deleteIfExists(last);
        }
    }

    /** @throws IOException when something could not be undone; its message names the first such file */
    @Override
    public void close() throws IOException {
        IOException first = null;
        while (!undo.isEmpty()) {
            try {
                undo.pop().run();
            } catch (IOException e) {
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }

    /** A copy that was begun. */
    private static void discard(Path next) throws IOException {
        if (Files.isRegularFile(next)) {
            Files.delete(next);
        }
    }

    private static void permit(Path path, String permissions) throws IOException {
        PosixFileAttributeView view = Files.getFileAttributeView(path, PosixFileAttributeView.class);
        if (view != null) {
            view.setPermissions(PosixFilePermissions.fromString(permissions));
        }
    }
}
