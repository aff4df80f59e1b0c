// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.agent;

import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.heddle.settings.process.LocaleEncoding;
import org.jspecify.annotations.Nullable;

/** The directories of tasks and executors. Files outside of these directories cannot be read, even through a link. */
final class Sandboxes {
    /** Of one request, in bytes; twice as much as Mesos gives. */
    private static final int LONGEST_READ = 128 << 10;

    private static final int MOST_ENTRIES = 1_000;

    /** Of each of the two files of output, in bytes. */
    private static final int END_OF_OUTPUT = 1_024;

    /** Directory of sandboxes whose name a later run has. */
    private static final String FORMER = "former";

    private final Path root;
    private final SandboxCollector collector;
    private long former;

    Sandboxes(Path root) throws IOException {
        this.root = Files.createDirectories(root).toRealPath();
        this.collector = new SandboxCollector(this.root, System::nanoTime);
    }

    SandboxCollector collector() {
        return collector;
    }

    Path root() {
        return root;
    }

    /**
     * Makes the directory of a run. Each run has an empty one: that of a run of the same name before gets another
     * place, {@code former/number/name}.
     */
    synchronized Path make(String name) throws IOException {
        Path sandbox = LocaleEncoding.SYSTEM.resolve(root, name).normalize();
        if (!sandbox.startsWith(root) || sandbox.equals(root)) {
            throw new IOException("sandbox '" + name + "' is outside of " + root);
        }
        if (Files.exists(sandbox, LinkOption.NOFOLLOW_LINKS)) {
            former++;
            Path kept = Files.createDirectories(root.resolve(FORMER).resolve(Long.toString(former)))
                    .resolve(String.valueOf(sandbox.getFileName()));
            Files.move(sandbox, kept);
            collector.moved(sandbox, kept);
        }
        return Files.createDirectories(sandbox);
    }

    /**
     * Writes at most {@link #LONGEST_READ} of a regular file into a reply; with length -1 only the size of the file.
     */
    void read(String path, long offset, long length, DataOutputStream out) throws IOException {
        Path file = inside(path);
        // To open a pipe waits for its other end.
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(path + " is no regular file");
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            long size = channel.size();
            out.writeLong(size);
            if (length < 0) {
                out.writeInt(0);
                return;
            }
            long wanted = Math.max(0, Math.min(Math.min(length, LONGEST_READ), size - offset));
            ByteBuffer buffer = ByteBuffer.allocate((int) wanted);
            int got = 0;
            while (buffer.hasRemaining() && got >= 0) {
                got = channel.read(buffer, offset + buffer.position());
            }
            out.writeInt(buffer.position());
            out.write(buffer.array(), 0, buffer.position());
        }
    }

    /** The end of what a process has written, for people: of stdout, then of stderr; without what cannot be read. */
    static String endOfOutput(Path sandbox) {
        StringBuilder end = new StringBuilder();
        for (String name : List.of("stdout", "stderr")) {
            Path file = sandbox.resolve(name);
            if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
                    ByteBuffer buffer = ByteBuffer.allocate(END_OF_OUTPUT);
                    channel.read(buffer, Math.max(0, channel.size() - END_OF_OUTPUT));
                    end.append(new String(buffer.array(), 0, buffer.position(), StandardCharsets.UTF_8));
                } catch (IOException e) {
                    // The task has removed it meanwhile.
                }
            }
        }
        return end.toString();
    }

    /** Writes the entries of a directory into a reply: at most {@link #MOST_ENTRIES}, the first by their names. */
    void list(String path, DataOutputStream out) throws IOException {
        Path directory = inside(path);
        if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(path + " is no directory");
        }
        List<Entry> entries = new ArrayList<>();
        for (Path child : firstChildren(directory)) {
            Entry entry = entry(child);
            if (entry != null) {
                entries.add(entry);
            }
        }
        out.writeInt(entries.size());
        for (Entry entry : entries) {
            PosixFileAttributes attributes = entry.attributes();
            FrameCodec.writeText(out, root.relativize(entry.path()).toString());
            out.writeBoolean(attributes.isDirectory());
            out.writeLong(attributes.size());
            out.writeLong(attributes.lastModifiedTime().toMillis());
            FrameCodec.writeText(out, PosixFilePermissions.toString(attributes.permissions()));
            FrameCodec.writeText(out, attributes.owner().getName());
            FrameCodec.writeText(out, attributes.group().getName());
        }
    }

    private record Entry(Path path, PosixFileAttributes attributes) {}

    private static SortedSet<Path> firstChildren(Path directory) throws IOException {
        TreeSet<Path> first = new TreeSet<>();
        try (DirectoryStream<Path> children = Files.newDirectoryStream(directory)) {
            for (Path child : children) {
                first.add(child);
                if (first.size() > MOST_ENTRIES) {
                    first.pollLast();
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return first;
    }

    /** Null if the task has removed it meanwhile. */
    private static @Nullable Entry entry(Path child) throws IOException {
        try {
            return new Entry(child, Files.readAttributes(child, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS));
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    private Path inside(String path) throws IOException {
        Path real = LocaleEncoding.SYSTEM.resolve(root, path).toRealPath();
        if (!real.startsWith(root)) {
            throw new IOException(path + " is outside of the sandboxes");
        }
        return real;
    }
}
