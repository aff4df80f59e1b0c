// SPDX-License-Identifier: Apache-2.0
package org.heddle.frameworks.batch;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.heddle.settings.file.AtomicFile;
import org.jspecify.annotations.Nullable;

/**
 * The directory in which commands and daemon meet. Whoever may write there may run commands as the daemon's user.
 *
 * <pre>
 *   incoming/ID.job, incoming/ID.delete   from the commands, removed by the daemon when queue.json has them
 *   queue.json                            all jobs, written by the daemon alone
 *   sequence, lock                        the last id; held by the daemon
 * </pre>
 */
final class Spool {
    private static final String FORMAT = "heddle-batch";
    private static final int VERSION = 1;

    private final Path directory;
    private final ObjectMapper json = new ObjectMapper().setDefaultPropertyInclusion(JsonInclude.Include.NON_NULL);

    /** What the daemon keeps. */
    record Saved(
            String format,
            int version,
            @Nullable String framework,
            @Nullable Limits limits,
            List<Job> jobs) {}

    Spool(Path directory) throws IOException {
        this.directory = directory;
        if (!Files.isDirectory(directory.resolve("incoming"))) {
            Files.createDirectories(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            Files.createDirectories(directory.resolve("incoming"));
        }
    }

    private Path queue() {
        return directory.resolve("queue.json");
    }

    // ---- for the commands ----

    /** Leaves a job for the daemon; returns its id. */
    String submit(JobSpec spec) throws IOException {
        String id = nextId();
        AtomicFile.write(incoming(id, "job"), json.writeValueAsString(spec));
        return id;
    }

    void delete(String id) throws IOException {
        AtomicFile.write(incoming(id, "delete"), "");
    }

    private Path incoming(String id, String kind) {
        return directory.resolve("incoming").resolve(id + "." + kind);
    }

    private String nextId() throws IOException {
        try (FileChannel file = FileChannel.open(
                        directory.resolve("sequence"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE);
                FileLock held = file.lock()) {
            ByteBuffer old = ByteBuffer.allocate(20);
            file.read(old, 0);
            String last = new String(old.array(), 0, old.position(), StandardCharsets.US_ASCII).strip();
            String next = Long.toString((last.isEmpty() ? 0 : Long.parseLong(last)) + 1);
            file.write(ByteBuffer.wrap((next + "\n").getBytes(StandardCharsets.US_ASCII)), 0);
            file.force(true);
            return held.isValid() ? next : last;
        } catch (NumberFormatException e) {
            throw new IOException(directory.resolve("sequence") + " has no number: write the last id into it", e);
        }
    }

    // ---- for the daemon ----

    /** Keeps other daemons out for as long as this process lives. */
    void lock() throws IOException {
        FileChannel file =
                FileChannel.open(directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            if (file.tryLock() != null) {
                return;
            }
        } catch (OverlappingFileLockException e) {
            // Held by this process.
        }
        file.close();
        throw new IOException("another daemon works on " + directory + ": end it, or choose another --dir");
    }

    /** What a command has left. */
    record Message(Path file, String id, @Nullable JobSpec job) {}

    /** All messages, lowest id first, jobs before deletions. A file that is no message is put aside. */
    List<Message> messages() throws IOException {
        List<Message> messages = new ArrayList<>();
        List<Path> files;
        try (Stream<Path> all = Files.list(directory.resolve("incoming"))) {
            files = all.filter(file -> file.getFileName().toString().matches("[0-9]{1,18}\\.(job|delete)"))
                    .toList();
        }
        for (Path file : files) {
            String[] name = file.getFileName().toString().split("\\.", 2);
            try {
                JobSpec job = name[1].equals("job") ? json.readValue(file.toFile(), JobSpec.class) : null;
                messages.add(new Message(file, name[0], job));
            } catch (JsonProcessingException e) {
                System.err.println("heddle batch: " + file + " is no job, and is put aside: " + e.getOriginalMessage());
                Files.move(file, file.resolveSibling(file.getFileName() + ".bad"));
            }
        }
        messages.sort(Comparator.comparingLong((Message one) -> Long.parseLong(one.id()))
                .thenComparing(one -> one.job() == null));
        return messages;
    }

    void save(@Nullable String framework, @Nullable Limits limits, List<Job> jobs) throws IOException {
        AtomicFile.write(queue(), json.writeValueAsString(new Saved(FORMAT, VERSION, framework, limits, jobs)));
    }

    /** The queue as the daemon saved it; empty where it has saved nothing yet. */
    Saved load() throws IOException {
        if (!Files.exists(queue())) {
            return new Saved(FORMAT, VERSION, null, null, List.of());
        }
        try {
            JsonNode tree = json.readTree(queue().toFile());
            if (!tree.path("format").asText().equals(FORMAT)
                    || tree.path("version").asInt() != VERSION) {
                throw new IOException(
                        queue() + " has format '" + tree.path("format").asText() + "', version "
                                + tree.path("version").asInt() + ": this program knows " + FORMAT + " " + VERSION);
            }
            return json.treeToValue(tree, Saved.class);
        } catch (JsonProcessingException e) {
            throw new IOException(queue() + " cannot be read: " + e.getOriginalMessage(), e);
        }
    }

    /** Jobs that the daemon has not taken yet. */
    List<Message> unseen() throws IOException {
        return new ArrayList<>(
                messages().stream().filter(one -> one.job() != null).toList());
    }
}
