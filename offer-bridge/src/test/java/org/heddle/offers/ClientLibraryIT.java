// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.mesos.v1.Protos.AgentID;
import org.apache.mesos.v1.Protos.CommandInfo;
import org.apache.mesos.v1.Protos.ExecutorID;
import org.apache.mesos.v1.Protos.ExecutorInfo;
import org.apache.mesos.v1.Protos.Filters;
import org.apache.mesos.v1.Protos.FrameworkID;
import org.apache.mesos.v1.Protos.Offer;
import org.apache.mesos.v1.Protos.TaskID;
import org.apache.mesos.v1.Protos.TaskInfo;
import org.apache.mesos.v1.Protos.TaskState;
import org.apache.mesos.v1.Protos.TaskStatus;
import org.apache.mesos.v1.scheduler.Protos.Event;
import org.heddle.offers.client.Bridges;
import org.heddle.offers.client.Executor;
import org.heddle.offers.client.ExecutorDriver;
import org.heddle.offers.client.HttpExecutorDriver;
import org.heddle.offers.client.HttpSchedulerDriver;
import org.heddle.offers.client.Scheduler;
import org.heddle.offers.client.SchedulerDriver;
import org.heddle.offers.example.ShellBatch;
import org.heddle.offers.fixture.AuthorsGuide;
import org.heddle.offers.fixture.Program;
import org.heddle.offers.fixture.TestBridges;
import org.heddle.offers.fixture.WireClient;
import org.heddle.offers.wire.Encoding;
import org.heddle.testkit.HeddleCluster;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Our own client on a real cluster: the example framework, an executor in Java, and how long a warm launch takes. */
class ClientLibraryIT {
    @RegisterExtension
    static final HeddleCluster cluster = HeddleCluster.builder()
            .nodes(2, Map.of("memory-mb", 4096L, "vcores", 8L))
            .build();

    @Test
    void theExampleRunsItsCommands(@TempDir Path directory) throws Exception {
        try (Bridge bridge = Bridge.start(TestBridges.settings(directory, 0, 0), cluster.configuration())) {
            List<String> commands = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                commands.add("echo " + i + " > " + directory + "/out-" + i);
            }
            runAsAuthorsDo(directory, address(bridge), commands);
            for (int i = 0; i < 12; i++) {
                assertThat(directory.resolve("out-" + i)).hasContent(Integer.toString(i));
            }
            String user = System.getProperty("user.name");
            assertThat(ShellBatch.run(Bridges.at(address(bridge)), user, List.of("true", "exit 9")))
                    .containsExactly(Map.entry("exit 9", TaskState.TASK_FAILED));
            assertThat(ShellBatch.run(Bridges.at(address(bridge)), user, List.of("echo told; echo why >&2; exit 7")))
                    .hasSize(1);
            assertThat(page(bridge, "/console/data"))
                    .as("after the end of the framework")
                    .contains("\"output\":\"told\\nwhy\\n\"", "Command exited with status 7");
        }
    }

    /** Compiles and starts the example with the jars that docs/framework-authors.md names, and no others. */
    private static void runAsAuthorsDo(Path directory, URI bridge, List<String> commands) throws Exception {
        List<String> jars = new ArrayList<>();
        for (Class<?> one : List.of(SchedulerDriver.class, Offer.class, com.google.protobuf.Message.class)) {
            jars.add(Path.of(one.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString());
        }
        List<String> command = new ArrayList<>(List.of(
                Program.java(),
                "-Xmx128m",
                "-cp",
                String.join(":", jars),
                AuthorsGuide.EXAMPLE.toAbsolutePath().toString(),
                bridge.toString()));
        command.addAll(commands);
        Program.run(directory, Duration.ofSeconds(60), command);
    }

    private static String page(Bridge bridge, String path) throws IOException {
        try (InputStream in = address(bridge).resolve(path).toURL().openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static URI address(Bridge bridge) {
        return URI.create("http://127.0.0.1:" + bridge.httpAddress().getPort());
    }

    /** The executor's process: says hello to its framework for each task. */
    public static final class Greeter implements Executor {
        public static void main(String[] args) throws InterruptedException {
            new HttpExecutorDriver(new Greeter(), System.getenv()).run();
        }

        @Override
        public void launchTask(ExecutorDriver driver, TaskInfo task) {
            driver.sendStatusUpdate(status(task, TaskState.TASK_RUNNING));
            driver.sendFrameworkMessage(task.getData().toByteArray());
            driver.sendStatusUpdate(status(task, TaskState.TASK_FINISHED));
        }

        @Override
        public void launchTaskGroup(ExecutorDriver driver, List<TaskInfo> tasks) {
            driver.sendFrameworkMessage(("group of " + tasks.size()).getBytes(StandardCharsets.UTF_8));
            Executor.super.launchTaskGroup(driver, tasks);
        }

        private static TaskStatus status(TaskInfo task, TaskState state) {
            return TaskStatus.newBuilder()
                    .setTaskId(task.getTaskId())
                    .setState(state)
                    .build();
        }

        @Override
        public void killTask(ExecutorDriver driver, TaskID taskId) {}
    }

    /** Runs five tasks under one executor, one by one or two of them as a group, and notes what it says. */
    private static final class Greeted implements Scheduler {
        private static final int WANTED = 5;

        private final boolean grouped;
        private final Map<String, String> messages = new ConcurrentHashMap<>();
        private final LinkedBlockingQueue<String> finished = new LinkedBlockingQueue<>();
        private final Set<AgentID> agents = ConcurrentHashMap.newKeySet();
        private final LinkedBlockingQueue<ExecutorID> lost = new LinkedBlockingQueue<>();
        private int launched;

        Greeted(boolean grouped) {
            this.grouped = grouped;
        }

        @Override
        public void registered(SchedulerDriver driver, FrameworkID frameworkId, boolean again) {}

        @Override
        public void resourceOffers(SchedulerDriver driver, List<Offer> offers) {
            for (Offer offer : offers) {
                if (launched >= WANTED) {
                    driver.declineOffers(List.of(offer.getId()));
                } else if (grouped && launched == 0) {
                    List<TaskInfo> tasks = List.of(
                            greeting(offer, "greet-0").toBuilder()
                                    .clearExecutor()
                                    .build(),
                            greeting(offer, "greet-1").toBuilder()
                                    .clearExecutor()
                                    .build());
                    driver.launchTaskGroup(
                            List.of(offer.getId()),
                            greeting(offer, "").getExecutor(),
                            tasks,
                            Filters.getDefaultInstance());
                    launched = 2;
                } else {
                    driver.launchTasks(List.of(offer.getId()), List.of(greeting(offer, "greet-" + launched++)));
                }
            }
        }

        @Override
        public void statusUpdate(SchedulerDriver driver, TaskStatus status) {
            if (status.getState() == TaskState.TASK_FINISHED) {
                agents.add(status.getAgentId());
                finished.add(status.getTaskId().getValue());
            }
        }

        @Override
        public void executorLost(SchedulerDriver driver, ExecutorID executorId, AgentID agentId, int status) {
            lost.add(executorId);
        }

        @Override
        public void frameworkMessage(SchedulerDriver driver, ExecutorID executorId, AgentID agentId, byte[] data) {
            messages.put(new String(data, StandardCharsets.UTF_8), executorId.getValue());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anExecutorInJavaServesManyTasks(boolean grouped, @TempDir Path directory) throws Exception {
        Greeted greeted = new Greeted(grouped);
        try (Bridge bridge = Bridge.start(TestBridges.settings(directory, 0, 0), cluster.configuration());
                SchedulerDriver driver = new HttpSchedulerDriver(
                        greeted, WireClient.info("greeter").build(), address(bridge))) {
            driver.start();
            for (int i = 0; i < Greeted.WANTED; i++) {
                assertThat(greeted.finished.poll(10, TimeUnit.MINUTES)).isNotNull();
            }
            driver.updateFramework(WireClient.info("renamed").build(), List.of());
            assertThat(page(bridge, "/frameworks")).contains("renamed");
            ExecutorID executor = ExecutorID.newBuilder().setValue("greeter").build();
            greeted.agents.forEach(agent -> driver.shutdownExecutor(executor, agent));
            for (int i = 0; i < greeted.agents.size(); i++) {
                assertThat(greeted.lost.poll(10, TimeUnit.MINUTES)).isEqualTo(executor);
            }
        }
        assertThat(greeted.messages).hasSize(Greeted.WANTED + (grouped ? 1 : 0)).containsEntry("greet-0", "greeter");
        assertThat(greeted.messages.containsKey("group of 2")).isEqualTo(grouped);
    }

    static TaskInfo greeting(Offer offer, String id) {
        String command = Program.java() + " -Xmx64m -cp " + System.getProperty("java.class.path") + " "
                + Greeter.class.getName().replace("$", "\\$");
        return TaskInfo.newBuilder()
                .setName(id)
                .setTaskId(TaskID.newBuilder().setValue(id))
                .setAgentId(offer.getAgentId())
                .addResources(WireClient.scalar("cpus", 0.1))
                .addResources(WireClient.scalar("mem", 32))
                .setData(com.google.protobuf.ByteString.copyFromUtf8(id))
                .setExecutor(ExecutorInfo.newBuilder()
                        .setExecutorId(ExecutorID.newBuilder().setValue("greeter"))
                        .addResources(WireClient.scalar("cpus", 0.1))
                        .addResources(WireClient.scalar("mem", 128))
                        .setCommand(CommandInfo.newBuilder().setValue(command)))
                .build();
    }

    /** Prints the latency of warm launches; what is asserted is only that warm is nowhere near a container's start. */
    @Test
    @Tag("soak")
    void warmLaunchesAreQuick(@TempDir Path directory) throws Exception {
        int wanted = 200;
        // The rest of an accepted offer may come before the update that the test waits for
        LinkedBlockingQueue<Offer> offers = new LinkedBlockingQueue<>();
        try (Bridge bridge = Bridge.start(TestBridges.settings(directory, 0, 0), cluster.configuration());
                WireClient client = new WireClient(bridge.httpAddress(), Encoding.PROTOBUF)
                        .watching(event -> {
                            noteRunning(event);
                            offers.addAll(event.getOffers().getOffersList());
                        })
                        .subscribe(WireClient.info("warm").build())) {
            Offer first = next(offers);
            client.launch(first, 0, WireClient.task("keep", first, "sleep 600", 0.1, 32));
            client.awaitStatus("keep", TaskState.TASK_RUNNING);
            long[] micros = new long[wanted];
            int done = 0;
            while (done < wanted) {
                Offer offer = next(offers);
                if (!isOfSameContainer(offer, first)) {
                    continue; // to decline it would refuse the rest of the first one's node too
                }
                String id = "warm-" + done;
                long begin = System.nanoTime();
                client.launch(offer, 0, WireClient.task(id, offer, "true", 0.1, 32));
                client.awaitStatus(id, TaskState.TASK_RUNNING);
                micros[done++] = (running.getOrDefault(id, begin) - begin) / 1000;
                client.awaitStatus(id, TaskState.TASK_FINISHED);
            }
            Arrays.sort(micros, 0, done);
            String report = "warm ACCEPT to TASK_RUNNING at the client, " + done + " launches one after the other: p50 "
                    + micros[done / 2] / 1000.0 + " ms, p90 " + micros[done * 9 / 10] / 1000.0 + " ms, p99 "
                    + micros[done * 99 / 100] / 1000.0 + " ms";
            System.out.println(report);
            Files.writeString(Path.of("target", "warm-latency.txt"), report + "\n");
            assertThat(micros[done / 2]).isLessThan(500_000);
        }
    }

    private static Offer next(LinkedBlockingQueue<Offer> offers) throws InterruptedException {
        return Objects.requireNonNull(offers.poll(60, TimeUnit.SECONDS), "no offer within 60 s");
    }

    private final Map<String, Long> running = new ConcurrentHashMap<>();

    private void noteRunning(Event event) {
        if (event.getUpdate().getStatus().getState() == TaskState.TASK_RUNNING) {
            running.putIfAbsent(event.getUpdate().getStatus().getTaskId().getValue(), System.nanoTime());
        }
    }

    /** Ports are lent to containers: the same first port on the same node is the same container. */
    private static boolean isOfSameContainer(Offer one, Offer other) {
        return one.getAgentId().equals(other.getAgentId()) && firstPort(one) == firstPort(other);
    }

    private static long firstPort(Offer offer) {
        return offer.getResourcesList().stream()
                .filter(resource -> resource.getName().equals("ports"))
                .mapToLong(resource -> resource.getRanges().getRange(0).getBegin())
                .findFirst()
                .orElse(-1);
    }
}
