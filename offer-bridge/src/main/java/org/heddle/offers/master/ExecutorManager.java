// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master;

import com.google.protobuf.ByteString;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.mesos.v1.Protos.AgentInfo;
import org.apache.mesos.v1.Protos.DurationInfo;
import org.apache.mesos.v1.Protos.ExecutorInfo;
import org.apache.mesos.v1.Protos.FrameworkID;
import org.apache.mesos.v1.Protos.KillPolicy;
import org.apache.mesos.v1.Protos.TaskGroupInfo;
import org.apache.mesos.v1.Protos.TaskID;
import org.apache.mesos.v1.Protos.TaskInfo;
import org.apache.mesos.v1.Protos.TaskState;
import org.apache.mesos.v1.Protos.TaskStatus;
import org.apache.mesos.v1.executor.Protos.Call;
import org.apache.mesos.v1.executor.Protos.Event;
import org.heddle.offers.agent.AgentProtocol;
import org.heddle.offers.agent.FrameCodec;
import org.heddle.offers.master.ClusterState.Executor;
import org.heddle.offers.master.ClusterState.Framework;
import org.heddle.offers.master.ClusterState.Host;
import org.heddle.offers.master.ClusterState.HostPhase;
import org.heddle.offers.master.ClusterState.Offer;
import org.heddle.offers.master.ClusterState.Task;
import org.heddle.offers.master.state.Counters;
import org.heddle.offers.master.state.MesosResources;
import org.heddle.offers.master.state.StateChange;
import org.heddle.offers.master.state.StateExecutor;
import org.heddle.offers.model.Resources;
import org.heddle.offers.policy.TaskPlacement;
import org.heddle.offers.wire.Encoding;
import org.heddle.offers.wire.MalformedMessage;
import org.jspecify.annotations.Nullable;

/**
 * Executors that frameworks bring: one for each name, framework and node, spoken to over the v1 executor API. Long because
 * it is both directions of that API.
 */
final class ExecutorManager {
    private static final long SHUTDOWN_GRACE_MILLIS = 5_000;

    private final StateExecutor loop;
    private final Counters tally;
    private @Nullable TaskTracker tasks;
    private @Nullable OfferManager offers;

    ExecutorManager(StateExecutor loop, Counters tally) {
        this.loop = loop;
        this.tally = tally;
    }

    void wire(TaskTracker taskDesk, OfferManager offerDesk) {
        this.tasks = taskDesk;
        this.offers = offerDesk;
    }

    // ---- placing ----

    /** Where an executor of that name lives on that node. */
    private static @Nullable Executor find(Framework framework, String agentId, String executorId) {
        return framework.roles.values().stream()
                .flatMap(role -> role.hosts.values().stream())
                .filter(host -> host.agentId.equals(agentId))
                .map(host -> host.executors.get(executorId))
                .filter(Objects::nonNull)
                .filter(executor -> !executor.shutdown)
                .findFirst()
                .orElse(null);
    }

    @Nullable
    String problem(TaskInfo info, String agentId, Framework framework) {
        if (!LaunchBuilder.hasOwnExecutor(info)) {
            return null;
        }
        ExecutorInfo wanted = info.getExecutor();
        if (wanted.hasFrameworkId() && !wanted.getFrameworkId().getValue().equals(framework.id)) {
            return "ExecutorInfo has an invalid FrameworkID (Actual: "
                    + wanted.getFrameworkId().getValue() + " vs Expected: " + framework.id + ")";
        }
        Executor there = find(framework, agentId, wanted.getExecutorId().getValue());
        if (there != null && !complete(wanted, framework).equals(there.info)) {
            return "ExecutorInfo is not compatible with existing ExecutorInfo with same ExecutorID "
                    + wanted.getExecutorId().getValue();
        }
        MesosResources.bundle(wanted.getResourcesList());
        return null;
    }

    private static ExecutorInfo complete(ExecutorInfo info, Framework framework) {
        return info.toBuilder()
                .setFrameworkId(FrameworkID.newBuilder().setValue(framework.id))
                .build();
    }

    /** The offer whose container has the task's executor already. */
    int preferred(TaskInfo info, List<Offer> offered) {
        if (LaunchBuilder.hasOwnExecutor(info)) {
            for (int i = 0; i < offered.size(); i++) {
                if (offered.get(i)
                        .host()
                        .executors
                        .containsKey(info.getExecutor().getExecutorId().getValue())) {
                    return i;
                }
            }
        }
        return TaskPlacement.NOWHERE;
    }

    /** What each task, or group that begins with it, needs, with its executor's resources on the first of one that does not run yet. */
    List<Resources> withExecutors(Framework framework, String agentId, List<TaskInfo> list, List<Resources> needs) {
        Set<String> counted = new HashSet<>();
        List<Resources> sums = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
            TaskInfo info = list.get(i);
            Resources sum = needs.get(i);
            String executorId = info.getExecutor().getExecutorId().getValue();
            if (LaunchBuilder.hasOwnExecutor(info)
                    && counted.add(executorId)
                    && find(framework, agentId, executorId) == null) {
                sum = sum.plus(MesosResources.bundle(info.getExecutor().getResourcesList()));
            }
            sums.add(sum);
        }
        return sums;
    }

    /** Makes sure that the task's executor is in the books, on the task's host if on no other of the node. */
    void ensure(StateChange turn, Task task) {
        Executor there = find(task.framework, task.host.agentId, task.executorId);
        if (there != null) {
            task.speaker = there.host;
            return;
        }
        ExecutorInfo info = complete(task.info.getExecutor(), task.framework);
        Executor executor = new Executor(task.host, info, MesosResources.bundle(info.getResourcesList()));
        task.host.executors.put(executor.id, executor);
        tally.count("executors_launched");
        if (task.host.phase == HostPhase.RUNNING) {
            start(turn, executor);
        }
    }

    /** Has the process started; the agent does so once. */
    void start(StateChange turn, Executor executor) {
        executor.host.send(
                turn,
                FrameCodec.launch(LaunchBuilder.executor(executor, executor.host.role.framework.info.getCheckpoint())));
        executor.started = true;
        turn.put(StateCodec.hostKey(executor.host.containerId), StateCodec.host(executor.host));
    }

    /** Executors of a host whose tasks were all taken away before it started. */
    void dropUnused(StateChange turn, Host host) {
        if (host.phase != HostPhase.RUNNING) {
            host.executors
                    .values()
                    .removeIf(executor -> !executor.started
                            && host.tasks.values().stream()
                                    .allMatch(task -> task.ended() || !task.executorId.equals(executor.id)));
            turn.put(StateCodec.hostKey(host.containerId), StateCodec.host(host));
        }
    }

    // ---- events to executors ----

    private void send(StateChange turn, Executor executor, Event event, String once) {
        Encoding encoding = executor.encoding;
        if (encoding == null) {
            return;
        }
        byte[] record = encoding.record(event);
        executor.host.send(turn, FrameCodec.frame(AgentProtocol.STREAM, out -> {
            out.writeUTF(executor.key);
            FrameCodec.writeText(out, once);
            FrameCodec.writeBytes(out, record);
        }));
    }

    /** Gives a task to its executor if that is there, and its agent has not already done so on this event stream. */
    void launch(StateChange turn, Task task) {
        Executor executor = find(task.framework, task.host.agentId, task.executorId);
        if (executor == null) {
            TaskTracker desk = Objects.requireNonNull(tasks);
            desk.update(
                    turn,
                    task,
                    TaskStatuses.orLost(task.framework, TaskState.TASK_DROPPED),
                    TaskStatus.Reason.REASON_EXECUTOR_TERMINATED,
                    "Its executor ended before it could start");
            return;
        }
        if (task.group.isEmpty()) {
            Event event = Event.newBuilder()
                    .setType(Event.Type.LAUNCH)
                    .setLaunch(Event.Launch.newBuilder().setTask(task.info))
                    .build();
            send(turn, executor, event, "launch " + task.id);
        } else {
            // The same for each task of the group: its agent lets one through.
            TaskGroupInfo.Builder group = TaskGroupInfo.newBuilder();
            task.host.groupOf(task).forEach(one -> group.addTasks(one.info));
            Event event = Event.newBuilder()
                    .setType(Event.Type.LAUNCH_GROUP)
                    .setLaunchGroup(Event.LaunchGroup.newBuilder().setTaskGroup(group))
                    .build();
            send(turn, executor, event, "launch-group " + task.group);
        }
    }

    void kill(StateChange turn, Task task, long graceMillis) {
        Executor executor = find(task.framework, task.host.agentId, task.executorId);
        if (executor != null) {
            send(
                    turn,
                    executor,
                    Event.newBuilder()
                            .setType(Event.Type.KILL)
                            .setKill(Event.Kill.newBuilder()
                                    .setTaskId(task.info.getTaskId())
                                    .setKillPolicy(KillPolicy.newBuilder()
                                            .setGracePeriod(
                                                    DurationInfo.newBuilder().setNanoseconds(graceMillis * 1_000_000))))
                            .build(),
                    "");
        }
    }

    void acknowledged(StateChange turn, Host speaker, String executorId, TaskID task, ByteString uuid) {
        Executor executor = speaker.executors.get(executorId);
        if (executor != null) {
            send(
                    turn,
                    executor,
                    Event.newBuilder()
                            .setType(Event.Type.ACKNOWLEDGED)
                            .setAcknowledged(Event.Acknowledged.newBuilder()
                                    .setTaskId(task)
                                    .setUuid(uuid))
                            .build(),
                    "");
        }
    }

    void message(StateChange turn, Framework framework, String agentId, String executorId, ByteString data) {
        Executor executor = find(framework, agentId, executorId);
        if (executor != null) {
            send(
                    turn,
                    executor,
                    Event.newBuilder()
                            .setType(Event.Type.MESSAGE)
                            .setMessage(Event.Message.newBuilder().setData(data))
                            .build(),
                    "");
        }
    }

    /** Asks an executor to end, and ends it when it has not. */
    void shutdown(StateChange turn, Framework framework, String agentId, String executorId) {
        Executor executor = find(framework, agentId, executorId);
        if (executor == null) {
            // The default executor is nothing but its tasks.
            framework.tasks.values().stream()
                    .filter(task -> !task.custom
                            && task.info.hasExecutor()
                            && task.executorId.equals(executorId)
                            && task.host.agentId.equals(agentId))
                    .toList()
                    .forEach(task -> Objects.requireNonNull(tasks).kill(turn, task, null));
            return;
        }
        send(turn, executor, Event.newBuilder().setType(Event.Type.SHUTDOWN).build(), "");
        executor.shutdown = true;
        loop.at(
                turn.now() + SHUTDOWN_GRACE_MILLIS,
                later -> executor.host.send(later, FrameCodec.frame(AgentProtocol.KILL, out -> {
                    out.writeUTF(executor.key);
                    out.writeLong(0);
                })));
    }

    // ---- calls from executors ----

    /** A call as the agent passed it on: answered here, or refused with the API's words. */
    void call(
            StateChange turn, Host host, Executor executor, long seq, String contentType, String accept, byte[] body) {
        Encoding encoding = Encoding.ofContentType(contentType);
        if (encoding == null) {
            answer(
                    turn,
                    host,
                    executor,
                    seq,
                    415,
                    "Expecting 'Content-Type' of application/json or application/x-protobuf");
            return;
        }
        Call call;
        try {
            Call.Builder builder = Call.newBuilder();
            encoding.decode(body, builder);
            call = builder.build();
        } catch (MalformedMessage e) {
            answer(turn, host, executor, seq, 400, "Failed to parse body into Call: " + e.getMessage());
            return;
        }
        if (!call.getFrameworkId().getValue().equals(host.role.framework.id)
                || !call.getExecutorId().getValue().equals(executor.id)) {
            answer(
                    turn,
                    host,
                    executor,
                    seq,
                    400,
                    "Executor cannot be found: this address is for executor " + executor.id + " of framework "
                            + host.role.framework.id);
            return;
        }
        switch (call.getType()) {
            case SUBSCRIBE -> subscribe(turn, host, executor, seq, accept, call.getSubscribe());
            case UPDATE -> update(turn, host, executor, seq, call.getUpdate().getStatus());
            case MESSAGE -> {
                tally.count("messages_from_executors");
                host.role.framework.send(
                        turn,
                        SchedulerEvents.message(
                                host.agentId, executor.id, call.getMessage().getData()));
                answer(turn, host, executor, seq, 202, "");
            }
            default -> answer(turn, host, executor, seq, 501, "Received a call of unknown type");
        }
    }

    private static void answer(StateChange turn, Host host, Executor executor, long seq, int status, String message) {
        respond(turn, host, executor, seq, status, false, "text/plain", message.getBytes(StandardCharsets.UTF_8));
        host.send(turn, FrameCodec.frame(AgentProtocol.SETTLE, out -> out.writeLong(seq)));
    }

    private static void respond(
            StateChange turn,
            Host host,
            Executor executor,
            long seq,
            int status,
            boolean stream,
            String type,
            byte[] body) {
        host.send(turn, FrameCodec.frame(AgentProtocol.HTTP_REPLY, out -> {
            out.writeLong(seq);
            out.writeUTF(executor.key);
            out.writeInt(status);
            out.writeUTF(type);
            out.writeBoolean(stream);
            FrameCodec.writeBytes(out, body);
        }));
    }

    private void subscribe(
            StateChange turn, Host host, Executor executor, long seq, String accept, Call.Subscribe subscribe) {
        Encoding encoding = Encoding.ofAccept(accept);
        if (encoding == null) {
            answer(
                    turn,
                    host,
                    executor,
                    seq,
                    406,
                    "Expecting 'Accept' to allow application/json or application/x-protobuf");
            return;
        }
        executor.encoding = encoding;
        turn.put(StateCodec.hostKey(host.containerId), StateCodec.host(host));
        Event subscribed = Event.newBuilder()
                .setType(Event.Type.SUBSCRIBED)
                .setSubscribed(Event.Subscribed.newBuilder()
                        .setExecutorInfo(executor.info)
                        .setFrameworkInfo(host.role.framework.info)
                        .setAgentInfo(AgentInfo.newBuilder()
                                .setId(org.apache.mesos.v1.Protos.AgentID.newBuilder()
                                        .setValue(host.agentId))
                                .setHostname(host.hostname)))
                .build();
        respond(turn, host, executor, seq, 200, true, encoding.mediaType(), encoding.record(subscribed));
        host.send(turn, FrameCodec.frame(AgentProtocol.SETTLE, out -> out.writeLong(seq)));
        Set<String> has = subscribe.getUnacknowledgedTasksList().stream()
                .map(task -> task.getTaskId().getValue())
                .collect(Collectors.toSet());
        // Its updates that we never acknowledged; those that we have are known by their names.
        subscribe.getUnacknowledgedUpdatesList().forEach(update -> update(turn, host, executor, 0, update.getStatus()));
        for (Task task : tasksOf(executor)) {
            if (task.state == TaskState.TASK_STAGING && !has.contains(task.id)) {
                launch(turn, task);
            }
        }
    }

    private static List<Task> tasksOf(Executor executor) {
        Framework framework = executor.host.role.framework;
        return framework.tasks.values().stream()
                .filter(task -> task.custom
                        && task.executorId.equals(executor.id)
                        && task.host.agentId.equals(executor.host.agentId))
                .toList();
    }

    private void update(StateChange turn, Host host, Executor executor, long seq, TaskStatus status) {
        if (seq > 0) {
            respond(turn, host, executor, seq, 202, false, "text/plain", new byte[0]);
        }
        Task task = host.role.framework.tasks.get(status.getTaskId().getValue());
        ByteString uuid = status.hasUuid() ? status.getUuid() : TaskStatuses.uuid(host.containerId, "s" + seq);
        if (task == null || !task.custom || !task.executorId.equals(executor.id) || task.acknowledged.contains(uuid)) {
            if (seq > 0) {
                host.send(turn, FrameCodec.frame(AgentProtocol.SETTLE, out -> out.writeLong(seq)));
            }
            // Over and done with; the executor did not hear of it.
            acknowledged(turn, host, executor.id, status.getTaskId(), uuid);
            return;
        }
        TaskStatus.Builder full = status.toBuilder()
                .setSource(TaskStatus.Source.SOURCE_EXECUTOR)
                .setAgentId(org.apache.mesos.v1.Protos.AgentID.newBuilder().setValue(host.agentId))
                .setExecutorId(executor.info.getExecutorId());
        if (!full.hasTimestamp()) {
            full.setTimestamp(turn.now() / 1000.0);
        }
        Objects.requireNonNull(tasks).update(turn, task, full, uuid, seq);
    }

    // ---- the process ----

    /** The executor's process ended, or never began: its tasks end with it. */
    void ended(StateChange turn, Host host, Executor executor, long seq, int status, String message) {
        host.executors.remove(executor.id);
        turn.put(StateCodec.hostKey(host.containerId), StateCodec.host(host));
        for (Task task : tasksOf(executor)) {
            if (!task.ended()) {
                Objects.requireNonNull(tasks)
                        .update(
                                turn,
                                task,
                                task.killed ? TaskState.TASK_KILLED : TaskState.TASK_FAILED,
                                TaskStatus.Reason.REASON_EXECUTOR_TERMINATED,
                                message);
            }
        }
        host.role.framework.send(turn, SchedulerEvents.failure(host.agentId, executor.id, status));
        host.send(turn, FrameCodec.frame(AgentProtocol.SETTLE, out -> out.writeLong(seq)));
        Objects.requireNonNull(offers).consider(turn, host);
    }
}
