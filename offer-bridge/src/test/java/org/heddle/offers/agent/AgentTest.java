// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.heddle.offers.fixture.Program;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An agent's process, and this test in place of the bridge. */
class AgentTest {
    private static final int TASKS = 200;
    private static final int PATIENCE_MILLIS = 60_000;

    /** As a NodeManager ends a container, by SIGTERM. The bridge hears from YARN why, and tells frameworks that. */
    @Test
    void whatEndsWithItsContainerIsNotReportedAsKilled(@TempDir Path directory) throws Exception {
        try (ServerSocket bridge = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            bridge.setSoTimeout(PATIENCE_MILLIS);
            Process agent = start(bridge.getLocalPort(), directory);
            try (Socket line = bridge.accept()) {
                line.setSoTimeout(PATIENCE_MILLIS);
                DataInputStream in = new DataInputStream(line.getInputStream());
                assertThat(FrameCodec.readFrame(in)[0]).isEqualTo(AgentProtocol.HELLO);
                DataOutputStream out = new DataOutputStream(line.getOutputStream());
                out.write(FrameCodec.frame(AgentProtocol.WELCOME, fields -> fields.writeInt(AgentProtocol.VERSION)));
                for (int i = 0; i < TASKS; i++) {
                    out.write(FrameCodec.launch(sleeping("task" + i)));
                }
                for (int i = 0; i < TASKS; i++) {
                    assertThat(event(FrameCodec.readFrame(in))).isEqualTo(AgentProtocol.STARTED);
                }
                agent.destroy();
                assertThat(eventsToTheEnd(in)).isEmpty();
                assertThat(agent.waitFor(PATIENCE_MILLIS, TimeUnit.MILLISECONDS))
                        .isTrue();
            } finally {
                agent.destroyForcibly();
            }
        }
    }

    private static Process start(int port, Path directory) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                        Program.java(), "-cp", System.getProperty("java.class.path"), Agent.class.getName())
                .directory(directory.toFile())
                .inheritIO();
        builder.environment()
                .putAll(Map.of(
                        "HEDDLE_BRIDGE", "127.0.0.1:" + port,
                        "HEDDLE_CONTAINER", "container_1",
                        "HEDDLE_SECRET", "secret",
                        "HEDDLE_LIMITS", "auto"));
        return builder.start();
    }

    private static LaunchSpec sleeping(String key) {
        return new LaunchSpec(key, key, false, List.of("sleep", "1000"), Map.of(), List.of(), 0, 0, 0, List.of());
    }

    /** What an event of the agent says. */
    private static byte event(byte[] frame) {
        assertThat(frame[0]).isEqualTo(AgentProtocol.EVENT);
        return frame[1 + Long.BYTES];
    }

    private static List<String> eventsToTheEnd(DataInputStream in) throws IOException {
        List<String> events = new ArrayList<>();
        try {
            while (true) {
                byte[] frame = FrameCodec.readFrame(in);
                events.add(event(frame) + " with number "
                        + ByteBuffer.wrap(frame, 1, Long.BYTES).getLong());
            }
        } catch (EOFException e) {
            return events;
        }
    }
}
