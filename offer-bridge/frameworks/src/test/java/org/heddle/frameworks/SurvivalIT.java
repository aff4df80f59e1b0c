// SPDX-License-Identifier: Apache-2.0
package org.heddle.frameworks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.heddle.frameworks.fixture.Bridged;
import org.heddle.frameworks.fixture.BridgedCluster;
import org.heddle.frameworks.fixture.Command;
import org.heddle.frameworks.fixture.MpiPrograms;
import org.heddle.testkit.Await;
import org.heddle.testkit.HeddleCluster;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What the frameworks do when the bridge, the daemon of the queue, an agent or a task's process is killed. */
@Tag("soak")
class SurvivalIT {
    private static final Duration LONG = Duration.ofSeconds(90);

    @RegisterExtension
    static final HeddleCluster cluster = BridgedCluster.twoNodes().build();

    @TempDir
    Path home;

    private static void submit(Bridged bridge, Path home, String... options) throws Exception {
        List<String> words = new java.util.ArrayList<>(
                List.of("batch", "--dir", home.resolve("batch").toString(), "qsub", "--mem", "64", "--output"));
        words.add(home.toString());
        words.addAll(List.of(options));
        try (Command command = bridge.start(home, words)) {
            assertThat(command.await(LONG)).as(command.text()).isZero();
        }
    }

    private Command serve(Bridged bridge) throws Exception {
        return bridge.serve(home, home.resolve("batch").toString());
    }

    /** The queue as the daemon has saved it. */
    private String queue() throws Exception {
        return Files.readString(home.resolve("batch/queue.json"));
    }

    private void awaitQueue(String text) {
        Await.until("the queue to have " + text, LONG, () -> queue().contains(text), () -> {
            try {
                return queue();
            } catch (Exception e) {
                return e.toString();
            }
        });
    }

    @Test
    void bridgeAndDaemonAreKilled() throws Exception {
        Path ring = MpiPrograms.compile("ring", home);
        try (Bridged bridge = new Bridged(cluster, Files.createDirectory(home.resolve("bridge")));
                Command mpi = bridge.start(home, "mpiexec", "-n", "2", "--mem", "64", ring.toString(), "40", "1")) {
            mpi.awaitText("round 1\n", LONG);
            submit(bridge, home, "-n", "2", "sleep 15; echo done");
            try (Command first = serve(bridge)) {
                awaitQueue("RUNNING");
                first.kill();
            }
            bridge.replace();
            try (Command second = serve(bridge)) {
                second.awaitText("continues framework", LONG);
                awaitQueue("\"DONE\"");
                assertThat(home.resolve("1.0.out")).hasContent("done");
            }
            assertThat(mpi.await(LONG)).as(mpi.text()).isZero();
            assertThat(mpi.out()).endsWith("ring of 2, 40 rounds: 80\n");
        }
    }

    private static ProcessHandle process(String text) {
        return Await.value(
                "a process of " + text,
                LONG,
                () -> ProcessHandle.current()
                        .descendants()
                        .filter(one -> one.info().commandLine().orElse("").endsWith("sleep " + text))
                        .findFirst()
                        .orElse(null));
    }

    @Test
    void aTasksProcessAndAnAgentAreKilled() throws Exception {
        Path ring = MpiPrograms.compile("ring", home);
        try (Bridged bridge = new Bridged(cluster, Files.createDirectory(home.resolve("bridge")));
                Command daemon = serve(bridge)) {
            submit(bridge, home, "exec sleep 9871");
            process("9871").destroyForcibly();
            awaitQueue("Command terminated with signal 9");
            submit(bridge, home, "exec sleep 9872");
            ProcessHandle agent = process("9872").parent().orElseThrow();
            while (!agent.info().commandLine().orElse("").contains("java")) {
                agent = agent.parent().orElseThrow();
            }
            agent.destroyForcibly();
            daemon.awaitText("job 2 is queued again", LONG);
            process("9872").destroyForcibly();
            try (Command mpi = bridge.start(home, "mpiexec", "-n", "2", "--mem", "64", ring.toString(), "9999", "1")) {
                mpi.awaitText("round 1\n", LONG);
                ProcessHandle rank = Await.value(
                        "a process of ring",
                        LONG,
                        () -> ProcessHandle.current()
                                .descendants()
                                .filter(one -> one.info().command().orElse("").equals(ring.toString()))
                                .findFirst()
                                .orElse(null));
                rank.destroyForcibly();
                assertThat(mpi.await(LONG)).as(mpi.text()).isNotZero();
                Await.until(
                        "all processes to end",
                        LONG,
                        () -> ProcessHandle.current()
                                .descendants()
                                .noneMatch(
                                        one -> one.info().command().orElse("").equals(ring.toString())));
            }
        }
    }
}
