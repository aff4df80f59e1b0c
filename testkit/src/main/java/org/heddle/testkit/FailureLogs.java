// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileUtil;
import org.heddle.testkit.logs.LogTail;

/**
 * What clusters logged that are closed already, until it is known whether their test failed: then {@link
 * FailureLogListener} either keeps it, named after the test, or throws it away. Without that listener, that is without
 * JUnit, nothing is held back.
 */
final class FailureLogs {
    private static final int TAIL = 25;

    @GuardedBy("FailureLogs.class")
    private static final List<Path> UNDECIDED = new ArrayList<>();

    @GuardedBy("FailureLogs.class")
    private static boolean listening;

    @GuardedBy("FailureLogs.class")
    private static int number;

    private FailureLogs() {}

    static synchronized void listen() {
        listening = true;
    }

    /** Below Maven's directory, where builds look for what is left; else where temporary files go. */
    static Path home() {
        Path target = Path.of("target").toAbsolutePath();
        return (Files.isDirectory(target) ? target : Path.of(System.getProperty("java.io.tmpdir")))
                .resolve("failed-tests");
    }

    /**
     * Takes logs out of a directory that is about to go.
     *
     * @param logs files and directories in it
     */
    static synchronized void holdBack(Path directory, List<Path> logs) throws IOException {
        if (!listening) {
            return;
        }
        Path undecided = home().resolve(".undecided-" + ProcessHandle.current().pid() + "-" + ++number);
        for (Path log : logs) {
            if (Files.exists(log)) {
                Path to = undecided.resolve(directory.relativize(log));
                Files.createDirectories(to.getParent());
                move(log, to);
            }
        }
        if (Files.exists(undecided)) {
            UNDECIDED.add(undecided);
        }
    }

    /** On the same file system a change of name, however much there is. */
    private static void move(Path from, Path to) throws IOException {
        if (from.toFile().renameTo(to.toFile())) {
            return;
        }
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.copy(file, to.resolve(from.relativize(file).toString()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    /** Nobody failed. */
    static synchronized void forget() {
        for (Path undecided : UNDECIDED) {
            FileUtil.fullyDelete(undecided.toFile());
        }
        UNDECIDED.clear();
        File home = home().toFile();
        String[] left = home.list();
        if (left != null && left.length == 0) {
            home.delete();
        }
    }

    /**
     * Keeps what is held back, under a test's name.
     *
     * @return what to tell: where it is, and the end of each daemon's log; empty if there is nothing
     */
    static synchronized String keep(String test) throws IOException {
        StringBuilder told = new StringBuilder();
        for (Path undecided : UNDECIDED) {
            Path kept = free(home().resolve(test.replaceAll("[^A-Za-z0-9._-]+", "_")));
            Files.move(undecided, kept, StandardCopyOption.ATOMIC_MOVE);
            told.append(test)
                    .append(" failed; the logs of its daemons and containers are in ")
                    .append(kept);
            told.append('\n');
            try (Stream<Path> files = Files.list(kept)) {
                for (Path log : files.filter(Files::isRegularFile).sorted().toList()) {
                    told.append("--- the end of ").append(log.getFileName()).append('\n');
                    told.append(LogTail.of(log, TAIL)).append('\n');
                }
            }
        }
        UNDECIDED.clear();
        return told.toString();
    }

    private static Path free(Path wanted) {
        Path free = wanted;
        for (int i = 2; Files.exists(free); i++) {
            free = wanted.resolveSibling(wanted.getFileName() + "-" + i);
        }
        return free;
    }
}
