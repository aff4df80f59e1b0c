// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.heddle.testkit.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** KILL, with and without grace, in each state of a process. */
class AgentKillTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final long GRACE = 50_000;
    private static final String TASK = "t/one";

    /** Needs half a second after TERM, and says so. */
    private static final String PROGRAM =
            "sh -c 'trap \"sleep 0.5; echo clean; exit 0\" TERM; echo ready; while :; do sleep 0.05; done'";

    @TempDir
    private Path directory;

    private ConnectedAgent agent;

    @BeforeEach
    void start() throws IOException {
        agent = new ConnectedAgent(directory, Map.of());
    }

    @AfterEach
    void end() throws IOException {
        agent.close();
    }

    private void launch(String key, String line, LaunchSpec.Uri... uris) throws IOException {
        agent.send(FrameCodec.launch(new LaunchSpec(
                key, key, false, "", List.of("sh", "-c", line), Map.of(), List.of(uris), 0, 0, 0, List.of())));
    }

    private String stdout() {
        try {
            return Files.readString(directory.resolve("sandboxes").resolve(TASK).resolve("stdout"));
        } catch (IOException e) {
            return "";
        }
    }

    private void isKilled(String key) throws IOException {
        DataInputStream ended = agent.event(AgentProtocol.EXITED, key);
        ended.readInt();
        assertThat(ended.readBoolean()).as("killed").isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"exec %s", "%s", "cd /; %s; echo", "%s & wait"})
    void theGraceIsThatOfTheWholeGroup(String line) throws Exception {
        launch(TASK, String.format(line, PROGRAM));
        Await.until("the program to be ready", LONG, () -> stdout().contains("ready"));
        agent.kill(TASK, GRACE);
        isKilled(TASK);
        assertThat(stdout()).contains("clean");
    }

    @Test
    void aGroupThatIgnoresTermEndsWithItsGrace() throws Exception {
        launch(TASK, "(trap '' TERM; echo ready; while :; do sleep 0.05; done) & wait");
        Await.until("the program to be ready", LONG, () -> stdout().contains("ready"));
        agent.kill(TASK, 100);
        isKilled(TASK);
    }

    @Test
    void aLaterKillWithoutGraceEndsIt() throws Exception {
        launch(TASK, "(trap '' TERM; echo ready; while :; do sleep 0.05; done) & wait");
        Await.until("the program to be ready", LONG, () -> stdout().contains("ready"));
        agent.kill(TASK, GRACE);
        agent.answers(1);
        agent.kill(TASK, 0);
        isKilled(TASK);
    }

    /** Where the container executor has not made it the user of the container, nobody can. */
    @Test
    void anotherUserThanThatOfTheContainerIsRefused() throws Exception {
        String own = System.getProperty("user.name");
        for (LaunchSpec.Uri[] uris :
                new LaunchSpec.Uri[][] {{}, {new LaunchSpec.Uri("file:///etc/hostname", false, false, "h")}}) {
            String other = "t/other" + uris.length;
            agent.send(FrameCodec.launch(asUser(other, "nobody-else", uris)));
            assertThat(FrameCodec.readText(agent.event(AgentProtocol.NOT_STARTED, other)))
                    .startsWith("command.user is 'nobody-else', and containers on this node run as '" + own + "': ");
            agent.send(FrameCodec.launch(asUser("t/own" + uris.length, own, uris)));
            assertThat(agent.event(AgentProtocol.EXITED, "t/own" + uris.length).readInt())
                    .isZero();
        }
    }

    private static LaunchSpec asUser(String key, String user, LaunchSpec.Uri... uris) {
        return new LaunchSpec(key, key, false, user, List.of("true"), Map.of(), List.of(uris), 0, 0, 0, List.of());
    }

    @Test
    void killInterruptsAFetchAndSlowFetchesHoldUpNobody() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            LaunchSpec.Uri slow =
                    new LaunchSpec.Uri("http://127.0.0.1:" + silent.getLocalPort() + "/file", true, false, "");
            for (int i = 0; i < 5; i++) {
                launch("t/slow" + i, "true", slow);
            }
            launch(TASK, "true");
            agent.event(AgentProtocol.EXITED, TASK);
            launch("t/fetches", "true", new LaunchSpec.Uri("file:///etc/hostname", false, false, "h"));
            agent.event(AgentProtocol.EXITED, "t/fetches");
            for (int i = 0; i < 5; i++) {
                agent.kill("t/slow" + i, GRACE);
                isKilled("t/slow" + i);
            }
        }
    }
}
