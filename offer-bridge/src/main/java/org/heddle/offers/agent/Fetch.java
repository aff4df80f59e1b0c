// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.agent;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.heddle.settings.process.LocaleEncoding;

/**
 * Fetches the files of one process into its sandbox, in a thread of its own. Another thread may cancel it. It ends as
 * well when it takes too long, and before it fills the disk: a NodeManager whose disk is full ends all containers.
 */
final class Fetch {
    private static final int CONNECT_MILLIS = 10_000;
    /** Time without a byte, in ms; as in Mesos. */
    private static final int READ_MILLIS = 60_000;
    /** Time for all files of a process, in minutes. */
    static final long LONGEST_MINUTES = 60;
    /** Part of a disk that stays free. */
    private static final double LEAST_FREE = 0.05;

    private static final int BUFFER = 16 << 10;
    /** Bytes after which the disk is looked at again. */
    private static final long STEP = 16 << 20;

    private static final long LOOK_MILLIS = 200;
    /** Of one file, to another protocol; within one, Java follows them. */
    private static final int MOST_REDIRECTS = 5;

    private static final String SLASH = "/";

    private final Path root;
    private final Map<String, String> agents;
    private final Map<String, String> environment;
    private final long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(LONGEST_MINUTES);
    private volatile boolean cancelled;
    private volatile Runnable interrupt = () -> {};

    /**
     * @param root of all sandboxes
     * @param agents the agent's environment, which has HADOOP_HOME or PATH, where the hadoop command is found
     * @param environment added to that of the commands which are started
     */
    Fetch(Path root, Map<String, String> agents, Map<String, String> environment) {
        this.root = root;
        this.agents = agents;
        this.environment = environment;
    }

    /** Ends it soon: what it waits for ends with an error. */
    void cancel() {
        cancelled = true;
        interrupt.run();
    }

    /** Fetches a file into a sandbox, and makes it executable or extracts it if the command says so. */
    void fetch(LaunchSpec.Uri uri, Path sandbox) throws IOException {
        check(uri.value(), sandbox);
        String value = uri.value();
        String lower = value.toLowerCase(Locale.ROOT);
        boolean http = lower.startsWith("http://") || lower.startsWith("https://");
        boolean plain = value.startsWith(SLASH);
        String path = plain ? value : Objects.requireNonNullElse(parsed(value).getPath(), "");
        if (path.isEmpty()) {
            throw new IOException("uri " + value + " has no path: want for example file:///path or " + SLASH + "path");
        }
        String name = uri.outputFile().isEmpty() ? path.substring(path.lastIndexOf('/') + 1) : uri.outputFile();
        Path target = LocaleEncoding.SYSTEM.resolve(sandbox, name).normalize();
        if (!target.startsWith(sandbox) || target.equals(sandbox)) {
            throw new IOException("uri " + value + " would be written outside of the sandbox, to " + target);
        }
        Path parent = target.getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        if (http) {
            download(value, parsed(value), MOST_REDIRECTS, target);
        } else if (plain || lower.startsWith("file:")) {
            copy(value, LocaleEncoding.SYSTEM.resolve(root, path), target);
        } else {
            Files.deleteIfExists(target);
            run(List.of(hadoop(uri), "fs", "-copyToLocal", value, target.toString()), sandbox, "fetching");
        }
        if (uri.executable()) {
            Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rwxr-xr-x"));
        } else if (uri.extract()) {
            extract(name, sandbox);
        }
    }

    private static URI parsed(String value) throws IOException {
        try {
            return new URI(value.replace(" ", "%20"));
        } catch (URISyntaxException e) {
            throw new IOException("uri " + value + " is not valid: " + e.getReason(), e);
        }
    }

    private void download(String value, URI from, int redirects, Path target) throws IOException {
        // Without other characters than those of ASCII: Java would write them in the encoding of the locale.
        URLConnection connection = new URL(from.toASCIIString()).openConnection();
        if (!(connection instanceof HttpURLConnection http)) {
            throw new IOException("uri " + value + ": the server sends to " + from + ", which is not of http or https");
        }
        connection.setConnectTimeout(CONNECT_MILLIS);
        connection.setReadTimeout(READ_MILLIS);
        interrupt = http::disconnect;
        String next = null;
        try {
            if (http.getResponseCode() / 100 == 3 && redirects > 0) {
                next = http.getHeaderField("Location");
            }
            if (next == null) {
                receive(value, http, target);
            }
        } catch (IOException e) {
            check(value, target);
            throw new IOException("uri " + value + ": " + e.getMessage(), e);
        } finally {
            interrupt = () -> {};
            http.disconnect();
        }
        if (next != null) {
            check(value, target);
            download(value, from.resolve(parsed(next)), redirects - 1, target);
        }
    }

    private void receive(String value, HttpURLConnection http, Path target) throws IOException {
        int status = http.getResponseCode();
        if (status / 100 != 2) {
            throw new IOException("the server answered " + status + " " + http.getResponseMessage());
        }
        long length = http.getContentLengthLong();
        long got;
        try (InputStream in = http.getInputStream()) {
            got = write(value, in, target);
        }
        if (length >= 0 && got != length) { // Java does not say so
            throw new IOException("the connection ended after " + got + " of " + length + " bytes");
        }
    }

    private void copy(String value, Path from, Path target) throws IOException {
        // To open a pipe waits for its other end, and a device may have no end.
        if (!Files.isRegularFile(from)) {
            String what = Files.isDirectory(from) ? "is a directory" : "is no regular file of this node";
            throw new IOException("uri " + value + " " + what + ": want a file");
        }
        try (InputStream in = Files.newInputStream(from)) {
            write(value, in, target);
        }
    }

    /** Returns how many bytes there were. */
    private long write(String value, InputStream in, Path target) throws IOException {
        Files.deleteIfExists(target);
        try (OutputStream out = Files.newOutputStream(target, StandardOpenOption.CREATE_NEW)) {
            byte[] buffer = new byte[BUFFER];
            long all = 0;
            long unchecked = 0;
            for (int got = in.read(buffer); got >= 0; got = in.read(buffer)) {
                out.write(buffer, 0, got);
                all += got;
                unchecked += got;
                if (cancelled || unchecked >= STEP || System.nanoTime() - deadline > 0) {
                    check(value, target);
                    unchecked = 0;
                }
            }
            return all;
        }
    }

    /** @throws IOException one sentence: it is time to end */
    private void check(String what, Path target) throws IOException {
        if (cancelled) {
            throw new IOException("killed while it fetched " + what);
        }
        if (System.nanoTime() - deadline > 0) {
            throw new IOException(
                    what + ": the files of a task or executor must be there after " + LONGEST_MINUTES + " minutes");
        }
        Path there = Files.exists(target) ? target : root;
        FileStore disk = Files.getFileStore(there);
        if (disk.getUsableSpace() < LEAST_FREE * disk.getTotalSpace()) {
            throw new IOException(
                    what + ": the disk of " + root + " on this node has only " + (disk.getUsableSpace() >> 20)
                            + " MiB left, and " + Math.round(100 * LEAST_FREE) + " % stay free");
        }
    }

    /** The node's hadoop command, for file systems that only Hadoop can read. */
    private String hadoop(LaunchSpec.Uri uri) throws IOException {
        for (String variable : new String[] {"HADOOP_HOME", "HADOOP_COMMON_HOME"}) {
            Path command = Path.of(agents.getOrDefault(variable, SLASH)).resolve("bin/hadoop");
            if (Files.isExecutable(command)) {
                return command.toString();
            }
        }
        for (String directory : agents.getOrDefault("PATH", "").split(":", -1)) {
            Path command = Path.of(directory).resolve("hadoop");
            if (Files.isExecutable(command)) {
                return command.toString();
            }
        }
        throw new IOException(
                "uri " + uri.value() + ": this agent fetches http, https and file by itself, others with the"
                        + " hadoop command, which is neither in HADOOP_HOME nor on the PATH of this node's containers");
    }

    private void extract(String name, Path sandbox) throws IOException {
        String lower = name.toLowerCase(Locale.ROOT);
        // After a slash, tar takes no part of the name for a host.
        String archive = "./" + name;
        List<String> command;
        if (lower.matches(".*\\.(tar|tgz|tar\\.gz|tbz2|tar\\.bz2|txz|tar\\.xz)")) {
            command = List.of("tar", "-xf", archive);
        } else if (lower.endsWith(".zip")) {
            command = List.of("unzip", "-o", "-q", archive);
        } else {
            return;
        }
        run(command, sandbox, "extracting");
    }

    private void run(List<String> command, Path sandbox, String doing) throws IOException {
        ProcessBuilder.Redirect messages = SandboxCommands.output(sandbox, "stderr");
        Process process = SandboxCommands.ours(sandbox, new ArrayList<>(command), builder -> {
            builder.environment().putAll(environment);
            builder.redirectErrorStream(true)
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                    .redirectOutput(messages);
        });
        try {
            while (!process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                check(doing + " " + command.get(command.size() - 1), sandbox);
            }
            int code = process.exitValue();
            if (code != 0) {
                throw new IOException(doing + ": " + String.join(" ", command) + " ended with " + code
                        + "; its messages are in the sandbox's stderr");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while " + doing, e);
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }
}
