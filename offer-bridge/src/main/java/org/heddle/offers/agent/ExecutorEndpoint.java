// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.agent;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP endpoint of the executor API for one executor, on a port of the loopback interface. The agent does not
 * interpret calls and events: it forwards calls to the bridge, and the bridge's answers and events to the executor. A
 * call waits while there is no bridge.
 */
final class ExecutorEndpoint {
    /** Of a call, in bytes. The agent holds it a few times, and its heap is small. */
    private static final int LARGEST_BODY = 1 << 20;
    /** Of what waits for the executor to read, in bytes. */
    private static final int MOST_QUEUED = 1 << 20;

    /** Of one executor, which needs two. Each connection has a thread from its first byte to the end of its request. */
    private static final int MOST_CONNECTIONS = 128;

    private static final int REQUEST_SECONDS = 30;

    static {
        // The server of the JDK has limits, but no methods that set them. It reads these once.
        limit("sun.net.httpserver.maxReqTime", REQUEST_SECONDS);
        limit("jdk.httpserver.maxConnections", MOST_CONNECTIONS);
    }

    private final String key;
    private final String expected;
    private final Outbox outbox;
    private final HttpServer server;
    private final ExecutorService readers = Executors.newCachedThreadPool(task -> Agent.thread("executor-call", task));

    @GuardedBy("this")
    private final Map<Long, HttpExchange> waiting = new HashMap<>();

    /** Writes to the executor; only it changes the stream. */
    private final ExecutorService writer = Executors.newSingleThreadExecutor(task -> Agent.thread("events", task));

    private final AtomicLong queued = new AtomicLong();
    private volatile @Nullable OutputStream stream;
    private volatile boolean overflown;
    /** Names of the events on the stream; for the writer only. */
    private final Set<String> sent = new HashSet<>();

    /** @param token that calls must carry; empty if they need none */
    ExecutorEndpoint(String key, Outbox outbox, String token) throws IOException {
        this.key = key;
        this.expected = token.isEmpty() ? "" : "Bearer " + token;
        this.outbox = outbox;
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 16);
        server.createContext("/api/v1/executor", this::call);
        server.setExecutor(call -> {
            try {
                readers.execute(call);
            } catch (OutOfMemoryError e) { // there is no thread for it now, and the server has to live
                throw new RejectedExecutionException(e);
            }
        });
        writer.execute(() -> {}); // starts its thread, because later there may be none
        server.start();
    }

    private static void limit(String property, int fallback) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, Integer.toString(fallback));
        }
    }

    String address() {
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    private void call(HttpExchange exchange) throws IOException {
        if (!exchange.getRequestMethod().equals("POST")) {
            exchange.getResponseHeaders().set("Allow", "POST");
            answer(exchange, 405, "text/plain", new byte[0]);
            return;
        }
        String proof = Objects.requireNonNullElse(exchange.getRequestHeaders().getFirst("Authorization"), "");
        if (!expected.isEmpty()
                && !MessageDigest.isEqual(
                        proof.getBytes(StandardCharsets.UTF_8), expected.getBytes(StandardCharsets.UTF_8))) {
            exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer");
            answer(exchange, 401, "text/plain", new byte[0]);
            return;
        }
        byte[] body = exchange.getRequestBody().readNBytes(LARGEST_BODY + 1);
        if (body.length > LARGEST_BODY) {
            answer(exchange, 413, "text/plain", new byte[0]);
            return;
        }
        if (outbox.isFull()) {
            exchange.getResponseHeaders().set("Retry-After", "1");
            answer(exchange, 503, "text/plain", new byte[0]);
            return;
        }
        String type = Objects.requireNonNullElse(exchange.getRequestHeaders().getFirst("Content-Type"), "");
        String accept = Objects.requireNonNullElse(exchange.getRequestHeaders().getFirst("Accept"), "");
        synchronized (this) {
            // Holds the lock until the exchange is stored, because the answer may come at once.
            long seq = outbox.event(AgentProtocol.CALL, key, out -> {
                out.writeUTF(type);
                out.writeUTF(accept);
                FrameCodec.writeBytes(out, body);
            });
            waiting.put(seq, exchange);
        }
    }

    /** Passes the bridge's answer on; with {@code open} the connection becomes the event stream. */
    void reply(long seq, int status, String type, boolean open, byte[] body) {
        later(body.length, () -> replyNow(seq, status, type, open, body));
    }

    /** Sends an event. One with a name is sent only once on a stream. */
    void send(String once, byte[] record) {
        later(record.length, () -> sendNow(once, record));
    }

    /**
     * Leaves it to the endpoint's own thread, because an executor may not read. Events of one that has not read for too
     * long are dropped, and its stream is closed when it reads again: it subscribes anew then, and gets its tasks
     * again.
     */
    private void later(int bytes, Runnable write) {
        if (queued.get() > 0 && queued.get() + bytes > MOST_QUEUED) {
            overflown = true;
            return;
        }
        queued.addAndGet(bytes);
        try {
            writer.execute(() -> {
                try {
                    write.run();
                } finally {
                    queued.addAndGet(-bytes);
                }
            });
        } catch (RejectedExecutionException e) {
            queued.addAndGet(-bytes); // the executor's process has ended
        }
    }

    private void replyNow(long seq, int status, String type, boolean open, byte[] body) {
        HttpExchange exchange = taken(seq);
        if (exchange == null) {
            return;
        }
        try {
            if (!open) {
                answer(exchange, status, type, body);
                return;
            }
            OutputStream before = stream;
            if (before != null) {
                before.close();
            }
            sent.clear();
            overflown = false;
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.sendResponseHeaders(status, 0);
            stream = exchange.getResponseBody();
            stream.write(body);
            stream.flush();
        } catch (IOException e) {
            Agent.log("executor " + key + " did not wait for its answer: " + e.getMessage());
            lost();
        }
    }

    private synchronized @Nullable HttpExchange taken(long seq) {
        return waiting.remove(seq);
    }

    private static void answer(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
        if (body.length > 0) {
            exchange.getResponseHeaders().set("Content-Type", type);
        }
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        if (body.length > 0) {
            exchange.getResponseBody().write(body);
        }
        exchange.close();
    }

    private void sendNow(String once, byte[] record) {
        OutputStream out = stream;
        if (out == null || sent.contains(once)) {
            return;
        }
        try {
            if (overflown) {
                out.close();
                throw new IOException("it did not read its events in time");
            }
            out.write(record);
            out.flush();
            if (!once.isEmpty()) {
                sent.add(once);
            }
        } catch (IOException e) {
            Agent.log("executor " + key + " has lost its event stream: " + e.getMessage());
            lost();
        }
    }

    private void lost() {
        if (stream != null) {
            stream = null;
            outbox.event(AgentProtocol.STREAM_CLOSED, key, out -> {});
        }
    }

    boolean isOpen() {
        return stream != null;
    }

    void close() {
        writer.shutdown();
        server.stop(0);
        readers.shutdown();
    }
}
