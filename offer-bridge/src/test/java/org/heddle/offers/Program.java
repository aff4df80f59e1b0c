// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.heddle.testkit.Await;

/** A program of its own that a test runs, with what it printed. */
final class Program {
    private Program() {}

    /** Runs it; fails with its output unless it ends with 0 in time. */
    static String run(Path directory, Duration deadline, List<String> command)
            throws IOException, InterruptedException {
        Path output = Files.createTempFile(directory, "output", ".txt");
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        boolean ended = process.waitFor(Await.stretched(deadline).toMillis(), TimeUnit.MILLISECONDS);
        if (!ended) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        }
        String text = Files.readString(output);
        assertThat(ended ? process.exitValue() : -1)
                .as("exit code of " + command + (ended ? "" : ", which did not end within " + deadline) + "\n" + text)
                .isZero();
        return text;
    }

    static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }
}
