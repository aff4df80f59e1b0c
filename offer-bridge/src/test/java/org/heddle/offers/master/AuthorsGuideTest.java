// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.mesos.v1.Protos.AgentID;
import org.apache.mesos.v1.Protos.CommandInfo;
import org.apache.mesos.v1.Protos.ContainerInfo;
import org.apache.mesos.v1.Protos.Environment;
import org.apache.mesos.v1.Protos.ExecutorID;
import org.apache.mesos.v1.Protos.ExecutorInfo;
import org.apache.mesos.v1.Protos.FrameworkID;
import org.apache.mesos.v1.Protos.FrameworkInfo;
import org.apache.mesos.v1.Protos.HealthCheck;
import org.apache.mesos.v1.Protos.Offer;
import org.apache.mesos.v1.Protos.OperationID;
import org.apache.mesos.v1.Protos.Resource;
import org.apache.mesos.v1.Protos.Secret;
import org.apache.mesos.v1.Protos.TaskGroupInfo;
import org.apache.mesos.v1.Protos.TaskID;
import org.apache.mesos.v1.Protos.TaskInfo;
import org.apache.mesos.v1.Protos.TaskStatus;
import org.apache.mesos.v1.scheduler.Protos.Call;
import org.apache.mesos.v1.scheduler.Protos.Event;
import org.heddle.offers.TestClocks;
import org.heddle.offers.fixture.AuthorsGuide;
import org.heddle.offers.fixture.MarkdownTable;
import org.heddle.offers.fixture.TestBridges;
import org.heddle.offers.fixture.WireClient;
import org.heddle.offers.master.cluster.ClusterNode;
import org.heddle.offers.master.state.EventSink;
import org.heddle.offers.master.state.MasterIdentity;
import org.heddle.offers.master.state.StateExecutor;
import org.heddle.offers.model.Resources;
import org.heddle.offers.store.Journal;
import org.heddle.testkit.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * docs/framework-authors.md says what the code does: its tables are complete, and its sentences are those of the
 * bridge.
 */
class AuthorsGuideTest {
    private static final JavaClasses OURS = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("org.heddle.offers.master");
    private static final FrameworkID FRAMEWORK =
            FrameworkID.newBuilder().setValue("f").build();
    private static final String STREAM = "stream";
    private static final String UNKNOWN = "UNKNOWN";

    @TempDir
    private Path directory;

    private final List<Event> events = new CopyOnWriteArrayList<>();
    private Journal journal;
    private StateExecutor states;
    private Master master;

    @BeforeEach
    void open() throws IOException {
        journal = Journal.open(directory);
        states = new StateExecutor(TestClocks.of(() -> 1_000_000L), journal, () -> {});
        GenerousCluster cluster = new GenerousCluster();
        master = new Master(
                states,
                cluster,
                TestBridges.settings(directory, 0, 0).limits(),
                new MasterIdentity("bridge", "localhost", "127.0.0.1", 5050));
        cluster.setEvents(master);
        master.recover(journal, 1_000_000);
        states.start();
        List<ClusterNode> nodes = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            nodes.add(new ClusterNode(
                    "node" + i + ":1",
                    "node" + i,
                    "127.0.0.1",
                    "/rack",
                    "",
                    Resources.of(8000, 8192),
                    Resources.NONE,
                    true,
                    0,
                    Map.of("label", "gold", "zone", "a")));
        }
        master.nodes(nodes);
    }

    @AfterEach
    void close() throws IOException {
        states.close();
        journal.close();
    }

    /** Subscribes; returns the status of the answer. */
    private int subscribe(Call call) throws Exception {
        CompletableFuture<Integer> answer = new CompletableFuture<>();
        master.subscribe(call, STREAM, "", new EventSink<Event>() {
            @Override
            public void open(String streamId) {
                answer.complete(200);
            }

            @Override
            public void refuse(int status, String message) {
                answer.complete(status);
            }

            @Override
            public void send(Event event) {
                events.add(event);
            }

            @Override
            public void close() {}
        });
        return answer.get(20, TimeUnit.SECONDS);
    }

    /** The answer of a call: the status, and the message if there is one. */
    private String answer(Call call) throws Exception {
        assertThat(CallValidator.problem(call)).as(call.toString()).isNull();
        if (call.getType() == Call.Type.SUBSCRIBE) {
            return Integer.toString(subscribe(call));
        }
        CompletableFuture<String> answer = new CompletableFuture<>();
        master.call(
                call,
                STREAM,
                "",
                (status, text) -> answer.complete(text.isEmpty() ? Integer.toString(status) : status + " " + text));
        return answer.get(20, TimeUnit.SECONDS);
    }

    private static FrameworkInfo.Builder info() {
        return FrameworkInfo.newBuilder().setId(FRAMEWORK).setUser("u").setName("n");
    }

    /** A call of this type with everything that the API requires. */
    private static Call valid(Call.Type type) {
        TaskID task = TaskID.newBuilder().setValue("t").build();
        AgentID agent = AgentID.newBuilder().setValue("a").build();
        ExecutorID executor = ExecutorID.newBuilder().setValue("e").build();
        ByteString uuid = ByteString.copyFrom(new byte[16]);
        Call.Builder call = Call.newBuilder().setType(type).setFrameworkId(FRAMEWORK);
        switch (type) {
            case SUBSCRIBE -> call.setSubscribe(Call.Subscribe.newBuilder().setFrameworkInfo(info()));
            case ACCEPT -> call.setAccept(Call.Accept.getDefaultInstance());
            case DECLINE -> call.setDecline(Call.Decline.getDefaultInstance());
            case ACCEPT_INVERSE_OFFERS -> call.setAcceptInverseOffers(Call.AcceptInverseOffers.getDefaultInstance());
            case DECLINE_INVERSE_OFFERS -> call.setDeclineInverseOffers(Call.DeclineInverseOffers.getDefaultInstance());
            case KILL -> call.setKill(Call.Kill.newBuilder().setTaskId(task));
            case SHUTDOWN ->
                call.setShutdown(Call.Shutdown.newBuilder().setAgentId(agent).setExecutorId(executor));
            case ACKNOWLEDGE ->
                call.setAcknowledge(Call.Acknowledge.newBuilder()
                        .setAgentId(agent)
                        .setTaskId(task)
                        .setUuid(uuid));
            case ACKNOWLEDGE_OPERATION_STATUS ->
                call.setAcknowledgeOperationStatus(Call.AcknowledgeOperationStatus.newBuilder()
                        .setUuid(uuid)
                        .setOperationId(OperationID.newBuilder().setValue("o")));
            case RECONCILE -> call.setReconcile(Call.Reconcile.getDefaultInstance());
            case RECONCILE_OPERATIONS -> call.setReconcileOperations(Call.ReconcileOperations.getDefaultInstance());
            case MESSAGE ->
                call.setMessage(Call.Message.newBuilder()
                        .setAgentId(agent)
                        .setExecutorId(executor)
                        .setData(ByteString.EMPTY));
            case REQUEST -> call.setRequest(Call.Request.getDefaultInstance());
            case UPDATE_FRAMEWORK ->
                call.setUpdateFramework(Call.UpdateFramework.newBuilder().setFrameworkInfo(info()));
            default -> {}
        }
        return call.build();
    }

    private static Set<String> named(Object... types) {
        return Arrays.stream(types)
                .map(Object::toString)
                .filter(name -> !name.equals(UNKNOWN))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The constants of an enumeration that the code mentions, in classes whose names begin with one of these. */
    private static Set<String> mentioned(Class<?> type, String... classes) {
        return OURS.stream()
                .filter(one -> Arrays.stream(classes)
                        .anyMatch(prefix -> one.getName().startsWith("org.heddle.offers.master." + prefix)))
                .flatMap(one -> one.getFieldAccessesFromSelf().stream())
                .filter(access -> access.getTargetOwner().getName().equals(type.getName()))
                .map(access -> access.getTarget().getName())
                .filter(name -> !name.equals(UNKNOWN))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void theExampleIsShortAndHasAMain() throws Exception {
        assertThat(Files.readString(AuthorsGuide.FILE)).contains("../offer-bridge/" + AuthorsGuide.EXAMPLE);
        assertThat(Files.readAllLines(AuthorsGuide.EXAMPLE)).hasSizeLessThan(180);
        assertThat(Files.readString(AuthorsGuide.EXAMPLE)).contains("public static void main(");
    }

    @Test
    void callsOfSchedulers() throws Exception {
        Map<String, String> guide = AuthorsGuide.table("### Calls of a scheduler");
        assertThat(guide.keySet()).containsExactlyInAnyOrderElementsOf(named((Object[]) Call.Type.values()));
        List<Call.Type> order = new ArrayList<>(List.of(Call.Type.SUBSCRIBE));
        Arrays.stream(Call.Type.values())
                .filter(type -> type != Call.Type.UNKNOWN && type != Call.Type.SUBSCRIBE && type != Call.Type.TEARDOWN)
                .forEach(order::add);
        order.add(Call.Type.TEARDOWN);
        for (Call.Type type : order) {
            assertThat(answer(valid(type))).as(type.name()).isEqualTo(guide.get(type.name()));
        }
    }

    @Test
    void operationsOfAccept() throws Exception {
        Map<String, String> guide = AuthorsGuide.table("### Operations of ACCEPT");
        assertThat(guide.keySet()).containsExactlyInAnyOrderElementsOf(named((Object[]) Offer.Operation.Type.values()));
        guide.forEach((name, sentence) -> {
            Offer.Operation.Builder operation =
                    Offer.Operation.newBuilder().setType(Offer.Operation.Type.valueOf(name));
            switch (operation.getType()) {
                case LAUNCH -> operation.setLaunch(Offer.Operation.Launch.getDefaultInstance());
                case LAUNCH_GROUP ->
                    operation.setLaunchGroup(Offer.Operation.LaunchGroup.newBuilder()
                            .setExecutor(ExecutorInfo.newBuilder()
                                    .setExecutorId(ExecutorID.newBuilder().setValue("e")))
                            .setTaskGroup(TaskGroupInfo.getDefaultInstance()));
                default -> {}
            }
            String problem = CallValidator.problem(Call.newBuilder()
                    .setType(Call.Type.ACCEPT)
                    .setFrameworkId(FRAMEWORK)
                    .setAccept(Call.Accept.newBuilder().addOperations(operation))
                    .buildPartial());
            assertThat(problem == null ? "202" : "400 " + problem).isEqualTo(sentence.replace("TYPE", name));
        });
    }

    @Test
    void events() throws Exception {
        Map<String, String> guide = AuthorsGuide.table("### Events of a scheduler");
        assertThat(guide.keySet()).containsExactlyInAnyOrderElementsOf(named((Object[]) Event.Type.values()));
        assertThat(sent(guide))
                .isEqualTo(mentioned(Event.Type.class, "offers.", "Master", "FrameworkRegistry", "tasks."));
    }

    @Test
    void eventsOfExecutors() throws Exception {
        Map<String, String> guide = AuthorsGuide.table("### Events of an executor");
        assertThat(guide.keySet()).containsExactlyInAnyOrderElementsOf(named((Object[])
                org.apache.mesos.v1.executor.Protos.Event.Type.values()));
        assertThat(sent(guide))
                .isEqualTo(mentioned(org.apache.mesos.v1.executor.Protos.Event.Type.class, "tasks.", "agents."));
    }

    private static Set<String> sent(Map<String, String> guide) {
        return guide.entrySet().stream()
                .filter(row -> !row.getValue().startsWith("never"))
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void reasons() throws Exception {
        assertThat(new TreeSet<>(AuthorsGuide.table("### Reasons of TaskStatus").keySet()))
                .isEqualTo(mentioned(TaskStatus.Reason.class, ""));
    }

    @Test
    void capabilities() throws Exception {
        Map<String, String> guide = AuthorsGuide.table("### Capabilities");
        FrameworkInfo.Builder info = info();
        for (FrameworkInfo.Capability.Type type : FrameworkInfo.Capability.Type.values()) {
            info.addCapabilities(FrameworkInfo.Capability.newBuilder().setType(type));
        }
        assertThat(guide.keySet())
                .containsExactlyInAnyOrderElementsOf(named((Object[]) FrameworkInfo.Capability.Type.values()));
        Set<String> effective = guide.entrySet().stream()
                .filter(row -> !row.getValue().equals("no effect"))
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(effective).isEqualTo(mentioned(FrameworkInfo.Capability.Type.class, ""));
        assertThat(answer(Call.newBuilder()
                        .setType(Call.Type.SUBSCRIBE)
                        .setFrameworkId(FRAMEWORK)
                        .setSubscribe(Call.Subscribe.newBuilder().setFrameworkInfo(info))
                        .build()))
                .isEqualTo("200");
    }

    private Offer offer() throws Exception {
        assertThat(answer(valid(Call.Type.SUBSCRIBE))).isEqualTo("200");
        return Await.value(
                "an offer",
                Duration.ofSeconds(20),
                () -> events.stream()
                        .flatMap(event -> event.getOffers().getOffersList().stream())
                        .findFirst()
                        .orElse(null));
    }

    @Test
    void attributes() throws Exception {
        assertThat(offer().getAttributesList())
                .extracting(attribute -> attribute.getName())
                .containsExactlyInAnyOrder("rack", "label", "zone");
        assertThat(AuthorsGuide.table("### Attributes of offers").keySet())
                .containsExactly("rack", "label", "others", "max_completion_secs");
    }

    /** By the first cell of the table: a task which the bridge refuses with the sentence in the second cell. */
    private static Map<String, TaskInfo> refused(Offer offer) {
        Map<String, TaskInfo> tasks = new LinkedHashMap<>();
        TaskInfo sound = WireClient.task("t", offer, "true", 0.1, 32);
        ExecutorInfo.Builder executor = ExecutorInfo.newBuilder()
                .setExecutorId(ExecutorID.newBuilder().setValue("e"))
                .setCommand(CommandInfo.newBuilder().setValue("true"));
        tasks.put(
                "container.docker",
                sound.toBuilder()
                        .setContainer(ContainerInfo.newBuilder().setType(ContainerInfo.Type.DOCKER))
                        .build());
        tasks.put(
                "a secret in command.environment",
                sound.toBuilder()
                        .setCommand(CommandInfo.newBuilder()
                                .setValue("true")
                                .setEnvironment(Environment.newBuilder()
                                        .addVariables(Environment.Variable.newBuilder()
                                                .setName("V")
                                                .setType(Environment.Variable.Type.SECRET)
                                                .setSecret(Secret.newBuilder().setType(Secret.Type.VALUE)))))
                        .build());
        tasks.put(
                "health_check over https",
                sound.toBuilder()
                        .setHealthCheck(HealthCheck.newBuilder()
                                .setType(HealthCheck.Type.HTTP)
                                .setHttp(HealthCheck.HTTPCheckInfo.newBuilder()
                                        .setScheme("https")
                                        .setPort(1)))
                        .build());
        tasks.put(
                "a reserved or revocable resource",
                sound.toBuilder()
                        .addResources(WireClient.scalar("cpus", 1).toBuilder()
                                .setRevocable(Resource.RevocableInfo.getDefaultInstance()))
                        .build());
        tasks.put(
                "another resource, such as network",
                sound.toBuilder().addResources(WireClient.scalar("network", 1)).build());
        tasks.put("no resources", sound.toBuilder().clearResources().build());
        tasks.put(
                "command and executor, or neither",
                sound.toBuilder().setExecutor(executor).build());
        tasks.put(
                "the default executor in LAUNCH",
                sound.toBuilder()
                        .clearCommand()
                        .setExecutor(executor.clone().setType(ExecutorInfo.Type.DEFAULT))
                        .build());
        tasks.put(
                "an executor without a command",
                sound.toBuilder()
                        .clearCommand()
                        .setExecutor(executor.clone().clearCommand())
                        .build());
        tasks.put(
                "an agent other than that of the offer",
                sound.toBuilder()
                        .setAgentId(AgentID.newBuilder().setValue("other"))
                        .build());
        return tasks;
    }

    @Test
    void refusedTasks() throws Exception {
        Offer offer = offer();
        Map<String, TaskInfo> tasks = refused(offer);
        assertThat(answer(WireClient.launchCall(offer, 0, tasks.values().toArray(TaskInfo[]::new))
                        .setFrameworkId(FRAMEWORK)
                        .build()))
                .isEqualTo("202");
        List<TaskStatus> statuses = Await.value("an update for each task", Duration.ofSeconds(20), () -> {
            List<TaskStatus> seen = events.stream()
                    .filter(Event::hasUpdate)
                    .map(event -> event.getUpdate().getStatus())
                    .toList();
            return seen.size() == tasks.size() ? seen : null;
        });
        assertThat(statuses).extracting(TaskStatus::getReason).containsOnly(TaskStatus.Reason.REASON_TASK_INVALID);
        Map<String, String> sentences = new LinkedHashMap<>();
        int i = 0;
        for (String what : tasks.keySet()) {
            sentences.put(
                    what,
                    statuses.get(i++).getMessage().replace(offer.getAgentId().getValue(), "AGENT"));
        }
        assertThat(MarkdownTable.byPhrase(AuthorsGuide.FILE, "### Refused tasks"))
                .isEqualTo(sentences);
    }
}
