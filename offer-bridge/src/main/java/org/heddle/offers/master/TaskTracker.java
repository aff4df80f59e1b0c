// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master;

import com.google.protobuf.ByteString;
import org.apache.mesos.v1.Protos.KillPolicy;
import org.apache.mesos.v1.Protos.TaskState;
import org.apache.mesos.v1.Protos.TaskStatus;
import org.apache.mesos.v1.scheduler.Protos.Call;
import org.heddle.offers.agent.AgentProtocol;
import org.heddle.offers.agent.FrameCodec;
import org.heddle.offers.master.ClusterState.Framework;
import org.heddle.offers.master.ClusterState.Host;
import org.heddle.offers.master.ClusterState.HostPhase;
import org.heddle.offers.master.ClusterState.Pending;
import org.heddle.offers.master.ClusterState.Task;
import org.heddle.offers.master.cluster.ClusterNode;
import org.heddle.offers.master.state.Counters;
import org.heddle.offers.master.state.StateChange;
import org.jspecify.annotations.Nullable;

/** Tasks from their start to the acknowledgement of their last update; {@link AcceptHandler} makes them. */
final class TaskTracker {
    private static final long DEFAULT_GRACE_MILLIS = 3_000;
    private static final int KEEP_COMPLETED = 200;

    private final ClusterState state;
    private final OfferManager offerDesk;
    private final ExecutorManager executorDesk;
    private final Subscribers watchers;
    private final Counters tally;

    TaskTracker(
            ClusterState state,
            OfferManager offerDesk,
            ExecutorManager executorDesk,
            Subscribers watchers,
            Counters tally) {
        this.state = state;
        this.offerDesk = offerDesk;
        this.executorDesk = executorDesk;
        this.watchers = watchers;
        this.tally = tally;
    }

    // ---- starting ----

    /** Has a task started by the agent that is there. */
    void start(StateChange turn, Task task) {
        if (task.custom) {
            executorDesk.launch(turn, task);
        } else {
            task.host.send(turn, FrameCodec.launch(LaunchBuilder.command(task)));
        }
    }

    // ---- updates ----

    /** A new status of a task; it is kept until acknowledged. {@code seq} is the agent's event, 0 if the bridge made it. */
    void update(StateChange turn, Task task, TaskStatus.Builder status, ByteString uuid, long seq) {
        boolean known = task.pending.stream().anyMatch(pending -> pending.uuid().equals(uuid));
        if (known) {
            return;
        }
        if (task.ended() || (seq > 0 && seq <= task.settled) || task.acknowledged.contains(uuid)) {
            settle(turn, task.speaker, seq);
            return;
        }
        TaskStatus full = status.setUuid(uuid).build();
        task.state = full.getState();
        task.latest = full;
        task.pending.addLast(new Pending(uuid, seq, full));
        if (seq == 0) {
            turn.put(StateCodec.taskKey(task), StateCodec.task(task));
        } else {
            turn.putSoon(StateCodec.taskKey(task), StateCodec.task(task));
        }
        watchers.taskUpdated(turn, task, full);
        tally.count("updates_" + full.getState().name().toLowerCase(java.util.Locale.ROOT));
        if (task.pending.size() == 1) {
            sendHead(turn, task);
        }
        if (task.ended()) {
            endGroup(turn, task);
            offerDesk.consider(turn, task.host);
        }
    }

    /**
     * A task of a group that fails or is killed takes the others with it. Once a framework's own executor has the group, that
     * is the executor's business.
     */
    private void endGroup(StateChange turn, Task ended) {
        boolean ours = !ended.custom || ended.host.phase != HostPhase.RUNNING;
        boolean badly = ended.state == TaskState.TASK_FAILED || ended.state == TaskState.TASK_KILLED;
        if (!ended.group.isEmpty() && ours && badly) {
            ended.host.groupOf(ended).forEach(other -> kill(turn, other, null));
        }
    }

    /** A status that the bridge itself knows of. */
    void update(StateChange turn, Task task, TaskState taskState, TaskStatus.Reason reason, String message) {
        TaskStatus.Builder status = TaskStatuses.of(task, taskState, TaskStatus.Source.SOURCE_MASTER, turn.now())
                .setReason(reason)
                .setMessage(message);
        update(
                turn,
                task,
                status,
                TaskStatuses.uuid(task.host.containerId, task.framework.id + "/" + task.id + "/" + taskState),
                0);
    }

    private void sendHead(StateChange turn, Task task) {
        Pending head = task.pending.peekFirst();
        if (head != null && task.framework.sink != null) {
            task.sentAt = turn.now();
            task.framework.send(turn, SchedulerEvents.update(head.status()));
        }
    }

    /** Updates that wait for their acknowledgement, again. */
    void resend(StateChange turn, Framework framework, long olderThanMillis) {
        for (Task task : framework.tasks.values()) {
            if (!task.pending.isEmpty() && turn.now() - task.sentAt >= olderThanMillis) {
                sendHead(turn, task);
            }
        }
    }

    private static void settle(StateChange turn, Host host, long seq) {
        if (seq > 0) {
            host.send(turn, FrameCodec.frame(AgentProtocol.SETTLE, out -> out.writeLong(seq)));
        }
    }

    void acknowledge(StateChange turn, Framework framework, Call.Acknowledge acknowledge) {
        Task task = framework.tasks.get(acknowledge.getTaskId().getValue());
        if (task == null) {
            return;
        }
        Pending head = task.pending.peekFirst();
        if (head == null || !head.uuid().equals(acknowledge.getUuid())) {
            return;
        }
        task.pending.removeFirst();
        tally.count("updates_acknowledged");
        if (head.seq() > 0) {
            task.settled = head.seq();
            settle(turn, task.speaker, head.seq());
        }
        if (task.custom) {
            task.acknowledged.add(head.uuid());
            executorDesk.acknowledged(turn, task.speaker, task.executorId, task.info.getTaskId(), head.uuid());
        }
        if (task.ended() && task.pending.isEmpty()) {
            framework.tasks.remove(task.id);
            task.host.tasks.remove(task.id);
            framework.completed.addFirst(task);
            if (framework.completed.size() > KEEP_COMPLETED) {
                framework.completed.removeLast();
            }
            turn.remove(StateCodec.taskKey(task));
        } else {
            turn.put(StateCodec.taskKey(task), StateCodec.task(task));
            sendHead(turn, task);
        }
    }

    // ---- KILL, RECONCILE ----

    void kill(StateChange turn, Framework framework, Call.Kill kill) {
        Task task = framework.tasks.get(kill.getTaskId().getValue());
        if (task == null) {
            TaskStatus.Builder unknown = TaskStatuses.of(
                    kill.getTaskId(),
                    TaskStatuses.orLost(framework, TaskState.TASK_UNKNOWN),
                    TaskStatus.Source.SOURCE_MASTER,
                    TaskStatus.Reason.REASON_RECONCILIATION,
                    "Attempted to kill an unknown task",
                    turn.now());
            if (kill.hasAgentId()) {
                unknown.setAgentId(kill.getAgentId());
            }
            framework.send(turn, SchedulerEvents.update(unknown.build()));
            return;
        }
        kill(turn, task, kill.hasKillPolicy() ? kill.getKillPolicy() : null);
    }

    /** Ends a task; without a policy, its own holds. */
    void kill(StateChange turn, Task task, @Nullable KillPolicy policy) {
        if (task.ended()) {
            return;
        }
        tally.count("kills");
        task.killed = true;
        if (task.host.phase != HostPhase.RUNNING) {
            update(
                    turn,
                    task,
                    TaskState.TASK_KILLED,
                    TaskStatus.Reason.REASON_TASK_KILLED_DURING_LAUNCH,
                    "Killed before its agent had started");
            executorDesk.dropUnused(turn, task.host);
            return;
        }
        long grace = DEFAULT_GRACE_MILLIS;
        if (policy != null && policy.hasGracePeriod()) {
            grace = policy.getGracePeriod().getNanoseconds() / 1_000_000;
        } else if (task.info.getKillPolicy().hasGracePeriod()) {
            grace = task.info.getKillPolicy().getGracePeriod().getNanoseconds() / 1_000_000;
        }
        turn.put(StateCodec.taskKey(task), StateCodec.task(task));
        killNow(turn, task, grace);
    }

    void killNow(StateChange turn, Task task, long graceMillis) {
        if (task.custom) {
            executorDesk.kill(turn, task, graceMillis);
        } else {
            task.host.send(turn, FrameCodec.frame(AgentProtocol.KILL, out -> {
                out.writeUTF(task.key);
                out.writeLong(Math.max(0, graceMillis));
            }));
        }
    }

    void reconcile(StateChange turn, Framework framework, Call.Reconcile reconcile) {
        tally.count("reconciliations");
        if (reconcile.getTasksCount() == 0) {
            framework.tasks.values().forEach(task -> tell(turn, task));
            return;
        }
        for (Call.Reconcile.Task asked : reconcile.getTasksList()) {
            Task task = framework.tasks.get(asked.getTaskId().getValue());
            if (task != null) {
                tell(turn, task);
                continue;
            }
            boolean nodeKnown = asked.hasAgentId()
                    && state.nodes.keySet().stream()
                            .anyMatch(node -> OfferManager.agentId(node)
                                    .equals(asked.getAgentId().getValue()));
            TaskStatus.Builder unknown = TaskStatuses.of(
                    asked.getTaskId(),
                    TaskStatuses.orLost(framework, nodeKnown ? TaskState.TASK_GONE : TaskState.TASK_UNKNOWN),
                    TaskStatus.Source.SOURCE_MASTER,
                    TaskStatus.Reason.REASON_RECONCILIATION,
                    "Reconciliation: Task is unknown",
                    turn.now());
            if (asked.hasAgentId()) {
                unknown.setAgentId(asked.getAgentId());
            }
            framework.send(turn, SchedulerEvents.update(unknown.build()));
        }
    }

    private static void tell(StateChange turn, Task task) {
        TaskStatus.Builder status = TaskStatuses.of(task, task.state, TaskStatus.Source.SOURCE_MASTER, turn.now())
                .setReason(TaskStatus.Reason.REASON_RECONCILIATION)
                .setMessage("Reconciliation: Latest task state");
        TaskStatus latest = task.latest;
        if (latest != null) {
            TaskChecks.keep(latest, status);
        }
        task.framework.send(turn, SchedulerEvents.update(status.build()));
    }

    // ---- what agents tell ----

    void processStarted(StateChange turn, Task task, long seq, long pid) {
        TaskStatus.Builder status = TaskStatuses.of(
                        task, TaskState.TASK_RUNNING, TaskStatus.Source.SOURCE_EXECUTOR, turn.now())
                .setContainerStatus(org.apache.mesos.v1.Protos.ContainerStatus.newBuilder()
                        .setExecutorPid((int) pid)
                        .addNetworkInfos(org.apache.mesos.v1.Protos.NetworkInfo.newBuilder()
                                .addIpAddresses(org.apache.mesos.v1.Protos.NetworkInfo.IPAddress.newBuilder()
                                        .setIpAddress(address(task.host)))));
        if (task.info.hasCheck()) {
            status.setCheckStatus(TaskChecks.nothingYet(task.info.getCheck()));
        }
        update(turn, task, status, TaskStatuses.uuid(task.host.containerId, "s" + seq), seq);
    }

    private String address(Host host) {
        ClusterNode node = state.nodes.get(host.node);
        return node == null ? host.hostname : node.ip();
    }

    /** What a check or health check found; of a task that has not begun or has ended nothing is told. */
    void probed(StateChange turn, Task task, long seq, boolean health, boolean good, int found) {
        TaskStatus before = task.latest;
        if (task.state != TaskState.TASK_RUNNING || before == null) {
            settle(turn, task.speaker, seq);
            return;
        }
        TaskStatus.Builder status =
                TaskStatuses.of(task, TaskState.TASK_RUNNING, TaskStatus.Source.SOURCE_EXECUTOR, turn.now());
        TaskChecks.keep(before, status);
        if (health) {
            status.setHealthy(good).setReason(TaskStatus.Reason.REASON_TASK_HEALTH_CHECK_STATUS_UPDATED);
        } else {
            status.setCheckStatus(TaskChecks.status(task.info.getCheck(), found))
                    .setReason(TaskStatus.Reason.REASON_TASK_CHECK_STATUS_UPDATED);
        }
        update(turn, task, status, TaskStatuses.uuid(task.host.containerId, "s" + seq), seq);
    }

    void processEnded(
            StateChange turn, Task task, long seq, int code, boolean killed, boolean outOfMemory, String reason) {
        TaskState end;
        String message;
        if (outOfMemory || !reason.isEmpty()) {
            end = TaskState.TASK_FAILED;
            message = reason;
        } else if (killed) {
            end = TaskState.TASK_KILLED;
            message = code > 128
                    ? "Command terminated with signal " + (code - 128)
                    : "Command exited with status " + code;
        } else if (code == 0) {
            end = TaskState.TASK_FINISHED;
            message = "Command exited with status 0";
        } else {
            end = TaskState.TASK_FAILED;
            message = code > 128
                    ? "Command terminated with signal " + (code - 128)
                    : "Command exited with status " + code;
        }
        TaskStatus.Builder status = TaskStatuses.of(task, end, TaskStatus.Source.SOURCE_EXECUTOR, turn.now())
                .setMessage(message);
        if (outOfMemory) {
            status.setSource(TaskStatus.Source.SOURCE_AGENT)
                    .setReason(TaskStatus.Reason.REASON_CONTAINER_LIMITATION_MEMORY);
        } else if (reason.startsWith(AgentProtocol.UNHEALTHY)) {
            status.setHealthy(false).setReason(TaskStatus.Reason.REASON_COMMAND_EXECUTOR_FAILED);
        } else if (!reason.isEmpty()) {
            status.setReason(TaskStatus.Reason.REASON_MAX_COMPLETION_TIME_REACHED);
        } else if (end == TaskState.TASK_FAILED) {
            status.setReason(TaskStatus.Reason.REASON_COMMAND_EXECUTOR_FAILED);
        }
        update(turn, task, status, TaskStatuses.uuid(task.host.containerId, "s" + seq), seq);
    }

    void processNotStarted(StateChange turn, Task task, long seq, String message) {
        TaskStatus.Builder status = TaskStatuses.of(
                        task, TaskState.TASK_FAILED, TaskStatus.Source.SOURCE_AGENT, turn.now())
                .setReason(TaskStatus.Reason.REASON_CONTAINER_LAUNCH_FAILED)
                .setMessage(message);
        update(turn, task, status, TaskStatuses.uuid(task.host.containerId, "s" + seq), seq);
    }
}
