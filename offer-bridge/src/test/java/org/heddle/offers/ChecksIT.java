// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.mesos.v1.Protos.CheckInfo;
import org.apache.mesos.v1.Protos.CheckStatusInfo;
import org.apache.mesos.v1.Protos.CommandInfo;
import org.apache.mesos.v1.Protos.HealthCheck;
import org.apache.mesos.v1.Protos.Offer;
import org.apache.mesos.v1.Protos.TaskInfo;
import org.apache.mesos.v1.Protos.TaskState;
import org.apache.mesos.v1.Protos.TaskStatus;
import org.apache.mesos.v1.scheduler.Protos.Event;
import org.heddle.offers.fixture.TestBridges;
import org.heddle.offers.fixture.WireClient;
import org.heddle.offers.wire.Encoding;
import org.heddle.testkit.HeddleCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Checks and health checks of commands: by command, HTTP and TCP. */
class ChecksIT {
    @RegisterExtension
    static final HeddleCluster cluster = HeddleCluster.builder()
            .nodes(1, Map.of("memory-mb", 4096L, "vcores", 4L))
            .build();

    private static HealthCheck.Builder health() {
        return HealthCheck.newBuilder()
                .setDelaySeconds(0)
                .setIntervalSeconds(0.2)
                .setTimeoutSeconds(60)
                .setConsecutiveFailures(2)
                .setGracePeriodSeconds(0);
    }

    private static CheckInfo.Builder check() {
        return CheckInfo.newBuilder().setDelaySeconds(0).setIntervalSeconds(0.2).setTimeoutSeconds(60);
    }

    private static TaskInfo.Builder task(String id, Offer offer) {
        return WireClient.task(id, offer, "sleep 300", 0.1, 32).toBuilder();
    }

    private static TaskStatus await(WireClient client, String id, TaskStatus.Reason reason) throws Exception {
        return client.await(event -> event.getType() == Event.Type.UPDATE
                        && event.getUpdate().getStatus().getTaskId().getValue().equals(id)
                        && event.getUpdate().getStatus().getReason() == reason)
                .getUpdate()
                .getStatus();
    }

    @Test
    void whatChecksFindIsTold(@TempDir Path directory) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/health", exchange -> {
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
        int port = server.getAddress().getPort();
        try (Bridge bridge = Bridge.start(TestBridges.settings(directory, 0, 0), cluster.configuration());
                WireClient client = new WireClient(bridge.httpAddress(), Encoding.JSON)
                        .subscribe(WireClient.info("checking").build())) {
            Offer offer = client.awaitOffer();
            Path flag = Files.createFile(directory.resolve("flag"));
            HealthCheck.Builder byCommand = health().setType(HealthCheck.Type.COMMAND)
                    .setCommand(CommandInfo.newBuilder().setValue("test -e " + flag));
            CheckInfo.Builder byHttp = check().setType(CheckInfo.Type.HTTP)
                    .setHttp(CheckInfo.Http.newBuilder().setPort(port).setPath("health"));
            CheckInfo.Builder byTcp = check().setType(CheckInfo.Type.TCP)
                    .setTcp(CheckInfo.Tcp.newBuilder().setPort(port));
            client.launch(
                    offer,
                    0,
                    List.of(
                                    task("ails", offer)
                                            .setHealthCheck(byCommand)
                                            .build(),
                                    task("http", offer).setCheck(byHttp).build(),
                                    task("tcp", offer).setCheck(byTcp).build(),
                                    task("odd", offer).setHealthCheck(health()).build())
                            .toArray(TaskInfo[]::new));

            // 1. What is found is told, what cannot be looked at is refused
            assertThat(client.awaitStatus("odd", TaskState.TASK_ERROR).getMessage())
                    .contains("needs exactly one of command, http and tcp");
            assertThat(await(client, "ails", TaskStatus.Reason.REASON_TASK_HEALTH_CHECK_STATUS_UPDATED)
                            .getHealthy())
                    .isTrue();
            Files.delete(flag);

            // 2. A task that fails its health check is ended
            TaskStatus ended = client.awaitStatus("ails", TaskState.TASK_FAILED);
            assertThat(ended.getHealthy()).isFalse();
            assertThat(ended.getMessage()).contains("health check failed 2 times in a row");

            // 3. Checks only tell; a change is told
            assertThat(checked(client, "http").getHttp().getStatusCode()).isEqualTo(204);
            assertThat(checked(client, "tcp").getTcp().getSucceeded()).isTrue();
            server.stop(0);
            // What was found before may be told once more, or late
            TaskStatus closed;
            do {
                closed = await(client, "tcp", TaskStatus.Reason.REASON_TASK_CHECK_STATUS_UPDATED);
            } while (closed.getCheckStatus().getTcp().getSucceeded());
            assertThat(closed.getCheckStatus().getTcp().hasSucceeded()).isTrue();
            assertThat(closed.getState()).isEqualTo(TaskState.TASK_RUNNING);
        } finally {
            server.stop(0);
        }
    }

    /** Updates come in any order among tasks: what was seen before counts too. */
    private static CheckStatusInfo checked(WireClient client, String id) {
        return org.heddle.testkit.Await.value(
                "a check of " + id,
                java.time.Duration.ofSeconds(30),
                () -> client.seen().stream()
                        .filter(Event::hasUpdate)
                        .map(event -> event.getUpdate().getStatus())
                        .filter(status -> status.getTaskId().getValue().equals(id)
                                && status.getReason() == TaskStatus.Reason.REASON_TASK_CHECK_STATUS_UPDATED)
                        .map(TaskStatus::getCheckStatus)
                        .findFirst()
                        .orElse(null));
    }
}
