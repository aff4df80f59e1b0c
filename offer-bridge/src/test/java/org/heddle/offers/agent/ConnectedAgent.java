// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
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
                        Program.java(),
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
