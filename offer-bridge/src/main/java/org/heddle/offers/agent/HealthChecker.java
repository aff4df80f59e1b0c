// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.agent;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URL;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Runs one probe of a task again and again, in threads of a pool. A result is reported when it changes, and each
 * failure of a health check, as in Mesos.
 */
@SuppressWarnings("FutureReturnValueIgnored") // each attempt schedules the next one
final class HealthChecker {
    /** Result of a probe that could not run. */
    private static final int NO_RESULT = -1;

    /** Receives results. */
    interface Listener {
        void found(boolean good, int found);

        /** Called when a health check has failed too often. */
        void unhealthy(String reason);
    }

    private final Probe probe;
    private final Path sandbox;
    private final Map<String, String> environment;
    private final BooleanSupplier runs;
    private final Listener listener;
    private final ScheduledExecutorService timer;
    private final ExecutorService pool;
    private final long begun = System.nanoTime();
    private int last = Integer.MIN_VALUE;
    private boolean wasGood;
    private int failed;

    /** @param runs whether the task still runs */
    HealthChecker(
            Probe probe,
            Path sandbox,
            Map<String, String> environment,
            BooleanSupplier runs,
            Listener listener,
            ScheduledExecutorService timer,
            ExecutorService pool) {
        this.probe = probe;
        this.sandbox = sandbox;
        this.environment = environment;
        this.runs = runs;
        this.listener = listener;
        this.timer = timer;
        this.pool = pool;
    }

    void begin() {
        schedule(probe.delayMillis());
    }

    private void schedule(long millis) {
        timer.schedule(
                () -> {
                    try {
                        pool.execute(this::check);
                    } catch (OutOfMemoryError e) { // there is no thread for it now
                        schedule(probe.intervalMillis());
                    }
                },
                millis,
                TimeUnit.MILLISECONDS);
    }

    private void check() {
        if (!runs.getAsBoolean()) {
            return;
        }
        int found;
        try {
            found = probe.command().isEmpty() ? connect() : run();
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            found = probe.path().isEmpty() && probe.command().isEmpty() ? 0 : NO_RESULT;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        if (runs.getAsBoolean() && !report(found)) {
            schedule(probe.intervalMillis());
        }
    }

    /** Reports a result where necessary; returns whether the task is ended for it. */
    private boolean report(int found) {
        boolean good = probe.good(found);
        if (!probe.health()) {
            if (found != last) {
                last = found;
                listener.found(good, found);
            }
            return false;
        }
        if (good) {
            if (last == Integer.MIN_VALUE || failed > 0) {
                listener.found(true, found);
            }
            last = found;
            wasGood = true;
            failed = 0;
            return false;
        }
        boolean forgiven = !wasGood && TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun) < probe.graceMillis();
        if (forgiven) {
            return false;
        }
        failed++;
        last = found;
        listener.found(false, found);
        if (failed >= probe.failures()) {
            listener.unhealthy(AgentProtocol.UNHEALTHY + " " + failed + " times in a row");
            return true;
        }
        return false;
    }

    private int run() throws IOException, InterruptedException {
        Process process = SandboxCommands.users(
                sandbox,
                probe.command(),
                builder -> builder.redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .environment()
                        .putAll(environment));
        process.getOutputStream().close();
        boolean ended;
        if (probe.timeoutMillis() <= 0) {
            ended = process.waitFor() >= 0;
        } else {
            ended = process.waitFor(probe.timeoutMillis(), TimeUnit.MILLISECONDS);
        }
        if (!ended) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            return NO_RESULT;
        }
        return process.exitValue();
    }

    private int connect() throws IOException {
        int timeout = (int) Math.min(Integer.MAX_VALUE, probe.timeoutMillis());
        if (probe.path().isEmpty()) {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), probe.port()), timeout);
                return 1;
            }
        }
        HttpURLConnection connection = (HttpURLConnection)
                new URL("http", InetAddress.getLoopbackAddress().getHostAddress(), probe.port(), probe.path())
                        .openConnection();
        connection.setConnectTimeout(timeout);
        connection.setReadTimeout(timeout);
        connection.setInstanceFollowRedirects(false);
        try {
            return connection.getResponseCode();
        } finally {
            connection.disconnect();
        }
    }
}
