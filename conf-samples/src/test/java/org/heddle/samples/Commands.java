// SPDX-License-Identifier: Apache-2.0
package org.heddle.samples;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs programs as an administrator would. */
final class Commands {
    static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    public record Outcome(int code, String out, String err) {}

    private Commands() {}

    static Outcome run(Path work, Map<String, String> environment, String... command)
            throws IOException, InterruptedException {
        Path out = Files.createTempFile(work, "out", "");
        Path err = Files.createTempFile(work, "err", "");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(work.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            if (!process.waitFor(5, TimeUnit.MINUTES)) {
                throw new IOException(String.join(" ", command) + " does not end");
            }
        } finally {
            process.destroyForcibly();
        }
        return new Outcome(
                process.exitValue(),
                Files.readString(out, StandardCharsets.UTF_8),
                Files.readString(err, StandardCharsets.UTF_8));
    }

    /** A command of {@code heddle} for administrators, with an environment without Hadoop. */
    static Outcome heddle(Path work, String... arguments) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of(
                JAVA,
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "org.heddle.scheduler.cli.Heddle"));
        line.addAll(List.of(arguments));
        return run(work, Map.of("HADOOP_HOME", "", "HADOOP_CONF_DIR", ""), line.toArray(String[]::new));
    }

    /**
     * Puts a command of that name into a directory, which runs a class of this test's class path ({@code
     * TEST_CLASS_PATH}).
     *
     * @param words how many words stand before the class's own arguments
     */
    static Path install(Path directory, String name, String main, int words) throws IOException {
        Path script = Files.writeString(
                directory.resolve(name),
                "#!/bin/sh\nshift " + words + "\nexec '" + JAVA + "' -XX:TieredStopAtLevel=1 -cp \"$TEST_CLASS_PATH\" "
                        + main + " \"$@\"\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
        return script;
    }
}
