// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import javax.servlet.AsyncContext;
import javax.servlet.AsyncEvent;
import javax.servlet.AsyncListener;
import javax.servlet.ReadListener;
import javax.servlet.ServletInputStream;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.heddle.market.security.RefusedException;
import org.heddle.market.security.RefusedException.Kind;

/**
 * Reads the bodies of requests whose callers are known, for a servlet or a filter. No thread waits for a body: the web
 * server calls when there is something to read, so that slow clients hold memory, which is bounded, and none of the
 * ResourceManager's threads. A request that is refused by its headers never gets here. Thread-safe.
 */
final class BodyReader {
    /** Many clients read no answer before they have sent the whole body, so that much more is read and dropped. */
    private static final int DROPPED_BYTES = 1 << 20;

    private static final int CHUNK = 4 * 1024;

    private final Limits limits;
    private final Semaphore free;
    private final Map<String, Integer> reading = new ConcurrentHashMap<>();

    /**
     * The limits.
     *
     * @param largest size of a body, in bytes
     * @param millis time for a whole body, in ms, however steadily it comes
     * @param mostAtOnce bodies that are being read
     * @param mostOfOne of these, bodies of one caller
     */
    record Limits(int largest, long millis, int mostAtOnce, int mostOfOne) {
        /** At most 32 MiB together. A caller can have 64 KiB sent in 10 s by the slowest line. */
        static final Limits DEFAULT = new Limits(64 * 1024, 10_000, 512, 128);
    }

    /** A body, or the reason why there is none. */
    @FunctionalInterface
    interface Body {
        /** @throws RefusedException (400) if it is incomplete, (408) if it was too slow, (413) if it is too large */
        byte[] bytes() throws RefusedException;
    }

    /** Writes the answer; it may block. */
    @FunctionalInterface
    interface Receiver {
        void receive(Body body) throws IOException;
    }

    BodyReader(Limits limits) {
        this.limits = limits;
        this.free = new Semaphore(limits.mostAtOnce());
    }

    /** Whether the headers of a request announce a body. */
    static boolean announced(HttpServletRequest request) {
        return request.getContentLengthLong() > 0 || request.getHeader("Transfer-Encoding") != null;
    }

    /** Ends the connection after the answer if the request has a body, because nobody reads that body. */
    static void leaveUnread(HttpServletRequest request, HttpServletResponse response) {
        if (announced(request)) {
            response.setHeader("Connection", "close");
        }
    }

    /**
     * Reads the body of a request and calls {@code receiver} once, from a thread of the web server; returns before
     * that.
     *
     * @param caller whose body it is
     * @throws RefusedException (503) if too many bodies are being read, (413) if the announced size is far too large
     */
    void read(HttpServletRequest request, String caller, Receiver receiver) throws RefusedException, IOException {
        if (request.getContentLengthLong() > limits.largest() + DROPPED_BYTES) {
            throw tooLarge();
        }
        begin(caller);
        Reading started;
        try {
            started = new Reading(request.startAsync(), caller, receiver, request.getInputStream());
        } catch (IOException | RuntimeException e) {
            end(caller);
            throw e;
        }
        started.begin();
    }

    private void begin(String caller) throws RefusedException {
        if (!free.tryAcquire()) {
            throw RefusedException.unavailable("too many bodies of requests are being read; try again later");
        }
        if (reading.merge(caller, 1, Integer::sum) > limits.mostOfOne()) {
            end(caller);
            throw RefusedException.unavailable(
                    "too many bodies of requests of " + caller + " are being read; send fewer at once");
        }
    }

    private void end(String caller) {
        reading.computeIfPresent(caller, (name, bodies) -> bodies == 1 ? null : bodies - 1);
        free.release();
    }

    private RefusedException tooLarge() {
        return RefusedException.of(
                Kind.TOO_LARGE, "too-large", "the body is larger than " + limits.largest() + " bytes; send less");
    }

    /** The reading of one body. The web server never makes two of these calls at the same time. */
    private final class Reading implements ReadListener, AsyncListener {
        private final AsyncContext context;
        private final String caller;
        private final Receiver receiver;
        private final ServletInputStream in;
        private final ByteArrayOutputStream read = new ByteArrayOutputStream();
        private long size;
        private boolean over;

        Reading(AsyncContext context, String caller, Receiver receiver, ServletInputStream in) {
            this.context = context;
            this.caller = caller;
            this.receiver = receiver;
            this.in = in;
        }

        void begin() {
            context.setTimeout(limits.millis());
            context.addListener(this);
            in.setReadListener(this);
        }

        @Override
        public void onDataAvailable() throws IOException {
            byte[] chunk = new byte[CHUNK];
            while (in.isReady() && !in.isFinished()) {
                int length = in.read(chunk);
                if (length < 0) {
                    return;
                }
                size += length;
                if (size <= limits.largest()) {
                    read.write(chunk, 0, length);
                } else if (size > limits.largest() + DROPPED_BYTES) {
                    refuse(tooLarge());
                    return;
                }
            }
        }

        @Override
        public void onAllDataRead() throws IOException {
            if (size > limits.largest()) {
                refuse(tooLarge());
            } else {
                finish(read::toByteArray);
            }
        }

        @Override
        public void onError(Throwable problem) {
            refuseQuietly(RefusedException.badRequest("the body is incomplete; send it again"));
        }

        @Override
        public void onTimeout(AsyncEvent event) throws IOException {
            refuse(RefusedException.of(
                    Kind.REQUEST_TIMEOUT,
                    "request-timeout",
                    "the body did not come within " + limits.millis() / 1_000.0 + " s; send it faster"));
        }

        @Override
        public void onError(AsyncEvent event) {
            refuseQuietly(RefusedException.badRequest("the body is incomplete; send it again"));
        }

        @Override
        public void onStartAsync(AsyncEvent event) {}

        @Override
        public void onComplete(AsyncEvent event) {
            leave();
        }

        private void refuseQuietly(RefusedException reason) {
            try {
                refuse(reason);
            } catch (IOException | RuntimeException e) {
                // The client is gone, so nobody reads the answer.
                leave();
            }
        }

        private void refuse(RefusedException reason) throws IOException {
            if (!over && context.getResponse() instanceof HttpServletResponse response) {
                response.setHeader("Connection", "close");
            }
            finish(() -> {
                throw reason;
            });
        }

        private void finish(Body body) throws IOException {
            if (over) {
                return;
            }
            leave();
            try {
                receiver.receive(body);
            } finally {
                context.complete();
            }
        }

        private void leave() {
            if (!over) {
                over = true;
                end(caller);
            }
        }
    }
}
