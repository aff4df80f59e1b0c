// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.program;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileUtil;
import org.heddle.benchmarks.experiment.Run;
import org.heddle.testkit.machine.ContainerProcesses;

/**
 * A measuring program in a Java process of its own, so that it has a heap and a compiler of its own and may end with
 * {@code System.exit}. Its class path is that of this process. It has a directory for temporary files, which is deleted
 * with all that it has left there.
 *
 * @param main the class with the main method
 * @param heap the largest heap, such as {@code 1g}
 * @param limit it fails if it has not ended by then; much longer than it takes on a quiet machine
 * @param arguments of the main method
 */
public record ChildProgram(Class<?> main, String heap, Duration limit, List<String> arguments) {
    /** Longer than any experiment takes. */
    private static final Duration HANGS = Duration.ofHours(4);

    private static final Duration DUMP = Duration.ofSeconds(20);

    /** The property with which clusters of processes keep their directories. */
    private static final String KEEP = "heddle.keep";

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

    public ChildProgram(Class<?> main, String heap, List<String> arguments) {
        this(main, heap, HANGS, arguments);
    }

    public ChildProgram(Class<?> main, String heap, String... arguments) {
        this(main, heap, List.of(arguments));
    }

    /** The same program with another limit. */
    public ChildProgram within(Duration time) {
        return new ChildProgram(main, heap, time, arguments);
    }

    /**
     * The lines that it prints.
     *
     * @throws IOException if its exit code is not 0, or it does not end in time
     */
    public List<String> lines(Run run) throws IOException, InterruptedException {
        Output output = output(run);
        if (output.exitCode() != 0) {
            throw new IOException(
                    main.getSimpleName() + " ended with exit code " + output.exitCode() + ": see " + log(run));
        }
        return output.lines();
    }

    /**
     * What it prints, whatever its exit code is. Its error output goes into a file in the scratch directory, and if it
     * does not end in time, the stacks of its threads.
     *
     * @throws IOException if it does not end in time
     */
    public Output output(Run run) throws IOException, InterruptedException {
        Path temporary = Files.createTempDirectory("heddle-program-");
        try {
            return output(run, temporary);
        } finally {
            if (Boolean.getBoolean(KEEP)) {
                run.tell("kept: " + temporary);
            } else if (!FileUtil.fullyDelete(temporary.toFile())) {
                run.tell("cannot delete " + temporary);
            }
        }
    }

    private Output output(Run run, Path temporary) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command(run, temporary))
                .redirectError(ProcessBuilder.Redirect.appendTo(log(run).toFile()))
                .start();
        // If this program is ended, it ends as well, and what it has started with it.
        Thread endWithThis = new Thread(
                () -> {
                    endDescendants(process);
                    process.destroy();
                },
                "end of " + main.getSimpleName());
        Runtime.getRuntime().addShutdownHook(endWithThis);
        boolean isGood = false;
        try (Deadline deadline = new Deadline(limit, () -> {
            dumpThreads(process, log(run));
            end(process);
        })) {
            List<String> lines = read(process, run);
            int exitCode = process.waitFor();
            if (deadline.hasPassed()) {
                String last = lines.isEmpty() ? "nothing" : "\"" + lines.get(lines.size() - 1) + "\" last";
                throw new IOException(main.getSimpleName() + " has not ended within " + limit.toSeconds()
                        + " s; it printed " + last + "; the stacks of its threads are in " + log(run));
            }
            isGood = exitCode == 0;
            return new Output(lines, exitCode);
        } finally {
            end(process);
            forget(endWithThis);
            if (!isGood) {
                ContainerProcesses.end(temporary);
            }
        }
    }

    private static void forget(Thread endWithThis) {
        try {
            Runtime.getRuntime().removeShutdownHook(endWithThis);
        } catch (IllegalStateException e) {
            // This program is being ended.
        }
    }

    private List<String> command(Run run, Path temporary) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home", ""), "bin", "java").toString(),
                "-Xmx" + heap,
                // A thread of a cluster without memory would leave the others waiting.
                "-XX:+ExitOnOutOfMemoryError",
                "-Djava.io.tmpdir=" + temporary,
                "-D" + KEEP + "=" + Boolean.getBoolean(KEEP),
                "-Djava.awt.headless=true",
                "-Djava.net.preferIPv4Stack=true",
                "-Duser.language=en", // decimal points
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "-Dlog4j.configuration="
                        + run.root().resolve("benchmarks/bin/quiet.properties").toUri(),
                "-cp",
                System.getProperty("java.class.path", ""),
                ProgramMain.class.getName(),
                main.getName()));
        command.addAll(arguments);
        return command;
    }

    private static List<String> read(Process process, Run run) throws IOException {
        List<String> lines = new ArrayList<>();
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                run.tell(line);
                lines.add(line);
            }
        }
        return lines;
    }

    /** Appends the stacks of its threads to the log. */
    private static void dumpThreads(Process process, Path log) {
        try {
            Process dump = new ProcessBuilder(
                            Path.of(System.getProperty("java.home", ""), "bin", "jstack")
                                    .toString(),
                            String.valueOf(process.pid()))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
            if (!dump.waitFor(DUMP.toSeconds(), TimeUnit.SECONDS)) {
                dump.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            // A Java runtime without tools has no jstack: then the log has no stacks.
        }
    }

    private static void end(Process process) {
        endDescendants(process);
        process.destroyForcibly();
    }

    private static void endDescendants(Process process) {
        if (process.isAlive()) { // else its id may be that of another process
            process.descendants().forEach(ProcessHandle::destroyForcibly);
        }
    }

    private Path log(Run run) {
        return run.scratch().resolve(main.getSimpleName() + ".log");
    }
}
