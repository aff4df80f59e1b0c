// SPDX-License-Identifier: Apache-2.0
package org.heddle.frameworks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.heddle.frameworks.fixture.Bridged;
import org.heddle.frameworks.fixture.BridgedCluster;
import org.heddle.frameworks.fixture.Command;
import org.heddle.frameworks.fixture.Farm;
import org.heddle.frameworks.fixture.MpiPrograms;
import org.heddle.testkit.Await;
import org.heddle.testkit.ClusterNode;
import org.heddle.testkit.HeddleCluster;
import org.heddle.testkit.jobs.WebClients;
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
        List<String> words = new ArrayList<>(
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

    private static ProcessHandle sleeper(String seconds) {
        return process("sleep " + seconds, one -> commandLine(one).endsWith("sleep " + seconds));
    }

    private static ProcessHandle process(String what, Predicate<ProcessHandle> wanted) {
        return Await.value(
                "a process of " + what,
                LONG,
                () -> ProcessHandle.current()
                        .descendants()
                        .filter(wanted)
                        .findFirst()
                        .orElse(null));
    }

    private static String commandLine(ProcessHandle process) {
        return process.info().commandLine().orElse("");
    }

    /** The bridge's agent that started a process. */
    private static ProcessHandle agentOf(ProcessHandle process) {
        ProcessHandle agent = process.parent().orElseThrow();
        while (!commandLine(agent).contains("java")) {
            agent = agent.parent().orElseThrow();
        }
        return agent;
    }

    @Test
    void aTasksProcessAndAnAgentAreKilled() throws Exception {
        Path ring = MpiPrograms.compile("ring", home);
        try (Bridged bridge = new Bridged(cluster, Files.createDirectory(home.resolve("bridge")));
                Command daemon = serve(bridge)) {
            submit(bridge, home, "exec sleep 9871");
            sleeper("9871").destroyForcibly();
            awaitQueue("Command terminated with signal 9");
            submit(bridge, home, "exec sleep 9872");
            agentOf(sleeper("9872")).destroyForcibly();
            daemon.awaitText("job 2 is queued again", LONG);
            sleeper("9872").destroyForcibly();
            try (Command mpi = bridge.start(home, "mpiexec", "-n", "2", "--mem", "64", ring.toString(), "9999", "1")) {
                mpi.awaitText("round 1\n", LONG);
                rank(ring).destroyForcibly();
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

    private static ProcessHandle rank(Path ring) {
        return process("ring", one -> one.info().command().orElse("").equals(ring.toString()));
    }

    @Test
    void anMpiProgramThatLosesAnAgentBeginsAgain() throws Exception {
        Path ring = MpiPrograms.compile("ring", home);
        try (Bridged bridge = new Bridged(cluster, Files.createDirectory(home.resolve("bridge")));
                Command mpi = bridge.start(
                        home, "mpiexec", "-n", "2", "--mem", "64", "--restarts", "1", ring.toString(), "8", "1")) {
            mpi.awaitText("round 1\n", LONG);
            agentOf(rank(ring)).destroyForcibly();
            assertThat(mpi.await(LONG)).as(mpi.text()).isZero();
            assertThat(mpi.text()).contains("starts again from the beginning, 1 of 1");
            assertThat(mpi.out()).endsWith("ring of 2, 8 rounds: 16\n");
        }
    }

    @Test
    void theWebFarmReplacesServersAndDropsOnlyWhatTheyWereServing() throws Exception {
        Files.writeString(home.resolve("page"), "x".repeat(20_000));
        Losses losses = new Losses();
        try (Bridged bridge = new Bridged(cluster, Files.createDirectory(home.resolve("bridge")));
                Farm farm = new Farm(
                        bridge,
                        home,
                        "--least=2",
                        "--most=2",
                        "--per-node=2",
                        "--location=limit_rate 20k; root " + home + ";")) {
            farm.awaitServing(2);
            try (WebClients clients = farm.clients("/page", 6, Duration.ofMillis(20))) {
                awaitPages(clients);
                ProcessHandle server = Farm.servers(cluster.directory()).get(0);
                losses.kill(List.of(server));
                farm.awaitText("serves with web2");
                farm.awaitServing(2);

                bridge.replace();
                awaitPages(clients);
                server = Farm.servers(cluster.directory()).get(0);
                losses.kill(List.of(agentOf(server), server));
                farm.awaitText("serves with web3");
                farm.awaitServing(2);

                ClusterNode node = cluster.nodes().stream()
                        .filter(one -> !Farm.servers(directory(one)).isEmpty())
                        .findFirst()
                        .orElseThrow();
                List<ProcessHandle> servers = Farm.servers(directory(node));
                node.stop();
                losses.add(servers);
                farm.awaitText("serves with web4");
                farm.awaitServing(2);
                awaitPages(clients);
                node.restart();
                assertThat(clients.dropped())
                        .as("dropped although their server lived: " + farm.text())
                        .allMatch(losses::explain);
            }
        }
    }

    private static Path directory(ClusterNode node) {
        return node.logDirectory().resolveSibling("local");
    }

    private static void awaitPages(WebClients clients) {
        int before = clients.requests().size();
        Await.until("more pages", LONG, () -> clients.requests().size() >= before + 12);
    }

    /** When servers ended: what they were serving then may be dropped. */
    private static final class Losses {
        /** An end is noticed so much later at most. */
        private static final long NOTICED_NANOS = TimeUnit.SECONDS.toNanos(2);

        private final List<Long> endNanos = new ArrayList<>();

        void kill(List<ProcessHandle> processes) {
            processes.forEach(ProcessHandle::destroyForcibly);
            add(processes);
        }

        /** Waits until they have ended. */
        void add(List<ProcessHandle> processes) {
            processes.forEach(one -> one.onExit().join());
            endNanos.add(System.nanoTime());
        }

        boolean explain(WebClients.Request dropped) {
            return endNanos.stream()
                    .anyMatch(end -> dropped.beginNanos() < end && dropped.endNanos() > end - NOTICED_NANOS);
        }
    }
}
