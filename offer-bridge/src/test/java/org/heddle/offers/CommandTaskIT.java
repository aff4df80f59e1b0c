// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.mesos.v1.Protos.Offer;
import org.apache.mesos.v1.Protos.TaskState;
import org.apache.mesos.v1.scheduler.Protos.Call;
import org.heddle.offers.fixture.TestBridges;
import org.heddle.offers.fixture.WireClient;
import org.heddle.offers.wire.Encoding;
import org.heddle.testkit.Await;
import org.heddle.testkit.HeddleCluster;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Command tasks from offer to acknowledged end, on a real cluster, in both encodings. */
class CommandTaskIT {
    @RegisterExtension
    static final HeddleCluster cluster = HeddleCluster.builder()
            .nodes(2, Map.of("memory-mb", 4096L, "vcores", 4L))
            .build();

    private static String get(Bridge bridge, String page) throws Exception {
        URI address = URI.create("http://127.0.0.1:" + bridge.httpAddress().getPort() + page);
        HttpResponse<String> response = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString());
        return response.statusCode() + " " + response.body();
    }

    private static String operator(Bridge bridge, String type) throws Exception {
        URI address = URI.create("http://127.0.0.1:" + bridge.httpAddress().getPort() + "/api/v1");
        HttpRequest request = HttpRequest.newBuilder(address)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"type\":\"" + type + "\"}"))
                .build();
        HttpResponse<String> response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        return response.statusCode() + " " + response.body();
    }

    private static void sandboxIsShown(Bridge bridge) throws Exception {
        Matcher sandbox =
                Pattern.compile("\"sandbox\":\"(/[^\"]*/tasks/)long\"").matcher(get(bridge, "/master/state"));
        assertThat(sandbox.find()).isTrue();
        String tasks = sandbox.group(1);
        Await.until(
                "the output of the first task",
                Duration.ofSeconds(20),
                () -> get(bridge, "/files/read?offset=0&path=" + tasks + "good/stdout")
                        .contains("hello"));
        assertThat(get(bridge, "/files/browse?path=" + tasks + "good"))
                .contains("good/stdout")
                .contains("good/stderr");
        assertThat(get(bridge, "/files/read?offset=0&path=" + tasks + "../../../launch_container.sh"))
                .startsWith("400");
        assertThat(get(bridge, "/files/read?offset=0&path=/container_0/tasks/x"))
                .startsWith("404");
        assertThat(get(bridge, "/version")).isEqualTo("200 {\"version\":\"1.11.0\",\"bridge\":\"heddle\"}");
        assertThat(operator(bridge, "GET_STATE"))
                .startsWith("200")
                .contains("\"long\"")
                .contains("\"get_agents\"");
        assertThat(operator(bridge, "DRAIN_AGENT")).startsWith("501").contains("not supported");
        assertThat(get(bridge, "/metrics")).contains("heddle_bridge_tasks_launched");
    }

    @ParameterizedTest
    @EnumSource(Encoding.class)
    void tasksRunAndEnd(Encoding encoding, @TempDir Path directory) throws Exception {
        try (Bridge bridge = Bridge.start(TestBridges.settings(directory, 0, 0), cluster.configuration());
                WireClient client = new WireClient(bridge.httpAddress(), encoding)
                        .subscribe(WireClient.info("sleeper").build())) {
            Offer offer = client.awaitOffer();
            assertThat(client.launch(
                            offer,
                            0,
                            WireClient.task("good", offer, "echo hello", 0.5, 64),
                            WireClient.task("bad", offer, "exit 3", 0.1, 32),
                            WireClient.task("long", offer, "sleep 1000", 0.1, 32)))
                    .isEqualTo(202);
            client.awaitStatus("long", TaskState.TASK_RUNNING);
            sandboxIsShown(bridge);
            assertThat(client.kill("long")).isEqualTo(202);
            client.awaitStatus("long", TaskState.TASK_KILLED);
            // Updates come in any order among tasks
            Await.until(
                    "the ends of the other tasks",
                    Duration.ofSeconds(20),
                    () -> client.seen().stream()
                            .map(event -> event.getUpdate().getStatus())
                            .map(status -> status.getTaskId().getValue() + " " + status.getState())
                            .toList()
                            .containsAll(List.of("good TASK_FINISHED", "bad TASK_FAILED")),
                    () -> client.seen().toString());
            assertThat(client.send(Call.newBuilder().setType(Call.Type.TEARDOWN)))
                    .isEqualTo(202);
        }
    }
}
