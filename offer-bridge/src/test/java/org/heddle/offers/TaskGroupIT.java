// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.mesos.v1.Protos.ExecutorID;
import org.apache.mesos.v1.Protos.ExecutorInfo;
import org.apache.mesos.v1.Protos.FrameworkID;
import org.apache.mesos.v1.Protos.FrameworkInfo;
import org.apache.mesos.v1.Protos.Offer;
import org.apache.mesos.v1.Protos.TaskGroupInfo;
import org.apache.mesos.v1.Protos.TaskInfo;
import org.apache.mesos.v1.Protos.TaskState;
import org.apache.mesos.v1.Protos.TaskStatus;
import org.apache.mesos.v1.scheduler.Protos.Call;
import org.apache.mesos.v1.scheduler.Protos.Event;
import org.heddle.offers.fixture.BridgeProcess;
import org.heddle.offers.fixture.WireClient;
import org.heddle.offers.wire.Encoding;
import org.heddle.testkit.Await;
import org.heddle.testkit.HeddleCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Task groups under the default executor: begun together or not at all, and a bad end is the end of all. */
class TaskGroupIT {
    @RegisterExtension
    static final HeddleCluster cluster = HeddleCluster.builder()
            .addressesAsNames()
            .nodes(1, Map.of("memory-mb", 4096L, "vcores", 8L))
            .build();

    private static final FrameworkInfo INFO = WireClient.info("pods")
            .setId(FrameworkID.newBuilder().setValue("pods-1"))
            .setFailoverTimeout(600)
            .setCheckpoint(true)
            .build();

    private final Set<String> used = new HashSet<>();

    @Test
    void groupsShareTheirFate(@TempDir Path directory) throws Exception {
        try (BridgeProcess bridge = new BridgeProcess(cluster, directory)) {
            try (WireClient client = new WireClient(bridge.address(), Encoding.JSON).subscribe(INFO)) {
                // 1. Both end well, at times of their own
                launch(client, offer(client), "well", List.of("true", "sleep 0.5"), 0.1);
                assertThat(ends(client, "well-0", "well-1")).containsExactly(TaskState.TASK_FINISHED);

                // 2. One fails: the other is killed
                launch(client, offer(client), "badly", List.of("sleep 1000", "sleep 0.5; exit 3"), 0.1);
                assertThat(awaitAll(client, "badly-0", "badly-1"))
                        .extracting(status -> status.getExecutorId().getValue(), TaskStatus::getState)
                        .containsExactly(
                                tuple("pod-badly", TaskState.TASK_KILLED), tuple("pod-badly", TaskState.TASK_FAILED));

                // 3. Too large for any offer: none begins
                launch(client, offer(client), "large", List.of("true", "true"), 7);
                assertThat(refused(client, "large-0", "large-1"))
                        .containsExactly("TASK_ERROR REASON_TASK_GROUP_INVALID");

                // 4. One is not sound: none begins
                launch(client, offer(client), "unsound", List.of("true", ""), 0.1);
                assertThat(refused(client, "unsound-0", "unsound-1"))
                        .containsExactly("TASK_ERROR REASON_TASK_GROUP_INVALID");

                launch(client, offer(client), "long", List.of("sleep 4321", "sleep 4321"), 0.1);
                client.awaitStatus("long-0", TaskState.TASK_RUNNING);
            }
            // 5. The next bridge knows who belongs together
            bridge.replace();
            try (WireClient client = new WireClient(bridge.address(), Encoding.PROTOBUF).subscribe(INFO)) {
                client.kill("long-1");
                assertThat(ends(client, "long-0", "long-1")).containsExactly(TaskState.TASK_KILLED);
                Await.until(
                        "their processes to be gone",
                        Duration.ofSeconds(20),
                        () -> ProcessHandle.current()
                                .descendants()
                                .noneMatch(process ->
                                        process.info().commandLine().orElse("").contains("sleep 4321")));

                // 6. The end of the executor is the end of its tasks
                Offer offer = offer(client);
                launch(client, offer, "shut", List.of("sleep 1000", "sleep 1000"), 0.1);
                client.awaitStatus("shut-1", TaskState.TASK_RUNNING);
                client.send(Call.newBuilder()
                        .setType(Call.Type.SHUTDOWN)
                        .setShutdown(Call.Shutdown.newBuilder()
                                .setExecutorId(ExecutorID.newBuilder().setValue("pod-shut"))
                                .setAgentId(offer.getAgentId())));
                assertThat(ends(client, "shut-0", "shut-1")).containsExactly(TaskState.TASK_KILLED);
            }
        }
    }

    /** One that has come, has not been used, and has not been rescinded. */
    private Offer offer(WireClient client) {
        Offer found = Await.value("an offer", Duration.ofSeconds(60), () -> {
            Set<String> gone = client.seen().stream()
                    .map(event -> event.getRescind().getOfferId().getValue())
                    .collect(Collectors.toSet());
            return client.seen().stream()
                    .flatMap(event -> event.getOffers().getOffersList().stream())
                    .filter(one -> !gone.contains(one.getId().getValue())
                            && !used.contains(one.getId().getValue()))
                    .findFirst()
                    .orElse(null);
        });
        used.add(found.getId().getValue());
        return found;
    }

    private static void launch(WireClient client, Offer offer, String name, List<String> commands, double cpus) {
        TaskGroupInfo.Builder group = TaskGroupInfo.newBuilder();
        for (int i = 0; i < commands.size(); i++) {
            TaskInfo task = WireClient.task(name + "-" + i, offer, commands.get(i), cpus, 32);
            group.addTasks(task);
        }
        int answer = client.send(Call.newBuilder()
                .setType(Call.Type.ACCEPT)
                .setAccept(Call.Accept.newBuilder()
                        .addOfferIds(offer.getId())
                        .setFilters(
                                org.apache.mesos.v1.Protos.Filters.newBuilder().setRefuseSeconds(0))
                        .addOperations(Offer.Operation.newBuilder()
                                .setType(Offer.Operation.Type.LAUNCH_GROUP)
                                .setLaunchGroup(Offer.Operation.LaunchGroup.newBuilder()
                                        .setExecutor(ExecutorInfo.newBuilder()
                                                .setType(ExecutorInfo.Type.DEFAULT)
                                                .setExecutorId(
                                                        ExecutorID.newBuilder().setValue("pod-" + name))
                                                .addResources(WireClient.scalar("cpus", 0.1))
                                                .addResources(WireClient.scalar("mem", 32)))
                                        .setTaskGroup(group)))));
        assertThat(answer).isEqualTo(202);
    }

    /** How these tasks end, each state once. */
    private static Set<TaskState> ends(WireClient client, String... tasks) throws InterruptedException {
        return Stream.of(awaitAll(client, tasks)).map(TaskStatus::getState).collect(Collectors.toSet());
    }

    private static Set<String> refused(WireClient client, String... tasks) throws InterruptedException {
        return Stream.of(awaitAll(client, tasks))
                .map(status -> status.getState() + " " + status.getReason())
                .collect(Collectors.toSet());
    }

    /** The last status of each of these tasks, in whatever order they come: each task has a stream of its own. */
    private static TaskStatus[] awaitAll(WireClient client, String... tasks) throws InterruptedException {
        TaskStatus[] found = new TaskStatus[tasks.length];
        int missing = tasks.length;
        while (missing > 0) {
            TaskStatus status = client.await(event -> event.getType() == Event.Type.UPDATE
                            && event.getUpdate().getStatus().getState() != TaskState.TASK_RUNNING)
                    .getUpdate()
                    .getStatus();
            for (int i = 0; i < tasks.length; i++) {
                if (found[i] == null && status.getTaskId().getValue().equals(tasks[i])) {
                    found[i] = status;
                    missing--;
                }
            }
        }
        return found;
    }
}
