// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.heddle.testkit.logs.LogTail;
import org.jspecify.annotations.Nullable;

/** One daemon of a {@link ProcessCluster}: a JVM that can be killed and started again. */
public final class ProcessDaemon {
    private final String name;
    private final String address;
    private final List<String> command;
    private final Map<String, String> environment;
    private final Path log;
    private @Nullable Process process;

    ProcessDaemon(String name, String address, List<String> command, Map<String, String> environment, Path log) {
        this.name = name;
        this.address = address;
        this.command = List.copyOf(command);
        this.environment = Map.copyOf(environment);
        this.log = log;
    }

    public String name() {
        return name;
    }

    /** The loopback address that it alone listens on. */
    public String address() {
        return address;
    }

    synchronized boolean wasStarted() {
        return process != null;
    }

    public synchronized boolean isAlive() {
        return process != null && process.isAlive();
    }

    /** Its process id; -1 while it does not run. */
    public synchronized long pid() {
        Process running = process;
        return running == null || !running.isAlive() ? -1 : running.pid();
    }

    /** Starts it, unless it runs. Returns before it can be asked anything. */
    public synchronized void start() throws IOException {
        if (isAlive()) {
            return;
        }
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(environment);
        builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        process = builder.start();
    }

    /** Ends it as {@code kill -9} does, and waits until it is gone. */
    public synchronized void kill() {
        if (process == null) {
            return;
        }
        process.destroyForcibly();
        Await.exit(toString(), Duration.ofSeconds(20), process);
    }

    /** Stops it as SIGSTOP does: it keeps its memory and its connections, and does nothing until {@link #resume}. */
    public void pause() throws IOException {
        signal("STOP");
    }

    /** Lets it go on after {@link #pause}. */
    public void resume() throws IOException {
        signal("CONT");
    }

    private synchronized void signal(String signal) throws IOException {
        if (process == null) {
            throw new IOException(name + " was not started");
        }
        signal(process, signal);
    }

    /**
     * Sends a signal to a process, a daemon or not.
     *
     * @param signal such as {@code INT}
     * @throws IOException if it has ended
     */
    public static void signal(Process process, String signal) throws IOException {
        Process kill = new ProcessBuilder("kill", "-" + signal, String.valueOf(process.pid())).start();
        if (Await.exit("kill", Duration.ofSeconds(20), kill) != 0) {
            throw new IOException(process + " does not take the signal " + signal);
        }
    }

    /** Runs it to its end, for commands. */
    synchronized void run() throws IOException {
        start();
        Process running = process;
        if (running == null || Await.exit(toString(), Duration.ofMinutes(1), running) != 0) {
            throw new IOException(name + " failed: " + tail());
        }
    }

    /** The end of what it has logged, for messages. */
    public String tail() {
        return name + " logged last:\n" + LogTail.of(log, 12);
    }

    @Override
    public String toString() {
        return name + " at " + address;
    }
}
