// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.agent;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Deletes the sandboxes of processes that have ended, the oldest first. As in Mesos they may be the younger, the fuller
 * the disk is: a week old on an empty one, and of no age on one that is as full as a NodeManager allows. Of each
 * container a number is kept at most, because small files use up inodes and directories.
 */
final class SandboxCollector {
    static final int MOST = 1_000;
    private static final double LONGEST_SECONDS = 7 * 24 * 3_600;
    /** Part of the disk that should stay free; the same that a NodeManager wants by default. */
    private static final double HEADROOM = 0.1;
    /** Of one command, whose arguments have a limit. */
    private static final int BATCH = 100;

    private record Ended(Path sandbox, long nanos) {}

    private final Path root;
    private final LongSupplier nanoTime;

    @GuardedBy("this")
    private final Deque<Ended> ended = new ArrayDeque<>();

    @GuardedBy("this")
    private long deleted;

    SandboxCollector(Path root, LongSupplier nanoTime) {
        this.root = root;
        this.nanoTime = nanoTime;
    }

    /** The process that had this sandbox has ended. */
    synchronized void ended(Path sandbox) {
        ended.addLast(new Ended(sandbox, nanoTime.getAsLong()));
    }

    /** A sandbox has another place. */
    synchronized void moved(Path from, Path to) {
        List<Ended> all = List.copyOf(ended);
        ended.clear();
        all.forEach(one -> ended.addLast(one.sandbox().equals(from) ? new Ended(to, one.nanos()) : one));
    }

    /** Sandboxes of ended processes that are still there. */
    synchronized int kept() {
        return ended.size();
    }

    synchronized long deleted() {
        return deleted;
    }

    /** Deletes what is too old or too much. It takes as long as the disk needs, so it has a thread of its own. */
    void collect() {
        try {
            FileStore disk = Files.getFileStore(root);
            double used = 1 - (double) disk.getUsableSpace() / Math.max(1, disk.getTotalSpace());
            delete(due(used));
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            Agent.log("sandboxes of ended processes are not deleted: " + e);
        }
    }

    /** @param used part of the disk, from 0 to 1 */
    synchronized List<Path> due(double used) {
        double seconds = LONGEST_SECONDS * Math.max(0, 1 - HEADROOM - used);
        List<Path> due = new ArrayList<>();
        for (Ended oldest = ended.peekFirst(); oldest != null; oldest = ended.peekFirst()) {
            long age = TimeUnit.NANOSECONDS.toSeconds(nanoTime.getAsLong() - oldest.nanos());
            if (ended.size() <= MOST && age < seconds) {
                break;
            }
            due.add(ended.removeFirst().sandbox());
        }
        return due;
    }

    private void delete(List<Path> due) throws IOException {
        for (int from = 0; from < due.size(); from += BATCH) {
            List<String> names = due.subList(from, Math.min(due.size(), from + BATCH)).stream()
                    .map(Path::toString)
                    .toList();
            if (run(List.of("rm", "-rf", "--"), names) != 0) {
                // A task may have taken the right to delete away from a directory.
                run(List.of("chmod", "-R", "u+rwX", "--"), names);
                run(List.of("rm", "-rf", "--"), names);
            }
            synchronized (this) {
                deleted += names.size();
            }
        }
    }

    private int run(List<String> command, List<String> names) throws IOException {
        List<String> words = new ArrayList<>(command);
        words.addAll(names);
        Process process = SandboxCommands.ours(
                root,
                words,
                builder -> builder.redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.DISCARD));
        try {
            return process.waitFor(); // onExit would need another thread
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
