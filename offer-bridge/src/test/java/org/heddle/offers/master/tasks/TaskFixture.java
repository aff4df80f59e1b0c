// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.tasks;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.mesos.v1.Protos.AgentID;
import org.apache.mesos.v1.Protos.CommandInfo;
import org.apache.mesos.v1.Protos.ExecutorID;
import org.apache.mesos.v1.Protos.ExecutorInfo;
import org.apache.mesos.v1.Protos.FrameworkInfo;
import org.apache.mesos.v1.Protos.TaskID;
import org.apache.mesos.v1.Protos.TaskInfo;
import org.apache.mesos.v1.Protos.TaskStatus;
import org.apache.mesos.v1.scheduler.Protos.Event;
import org.heddle.offers.TestClocks;
import org.heddle.offers.agent.AgentProtocol;
import org.heddle.offers.agent.FrameCodec;
import org.heddle.offers.fixture.AgentFrames;
import org.heddle.offers.fixture.EventList;
import org.heddle.offers.fixture.StubCluster;
import org.heddle.offers.fixture.TestBridges;
import org.heddle.offers.master.agents.AgentRegistry;
import org.heddle.offers.master.cluster.ApplicationKey;
import org.heddle.offers.master.cluster.ClusterNode;
import org.heddle.offers.master.offers.InverseOffers;
import org.heddle.offers.master.offers.MasterParts;
import org.heddle.offers.master.offers.OfferManager;
import org.heddle.offers.master.offers.SchedulerEvents;
import org.heddle.offers.master.state.AgentContainer;
import org.heddle.offers.master.state.AgentLink;
import org.heddle.offers.master.state.ClusterState;
import org.heddle.offers.master.state.ContainerPhase;
import org.heddle.offers.master.state.Counters;
import org.heddle.offers.master.state.Framework;
import org.heddle.offers.master.state.FrameworkRole;
import org.heddle.offers.master.state.FrameworkTask;
import org.heddle.offers.master.state.MasterIdentity;
import org.heddle.offers.master.state.MasterSettings;
import org.heddle.offers.master.state.MesosResources;
import org.heddle.offers.master.state.OutstandingOffer;
import org.heddle.offers.master.state.StateChange;
import org.heddle.offers.master.state.StateChanges;
import org.heddle.offers.master.state.StateExecutor;
import org.heddle.offers.master.state.Warnings;
import org.heddle.offers.model.ContainerAsk;
import org.heddle.offers.model.Resources;
import org.heddle.offers.store.Journal;
import org.heddle.offers.wire.Encoding;

/** The managers of tasks over a state without threads: changes happen at once, at the time that the test says. */
final class TaskFixture implements AutoCloseable {
    static final long START = 1_000_000;
    static final Resources SIZE = Resources.of(4000, 2048);
    static final String NODE = "node:1";

    /** A frame to an agent: its kind, and the key of the process or the number of the event that it names. */
    record Frame(byte kind, String about, byte[] bytes) {
        static Frame of(byte[] bytes) {
            byte kind = AgentFrames.kind(bytes);
            try (DataInputStream in = AgentFrames.fields(bytes)) {
                String about = switch (kind) {
                    case AgentProtocol.SETTLE, AgentProtocol.HTTP_REPLY -> Long.toString(in.readLong());
                    case AgentProtocol.LAUNCH, AgentProtocol.KILL, AgentProtocol.STREAM -> in.readUTF();
                    default -> "";
                };
                return new Frame(kind, about, bytes);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private final class Link implements AgentLink {
        @Override
        public void send(byte[] frame) {
            frames.add(Frame.of(frame));
        }

        @Override
        public void close() {}
    }

    private final class RecordingCluster extends StubCluster {
        @Override
        public void start(AppSpec spec) {}

        @Override
        public void ask(ApplicationKey key, ContainerAsk plan, Set<String> refusedHosts) {}

        @Override
        public void release(ApplicationKey key, String containerId) {
            released.add(containerId);
        }
    }

    private static final class Listener implements TaskListener {
        @Override
        public void taskAdded(StateChange change, FrameworkTask task) {}

        @Override
        public void taskUpdated(StateChange change, FrameworkTask task, TaskStatus status) {}
    }

    final AtomicLong clock = new AtomicLong(START);
    final ClusterState state = new ClusterState();
    final Counters counters = new Counters();
    /** What the frameworks get. */
    final List<Event> events = new ArrayList<>();
    /** What all agents get. */
    final List<Frame> frames = new CopyOnWriteArrayList<>();
    /** Containers that returned to the cluster. */
    final List<String> released = new ArrayList<>();

    final StateExecutor stateExecutor;
    final OfferManager offers;
    final ExecutorManager executors;
    final TaskTracker tasks;
    final ExecutorCallHandler calls;
    final AcceptHandler accepts;
    final AgentRegistry agents;
    /** It has all capabilities that are about states of tasks. */
    final Framework framework = framework("owner", FrameworkInfo.Capability.Type.PARTITION_AWARE);

    final FrameworkRole role = state.addRole(framework, "*");
    private final Journal journal;

    TaskFixture(Path directory) throws IOException {
        journal = Journal.open(directory);
        stateExecutor = new StateExecutor(TestClocks.of(clock::get), journal, () -> {});
        MasterSettings settings = TestBridges.settings(directory, 0, 0).limits();
        RecordingCluster cluster = new RecordingCluster();
        Listener listener = new Listener();
        MasterParts parts = new MasterParts(state, stateExecutor, cluster, settings, counters, new Warnings());
        offers = new OfferManager(
                parts,
                new SchedulerEvents(new MasterIdentity("bridge", "localhost", "127.0.0.1", 5050)),
                new InverseOffers(state, counters));
        executors = new ExecutorManager(state, stateExecutor, counters);
        tasks = new TaskTracker(state, offers, executors, listener, counters);
        calls = new ExecutorCallHandler(state, executors, tasks, offers, counters);
        accepts = new AcceptHandler(state, offers, executors, tasks, listener, counters);
        agents = new AgentRegistry(parts, offers, tasks, executors, calls);
        Resources node = SIZE.times(4);
        state.setNodes(List.of(
                new ClusterNode(NODE, "node", "10.0.0.7", "/rack", "", node, Resources.NONE, true, 0, Map.of())));
    }

    @Override
    public void close() throws IOException {
        stateExecutor.close();
        journal.close();
    }

    // ---- the state ----

    Framework framework(String id, FrameworkInfo.Capability.Type... capabilities) {
        FrameworkInfo.Builder info = FrameworkInfo.newBuilder().setUser("u").setName(id);
        Arrays.stream(capabilities)
                .forEach(type -> info.addCapabilities(
                        FrameworkInfo.Capability.newBuilder().setType(type)));
        Framework made = new Framework(id, info.build());
        made.connect("stream-" + id, new EventList<>(events), START);
        state.add(made);
        return made;
    }

    /** A container on the node, without an agent. */
    AgentContainer allocated(String id) {
        return allocated(id, role, NODE);
    }

    AgentContainer allocated(String id, FrameworkRole owner, String node) {
        AgentContainer container = new AgentContainer(id, owner, node, "node", SIZE, START);
        state.add(container);
        return container;
    }

    /** A container on the node, with an agent. */
    AgentContainer running(String id) {
        AgentContainer container = allocated(id);
        container.setPhase(ContainerPhase.RUNNING);
        state.connect(container, new Link());
        return container;
    }

    OutstandingOffer offer(AgentContainer container) {
        return offer(container, 0);
    }

    OutstandingOffer offer(AgentContainer container, long maxTaskMillis) {
        OutstandingOffer offer =
                new OutstandingOffer("offer-" + container.id(), container, container.free(), START, maxTaskMillis);
        state.add(offer);
        return offer;
    }

    static TaskInfo command(String id, AgentContainer container, long milliCpus, long memMb) {
        return TaskInfo.newBuilder()
                .setName(id)
                .setTaskId(TaskID.newBuilder().setValue(id))
                .setAgentId(AgentID.newBuilder().setValue(container.agentId()))
                .addAllResources(MesosResources.toMesos(Resources.of(milliCpus, memMb), ""))
                .setCommand(CommandInfo.newBuilder().setValue("true"))
                .build();
    }

    /** A small task for the framework's own executor of that name. */
    static TaskInfo custom(String id, AgentContainer container, String executor) {
        return command(id, container, 1000, 512).toBuilder()
                .clearCommand()
                .setExecutor(executor(executor))
                .build();
    }

    static ExecutorInfo executor(String id) {
        return ExecutorInfo.newBuilder()
                .setType(ExecutorInfo.Type.CUSTOM)
                .setExecutorId(ExecutorID.newBuilder().setValue(id))
                .setCommand(CommandInfo.newBuilder().setValue("run"))
                .addAllResources(MesosResources.toMesos(Resources.of(500, 128), ""))
                .build();
    }

    /** Adds a task as if it was accepted, and starts its executor. */
    FrameworkTask launched(TaskInfo info, AgentContainer container, String group) {
        FrameworkTask task = new FrameworkTask(
                info, container.framework(), container, MesosResources.toResources(info.getResourcesList()), group);
        state.add(task);
        if (task.isCustom()) {
            at(START, change -> executors.ensure(change, task));
        }
        return task;
    }

    FrameworkTask launched(TaskInfo info, AgentContainer container) {
        return launched(info, container, "");
    }

    FrameworkTask task(String id) {
        return Objects.requireNonNull(framework.tasks().get(id), id);
    }

    // ---- what happens ----

    /** Makes a change at that time, with its effects. */
    void at(long now, Consumer<StateChange> work) {
        StateChange change = TestClocks.change(now);
        work.accept(change);
        StateChanges.runEffects(change);
        state.assertConsistent();
    }

    /** The updates that frameworks got since the last question. */
    List<TaskStatus> updates() {
        List<TaskStatus> found = events.stream()
                .filter(Event::hasUpdate)
                .map(event -> event.getUpdate().getStatus())
                .toList();
        events.removeIf(Event::hasUpdate);
        return found;
    }

    /** What frames of that kind are about, oldest first. */
    List<String> frames(byte kind) {
        return ofKind(kind).map(Frame::about).toList();
    }

    private Stream<Frame> ofKind(byte kind) {
        return frames.stream().filter(frame -> frame.kind() == kind);
    }

    /** The grace periods of the kills that agents got, in ms. */
    List<Long> graces() {
        return ofKind(AgentProtocol.KILL)
                .map(frame -> {
                    try (DataInputStream in = AgentFrames.fields(frame.bytes())) {
                        in.readUTF();
                        return in.readLong();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                })
                .toList();
    }

    /** The events that executors got; they must have subscribed with protobuf. */
    List<org.apache.mesos.v1.executor.Protos.Event> executorEvents() {
        return ofKind(AgentProtocol.STREAM)
                .map(frame -> {
                    try (DataInputStream in = AgentFrames.fields(frame.bytes())) {
                        in.readUTF();
                        FrameCodec.readText(in);
                        byte[] record = FrameCodec.readBytes(in);
                        int head = 0;
                        while (record[head] != '\n') {
                            head++;
                        }
                        var event = org.apache.mesos.v1.executor.Protos.Event.newBuilder();
                        Encoding.PROTOBUF.decode(Arrays.copyOfRange(record, head + 1, record.length), event);
                        return event.build();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                })
                .toList();
    }
}
