// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.agent;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Carries out the frames of the bridge. Tasks depend on the thread that reads them, so nothing here waits for a file, a
 * process, an executor or the network, and a frame that cannot be carried out is ignored: it ends neither the agent nor
 * the connection.
 */
final class FrameHandler {
    private final Outbox outbox;
    private final Processes processes;
    private final FileRequests files;

    FrameHandler(Outbox outbox, Processes processes, FileRequests files) {
        this.outbox = outbox;
        this.processes = processes;
        this.files = files;
    }

    /** @param frame its first byte is its kind */
    void handle(byte[] frame) {
        try {
            handle(frame[0], new DataInputStream(new ByteArrayInputStream(frame, 1, frame.length - 1)));
        } catch (IOException | RuntimeException | OutOfMemoryError e) { // the last: no thread
            Agent.log("frame of kind " + frame[0] + " ignored: " + e);
        }
    }

    private void handle(byte kind, DataInputStream in) throws IOException {
        switch (kind) {
            case AgentProtocol.SETTLE -> processes.settled(in.readLong());
            case AgentProtocol.LAUNCH -> processes.launch(LaunchSpec.read(in));
            case AgentProtocol.KILL -> processes.kill(in.readUTF(), in.readLong());
            case AgentProtocol.HTTP_REPLY -> reply(in);
            case AgentProtocol.STREAM -> stream(in);
            case AgentProtocol.READ -> files.read(in.readLong(), FrameCodec.readText(in), in.readLong(), in.readLong());
            case AgentProtocol.LIST -> files.list(in.readLong(), FrameCodec.readText(in));
            case AgentProtocol.PING -> pong(in.readLong());
            default -> Agent.log("frame of unknown kind " + kind + " ignored");
        }
    }

    private void reply(DataInputStream in) throws IOException {
        long seq = in.readLong();
        ExecutorEndpoint endpoint = endpoint(in.readUTF());
        int status = in.readInt();
        String type = in.readUTF();
        boolean open = in.readBoolean();
        byte[] body = FrameCodec.readBytes(in);
        if (endpoint != null) {
            endpoint.reply(seq, status, type, open, body);
        }
    }

    private void stream(DataInputStream in) throws IOException {
        ExecutorEndpoint endpoint = endpoint(in.readUTF());
        String once = FrameCodec.readText(in);
        byte[] record = FrameCodec.readBytes(in);
        if (endpoint != null) {
            endpoint.send(once, record);
        }
    }

    /** In the thread that carries out orders, so that the answer shows that it lives. */
    private void pong(long number) {
        SandboxCollector collector = processes.sandboxes().collector();
        outbox.now(FrameCodec.frame(AgentProtocol.PONG, out -> {
            out.writeLong(number);
            out.writeLong(collector.kept());
            out.writeLong(collector.deleted());
        }));
    }

    private @Nullable ExecutorEndpoint endpoint(String key) {
        Processes.Running entry = processes.running().get(key);
        return entry == null ? null : entry.endpoint();
    }
}
