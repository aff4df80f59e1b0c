// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.agent;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Answers requests for files of sandboxes, in threads of their own: a file may be on a disk that does not answer. Then
 * the requests that follow are refused, and the tasks go on.
 */
final class FileRequests {
    /** Each needs a few times the longest part of a file, and the heap is small. */
    private static final int THREADS = 2;

    private static final int MOST_WAITING = 64;

    private final Sandboxes sandboxes;
    private final Outbox outbox;
    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            THREADS,
            THREADS,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MOST_WAITING),
            task -> Agent.thread("files", task));

    FileRequests(Sandboxes sandboxes, Outbox outbox) {
        this.sandboxes = sandboxes;
        this.outbox = outbox;
        threads.prestartAllCoreThreads();
    }

    void read(long request, String path, long offset, long length) {
        answer(request, out -> sandboxes.read(path, offset, length, out));
    }

    void list(long request, String path) {
        answer(request, out -> sandboxes.list(path, out));
    }

    private void answer(long request, FrameCodec.Fields fields) {
        try {
            threads.execute(() -> answerNow(request, fields));
        } catch (RejectedExecutionException e) {
            refuse(request, "the agent has " + MOST_WAITING + " other requests for files: ask again later");
        }
    }

    private void answerNow(long request, FrameCodec.Fields fields) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            fields.write(new DataOutputStream(bytes));
            send(request, true, bytes.toByteArray());
        } catch (IOException | RuntimeException e) {
            refuse(request, e.toString());
        }
    }

    private void refuse(long request, String message) {
        send(request, false, message.getBytes(StandardCharsets.UTF_8));
    }

    private void send(long request, boolean good, byte[] body) {
        outbox.now(FrameCodec.frame(AgentProtocol.REPLY, out -> {
            out.writeLong(request);
            out.writeBoolean(good);
            FrameCodec.writeBytes(out, body);
        }));
    }
}
