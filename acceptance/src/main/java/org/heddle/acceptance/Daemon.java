// SPDX-License-Identifier: Apache-2.0
package org.heddle.acceptance;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.heddle.testkit.logs.LogTail;
import org.jspecify.annotations.Nullable;

/** A process that runs until it is told to end, and may be started again. */
public final class Daemon implements AutoCloseable {
    private static final int TAIL = 15;

    private final String name;
    private final Command command;
    private final Path log;
    private @Nullable Process process;
    private boolean stopped;

    Daemon(String name, Command command, Path log) {
        this.name = name;
        this.command = command;
        this.log = log;
    }

    public String name() {
        return name;
    }

    /** Where both its outputs go. */
    public Path log() {
        return log;
    }

    public synchronized boolean isAlive() {
        return process != null && process.isAlive();
    }

    /** Whether the test has ended it, so that its end is no fault. */
    synchronized boolean wasStopped() {
        return stopped;
    }

    synchronized boolean wasStarted() {
        return process != null;
    }

    /** Starts it, unless it runs. Returns before it can be asked anything. */
    public synchronized void start() throws IOException {
        if (isAlive()) {
            return;
        }
        Files.createDirectories(log.toAbsolutePath().getParent());
        stopped = false;
        process = command.builder()
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
    }

    /** Ends it as an administrator does, by SIGTERM; by {@code kill -9} where that has no effect for 15 s. */
    public synchronized void stop() {
        end(false);
    }

    /** Ends it as {@code kill -9} does. */
    public synchronized void kill() {
        end(true);
    }

    private void end(boolean atOnce) {
        if (process == null) {
            return;
        }
        stopped = true;
        try {
            if (!atOnce) {
                process.destroy();
                if (process.waitFor(15, TimeUnit.SECONDS)) {
                    return;
                }
            }
            process.destroyForcibly();
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                throw new IllegalStateException(name + ", process " + process.pid() + ", does not end");
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /** What it has written up to now. */
    public String output() {
        try {
            return Files.readString(log, StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "(no log: " + e + ")";
        }
    }

    /** The end of what it has written, for messages. */
    public String tail() {
        return name + " (" + log + ") wrote last:\n" + LogTail.of(log, TAIL);
    }

    @Override
    public void close() {
        kill();
    }
}
