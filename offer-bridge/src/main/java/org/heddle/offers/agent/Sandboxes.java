// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.agent;

import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URL;
import java.net.URLConnection;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.heddle.settings.process.LocaleEncoding;

/** The directories of tasks and executors. Files outside of these directories cannot be read, even through a link. */
final class Sandboxes {
    private static final int LONGEST_READ = 1 << 20;
    private static final int CONNECT_MILLIS = 10_000;
    private static final int READ_MILLIS = 60_000;

    private final Path root;
    private final Map<String, String> environment;

    /** @param environment has HADOOP_HOME or PATH, where the hadoop command is found */
    Sandboxes(Path root, Map<String, String> environment) throws IOException {
        this.root = Files.createDirectories(root).toRealPath();
        this.environment = environment;
    }

    Path root() {
        return root;
    }

    Path make(String name) throws IOException {
        Path sandbox = LocaleEncoding.SYSTEM.resolve(root, name).normalize();
        if (!sandbox.startsWith(root) || sandbox.equals(root)) {
            throw new IOException("sandbox '" + name + "' is outside of " + root);
        }
        return Files.createDirectories(sandbox);
    }

    /** Fetches a file into a sandbox, and makes it executable or extracts it if the command says so. */
    void fetch(LaunchSpec.Uri uri, Path sandbox) throws IOException {
        String path = URI.create(uri.value()).getPath();
        String name = uri.outputFile().isEmpty() ? path.substring(path.lastIndexOf('/') + 1) : uri.outputFile();
        Path target = LocaleEncoding.SYSTEM.resolve(sandbox, name).normalize();
        if (!target.startsWith(sandbox) || target.equals(sandbox)) {
            throw new IOException("uri " + uri.value() + " would be written outside of the sandbox, to " + target);
        }
        Path parent = target.getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        String lower = uri.value().toLowerCase(Locale.ROOT);
        if (lower.startsWith("http://") || lower.startsWith("https://")) {
            // Without other characters than those of ASCII: Java would write them in the encoding of the locale.
            URLConnection connection = new URL(URI.create(uri.value()).toASCIIString()).openConnection();
            connection.setConnectTimeout(CONNECT_MILLIS);
            connection.setReadTimeout(READ_MILLIS);
            try (InputStream in = connection.getInputStream()) {
                Files.copy(in, target, StandardCopyOption.REPLACE_EXISTING);
            }
        } else if (lower.startsWith("file:") || lower.startsWith("/")) {
            Files.copy(LocaleEncoding.SYSTEM.resolve(root, path), target, StandardCopyOption.REPLACE_EXISTING);
        } else {
            Files.deleteIfExists(target);
            run(List.of(hadoop(uri), "fs", "-copyToLocal", uri.value(), target.toString()), sandbox, "fetching");
        }
        if (uri.executable()) {
            Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rwxr-xr-x"));
        } else if (uri.extract()) {
            extract(name, sandbox);
        }
    }

    /** The node's hadoop command, for file systems that only Hadoop can read. */
    private String hadoop(LaunchSpec.Uri uri) throws IOException {
        for (String variable : new String[] {"HADOOP_HOME", "HADOOP_COMMON_HOME"}) {
            Path command = Path.of(environment.getOrDefault(variable, "/")).resolve("bin/hadoop");
            if (Files.isExecutable(command)) {
                return command.toString();
            }
        }
        for (String directory : environment.getOrDefault("PATH", "").split(":", -1)) {
            Path command = Path.of(directory).resolve("hadoop");
            if (Files.isExecutable(command)) {
                return command.toString();
            }
        }
        throw new IOException(
                "uri " + uri.value() + ": this agent fetches http, https and file by itself, others with the"
                        + " hadoop command, which is neither in HADOOP_HOME nor on the PATH of this node's containers");
    }

    private static void extract(String name, Path sandbox) throws IOException {
        String lower = name.toLowerCase(Locale.ROOT);
        List<String> command;
        if (lower.matches(".*\\.(tar|tgz|tar\\.gz|tbz2|tar\\.bz2|txz|tar\\.xz)")) {
            command = List.of("tar", "-xf", name);
        } else if (lower.endsWith(".zip")) {
            command = List.of("unzip", "-o", "-q", name);
        } else {
            return;
        }
        run(command, sandbox, "extracting");
    }

    private static void run(List<String> command, Path sandbox, String doing) throws IOException {
        Process process = SandboxCommands.ours(
                sandbox,
                command,
                builder -> builder.redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(
                                sandbox.resolve("stderr").toFile())));
        try {
            int code = process.waitFor();
            if (code != 0) {
                throw new IOException(doing + ": " + String.join(" ", command) + " ended with " + code
                        + "; its messages are in the sandbox's stderr");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while " + doing, e);
        }
    }

    /** Writes at most 1 MiB of a file into a reply; with length -1 only the size of the file. */
    void read(String path, long offset, long length, DataOutputStream out) throws IOException {
        Path file = inside(path);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
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

    /** Writes the entries of a directory into a reply. */
    void list(String path, DataOutputStream out) throws IOException {
        List<Path> entries = new ArrayList<>();
        Path directory = inside(path);
        try (Stream<Path> children = Files.list(directory)) {
            children.sorted().forEach(entries::add);
        }
        out.writeInt(entries.size());
        for (Path entry : entries) {
            PosixFileAttributes attributes =
                    Files.readAttributes(entry, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            FrameCodec.writeText(out, root.relativize(entry).toString());
            out.writeBoolean(attributes.isDirectory());
            out.writeLong(attributes.size());
            out.writeLong(attributes.lastModifiedTime().toMillis());
            FrameCodec.writeText(out, PosixFilePermissions.toString(attributes.permissions()));
            FrameCodec.writeText(out, attributes.owner().getName());
            FrameCodec.writeText(out, attributes.group().getName());
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
