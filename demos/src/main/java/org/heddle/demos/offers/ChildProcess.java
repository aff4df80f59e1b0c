// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.offers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A framework's program: its lines of output go to a listener, its errors to a file. */
final class ChildProcess implements AutoCloseable {
    private static final int TERM_SECONDS = 10;

    private final Process process;
    private final Path errors;
    private volatile boolean closing;

    /** @param lines gets each line of output, in a thread of its own */
    ChildProcess(ProcessBuilder builder, Path errors, Consumer<String> lines) throws IOException {
        this.errors = errors;
        this.process = builder.redirectError(errors.toFile()).start();
        Thread reader = new Thread(() -> read(lines), errors.getFileName() + "-output");
        reader.setDaemon(true);
        reader.start();
    }

    private void read(Consumer<String> lines) {
        try (BufferedReader in =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            in.lines().forEach(lines);
        } catch (IOException | UncheckedIOException e) {
            // The program has ended; trouble() says so.
        }
    }

    /** Writes a line to its input; none if it has ended. */
    void send(String line) {
        try {
            process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        } catch (IOException e) {
            // The program has ended; trouble() says so.
        }
    }

    /** A sentence when it has ended by itself; empty otherwise. */
    String trouble() {
        return closing || process.isAlive() ? "" : "ended with exit code " + process.exitValue() + ", see " + errors;
    }

    /** SIGTERM, and SIGKILL when that does not help. */
    @Override
    public void close() {
        closing = true;
        process.destroy();
        try {
            if (!process.waitFor(TERM_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
