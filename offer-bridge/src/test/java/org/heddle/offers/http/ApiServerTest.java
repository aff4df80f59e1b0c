// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.mesos.v1.Protos.CommandInfo;
import org.apache.mesos.v1.Protos.ExecutorID;
import org.apache.mesos.v1.Protos.ExecutorInfo;
import org.apache.mesos.v1.Protos.FrameworkID;
import org.apache.mesos.v1.Protos.FrameworkInfo;
import org.apache.mesos.v1.Protos.Label;
import org.apache.mesos.v1.Protos.Labels;
import org.apache.mesos.v1.Protos.Offer;
import org.apache.mesos.v1.Protos.TaskID;
import org.apache.mesos.v1.Protos.TaskInfo;
import org.apache.mesos.v1.scheduler.Protos.Call;
import org.apache.mesos.v1.scheduler.Protos.Event;
import org.heddle.offers.TestClocks;
import org.heddle.offers.fixture.MarkdownTable;
import org.heddle.offers.fixture.OpenApi;
import org.heddle.offers.fixture.TestBridges;
import org.heddle.offers.fixture.WireClient;
import org.heddle.offers.master.GenerousCluster;
import org.heddle.offers.master.Master;
import org.heddle.offers.master.cluster.ApplicationKey;
import org.heddle.offers.master.cluster.Cluster;
import org.heddle.offers.master.cluster.ClusterNode;
import org.heddle.offers.master.state.EventSink;
import org.heddle.offers.master.state.MasterIdentity;
import org.heddle.offers.master.state.StateExecutor;
import org.heddle.offers.model.Resources;
import org.heddle.offers.store.Journal;
import org.heddle.offers.wire.Encoding;
import org.heddle.testkit.Await;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What clients are told that ask wrongly, on a real socket. */
class ApiServerTest {
    private static final int LARGEST = 10_000;
    private static final int MOST_CONNECTIONS = 2;
    private static final FrameworkID FRAMEWORK =
            FrameworkID.newBuilder().setValue("f").build();
    private static final String SUBSCRIBE =
            "{\"type\":\"SUBSCRIBE\",\"subscribe\":{\"framework_info\":{\"user\":\"u\",\"name\":\"n\"}}}";

    @TempDir
    private Path directory;

    private final ApiServer front = new ApiServer();
    private final HttpClient client = HttpClient.newHttpClient();
    private Journal journal;
    private StateExecutor loop;
    private Master master;
    private InetSocketAddress address;

    @BeforeEach
    void open() throws IOException {
        journal = Journal.open(directory);
        loop = new StateExecutor(TestClocks.of(() -> 1_000_000L), journal, () -> {});
        GenerousCluster cluster = new GenerousCluster();
        master = new Master(
                loop,
                cluster,
                TestBridges.settings(directory, 0, 0).limits(),
                new MasterIdentity("bridge", "localhost", "127.0.0.1", 5050));
        cluster.setEvents(master);
        master.recover(journal, 1_000_000);
        loop.start();
        SchedulerApi scheduler = new SchedulerApi(master, null);
        address = front.open(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                new ApiServer.Limits(LARGEST, MOST_CONNECTIONS, MOST_CONNECTIONS, 30_000, 600_000),
                null,
                () -> new ApiServer.Route(
                        new RequestGuard(null, "bridge.example"),
                        new Router(master, scheduler, new HttpEndpoints(master, "leader:5050"), null)));
    }

    @AfterEach
    void close() throws IOException {
        front.close();
        loop.close();
        journal.close();
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + address.getPort() + path));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        /api/v1/scheduler | 405 | Expecting one of { 'POST' }
        /api/v1           | 405 | Expecting one of { 'POST' }
        /nothing          | 404 | There is no endpoint /nothing
        /files/read       | 400 | Expecting 'path=/container/..' in query
        /files/read?path=/c/x&offset=a | 400 | Failed to parse offset or length: want whole numbers
        /files/browse?path=/c/%00      | 400 | Expecting 'path=/container/..' in query
        /files/read?path=/c/tasks/x%00y/z | 400 | Expecting 'path=/container/..' in query
        /files/read?path=/c/tasks/../../x | 400 | Expecting 'path=/container/..' in query
        /files/browse?path=/c/x        | 404 | /c/x cannot be shown: there is no container c
        /share?framework_id=f | 404 | /share?framework_id=f: there is no framework f
        /health           | 200 | ''
        """)
    void pages(String path, int status, String body) throws Exception {
        HttpResponse<String> answer = send(request(path));
        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(answer.body()).isEqualTo(body);
        assertThat(answer.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
    }

    @Test
    void theOpenApiFileHasEachEndpointAndItsAnswer() throws Exception {
        OpenApi file = new OpenApi(address);
        assertThat(file.paths()).isEqualTo(HttpEndpoints.paths());
        for (String path : file.paths()) {
            file.get(path);
        }
        String container = startExecutor(file);
        Set<String> empty = Set.of(
                "capabilities",
                "completed_frameworks",
                "orphan_tasks",
                "completed_tasks",
                "statuses",
                "warnings",
                "inverse",
                "f");
        for (String path :
                List.of("/state", "/slaves", "/frameworks", "/tasks", "/share?framework_id=f", "/console/data")) {
            file.getFilled(path, empty);
        }
        master.wanted(
                new ApplicationKey(FRAMEWORK.getValue(), "*"),
                new Cluster.Demand(List.of(container), Resources.NONE, 15_000));
        Await.until(
                "the inverse offer",
                Duration.ofSeconds(20),
                () -> file.getFilled("/console/data", Set.of("warnings", "inverse", "offers", "f"))
                                .at("/inverse/0/left_seconds")
                                .asDouble()
                        == 15);
    }

    /** Gives a framework offers, and accepts one with a task of an executor; returns the task's container. */
    private String startExecutor(OpenApi file) throws Exception {
        List<ClusterNode> nodes = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            String name = "node" + i;
            Resources size = Resources.of(8000, 8192);
            nodes.add(new ClusterNode(
                    name + ":1", name, "127.0.0.1", "/rack", "", size, Resources.NONE, true, 0, Map.of()));
        }
        master.nodes(nodes);
        List<Offer> offers = new CopyOnWriteArrayList<>();
        subscribe(
                FrameworkInfo.newBuilder()
                        .setId(FRAMEWORK)
                        .setUser("u")
                        .setName("n")
                        .build(),
                event -> offers.addAll(event.getOffers().getOffersList()));
        Await.until("two offers", Duration.ofSeconds(20), () -> offers.size() > 1);
        ExecutorInfo executor = ExecutorInfo.newBuilder()
                .setExecutorId(ExecutorID.newBuilder().setValue("e"))
                .setCommand(CommandInfo.newBuilder().setValue("true"))
                .build();
        TaskInfo task = WireClient.task("t", offers.get(0), "true", 0.1, 32).toBuilder()
                .clearCommand()
                .setExecutor(executor)
                .build();
        TaskID ended = TaskID.newBuilder().setValue("ended").build();
        accepted(WireClient.launchCall(
                offers.get(0), 0, task, task.toBuilder().setTaskId(ended).build()));
        accepted(Call.newBuilder()
                .setType(Call.Type.KILL)
                .setKill(Call.Kill.newBuilder().setTaskId(ended)));
        return file.getFilled("/tasks", Set.of("statuses"))
                .at("/tasks/0/container_id")
                .asText();
    }

    private void accepted(Call.Builder call) throws Exception {
        CompletableFuture<Integer> answer = new CompletableFuture<>();
        master.call(call.setFrameworkId(FRAMEWORK).build(), "stream", "", (status, message) -> answer.complete(status));
        assertThat(answer.get(20, TimeUnit.SECONDS)).isEqualTo(202);
    }

    /** The document for operators has the metrics that are exported, with their types and meanings, and no others. */
    @Test
    void theGuideForOperatorsHasEachMetric() throws Exception {
        Map<String, String> exported = new TreeMap<>();
        String help = "";
        String type = "";
        for (String line : send(request("/metrics")).body().split("\n", -1)) {
            String[] words = line.split(" ", 4);
            if (line.startsWith("# HELP ")) {
                help = words[3];
            } else if (line.startsWith("# TYPE ")) {
                type = words[3];
            } else if (!line.isEmpty()) {
                assertThat(words[1]).matches("[0-9]+");
                exported.put(words[0], type + ": " + help);
            }
        }
        assertThat(exported).hasSizeGreaterThan(50);
        try (DirectoryStream<Path> documents = Files.newDirectoryStream(Path.of("../docs"), "*.md")) {
            for (Path document : documents) {
                Matcher named =
                        Pattern.compile("\\bheddle_bridge_[a-z_]*[a-z]\\b").matcher(Files.readString(document));
                while (named.find()) {
                    assertThat(exported).as(document.toString()).containsKey(named.group());
                }
            }
        }
        exported.keySet().removeIf(name -> name.matches("heddle_bridge_(calls|updates_task)_.*"));
        Map<String, String> guide =
                new TreeMap<>(MarkdownTable.byName(Path.of("../docs/bridge-operators.md"), "### Metrics"));
        assertThat(guide.keySet().removeAll(Set.of("heddle_bridge_calls_CALL", "heddle_bridge_updates_STATE")))
                .isTrue();
        assertThat(guide).isEqualTo(exported);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        /api/v1/scheduler | ''               | ''        | {}               | 400 | Content-Type
        /api/v1/scheduler | text/plain       | ''        | {}               | 415 | application/x-protobuf
        /api/v1/scheduler | application/json | ''        | {"type":"DECL    | 400 | Failed to parse body into Call JSON
        /api/v1/scheduler | application/json | ''        | {"type":"DECLINE"} | 400 | Failed to validate scheduler::Call
        /api/v1           | text/plain       | ''        | {}               | 415 | application/x-protobuf
        /api/v1           | application/json | text/html | {"type":"GET_HEALTH"} | 406 | 'Accept'
        /api/v1           | application/json | ''        | {"type":"DRAIN_AGENT"} | 501 | DRAIN_AGENT is not supported
        /api/v1           | application/json | ''        | {"type":"LIST_FILES","list_files":{"path":"etc"}} | 400 | not etc
        """)
    void calls(String path, String contentType, String accept, String body, int status, String message)
            throws Exception {
        HttpRequest.Builder request = request(path).POST(HttpRequest.BodyPublishers.ofString(body));
        if (!contentType.equals("''")) {
            request.header("Content-Type", contentType);
        }
        if (!accept.equals("''")) {
            request.header("Accept", accept);
        }
        HttpResponse<String> answer = send(request);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(answer.body()).contains(message);
    }

    /** In both encodings, of which only JSON can have a text. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        1e999  | Infinity  | Failed to validate scheduler::Call: 'FrameworkInfo.failover_timeout' is Infinity: want a finite number >= 0
        -1e999 | -Infinity | Failed to validate scheduler::Call: 'FrameworkInfo.failover_timeout' is -Infinity: want a finite number >= 0
        "NaN"  | NaN       | Failed to validate scheduler::Call: 'FrameworkInfo.failover_timeout' is NaN: want a finite number >= 0
        -1     | -1        | Failed to validate scheduler::Call: 'FrameworkInfo.failover_timeout' is -1.0: want a finite number >= 0
        "soon" |           | Failed to parse body into Call JSON: subscribe.framework_info.failover_timeout = 'soon': not a valid double
        """)
    void failoverTimeoutsThatAreNoTime(String json, @Nullable Double value, String sentence) throws Exception {
        HttpResponse<String> answer =
                send(scheduler(SUBSCRIBE.replace("}}}", ",\"failover_timeout\":" + json + "}}}")));
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).isEqualTo(sentence);
        if (value != null) {
            Call call = Call.newBuilder()
                    .setType(Call.Type.SUBSCRIBE)
                    .setSubscribe(Call.Subscribe.newBuilder()
                            .setFrameworkInfo(FrameworkInfo.newBuilder()
                                    .setUser("u")
                                    .setName("n")
                                    .setFailoverTimeout(value)))
                    .build();
            HttpResponse<String> binary = send(request("/api/v1/scheduler")
                    .header("Content-Type", "application/x-protobuf")
                    .POST(HttpRequest.BodyPublishers.ofByteArray(call.toByteArray())));
            assertThat(binary.statusCode()).isEqualTo(400);
            assertThat(binary.body()).isEqualTo(sentence);
        }
    }

    /** QQQQ stands for bytes that are not UTF-8, and in JSON for half of a pair, too. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            subscribe.framework_info.user | {"type":"SUBSCRIBE","subscribe":{"framework_info":{"user":"QQQQ","name":"n"}}}
            subscribe.framework_info.labels.labels.key | {"type":"SUBSCRIBE","subscribe":{"framework_info":{"user":"u","name":"n","labels":{"labels":[{"key":"a"},{"key":"QQQQ"}]}}}}
            framework_id.value | {"type":"REVIVE","framework_id":{"value":"QQQQ"}}
            accept.operations.launch.task_infos.task_id.value | {"type":"ACCEPT","accept":{"operations":[{"launch":{"task_infos":[{"name":"n","task_id":{"value":"QQQQ"},"agent_id":{"value":"a"}}]}}]}}
            accept.operations.launch.task_infos.command.arguments | {"type":"ACCEPT","accept":{"operations":[{"launch":{"task_infos":[{"name":"n","task_id":{"value":"t"},"agent_id":{"value":"a"},"command":{"arguments":["a","QQQQ"]}}]}}]}}
            accept.operations.launch.task_infos.command.environment.variables.value | {"type":"ACCEPT","accept":{"operations":[{"launch":{"task_infos":[{"name":"n","task_id":{"value":"t"},"agent_id":{"value":"a"},"command":{"environment":{"variables":[{"name":"N","value":"QQQQ"}]}}}]}}]}}
            kill.task_id.value | {"type":"KILL","kill":{"task_id":{"value":"QQQQ"}}}
            message.executor_id.value | {"type":"MESSAGE","message":{"agent_id":{"value":"a"},"executor_id":{"value":"QQQQ"},"data":""}}
            """)
    void textThatIsNotUtf8(String field, String json) throws Exception {
        Call.Builder call = Call.newBuilder();
        Encoding.JSON.decode(json.getBytes(StandardCharsets.UTF_8), call);
        assertRefused(
                Encoding.PROTOBUF, wrong(call.build().toByteArray()), "PROTOBUF: " + field + " is not valid UTF-8");
        assertRefused(
                Encoding.JSON,
                wrong(json.getBytes(StandardCharsets.UTF_8)),
                "JSON: the body is not JSON: Invalid UTF-8");
        String half = json.replace("QQQQ", "\\ud83d");
        assertRefused(Encoding.JSON, half.getBytes(StandardCharsets.UTF_8), "JSON: " + field + " = '");
    }

    private static byte[] wrong(byte[] body) {
        String latin = new String(body, StandardCharsets.ISO_8859_1);
        assertThat(latin).contains("QQQQ");
        return latin.replace("QQQQ", "a\u00c3(b").getBytes(StandardCharsets.ISO_8859_1);
    }

    private void assertRefused(Encoding encoding, byte[] body, String sentence) throws Exception {
        HttpResponse<String> answer = send(request("/api/v1/scheduler")
                .header("Content-Type", encoding.mediaType())
                .header("Mesos-Stream-Id", "stream")
                .POST(HttpRequest.BodyPublishers.ofByteArray(body)));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        assertThat(answer.body())
                .startsWith("Failed to parse body into Call " + sentence)
                .doesNotContain("Exception", "\n");
    }

    private HttpRequest.Builder scheduler(String body) {
        return request("/api/v1/scheduler")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body));
    }

    @Test
    void streamsAreNamed() throws Exception {
        assertThat(send(scheduler(SUBSCRIBE).header("Accept", "text/html")).statusCode())
                .isEqualTo(406);
        HttpResponse<String> named = send(scheduler(SUBSCRIBE).header("Mesos-Stream-Id", "x"));
        assertThat(named.statusCode()).isEqualTo(400);
        assertThat(named.body()).contains("should not include the 'Mesos-Stream-Id'");

        String revive = "{\"type\":\"REVIVE\",\"framework_id\":{\"value\":\"f\"}}";
        HttpResponse<String> unnamed = send(scheduler(revive));
        assertThat(unnamed.statusCode()).isEqualTo(400);
        assertThat(unnamed.body()).contains("should include the 'Mesos-Stream-Id'");
        HttpResponse<String> unknown = send(scheduler(revive).header("Mesos-Stream-Id", "x"));
        assertThat(unknown.statusCode()).isEqualTo(400);
        assertThat(unknown.body()).isEqualTo("Framework cannot be found");
    }

    @Test
    void subscriptionsStayOpen() throws Exception {
        HttpResponse<InputStream> stream = client.send(
                scheduler(SUBSCRIBE).header("Accept", "application/json").build(),
                HttpResponse.BodyHandlers.ofInputStream());
        assertThat(stream.statusCode()).isEqualTo(200);
        assertThat(stream.headers().firstValue("Content-Type")).contains("application/json");
        assertThat(stream.headers().firstValue("Mesos-Stream-Id")).isPresent();
        try (InputStream in = stream.body()) {
            assertThat(new String(in.readNBytes(60), StandardCharsets.UTF_8)).contains("SUBSCRIBED");
        }
    }

    /** More than a connection's buffers hold, and then the next event. */
    @Test
    void largeStatesAreSentWhole() throws Exception {
        Labels.Builder labels = Labels.newBuilder();
        for (int i = 0; i < 24; i++) {
            labels.addLabels(Label.newBuilder().setKey("k" + i).setValue("v".repeat(1 << 20)));
        }
        subscribe(
                FrameworkInfo.newBuilder()
                        .setUser("u")
                        .setName("large")
                        .setLabels(labels)
                        .build(),
                event -> {});
        HttpRequest.Builder watch = request("/api/v1")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"type\":\"SUBSCRIBE\"}"));
        HttpResponse<InputStream> stream = client.send(watch.build(), HttpResponse.BodyHandlers.ofInputStream());
        try (InputStream in = new BufferedInputStream(stream.body())) {
            assertThat(WireClient.record(in)).hasSizeGreaterThan(24 << 20);
            assertThat(new String(WireClient.record(in), StandardCharsets.UTF_8))
                    .contains("HEARTBEAT");
        }
    }

    private void subscribe(FrameworkInfo info, Consumer<Event> events) throws Exception {
        CompletableFuture<String> open = new CompletableFuture<>();
        master.subscribe(
                Call.newBuilder()
                        .setType(Call.Type.SUBSCRIBE)
                        .setSubscribe(Call.Subscribe.newBuilder().setFrameworkInfo(info))
                        .build(),
                "stream",
                "",
                new EventSink<Event>() {
                    @Override
                    public void open(String streamId) {
                        open.complete(streamId);
                    }

                    @Override
                    public void refuse(int status, String message) {
                        open.completeExceptionally(new IOException(status + " " + message));
                    }

                    @Override
                    public void send(Event event) {
                        events.accept(event);
                    }

                    @Override
                    public void close() {}
                });
        open.get(5, TimeUnit.MINUTES);
    }

    @Test
    void largeBodiesAreRefused() throws Exception {
        assertThat(send(scheduler(" ".repeat(LARGEST + 1))).statusCode()).isEqualTo(413);
    }

    @Test
    void followersAreSentToTheLeader() throws Exception {
        HttpResponse<String> answer = send(request("/redirect"));
        assertThat(answer.statusCode()).isEqualTo(307);
        assertThat(answer.headers().firstValue("Location")).contains("//leader:5050");
    }

    @Test
    void connectionsAreCounted() throws Exception {
        HttpClient[] clients = new HttpClient[MOST_CONNECTIONS];
        for (int i = 0; i < MOST_CONNECTIONS; i++) {
            clients[i] = HttpClient.newHttpClient();
            clients[i].send(request("/health").build(), HttpResponse.BodyHandlers.discarding());
        }
        assertThatThrownBy(() -> send(request("/health"))).isInstanceOf(IOException.class);
        // Those that are in are served as before.
        assertThat(clients[0]
                        .send(request("/health").build(), HttpResponse.BodyHandlers.discarding())
                        .statusCode())
                .isEqualTo(200);
    }

    /** They hold all places, until the time for a request is over. */
    @Test
    void clientsThatDoNotFinishTheirRequestsLoseTheirPlaces() throws Exception {
        int most = 1_000;
        ApiServer small = new ApiServer();
        List<Socket> unfinished = new ArrayList<>();
        try {
            InetSocketAddress port = small.open(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                    new ApiServer.Limits(LARGEST, most, most, 1_000, 600_000),
                    null,
                    () -> new ApiServer.Route(
                            null,
                            new Router(
                                    master,
                                    new SchedulerApi(master, null),
                                    new HttpEndpoints(master, "leader:5050"),
                                    null)));
            for (int i = 0; i < most; i++) {
                Socket socket = new Socket(port.getAddress(), port.getPort());
                unfinished.add(socket);
                socket.getOutputStream().write("GET /health HTTP/1.1\r\nHost: 127".getBytes(StandardCharsets.US_ASCII));
            }
            for (Socket socket : unfinished) {
                socket.setSoTimeout(60_000);
                assertThat(ended(socket)).isTrue();
            }
            HttpRequest health = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port.getPort() + "/health"))
                    .build();
            // This request has no more than a second either
            Await.until(
                    "others are served",
                    Duration.ofSeconds(20),
                    () -> client.send(health, HttpResponse.BodyHandlers.discarding())
                                    .statusCode()
                            == 200);
        } finally {
            for (Socket socket : unfinished) {
                socket.close();
            }
            small.close();
        }
    }

    /** Whether the other side closes the connection; a reset is an end too. */
    private static boolean ended(Socket socket) throws IOException {
        try {
            return socket.getInputStream().read() < 0;
        } catch (SocketException e) {
            return true;
        }
    }
}
