// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.heddle.testkit.Await;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** After any end of an agent, no process of its tasks lives. All tasks are started by threads of a pool. */
class AgentDeathTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    private static final List<String> TASKS = List.of(
            "%1$s1 | %1$s2 | cat", // a pipeline
            "(setsid %1$s3 &); exec %1$s4", // a program that leaves session and parent
            // The task ends when it has left two: before they have a session of their own, they end with it.
            "setsid sh -c 'echo > left; cd /; (%1$s5 &) ; exec %1$s6' & until [ -e left ]; do sleep 0.1; done",
            "exec env -i %1$s7", // without an environment
            "env -i setsid %1$s8 & env -i sh -c 'setsid %1$s9 &'; wait", // nor a session, nor a parent
            "trap '' TERM HUP INT; %1$s10"); // ignores what can be ignored

    /** Of the third task, which ends. */
    private static final List<Integer> LEFT = List.of(5, 6);

    private static final int SLEEPERS = 10;

    @TempDir
    private Path directory;

    /** The begin of a command line, with a part of a second that no other test has. */
    private String sleep() {
        return "sleep 86399." + Integer.toUnsignedString(directory.hashCode()) + "0";
    }

    /** The processes of this test, by their command lines. */
    private Set<String> sleepers() {
        try (Stream<Path> all = Files.list(Path.of("/proc"))) {
            return all.map(AgentDeathTest::commandLine)
                    .filter(line -> line.startsWith(sleep()))
                    .collect(Collectors.toSet());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String commandLine(Path process) {
        try {
            return Files.readString(process.resolve("cmdline"), StandardCharsets.ISO_8859_1)
                    .replace('\0', ' ')
                    .strip();
        } catch (IOException e) {
            return ""; // it has ended, or is no process
        }
    }

    private void start(ConnectedAgent agent) throws IOException {
        for (int i = 0; i < TASKS.size(); i++) {
            String key = "t/" + i;
            List<String> command = List.of("sh", "-c", String.format(TASKS.get(i), sleep()));
            agent.send(FrameCodec.launch(
                    new LaunchSpec(key, key, false, "", command, Map.of(), List.of(), 0, 0, 0, List.of())));
            agent.event(AgentProtocol.STARTED, key);
        }
        Await.until("all processes to run", LONG, () -> sleepers().size() >= SLEEPERS - LEFT.size());
    }

    private static void signal(String name, long pid) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(pid))
                        .start()
                        .waitFor())
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"KILL", "TERM", "STOP KILL"})
    void noProcessOfATaskOutlivesItsAgent(String signals) throws Exception {
        try (ConnectedAgent agent = new ConnectedAgent(directory, Map.of())) {
            start(agent);
            for (String name : signals.split(" ", -1)) {
                signal(name, agent.pid());
            }
            assertThat(agent.ends()).isTrue();
            Await.until("all processes to end", LONG, () -> sleepers().isEmpty());
        }
    }

    /** The guard has the agent's user, so a task can kill it. */
    @Test
    void aGuardThatIsKilledIsReplaced() throws Exception {
        isReplacedAfter("KILL");
    }

    @Tag("long-1")
    @Test
    void aGuardThatIsStoppedIsReplaced() throws Exception {
        isReplacedAfter("STOP");
    }

    private void isReplacedAfter(String signal) throws Exception {
        try (ConnectedAgent agent = new ConnectedAgent(directory, Map.of())) {
            start(agent);
            Set<Long> before = guards(agent);
            assertThat(before).hasSize(1);
            signal(signal, before.iterator().next());
            Await.until("another guard", LONG, () -> guards(agent).stream().anyMatch(pid -> !before.contains(pid)));
            agent.answers(1);
            signal("KILL", agent.pid());
            Await.until("all processes to end", LONG, () -> sleepers().isEmpty());
        }
    }

    private static Set<Long> guards(ConnectedAgent agent) {
        return ProcessHandle.of(agent.pid()).stream()
                .flatMap(ProcessHandle::children)
                .map(ProcessHandle::pid)
                .filter(pid -> commandLine(Path.of("/proc", Long.toString(pid))).contains(" guard HEDDLE_GUARD="))
                .collect(Collectors.toSet());
    }

    @Test
    void whatATaskLeavesIsKilledSoonAfterItsEnd() throws Exception {
        try (ConnectedAgent agent = new ConnectedAgent(directory, Map.of())) {
            start(agent);
            Path begun = directory.resolve("sandboxes/t/2/left");
            Await.until("it to leave some", LONG, () -> Files.exists(begun));
            Await.until(
                    "what it has left to end",
                    LONG,
                    () -> sleepers().stream()
                            .noneMatch(line -> LEFT.stream().anyMatch(number -> line.equals(sleep() + number))));
            assertThat(sleepers()).hasSize(SLEEPERS - LEFT.size());
        }
    }
}
