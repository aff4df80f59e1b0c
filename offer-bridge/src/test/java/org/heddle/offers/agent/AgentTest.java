// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.heddle.offers.fixture.Program;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An agent's process, and this test in place of the bridge. */
class AgentTest {
    private static final int TASKS = 200;

    /** As a NodeManager ends a container, by SIGTERM. The bridge hears from YARN why, and tells frameworks that. */
    @Test
    void whatEndsWithItsContainerIsNotReportedAsKilled(@TempDir Path directory) throws Exception {
        try (ConnectedAgent agent = new ConnectedAgent(directory, Map.of())) {
            for (int i = 0; i < TASKS; i++) {
                agent.send(FrameCodec.launch(sleeping("task" + i)));
            }
            for (int i = 0; i < TASKS; i++) {
                assertThat(event(agent.read())).isEqualTo(AgentProtocol.STARTED);
            }
            agent.end();
            assertThat(eventsToTheEnd(agent)).isEmpty();
            assertThat(agent.ends()).isTrue();
        }
    }

    /** The machine of a stopped process still takes its connections; with TLS the handshake waits. */
    @Tag("long-1")
    @ParameterizedTest
    @ValueSource(strings = {"", "00ff"})
    void aBridgeThatIsStoppedHoldsNoAgent(String certificate, @TempDir Path directory) throws Exception {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (ServerSocket stopped = new ServerSocket(0, 50, loopback);
                ServerSocket next = new ServerSocket(0, 50, loopback)) {
            ProcessBuilder builder = new ProcessBuilder(
                            Program.java(), "-cp", System.getProperty("java.class.path"), Agent.class.getName())
                    .directory(directory.toFile())
                    .inheritIO();
            builder.environment()
                    .putAll(Map.of(
                            "HEDDLE_BRIDGE",
                            "127.0.0.1:" + stopped.getLocalPort() + ",127.0.0.1:" + next.getLocalPort(),
                            "HEDDLE_CERTIFICATE",
                            certificate,
                            "HEDDLE_CONTAINER",
                            "container_1",
                            "HEDDLE_SECRET",
                            "secret"));
            Process agent = builder.start();
            try {
                next.setSoTimeout(50_000);
                next.accept().close();
            } finally {
                agent.destroyForcibly();
            }
        }
    }

    private static LaunchSpec sleeping(String key) {
        return new LaunchSpec(key, key, false, "", List.of("sleep", "1000"), Map.of(), List.of(), 0, 0, 0, List.of());
    }

    /** What an event of the agent says. */
    private static byte event(byte[] frame) {
        assertThat(frame[0]).isEqualTo(AgentProtocol.EVENT);
        return frame[1 + Long.BYTES];
    }

    private static List<String> eventsToTheEnd(ConnectedAgent agent) throws IOException {
        List<String> events = new ArrayList<>();
        try {
            while (true) {
                byte[] frame = agent.read();
                events.add(event(frame) + " with number "
                        + ByteBuffer.wrap(frame, 1, Long.BYTES).getLong());
            }
        } catch (EOFException e) {
            return events;
        }
    }
}
