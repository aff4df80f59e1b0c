// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.heddle.offers.fixture.Program;
import org.heddle.testkit.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.opentest4j.TestAbortedException;

/**
 * A task takes all processes and threads that its user may have: the agent starts none, and lives. It needs a cgroup
 * that limits their number.
 */
class ForkBombTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final int MOST = 100;
    private static final String BOMB = "t/bomb";
    private static final String KEPT = "t/kept";

    @TempDir
    private Path directory;

    private Path group;

    /** The task. */
    public static final class Bomb {
        private Bomb() {}

        public static void main(String[] arguments) {
            while (true) {
                try {
                    new Thread(LockSupport::park).start();
                } catch (OutOfMemoryError e) {
                    LockSupport.parkNanos(1_000_000);
                }
            }
        }
    }

    @BeforeEach
    void limit() throws IOException {
        for (String root : List.of("/sys/fs/cgroup/pids", "/sys/fs/cgroup")) {
            Path made = Path.of(root, "heddle-test." + ProcessHandle.current().pid());
            try {
                Files.createDirectory(made);
                Files.writeString(made.resolve("pids.max"), Integer.toString(MOST));
                group = made;
                return;
            } catch (IOException e) {
                Files.deleteIfExists(made);
            }
        }
        throw new TestAbortedException("this test needs cgroups with the controller pids, and the right to make one");
    }

    @AfterEach
    void remove() {
        Await.until("the group " + group + " to be empty", LONG, () -> {
            try {
                return Files.deleteIfExists(group);
            } catch (IOException e) {
                return false; // a process in it has not gone yet
            }
        });
    }

    private static byte[] launch(String key, List<String> command, LaunchSpec.Uri... uris) {
        return FrameCodec.launch(
                new LaunchSpec(key, key, false, "", command, Map.of(), List.of(uris), 0, 0, 0, List.of()));
    }

    private long used() {
        try {
            return Long.parseLong(
                    Files.readString(group.resolve("pids.current")).strip());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** @param guarded whether the shell beside the agent lives; a task can kill it, and no other one can start */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theAgentLivesAndEndsIt(boolean guarded) throws Exception {
        String enter = "echo $$ > " + group.resolve("cgroup.procs") + "; ";
        try (ConnectedAgent agent = new ConnectedAgent(directory, Map.of(), enter)) {
            agent.send(launch(KEPT, List.of("sleep", "1000")));
            long kept = agent.event(AgentProtocol.STARTED, KEPT).readLong();
            agent.send(launch("t/ends", List.of("sleep", "1000")));
            agent.event(AgentProtocol.STARTED, "t/ends");
            agent.send(launch(
                    BOMB,
                    List.of(
                            Program.java(),
                            "-Xss256k",
                            "-cp",
                            System.getProperty("java.class.path"),
                            Bomb.class.getName())));
            agent.event(AgentProtocol.STARTED, BOMB);
            Await.until("nothing to be left", LONG, () -> used() >= MOST);
            if (!guarded) {
                killTheGuard(agent);
            }
            agent.send(launch("t/fetches", List.of("true"), new LaunchSpec.Uri("/etc/hostname", false, false, "h")));
            agent.send(launch("t/other", List.of("true")));
            agent.event(AgentProtocol.NOT_STARTED, "t/other");
            agent.kill("t/ends", 0);
            assertThat(agent.event(AgentProtocol.EXITED, "t/ends").readInt()).isEqualTo(128 + 9);
            agent.answers(1);
            assertThat(agent.files(AgentProtocol.LIST, BOMB).good()).isTrue();
            agent.kill(BOMB, 0);
            agent.event(AgentProtocol.EXITED, BOMB);
            assertThat(ProcessHandle.of(kept)).isPresent();
            agent.send(launch("t/later", List.of("true")));
            assertThat(agent.event(AgentProtocol.EXITED, "t/later").readInt()).isZero();
            agent.kill(KEPT, 0);
            agent.event(AgentProtocol.EXITED, KEPT);
        }
    }

    private static void killTheGuard(ConnectedAgent agent) throws IOException {
        List<ProcessHandle> shells = ProcessHandle.of(agent.pid()).stream()
                .flatMap(ProcessHandle::children)
                .filter(child -> child.info().command().orElse("").endsWith("sh"))
                .toList();
        assertThat(shells).hasSize(1);
        shells.get(0).destroyForcibly();
        shells.get(0).onExit().join();
        agent.answers(0);
    }
}
