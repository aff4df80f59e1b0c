// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.agents;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.heddle.offers.agent.FrameCodec;
import org.heddle.offers.master.state.AgentContainer;
import org.heddle.offers.master.state.AgentLink;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Requests about sandboxes that agents have not answered. Thread-safe. */
@SuppressWarnings("FutureReturnValueIgnored") // answers are passed on
final class SandboxRequests {
    private static final Logger LOG = LoggerFactory.getLogger(SandboxRequests.class);
    private static final long TIMEOUT_SECONDS = 10;

    private record Request(AgentLink to, CompletableFuture<byte[]> answer) {}

    private final Map<Long, Request> waiting = new ConcurrentHashMap<>();
    private final AtomicLong requests = new AtomicLong();

    CompletableFuture<byte[]> send(AgentContainer container, byte kind, FrameCodec.Fields fields) {
        CompletableFuture<byte[]> answer = new CompletableFuture<>();
        AgentLink link = container.link();
        if (link == null) {
            answer.completeExceptionally(
                    new IOException("The agent of container " + container.id() + " is not connected."));
            return answer;
        }
        long request = requests.incrementAndGet();
        waiting.put(request, new Request(link, answer));
        link.send(FrameCodec.frame(kind, out -> {
            out.writeLong(request);
            fields.write(out);
        }));
        return answer.orTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS)
                .whenComplete((bytes, error) -> waiting.remove(request));
    }

    /**
     * Completes a request with its answer; the first byte of the frame is its kind. Of another connection than the one
     * that was asked it is ignored: its sender may be a stranger, or the agent of another framework.
     */
    void reply(AgentLink from, byte[] frame) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(frame, 1, frame.length - 1))) {
            Request request = waiting.get(in.readLong());
            if (request == null || request.to() != from) {
                return;
            }
            boolean good = in.readBoolean();
            byte[] body = FrameCodec.readBytes(in);
            if (good) {
                request.answer().complete(body);
            } else {
                request.answer().completeExceptionally(new IOException(new String(body, StandardCharsets.UTF_8)));
            }
        } catch (IOException e) {
            LOG.warn("An agent's answer cannot be read: {}", e.getMessage());
        }
    }
}
