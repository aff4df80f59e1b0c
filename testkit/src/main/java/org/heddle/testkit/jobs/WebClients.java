// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit.jobs;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Clients that request a page over and over. Each request has a connection of its own, and nothing is tried again, so a
 * request without its whole page is a dropped connection.
 */
public final class WebClients implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 60_000;
    private static final Pattern LENGTH = Pattern.compile("(?i)\r\nContent-Length: *([0-9]+)\r\n");

    private final InetSocketAddress farm;
    private final String path;
    private final long pauseMillis;
    private final AtomicInteger open = new AtomicInteger();
    private final Queue<Request> requests = new ConcurrentLinkedQueue<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean over;

    /**
     * What became of a request.
     *
     * @param beginNanos of {@link System#nanoTime}
     * @param problem empty if the whole page came
     */
    public record Request(long beginNanos, long endNanos, String problem) {
        public boolean isWhole() {
            return problem.isEmpty();
        }

        public double millis() {
            return (endNanos - beginNanos) / 1e6;
        }
    }

    /**
     * Starts them.
     *
     * @param path of the page, for example {@code /index.html}
     * @param pause of each client between two requests
     */
    public WebClients(InetSocketAddress farm, String path, int clients, Duration pause) {
        this.farm = farm;
        this.path = path;
        this.pauseMillis = pause.toMillis();
        for (int i = 0; i < clients; i++) {
            Thread thread = new Thread(this::run, "web-client-" + i);
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
    }

    private void run() {
        try {
            while (!over) {
                long begin = System.nanoTime();
                open.incrementAndGet();
                String problem = get();
                open.decrementAndGet();
                requests.add(new Request(begin, System.nanoTime(), problem));
                TimeUnit.MILLISECONDS.sleep(pauseMillis); // the load, not a condition
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private String get() {
        String request =
                "GET " + path + " HTTP/1.1\r\nHost: farm\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n";
        try (Socket socket = new Socket()) {
            socket.connect(farm, TIMEOUT_MILLIS);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return problem(new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static String problem(String answer) {
        int body = answer.indexOf("\r\n\r\n") + 4;
        if (body < 4 || !answer.startsWith("HTTP/1.1 200 ")) {
            return "the answer begins with '" + answer.lines().findFirst().orElse("") + "'";
        }
        Matcher length = LENGTH.matcher(answer.substring(0, body));
        boolean whole = length.find()
                ? answer.length() - body == Integer.parseInt(length.group(1))
                : answer.endsWith("\r\n0\r\n\r\n"); // the last chunk
        return whole ? "" : "the answer ends after " + (answer.length() - body) + " bytes of the page";
    }

    /** Requests that wait for their page now. */
    public int open() {
        return open.get();
    }

    /** Those that have ended, in the order of their ends. */
    public List<Request> requests() {
        return List.copyOf(requests);
    }

    /** Those of {@link #requests} that have no whole page. */
    public List<Request> dropped() {
        return requests.stream().filter(one -> !one.isWhole()).toList();
    }

    /** Lets the requests that run end, and starts no others. */
    @Override
    public void close() {
        over = true;
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
