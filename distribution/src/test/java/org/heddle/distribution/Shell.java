// SPDX-License-Identifier: Apache-2.0
package org.heddle.distribution;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.heddle.testkit.Await;

/** Runs programs with an environment of which nothing is inherited, so with no Hadoop unless a test sets one. */
final class Shell {
    /** Longer than the limit of time that a test gives the planner. */
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final Path directory;
    private final Map<String, String> environment = new HashMap<>();

    /** What a program printed, and its exit code. */
    public record Outcome(int code, String out, String err) {}

    /** @param directory the working directory, which also gets what programs print */
    Shell(Path directory) {
        this.directory = directory;
        environment.put("PATH", "/usr/local/bin:/usr/bin:/bin");
        environment.put("HOME", directory.toString());
        environment.put("JAVA_HOME", System.getProperty("java.home"));
    }

    /** The same with a variable set, or without it where the value is empty. */
    Shell with(String name, String value) {
        Shell shell = new Shell(directory);
        shell.environment.clear();
        shell.environment.putAll(environment);
        if (value.isEmpty()) {
            shell.environment.remove(name);
        } else {
            shell.environment.put(name, value);
        }
        return shell;
    }

    Outcome run(Path program, String... arguments) throws IOException, InterruptedException {
        List<String> line = new java.util.ArrayList<>(List.of(program.toString()));
        line.addAll(List.of(arguments));
        Path out = Files.createTempFile(directory, "out", "");
        Path err = Files.createTempFile(directory, "err", "");
        ProcessBuilder builder = new ProcessBuilder(line)
                .directory(directory.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().clear();
        builder.environment().putAll(environment);
        Process process = builder.start();
        int code = Await.exit(line.toString(), PATIENCE, process);
        return new Outcome(
                code, Files.readString(out, StandardCharsets.UTF_8), Files.readString(err, StandardCharsets.UTF_8));
    }
}
