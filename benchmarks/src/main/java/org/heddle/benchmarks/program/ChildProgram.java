// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.program;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.heddle.benchmarks.experiment.Run;

/**
 * A measuring program in a Java process of its own, so that it has a heap and a compiler of its own and may end with
 * {@code System.exit}. Its class path is that of this process.
 *
 * @param main the class with the main method
 * @param heap the largest heap, such as {@code 1g}
 * @param arguments of the main method
 */
public record ChildProgram(Class<?> main, String heap, List<String> arguments) {
    /**
     * What a program printed.
     *
     * @param lines of its standard output
     * @param exitCode 0 if it was content
     */
    public record Output(List<String> lines, int exitCode) {}

    public ChildProgram {
        arguments = List.copyOf(arguments);
    }

    public ChildProgram(Class<?> main, String heap, String... arguments) {
        this(main, heap, List.of(arguments));
    }

    /**
     * The lines that it prints.
     *
     * @throws IOException if its exit code is not 0
     */
    public List<String> lines(Run run) throws IOException, InterruptedException {
        Output output = output(run);
        if (output.exitCode() != 0) {
            throw new IOException(
                    main.getSimpleName() + " ended with exit code " + output.exitCode() + ": see " + log(run));
        }
        return output.lines();
    }

    /** What it prints, whatever its exit code is. Its error output goes into a file in the scratch directory. */
    public Output output(Run run) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home", ""), "bin", "java").toString(),
                "-Xmx" + heap,
                "-Djava.awt.headless=true",
                "-Djava.net.preferIPv4Stack=true",
                "-Duser.language=en", // decimal points
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "-Dlog4j.configuration="
                        + run.root().resolve("benchmarks/bin/quiet.properties").toUri(),
                "-cp",
                System.getProperty("java.class.path", ""),
                main.getName()));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(log(run).toFile()))
                .start();
        // If this program is ended, it ends as well, and what it has started with it.
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroy, "end of " + main.getSimpleName()));
        List<String> lines = new ArrayList<>();
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            out.lines().forEach(line -> {
                run.tell(line);
                lines.add(line);
            });
            return new Output(lines, process.waitFor());
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private Path log(Run run) {
        return run.scratch().resolve(main.getSimpleName() + ".log");
    }
}
