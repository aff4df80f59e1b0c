// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.mesos.v1.Protos.FileInfo;
import org.apache.mesos.v1.Protos.Offer;
import org.apache.mesos.v1.Protos.TaskState;
import org.apache.mesos.v1.maintenance.Protos.Window;
import org.apache.mesos.v1.master.Protos.Call;
import org.apache.mesos.v1.master.Protos.Event;
import org.apache.mesos.v1.master.Protos.Response;
import org.heddle.offers.fixture.OpenApi;
import org.heddle.offers.fixture.OperatorClient;
import org.heddle.offers.fixture.TestBridges;
import org.heddle.offers.fixture.WireClient;
import org.heddle.offers.wire.Encoding;
import org.heddle.testkit.Await;
import org.heddle.testkit.HeddleCluster;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What operators' tools read by the operator API: events, state, sandboxes, maintenance. */
class OperatorIT {
    /** What a bridge does not answer, and what would change something. */
    private static final Set<Call.Type> REFUSED =
            EnumSet.of(Call.Type.GET_FLAGS, Call.Type.GET_LOGGING_LEVEL, Call.Type.DRAIN_AGENT, Call.Type.UPDATE_QUOTA);

    @RegisterExtension
    static final HeddleCluster cluster = HeddleCluster.builder()
            .addressesAsNames()
            .nodes(1, Map.of("memory-mb", 2048L, "vcores", 4L))
            .build();

    @ParameterizedTest
    @EnumSource(Encoding.class)
    void toolsSeeAll(Encoding encoding, @TempDir Path directory) throws Exception {
        try (Bridge bridge = Bridge.start(TestBridges.settings(directory, 0, 0), cluster.configuration());
                OperatorClient operator = new OperatorClient(bridge.httpAddress(), encoding)) {
            Await.until(
                    "the first list of nodes",
                    Duration.ofSeconds(20),
                    () -> operator.ask(Call.Type.GET_AGENTS).getGetAgents().getAgentsCount() == 1);
            operator.watch();
            awaitEvent(operator, Event.Type.SUBSCRIBED);
            try (WireClient client = new WireClient(bridge.httpAddress(), encoding)
                    .subscribe(WireClient.info("watched").build())) {
                Offer offer = client.awaitOffer();
                client.launch(
                        offer,
                        600,
                        WireClient.task("good", offer, "echo hello", 0.5, 64),
                        WireClient.task("long", offer, "sleep 1000", 0.1, 32));
                client.awaitStatus("good", TaskState.TASK_FINISHED);
                assertThat(operator.ask(Call.Type.GET_ROLES).getGetRoles().getRolesList())
                        .singleElement()
                        .matches(role -> role.getName().equals("*") && role.getFrameworksCount() == 1);
                assertSandboxIsShown(operator, bridge);
                assertMaintenanceIsShown(operator, offer.getHostname());
                assertAnswersAreAsTheOpenApiFileSays(new OpenApi(bridge.httpAddress()), client.frameworkId());
                client.send(org.apache.mesos.v1.scheduler.Protos.Call.newBuilder()
                        .setType(org.apache.mesos.v1.scheduler.Protos.Call.Type.TEARDOWN));
                awaitEvent(operator, Event.Type.FRAMEWORK_REMOVED);
                awaitEvent(operator, Event.Type.AGENT_REMOVED);
            }
            assertThat(operator.seen())
                    .extracting(OperatorIT::brief)
                    .containsSubsequence(
                            "SUBSCRIBED with 1 agents",
                            "FRAMEWORK_ADDED watched",
                            "TASK_ADDED good",
                            "TASK_UPDATED good TASK_RUNNING",
                            "TASK_UPDATED good TASK_FINISHED",
                            "AGENT_ADDED",
                            "FRAMEWORK_REMOVED watched",
                            "AGENT_REMOVED");
            for (Call.Type type : Call.Type.values()) {
                if (REFUSED.contains(type)) {
                    assertThat(operator.status(call(type))).as(type.name()).isEqualTo(501);
                } else if (type.name().startsWith("GET_")) {
                    assertThat(operator.ask(call(type)).getType().name()).isEqualTo(type.name());
                }
            }
        }
    }

    private static Call call(Call.Type type) {
        return Call.newBuilder().setType(type).build();
    }

    private static void assertSandboxIsShown(OperatorClient operator, Bridge bridge) throws Exception {
        URI tasks = URI.create("http://127.0.0.1:" + bridge.httpAddress().getPort() + "/tasks");
        String report = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(tasks).build(), HttpResponse.BodyHandlers.ofString())
                .body();
        Matcher sandbox = Pattern.compile("\"sandbox\":\"([^\"]*/)good\"").matcher(report);
        assertThat(sandbox.find()).as(report).isTrue();
        String path = sandbox.group(1) + "good";
        List<FileInfo> files = operator.ask(Call.newBuilder()
                        .setType(Call.Type.LIST_FILES)
                        .setListFiles(Call.ListFiles.newBuilder().setPath(path))
                        .build())
                .getListFiles()
                .getFileInfosList();
        assertThat(files).extracting(FileInfo::getPath).contains(path + "/stdout", path + "/stderr");
        FileInfo stdout = files.stream()
                .filter(file -> file.getPath().endsWith("stdout"))
                .findFirst()
                .orElseThrow();
        assertThat(stdout.getSize()).isEqualTo(6);
        assertThat(Integer.toOctalString(stdout.getMode())).startsWith("1006");
        Response.ReadFile read = operator.ask(readFile(path + "/stdout")).getReadFile();
        assertThat(read.getData().toStringUtf8()).isEqualTo("ello");
        assertThat(read.getSize()).isEqualTo(6);
        assertThat(operator.status(readFile(path + "/nothing"))).isEqualTo(404);
        assertThat(operator.status(readFile("etc"))).isEqualTo(400);
    }

    /** From its second byte on, at most four. */
    private static Call readFile(String path) {
        return Call.newBuilder()
                .setType(Call.Type.READ_FILE)
                .setReadFile(
                        Call.ReadFile.newBuilder().setPath(path).setOffset(1).setLength(4))
                .build();
    }

    /** Another node comes, and the first, which still has a task, is to go. */
    private static void assertMaintenanceIsShown(OperatorClient operator, String host) throws Exception {
        cluster.addNode(Map.of("memory-mb", 2048L, "vcores", 4L));
        awaitEvent(operator, Event.Type.AGENT_ADDED);
        cluster.node(host).decommissionGracefully(120);
        Await.until(
                "the decommissioning to be announced",
                Duration.ofSeconds(30),
                () -> schedule(operator).size() == 1);
        Window window = schedule(operator).get(0);
        assertThat(window.getMachineIds(0).getHostname()).isEqualTo(host);
        assertThat(window.getUnavailability().getStart().getNanoseconds() / 1_000_000)
                .isBetween(System.currentTimeMillis() + 60_000, System.currentTimeMillis() + 120_000);
        assertThat(operator.ask(Call.Type.GET_MAINTENANCE_STATUS)
                        .getGetMaintenanceStatus()
                        .getStatus()
                        .getDrainingMachinesList())
                .singleElement()
                .matches(machine -> machine.getId().getHostname().equals(host));
    }

    /** The framework has one task that runs, one that has ended, an offer or a container, and an inverse offer. */
    private static void assertAnswersAreAsTheOpenApiFileSays(OpenApi file, String framework) throws Exception {
        Set<String> empty = Set.of(
                "capabilities",
                "warnings",
                "completed_frameworks",
                "orphan_tasks",
                "executors",
                "offers",
                "inverse",
                "times");
        String sandbox = file.getFilled("/tasks", empty).at("/tasks/0/sandbox").asText();
        for (String path : List.of("/state", "/slaves", "/frameworks", "/console/data", "/metrics/snapshot")) {
            file.getFilled(path, empty);
        }
        file.getFilled("/share?framework_id=" + framework, empty);
        file.getFilled("/files/browse?path=" + sandbox, empty);
        file.get("/files/read?path=" + sandbox + "/stdout&offset=0");
    }

    private static List<Window> schedule(OperatorClient operator) throws Exception {
        return operator.ask(Call.Type.GET_MAINTENANCE_SCHEDULE)
                .getGetMaintenanceSchedule()
                .getSchedule()
                .getWindowsList();
    }

    private static void awaitEvent(OperatorClient operator, Event.Type type) {
        Await.until(
                "the event " + type,
                Duration.ofSeconds(30),
                () -> operator.seen().stream().anyMatch(event -> event.getType() == type),
                () -> operator.seen().stream().map(OperatorIT::brief).toList().toString());
    }

    private static String brief(Event event) {
        return event.getType()
                + switch (event.getType()) {
                    case SUBSCRIBED ->
                        " with "
                                + event.getSubscribed()
                                        .getGetState()
                                        .getGetAgents()
                                        .getAgentsCount() + " agents";
                    case FRAMEWORK_ADDED ->
                        " "
                                + event.getFrameworkAdded()
                                        .getFramework()
                                        .getFrameworkInfo()
                                        .getName();
                    case FRAMEWORK_REMOVED ->
                        " " + event.getFrameworkRemoved().getFrameworkInfo().getName();
                    case TASK_ADDED ->
                        " " + event.getTaskAdded().getTask().getTaskId().getValue();
                    case TASK_UPDATED ->
                        " "
                                + event.getTaskUpdated().getStatus().getTaskId().getValue() + " "
                                + event.getTaskUpdated().getState();
                    default -> "";
                };
    }
}
