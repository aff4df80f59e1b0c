// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.mesos.v1.Protos.AgentID;
import org.apache.mesos.v1.Protos.CommandInfo;
import org.apache.mesos.v1.Protos.ExecutorID;
import org.apache.mesos.v1.Protos.ExecutorInfo;
import org.apache.mesos.v1.Protos.FrameworkID;
import org.apache.mesos.v1.Protos.Offer;
import org.apache.mesos.v1.Protos.TaskID;
import org.apache.mesos.v1.Protos.TaskInfo;
import org.apache.mesos.v1.Protos.TaskState;
import org.apache.mesos.v1.Protos.TaskStatus;
import org.apache.mesos.v1.scheduler.Protos.Call;
import org.apache.mesos.v1.scheduler.Protos.Event;
import org.heddle.offers.TestClocks;
import org.heddle.offers.agent.AgentProtocol;
import org.heddle.offers.agent.FrameCodec;
import org.heddle.offers.fixture.AgentFrames;
import org.heddle.offers.fixture.AuthorsGuide;
import org.heddle.offers.fixture.StubCluster;
import org.heddle.offers.fixture.TestBridges;
import org.heddle.offers.fixture.WireClient;
import org.heddle.offers.master.agents.AgentRegistry;
import org.heddle.offers.master.cluster.AllocatedContainer;
import org.heddle.offers.master.cluster.ApplicationKey;
import org.heddle.offers.master.cluster.ApplicationRecord;
import org.heddle.offers.master.cluster.Cluster;
import org.heddle.offers.master.cluster.ClusterNode;
import org.heddle.offers.master.cluster.NoEvents;
import org.heddle.offers.master.state.AgentLink;
import org.heddle.offers.master.state.ClusterState;
import org.heddle.offers.master.state.ContainerPhase;
import org.heddle.offers.master.state.EventSink;
import org.heddle.offers.master.state.FrameworkExecutor;
import org.heddle.offers.master.state.FrameworkTask;
import org.heddle.offers.master.state.MasterIdentity;
import org.heddle.offers.master.state.StateExecutor;
import org.heddle.offers.model.ContainerAsk;
import org.heddle.offers.model.Resources;
import org.heddle.offers.store.Journal;
import org.heddle.offers.wire.Encoding;
import org.heddle.testkit.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A framework names a task, an executor and an agent of another one: its calls are answered, and have no effect. Calls
 * of the executor are answered as the guide for authors says, also when it subscribes again.
 */
class ForeignCallsTest {
    private static final String OWNER = "owner";
    private static final String INTRUDER = "intruder";
    private static final ExecutorID EXECUTOR =
            ExecutorID.newBuilder().setValue("e").build();
    private static final TaskID CUSTOM = TaskID.newBuilder().setValue("custom").build();
    private static final TaskID COMMAND =
            TaskID.newBuilder().setValue("command").build();

    /** One container, for the owner. */
    private static final class OneContainer extends StubCluster {
        private Events events = new NoEvents();
        private final CompletableFuture<AgentSpec> started = new CompletableFuture<>();
        private boolean allocated;

        @Override
        public void start(AppSpec spec) {
            events.started(
                    spec.key(),
                    new ApplicationRecord("application_1_0001", new byte[0], Resources.NONE),
                    Resources.of(8000, 8192),
                    List.of());
            events.headroom(spec.key(), Resources.of(100_000, 100_000));
        }

        @Override
        public synchronized void ask(ApplicationKey key, ContainerAsk plan, Set<String> refusedHosts) {
            if (!allocated && plan.count() > 0 && key.frameworkId().equals(OWNER)) {
                allocated = true;
                events.granted(
                        key,
                        List.of(new AllocatedContainer("container_1", "node1:1", "node1", Resources.of(8000, 8192))));
            }
        }

        @Override
        public void startAgent(ApplicationKey key, AgentSpec agent) {
            started.complete(agent);
        }
    }

    /**
     * The frames that the bridge sends to the agent: their kinds, and the statuses of answers by the number of the
     * call.
     */
    private static final class Frames implements AgentLink {
        private final List<Byte> kinds = new CopyOnWriteArrayList<>();
        private volatile boolean closed;
        private final Map<Long, Integer> answers = new ConcurrentHashMap<>();

        @Override
        public void send(byte[] frame) {
            byte kind = AgentFrames.kind(frame);
            kinds.add(kind);
            if (kind == AgentProtocol.HTTP_REPLY) {
                try (DataInputStream in = AgentFrames.fields(frame)) {
                    long seq = in.readLong();
                    in.readUTF();
                    answers.put(seq, in.readInt());
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    private static final class Sink implements EventSink<Event> {
        private final List<Event> events = new CopyOnWriteArrayList<>();
        private final CompletableFuture<String> open = new CompletableFuture<>();

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
            events.add(event);
        }

        @Override
        public void close() {}
    }

    @TempDir
    private Path directory;

    private final OneContainer cluster = new OneContainer();
    private final Frames frames = new Frames();
    private Journal journal;
    private StateExecutor states;
    private Master master;
    private AgentID agentId;

    @BeforeEach
    void twoTasksRun() throws Exception {
        journal = Journal.open(directory);
        states = new StateExecutor(TestClocks.of(() -> 1_000_000L), journal, () -> {});
        master = new Master(
                states,
                cluster,
                TestBridges.settings(directory, 0, 0).limits(),
                new MasterIdentity("bridge", "localhost", "127.0.0.1", 5050));
        cluster.events = master;
        master.recover(journal, 1_000_000);
        states.start();
        Resources size = Resources.of(8000, 8192);
        master.nodes(List.of(new ClusterNode(
                "node1:1", "node1", "127.0.0.1", "/rack", "", size, Resources.NONE, true, 0, Map.of())));
        Sink owner = subscribe(OWNER);
        subscribe(INTRUDER);
        Offer offer = Await.value(
                "an offer",
                Duration.ofSeconds(20),
                () -> owner.events.stream()
                        .flatMap(event -> event.getOffers().getOffersList().stream())
                        .findFirst()
                        .orElse(null));
        agentId = offer.getAgentId();
        TaskInfo custom = WireClient.task(CUSTOM.getValue(), offer, "true", 0.5, 64).toBuilder()
                .clearCommand()
                .setExecutor(ExecutorInfo.newBuilder()
                        .setType(ExecutorInfo.Type.CUSTOM)
                        .setExecutorId(EXECUTOR)
                        .setCommand(CommandInfo.newBuilder().setValue("true")))
                .build();
        TaskInfo command = WireClient.task(COMMAND.getValue(), offer, "true", 0.5, 64);
        call(OWNER, WireClient.launchCall(offer, 0, custom, command));
        connectAgent();
        Await.until(
                "the command's update",
                Duration.ofSeconds(20),
                () -> owner.events.stream().anyMatch(Event::hasUpdate));
        // As if the executor had subscribed
        look(task -> {
            executor(task).setEncoding(Encoding.PROTOBUF);
            return true;
        });
        frames.kinds.clear();
    }

    @AfterEach
    void close() throws IOException {
        states.close();
        journal.close();
    }

    private void connectAgent() throws Exception {
        Cluster.AgentSpec spec = cluster.started.get(20, TimeUnit.SECONDS);
        AgentRegistry agents = master.agents();
        agents.hello(AgentFrames.hello(spec), frames);
        Await.until(
                "both launches",
                Duration.ofSeconds(20),
                () -> frames.kinds.stream()
                                .filter(kind -> kind == AgentProtocol.LAUNCH)
                                .count()
                        == 2);
        agents.frame(
                frames,
                AgentFrames.event(1, AgentProtocol.STARTED, "t/" + COMMAND.getValue(), out -> out.writeLong(1)));
    }

    private Sink subscribe(String name) throws Exception {
        FrameworkID id = FrameworkID.newBuilder().setValue(name).build();
        Sink sink = new Sink();
        master.subscribe(
                WireClient.subscribeCall(WireClient.info(name).setId(id).build())
                        .build(),
                "stream-" + name,
                "",
                sink);
        sink.open.get(20, TimeUnit.SECONDS);
        return sink;
    }

    private void call(String framework, Call.Builder call) throws Exception {
        CompletableFuture<Integer> answer = new CompletableFuture<>();
        master.call(
                call.setFrameworkId(FrameworkID.newBuilder().setValue(framework))
                        .build(),
                "stream-" + framework,
                "",
                (status, text) -> answer.complete(status));
        assertThat(answer.get(20, TimeUnit.SECONDS)).isEqualTo(202);
    }

    /** Reads something of the owner's task with the custom executor. */
    private <T> T look(Function<FrameworkTask, T> what) throws Exception {
        CompletableFuture<T> found = new CompletableFuture<>();
        master.look("", view -> {
                    found.complete(what.apply(task(view.state(), CUSTOM)));
                    return "";
                })
                .get(20, TimeUnit.SECONDS);
        return found.get();
    }

    private static FrameworkTask task(ClusterState state, TaskID id) {
        return Objects.requireNonNull(
                Objects.requireNonNull(state.framework(OWNER)).tasks().get(id.getValue()));
    }

    private static FrameworkExecutor executor(FrameworkTask task) {
        return Objects.requireNonNull(task.container().executors().get(EXECUTOR.getValue()));
    }

    private boolean isShutDown() throws Exception {
        return look(task -> executor(task).isShutdown());
    }

    private int pendingUpdates() throws Exception {
        return look(task -> Objects.requireNonNull(task.framework().tasks().get(COMMAND.getValue()))
                .pending()
                .size());
    }

    /** Such as one that a bridge of another release started. */
    @Test
    void anAgentOfAnotherVersionIsDisconnected() throws Exception {
        Frames later = new Frames();
        master.agents()
                .hello(AgentFrames.hello(cluster.started.get(20, TimeUnit.SECONDS), AgentProtocol.VERSION + 1), later);
        Await.until("the connection is closed", Duration.ofSeconds(20), () -> later.closed);
        assertThat(later.kinds).isEmpty();
        assertThat(frames.closed).as("the agent that is connected").isFalse();
        assertThat(AgentProtocol.otherVersion(9))
                .startsWith(
                        "it speaks version 9 of the protocol, and this bridge speaks version " + AgentProtocol.VERSION);
    }

    @Test
    void acknowledgements() throws Exception {
        ByteString uuid = look(task -> Objects.requireNonNull(
                        Objects.requireNonNull(task.framework().tasks().get(COMMAND.getValue()))
                                .pending()
                                .peekFirst())
                .uuid());
        Call.Builder acknowledge = Call.newBuilder()
                .setType(Call.Type.ACKNOWLEDGE)
                .setAcknowledge(Call.Acknowledge.newBuilder()
                        .setAgentId(agentId)
                        .setTaskId(COMMAND)
                        .setUuid(uuid));
        int before = pendingUpdates();
        call(INTRUDER, acknowledge.clone());
        assertThat(pendingUpdates()).isEqualTo(before);
        call(OWNER, acknowledge.clone());
        assertThat(pendingUpdates()).isEqualTo(before - 1);
    }

    /** As after a restart of the bridge: the agent was seen, and has not come back. Its process runs on. */
    @Test
    void aKillIsToldToAnAgentThatComesBack() throws Exception {
        look(task -> {
            task.container().setPhase(ContainerPhase.STARTING);
            return true;
        });
        call(
                OWNER,
                Call.newBuilder()
                        .setType(Call.Type.KILL)
                        .setKill(Call.Kill.newBuilder().setTaskId(COMMAND)));
        TaskState state =
                look(task -> Objects.requireNonNull(task.framework().tasks().get(COMMAND.getValue()))
                        .state());
        assertThat(state).isEqualTo(TaskState.TASK_RUNNING);
        Frames again = new Frames();
        master.agents().hello(AgentFrames.hello(cluster.started.get(20, TimeUnit.SECONDS)), again);
        Await.until("the kill", Duration.ofSeconds(20), () -> again.kinds.contains(AgentProtocol.KILL));
    }

    @Test
    void messages() throws Exception {
        Call.Builder message = Call.newBuilder()
                .setType(Call.Type.MESSAGE)
                .setMessage(Call.Message.newBuilder()
                        .setAgentId(agentId)
                        .setExecutorId(EXECUTOR)
                        .setData(ByteString.copyFromUtf8("x")));
        call(INTRUDER, message.clone());
        assertThat(frames.kinds).isEmpty();
        call(OWNER, message.clone());
        Await.until("the message", Duration.ofSeconds(20), () -> frames.kinds.contains(AgentProtocol.STREAM));
    }

    @Test
    void shutdowns() throws Exception {
        Call.Builder shutdown = Call.newBuilder()
                .setType(Call.Type.SHUTDOWN)
                .setShutdown(Call.Shutdown.newBuilder().setAgentId(agentId).setExecutorId(EXECUTOR));
        call(INTRUDER, shutdown.clone());
        assertThat(isShutDown()).isFalse();
        assertThat(frames.kinds).isEmpty();
        call(OWNER, shutdown.clone());
        assertThat(isShutDown()).isTrue();
    }

    @Test
    void callsOfTheExecutor() throws Exception {
        Map<String, String> guide = AuthorsGuide.table("### Calls of an executor");
        long seq = 10;
        for (var type : org.apache.mesos.v1.executor.Protos.Call.Type.values()) {
            if (type != org.apache.mesos.v1.executor.Protos.Call.Type.UNKNOWN) {
                int status = answerToExecutor(seq++, executorCall(type));
                assertThat(guide).containsEntry(type.name(), Integer.toString(status));
            }
        }
        assertThat(guide).hasSize((int) (seq - 10));
    }

    /** Its connection ended before the framework had acknowledged its update. */
    @Test
    void anExecutorSubscribesAgainWithWhatIsNotAcknowledged() throws Exception {
        var update = executorCall(org.apache.mesos.v1.executor.Protos.Call.Type.UPDATE);
        ByteString uuid = ByteString.copyFromUtf8("0123456789abcdef");
        update.getUpdateBuilder().getStatusBuilder().setUuid(uuid);
        var again = executorCall(org.apache.mesos.v1.executor.Protos.Call.Type.SUBSCRIBE);
        again.getSubscribeBuilder()
                .addUnacknowledgedTasks(look(FrameworkTask::info))
                .addUnacknowledgedUpdates(update.getUpdate());
        assertThat(answerToExecutor(10, update)).isEqualTo(202);
        assertThat(answerToExecutor(11, again)).isEqualTo(200);
        int waiting = look(task -> task.pending().size());
        assertThat(waiting).as("updates that wait for the framework").isEqualTo(1);
        call(
                OWNER,
                Call.newBuilder()
                        .setType(Call.Type.ACKNOWLEDGE)
                        .setAcknowledge(Call.Acknowledge.newBuilder()
                                .setAgentId(agentId)
                                .setTaskId(CUSTOM)
                                .setUuid(uuid)));
        assertThat(answerToExecutor(12, again)).isEqualTo(200);
        boolean done = look(task -> task.pending().isEmpty() && task.state() == TaskState.TASK_RUNNING);
        assertThat(done).isTrue();
    }

    private static org.apache.mesos.v1.executor.Protos.Call.Builder executorCall(
            org.apache.mesos.v1.executor.Protos.Call.Type type) {
        var call = org.apache.mesos.v1.executor.Protos.Call.newBuilder()
                .setType(type)
                .setFrameworkId(FrameworkID.newBuilder().setValue(OWNER))
                .setExecutorId(EXECUTOR);
        switch (type) {
            case SUBSCRIBE ->
                call.setSubscribe(org.apache.mesos.v1.executor.Protos.Call.Subscribe.getDefaultInstance());
            case UPDATE ->
                call.setUpdate(org.apache.mesos.v1.executor.Protos.Call.Update.newBuilder()
                        .setStatus(TaskStatus.newBuilder().setTaskId(CUSTOM).setState(TaskState.TASK_RUNNING)));
            case MESSAGE ->
                call.setMessage(org.apache.mesos.v1.executor.Protos.Call.Message.newBuilder()
                        .setData(ByteString.EMPTY));
            default -> {}
        }
        return call;
    }

    /** Sends the call as the agent passes it on; returns the status of its answer. */
    private int answerToExecutor(long seq, org.apache.mesos.v1.executor.Protos.Call.Builder call) throws Exception {
        String key = look(task -> executor(task).key());
        byte[] event = AgentFrames.event(seq, AgentProtocol.CALL, key, out -> {
            out.writeUTF(Encoding.PROTOBUF.mediaType());
            out.writeUTF(Encoding.PROTOBUF.mediaType());
            FrameCodec.writeBytes(out, call.build().toByteArray());
        });
        master.agents().frame(frames, event);
        return Await.value("the answer to " + call.getType(), Duration.ofSeconds(20), () -> frames.answers.get(seq));
    }
}
