// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.tasks;

import com.google.protobuf.ByteString;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.mesos.v1.Protos.AgentInfo;
import org.apache.mesos.v1.Protos.TaskState;
import org.apache.mesos.v1.Protos.TaskStatus;
import org.apache.mesos.v1.executor.Protos.Call;
import org.apache.mesos.v1.executor.Protos.Event;
import org.heddle.offers.agent.AgentProtocol;
import org.heddle.offers.agent.FrameCodec;
import org.heddle.offers.master.offers.OfferManager;
import org.heddle.offers.master.offers.SchedulerEvents;
import org.heddle.offers.master.state.AgentContainer;
import org.heddle.offers.master.state.ClusterState;
import org.heddle.offers.master.state.Counters;
import org.heddle.offers.master.state.Counters.Counter;
import org.heddle.offers.master.state.FrameworkExecutor;
import org.heddle.offers.master.state.FrameworkTask;
import org.heddle.offers.master.state.StateChange;
import org.heddle.offers.master.state.StateCodec;
import org.heddle.offers.wire.Encoding;
import org.heddle.offers.wire.MalformedMessage;

/** The calls of executors (Mesos' v1 executor API), which agents pass on, and the end of executor processes. */
public final class ExecutorCallHandler {
    private final ClusterState state;
    private final ExecutorManager executors;
    private final TaskTracker tasks;
    private final OfferManager offers;
    private final Counters counters;

    public ExecutorCallHandler(
            ClusterState state, ExecutorManager executors, TaskTracker tasks, OfferManager offers, Counters counters) {
        this.state = state;
        this.executors = executors;
        this.tasks = tasks;
        this.offers = offers;
        this.counters = counters;
    }

    /** A call of an executor, which gets one answer. */
    private record Request(StateChange change, AgentContainer container, FrameworkExecutor executor, long seq) {
        void answer(int status, String message) {
            respond(status, false, "text/plain", message.getBytes(StandardCharsets.UTF_8));
            settle();
        }

        void respond(int status, boolean stream, String type, byte[] body) {
            container.send(change, FrameCodec.frame(AgentProtocol.HTTP_REPLY, out -> {
                out.writeLong(seq);
                out.writeUTF(executor.key());
                out.writeInt(status);
                out.writeUTF(type);
                out.writeBoolean(stream);
                FrameCodec.writeBytes(out, body);
            }));
        }

        void settle() {
            container.send(change, FrameCodec.frame(AgentProtocol.SETTLE, out -> out.writeLong(seq)));
        }
    }

    /** Handles a call that an agent passed on. */
    public void call(
            StateChange change,
            AgentContainer container,
            FrameworkExecutor executor,
            long seq,
            String contentType,
            String accept,
            byte[] body) {
        Request request = new Request(change, container, executor, seq);
        Encoding encoding = Encoding.ofContentType(contentType);
        if (encoding == null) {
            request.answer(415, "Expecting 'Content-Type' of application/json or application/x-protobuf");
            return;
        }
        Call call;
        try {
            Call.Builder builder = Call.newBuilder();
            encoding.decode(body, builder);
            call = builder.build();
        } catch (MalformedMessage e) {
            request.answer(400, "Failed to parse body into Call: " + e.getMessage());
            return;
        }
        if (!call.getFrameworkId()
                        .getValue()
                        .equals(container.role().framework().id())
                || !call.getExecutorId().getValue().equals(executor.id())) {
            request.answer(
                    400,
                    "Executor cannot be found: this address is for executor " + executor.id() + " of framework "
                            + container.role().framework().id());
            return;
        }
        switch (call.getType()) {
            case SUBSCRIBE -> subscribe(request, accept, call.getSubscribe());
            case UPDATE -> update(request, call.getUpdate().getStatus());
            case MESSAGE -> {
                counters.count(Counter.MESSAGES_FROM_EXECUTORS);
                container
                        .role()
                        .framework()
                        .send(
                                change,
                                SchedulerEvents.message(
                                        container.agentId(),
                                        executor.id(),
                                        call.getMessage().getData()));
                request.answer(202, "");
            }
            case HEARTBEAT -> request.answer(202, "");
            default -> request.answer(501, "Received a call of unknown type");
        }
    }

    private void subscribe(Request request, String accept, Call.Subscribe subscribe) {
        StateChange change = request.change;
        AgentContainer container = request.container;
        FrameworkExecutor executor = request.executor;
        Encoding encoding = Encoding.ofAccept(accept);
        if (encoding == null) {
            request.answer(406, "Expecting 'Accept' to allow application/json or application/x-protobuf");
            return;
        }
        executor.setEncoding(encoding);
        change.put(StateCodec.containerKey(container.id()), StateCodec.container(container));
        Event subscribed = Event.newBuilder()
                .setType(Event.Type.SUBSCRIBED)
                .setSubscribed(Event.Subscribed.newBuilder()
                        .setExecutorInfo(executor.info())
                        .setFrameworkInfo(container.role().framework().info())
                        .setAgentInfo(AgentInfo.newBuilder()
                                .setId(org.apache.mesos.v1.Protos.AgentID.newBuilder()
                                        .setValue(container.agentId()))
                                .setHostname(container.hostname())))
                .build();
        request.respond(200, true, encoding.mediaType(), encoding.record(subscribed));
        request.settle();
        Set<String> has = subscribe.getUnacknowledgedTasksList().stream()
                .map(task -> task.getTaskId().getValue())
                .collect(Collectors.toSet());
        // The names of acknowledged updates are kept, so that an executor's repetition is recognized.
        Request unanswered = new Request(change, container, executor, 0);
        subscribe.getUnacknowledgedUpdatesList().forEach(update -> update(unanswered, update.getStatus()));
        for (FrameworkTask task : tasksOf(executor)) {
            if (task.state() == TaskState.TASK_STAGING && !has.contains(task.id())) {
                tasks.start(change, task);
            }
        }
    }

    /** The executor's tasks in all containers of its node. */
    private List<FrameworkTask> tasksOf(FrameworkExecutor executor) {
        AgentContainer home = executor.container();
        return state.containersOfAgent(home.agentId()).stream()
                .filter(container -> container.framework() == home.framework())
                .flatMap(container -> container.tasks().values().stream())
                .filter(task -> task.isCustom() && task.executorId().equals(executor.id()))
                .toList();
    }

    /** @param request its number is 0 if nobody waits for an answer */
    private void update(Request request, TaskStatus status) {
        StateChange change = request.change;
        AgentContainer container = request.container;
        FrameworkExecutor executor = request.executor;
        long seq = request.seq;
        if (seq > 0) {
            request.respond(202, false, "text/plain", new byte[0]);
        }
        FrameworkTask task =
                container.role().framework().tasks().get(status.getTaskId().getValue());
        ByteString uuid = status.hasUuid() ? status.getUuid() : TaskStatuses.uuid(container.id(), "s" + seq);
        if (task == null
                || !task.isCustom()
                || !task.executorId().equals(executor.id())
                || task.acknowledged().contains(uuid)) {
            if (seq > 0) {
                request.settle();
            }
            // The framework has acknowledged the update, but the executor does not know that yet.
            executors.acknowledged(change, container, executor.id(), status.getTaskId(), uuid);
            return;
        }
        TaskStatus.Builder full = status.toBuilder()
                .setSource(TaskStatus.Source.SOURCE_EXECUTOR)
                .setAgentId(org.apache.mesos.v1.Protos.AgentID.newBuilder().setValue(container.agentId()))
                .setExecutorId(executor.info().getExecutorId());
        if (!full.hasTimestamp()) {
            full.setTimestamp(change.date() / 1000.0);
        }
        tasks.update(change, task, full, uuid, seq);
    }

    /** Handles an executor's process that ended or did not start: ends its tasks. */
    public void ended(
            StateChange change,
            AgentContainer container,
            FrameworkExecutor executor,
            long seq,
            int status,
            String message) {
        state.remove(executor);
        change.put(StateCodec.containerKey(container.id()), StateCodec.container(container));
        for (FrameworkTask task : tasksOf(executor)) {
            if (!task.ended()) {
                tasks.update(
                        change,
                        task,
                        task.isKilled() ? TaskState.TASK_KILLED : TaskState.TASK_FAILED,
                        TaskStatus.Reason.REASON_EXECUTOR_TERMINATED,
                        message);
            }
        }
        container.role().framework().send(change, SchedulerEvents.failure(container.agentId(), executor.id(), status));
        container.send(change, FrameCodec.frame(AgentProtocol.SETTLE, out -> out.writeLong(seq)));
        offers.consider(change, container);
    }
}
