// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
