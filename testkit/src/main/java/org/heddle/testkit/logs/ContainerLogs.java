// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit.logs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Reads what containers wrote, straight from the nodes' log directories: {@code stdout}, {@code stderr},
 * {@code syslog}, {@code prelaunch.err}. Works while they run and until the cluster is closed.
 */
public final class ContainerLogs {
    private static final int TAIL = 8_000;

    private final Collection<Path> logDirectories;

    public ContainerLogs(Collection<Path> logDirectories) {
        this.logDirectories = List.copyOf(logDirectories);
    }

    /**
     * One file.
     *
     * @param application application id
     * @param container container id
     * @param path the file; its name says which stream it is
     */
    public record LogFile(String application, String container, Path path) {
        public String name() {
            return path.getFileName().toString();
        }

        public String text() throws IOException {
            return new String(Files.readAllBytes(path), StandardCharsets.UTF_8);
        }
    }

    /** All log files of an application ({@code application_1700000000000_0001}), by container and name. */
    public List<LogFile> files(String application) throws IOException {
        List<LogFile> found = new ArrayList<>();
        for (Path node : logDirectories) {
            Path directory = node.resolve(application);
            if (Files.isDirectory(directory)) {
                collect(application, directory, found);
            }
        }
        found.sort((a, b) -> a.path().toString().compareTo(b.path().toString()));
        return found;
    }

    private static void collect(String application, Path directory, List<LogFile> found) throws IOException {
        try (DirectoryStream<Path> containers = Files.newDirectoryStream(directory)) {
            for (Path container : containers) {
                try (DirectoryStream<Path> files = Files.newDirectoryStream(container, Files::isRegularFile)) {
                    files.forEach(file -> found.add(
                            new LogFile(application, container.getFileName().toString(), file)));
                }
            }
        }
    }

    /** The text of all files with that name ({@code stderr}, {@code syslog}) of an application's containers. */
    public String text(String application, String fileName) throws IOException {
        StringBuilder text = new StringBuilder();
        for (LogFile file : files(application)) {
            if (file.name().equals(fileName)) {
                text.append(file.text());
            }
        }
        return text.toString();
    }

    /** For a failure message: the ends of all non-empty log files of an application, each under its name. */
    public String describe(String application) {
        try {
            return files(application).stream().map(ContainerLogs::tail).collect(Collectors.joining());
        } catch (IOException e) {
            return "the logs of " + application + " cannot be read: " + e;
        }
    }

    private static String tail(LogFile file) {
        try {
            String text = file.text();
            if (text.isBlank()) {
                return "";
            }
            String end = text.length() > TAIL ? ".." + text.substring(text.length() - TAIL) : text;
            return "--- " + file.container() + " " + file.name() + "\n" + end + "\n";
        } catch (IOException e) {
            return "--- " + file.container() + " " + file.name() + " cannot be read: " + e + "\n";
        }
    }
}
