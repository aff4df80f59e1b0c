// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.heddle.offers.fixture.Program;

/** An agent's process, and the test in place of the bridge. */
final class ConnectedAgent implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 60_000;

    private final Process process;
    private final Socket line;
    private final DataInputStream in;

    /**
     * Starts it and greets it.
     *
     * @param directory that it works in
     * @param locale the variables with which its locale is set; it gets no others
     */
    ConnectedAgent(Path directory, Map<String, String> locale) throws IOException {
        this(directory, locale, "");
    }

    /**
     * Starts it by a shell and greets it.
     *
     * @param locale the variables with which the shell's locale is set; it gets no others
     * @param before what the shell does before it starts the agent
     */
    ConnectedAgent(Path directory, Map<String, String> locale, String before) throws IOException {
        try (ServerSocket bridge = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            bridge.setSoTimeout(PATIENCE_MILLIS);
            process = start(bridge.getLocalPort(), directory, locale, before);
            line = bridge.accept();
        }
        line.setSoTimeout(PATIENCE_MILLIS);
        in = new DataInputStream(line.getInputStream());
        assertThat(read()[0]).isEqualTo(AgentProtocol.HELLO);
        send(FrameCodec.frame(AgentProtocol.WELCOME, fields -> fields.writeInt(AgentProtocol.VERSION)));
    }

    private static Process start(int port, Path directory, Map<String, String> locale, String before)
            throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                        "bash",
                        "-c",
                        before + "exec \"$@\"",
                        "bash",
                        // As small as in a container, so that a test finds what is too large for it.
                        Program.java(),
                        "-Xmx16m",
                        "-Xmn4m",
                        "-XX:+UseSerialGC",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Agent.class.getName())
                .directory(directory.toFile())
                .inheritIO();
        builder.environment().keySet().removeIf(name -> name.matches("LANG|LC_.*"));
        builder.environment().putAll(locale);
        builder.environment()
                .putAll(Map.of(
                        "HEDDLE_BRIDGE", "127.0.0.1:" + port,
                        "HEDDLE_CONTAINER", "container_1",
                        "HEDDLE_SECRET", "secret",
                        "HEDDLE_LIMITS", "auto"));
        return builder.start();
    }

    void send(byte[] frame) throws IOException {
        line.getOutputStream().write(frame);
    }

    /** The next frame; the first byte is its kind. */
    byte[] read() throws IOException {
        return FrameCodec.readFrame(in);
    }

    /** The next frame of that kind; those before it are dropped. Its first byte is its kind. */
    byte[] next(byte kind) throws IOException {
        while (true) {
            byte[] frame = read();
            if (frame[0] == kind) {
                return frame;
            }
        }
    }

    /** The fields after the key of the next event of that kind about that process; others are dropped. */
    DataInputStream event(byte what, String key) throws IOException {
        while (true) {
            byte[] frame = next(AgentProtocol.EVENT);
            DataInputStream fields = new DataInputStream(new ByteArrayInputStream(frame, 1, frame.length - 1));
            fields.readLong();
            if (fields.readByte() == what && fields.readUTF().equals(key)) {
                return fields;
            }
        }
    }

    /** What a READ of a file or a LIST of a directory is answered: the data or the message. */
    Answer files(byte kind, String path) throws IOException {
        send(FrameCodec.frame(kind, out -> {
            out.writeLong(1);
            FrameCodec.writeText(out, path);
            if (kind == AgentProtocol.READ) {
                out.writeLong(0);
                out.writeLong(Long.MAX_VALUE);
            }
        }));
        byte[] frame = next(AgentProtocol.REPLY);
        DataInputStream fields = new DataInputStream(new ByteArrayInputStream(frame, 1, frame.length - 1));
        fields.readLong();
        return new Answer(fields.readBoolean(), FrameCodec.readBytes(fields));
    }

    record Answer(boolean good, byte[] body) {
        String message() {
            return new String(body, StandardCharsets.UTF_8);
        }
    }

    void kill(String key, long graceMillis) throws IOException {
        send(FrameCodec.frame(AgentProtocol.KILL, out -> {
            out.writeUTF(key);
            out.writeLong(graceMillis);
        }));
    }

    /** Returns when the agent has carried out all orders before, which is proven by an answer to this one. */
    void answers(long number) throws IOException {
        send(FrameCodec.frame(AgentProtocol.PING, out -> out.writeLong(number)));
        byte[] frame;
        do {
            frame = next(AgentProtocol.PONG);
        } while (ByteBuffer.wrap(frame).getLong(1) != number);
    }

    long pid() {
        return process.pid();
    }

    /** SIGTERM, as a NodeManager ends a container. */
    void end() {
        process.destroy();
    }

    boolean ends() throws InterruptedException {
        return process.waitFor(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        line.close();
    }
}
