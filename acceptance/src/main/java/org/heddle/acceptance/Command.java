// SPDX-License-Identifier: Apache-2.0
package org.heddle.acceptance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.heddle.testkit.Await;
import org.jspecify.annotations.Nullable;

/**
 * A command to be run as a process. Of this JVM's environment it gets PATH and HOME only, and so no locale: service
 * managers start daemons in the same way.
 */
public final class Command {
    private final List<String> words = new ArrayList<>();
    private final Map<String, String> environment = new TreeMap<>();
    private @Nullable Path directory;
    private String input = "";
    private Duration patience = Duration.ofMinutes(3);

    private Command(List<String> words) {
        this.words.addAll(words);
        for (String name : List.of("PATH", "HOME")) {
            String value = System.getenv(name);
            if (value != null) {
                environment.put(name, value);
            }
        }
        environment.put("JAVA_HOME", System.getProperty("java.home"));
    }

    public static Command of(Object... words) {
        return new Command(strings(words));
    }

    /** A line for bash. */
    public static Command shell(String line) {
        return new Command(List.of("bash", "-c", line));
    }

    public Command and(Object... more) {
        words.addAll(strings(more));
        return this;
    }

    private static List<String> strings(Object... words) {
        return List.of(words).stream().map(Object::toString).toList();
    }

    public Command in(Path workingDirectory) {
        directory = workingDirectory;
        return this;
    }

    public Command with(String variable, Object value) {
        environment.put(variable, value.toString());
        return this;
    }

    public Command without(String variable) {
        environment.remove(variable);
        return this;
    }

    /** The user name that Hadoop's clients use. */
    public Command as(String user) {
        return with("HADOOP_USER_NAME", user);
    }

    public Command given(String standardInput) {
        input = standardInput;
        return this;
    }

    public Command within(Duration limit) {
        patience = limit;
        return this;
    }

    /** Runs it to its end. */
    public CommandResult run() throws IOException {
        Path out = Files.createTempFile("command-", ".out");
        Path err = Files.createTempFile("command-", ".err");
        try {
            ProcessBuilder builder = builder();
            builder.redirectOutput(out.toFile()).redirectError(err.toFile());
            Process process = builder.start();
            try (var stdin = process.outputWriter()) {
                stdin.write(input);
            } catch (IOException e) {
                // It did not want to read; its exit status says whether that is an error.
            }
            boolean ended = ended(process);
            CommandResult result = new CommandResult(
                    String.join(" ", words),
                    ended ? process.exitValue() : -1,
                    Files.readString(out),
                    Files.readString(err));
            if (!ended) {
                throw new AssertionError(
                        "still running after more than " + patience.toSeconds() + " s and killed: " + result);
            }
            return result;
        } finally {
            Files.deleteIfExists(out);
            Files.deleteIfExists(err);
        }
    }

    private boolean ended(Process process) {
        try {
            if (process.waitFor(Await.stretched(patience).toMillis(), TimeUnit.MILLISECONDS)) {
                return true;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        return false;
    }

    /** Starts it; both outputs go to the end of a file. */
    public Daemon start(String name, Path log) throws IOException {
        Daemon daemon = new Daemon(name, this, log);
        daemon.start();
        return daemon;
    }

    ProcessBuilder builder() {
        ProcessBuilder builder = new ProcessBuilder(words);
        builder.environment().clear();
        builder.environment().putAll(environment);
        if (directory != null) {
            builder.directory(directory.toFile());
        }
        return builder;
    }

    @Override
    public String toString() {
        return String.join(" ", words);
    }
}
