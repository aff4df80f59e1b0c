// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.tasks;

import com.google.protobuf.ByteString;
import org.apache.mesos.v1.Protos.AgentID;
import org.apache.mesos.v1.Protos.KillPolicy;
import org.apache.mesos.v1.Protos.TaskID;
import org.apache.mesos.v1.Protos.TaskState;
import org.apache.mesos.v1.Protos.TaskStatus;
import org.apache.mesos.v1.scheduler.Protos.Call;
import org.heddle.offers.agent.AgentProtocol;
import org.heddle.offers.agent.FrameCodec;
import org.heddle.offers.master.cluster.ClusterNode;
import org.heddle.offers.master.offers.OfferManager;
import org.heddle.offers.master.offers.SchedulerEvents;
import org.heddle.offers.master.state.AgentContainer;
import org.heddle.offers.master.state.ClusterState;
import org.heddle.offers.master.state.ContainerPhase;
import org.heddle.offers.master.state.Counters;
import org.heddle.offers.master.state.Counters.Counter;
import org.heddle.offers.master.state.Framework;
import org.heddle.offers.master.state.FrameworkTask;
import org.heddle.offers.master.state.PendingUpdate;
import org.heddle.offers.master.state.StateChange;
import org.heddle.offers.master.state.StateCodec;
import org.jspecify.annotations.Nullable;

/** Tasks from their start until the framework has acknowledged their last update. {@link AcceptHandler} adds them. */
public final class TaskTracker {
    private static final long DEFAULT_GRACE_MILLIS = 3_000;

    private final ClusterState state;
    private final OfferManager offers;
    private final ExecutorManager executors;
    private final TaskListener listener;
    private final Counters counters;

    public TaskTracker(
            ClusterState state,
            OfferManager offers,
            ExecutorManager executors,
            TaskListener listener,
            Counters counters) {
        this.state = state;
        this.offers = offers;
        this.executors = executors;
        this.listener = listener;
        this.counters = counters;
    }

    // ---- starting ----

    /** Tells the agent to start a task, if the agent is connected. */
    public void start(StateChange change, FrameworkTask task) {
        if (task.isCustom()) {
            if (!executors.launch(change, task)) {
                update(
                        change,
                        task,
                        TaskStatuses.orLost(task.framework(), TaskState.TASK_DROPPED),
                        TaskStatus.Reason.REASON_EXECUTOR_TERMINATED,
                        "Its executor ended before it could start");
            }
        } else {
            task.container().send(change, FrameCodec.launch(LaunchBuilder.command(task)));
        }
    }

    // ---- updates ----

    /**
     * Adds a new status of a task, which is pending until the framework acknowledges it.
     *
     * @param seq number of the agent's event; 0 if the bridge made the status
     */
    void update(StateChange change, FrameworkTask task, TaskStatus.Builder status, ByteString uuid, long seq) {
        boolean known =
                task.pending().stream().anyMatch(pending -> pending.uuid().equals(uuid));
        if (known) {
            return;
        }
        if (task.ended()
                || (seq > 0 && seq <= task.settled())
                || task.acknowledged().contains(uuid)) {
            settle(change, task.reporter(), seq);
            return;
        }
        TaskStatus full = status.setUuid(uuid).build();
        task.update(new PendingUpdate(uuid, seq, full));
        if (seq == 0) {
            change.put(StateCodec.taskKey(task), StateCodec.task(task));
        } else {
            change.putSoon(StateCodec.taskKey(task), StateCodec.task(task));
        }
        listener.taskUpdated(change, task, full);
        counters.count(full.getState());
        if (task.pending().size() == 1) {
            sendHead(change, task);
        }
        if (task.ended()) {
            state.ended(task, full.getState(), full.getMessage(), change.now());
            endGroup(change, task);
            offers.consider(change, task.container());
        }
    }

    /**
     * Kills the other tasks of a group when one fails or is killed. A framework's own executor that has the group
     * does this itself.
     */
    private void endGroup(StateChange change, FrameworkTask ended) {
        boolean ours = !ended.isCustom() || ended.container().phase() != ContainerPhase.RUNNING;
        boolean badly = ended.state() == TaskState.TASK_FAILED || ended.state() == TaskState.TASK_KILLED;
        if (!ended.group().isEmpty() && ours && badly) {
            ended.container().groupOf(ended).forEach(other -> kill(change, other, null));
        }
    }

    /** Adds a status that the bridge itself makes. */
    public void update(
            StateChange change, FrameworkTask task, TaskState taskState, TaskStatus.Reason reason, String message) {
        TaskStatus.Builder status = TaskStatuses.of(task, taskState, TaskStatus.Source.SOURCE_MASTER, change.date())
                .setReason(reason)
                .setMessage(message);
        update(
                change,
                task,
                status,
                TaskStatuses.uuid(task.container().id(), task.framework().id() + "/" + task.id() + "/" + taskState),
                0);
    }

    private void sendHead(StateChange change, FrameworkTask task) {
        PendingUpdate head = task.pending().peekFirst();
        if (head != null && task.framework().isConnected()) {
            task.setSentAt(change.now());
            task.framework().send(change, SchedulerEvents.update(head.status()));
        }
    }

    /** Sends updates again that the framework has not acknowledged within this time. */
    public void resend(StateChange change, Framework framework, long olderThanMillis) {
        for (FrameworkTask task : framework.tasks().values()) {
            if (!task.pending().isEmpty() && change.now() - task.sentAt() >= olderThanMillis) {
                sendHead(change, task);
            }
        }
    }

    private static void settle(StateChange change, AgentContainer container, long seq) {
        if (seq > 0) {
            container.send(change, FrameCodec.frame(AgentProtocol.SETTLE, out -> out.writeLong(seq)));
        }
    }

    /** ACKNOWLEDGE. */
    public void acknowledge(StateChange change, Framework framework, Call.Acknowledge acknowledge) {
        FrameworkTask task = framework.tasks().get(acknowledge.getTaskId().getValue());
        if (task == null) {
            return;
        }
        PendingUpdate head = task.pending().peekFirst();
        if (head == null || !head.uuid().equals(acknowledge.getUuid())) {
            return;
        }
        task.pending().removeFirst();
        counters.count(Counter.UPDATES_ACKNOWLEDGED);
        if (head.seq() > 0) {
            task.setSettled(head.seq());
            settle(change, task.reporter(), head.seq());
        }
        if (task.isCustom()) {
            task.acknowledged().add(head.uuid());
            executors.acknowledged(
                    change, task.reporter(), task.executorId(), task.info().getTaskId(), head.uuid());
        }
        if (task.ended() && task.pending().isEmpty()) {
            state.complete(task);
            change.remove(StateCodec.taskKey(task));
        } else {
            change.put(StateCodec.taskKey(task), StateCodec.task(task));
            sendHead(change, task);
        }
    }

    // ---- KILL, SHUTDOWN, RECONCILE ----

    /** KILL. */
    public void kill(StateChange change, Framework framework, Call.Kill kill) {
        FrameworkTask task = framework.tasks().get(kill.getTaskId().getValue());
        if (task == null) {
            AgentID agent = kill.hasAgentId() ? kill.getAgentId() : null;
            String message = "Attempted to kill an unknown task";
            sendUnknown(change, framework, kill.getTaskId(), agent, TaskState.TASK_UNKNOWN, message);
            return;
        }
        kill(change, task, kill.hasKillPolicy() ? kill.getKillPolicy() : null);
    }

    /** Kills a task; without a policy in the call, the task's own kill policy applies. */
    void kill(StateChange change, FrameworkTask task, @Nullable KillPolicy policy) {
        if (task.ended()) {
            return;
        }
        counters.count(Counter.KILLS);
        task.setKilled(true);
        boolean begun = task.container().phase() == ContainerPhase.RUNNING
                || task.container().isSeen(); // by the bridge before this one; its agent will come back and be told
        if (!begun) {
            update(
                    change,
                    task,
                    TaskState.TASK_KILLED,
                    TaskStatus.Reason.REASON_TASK_KILLED_DURING_LAUNCH,
                    "Killed before its agent had started");
            executors.dropUnused(change, task.container());
            return;
        }
        change.put(StateCodec.taskKey(task), StateCodec.task(task));
        killNow(change, task, graceMillis(task, policy));
    }

    /** Tells an agent that has come back to end a task; the frame may have been lost with its last connection. */
    public void killAgain(StateChange change, FrameworkTask task) {
        killNow(change, task, graceMillis(task, null));
    }

    private static long graceMillis(FrameworkTask task, @Nullable KillPolicy policy) {
        KillPolicy applies =
                policy != null && policy.hasGracePeriod() ? policy : task.info().getKillPolicy();
        return applies.hasGracePeriod() ? applies.getGracePeriod().getNanoseconds() / 1_000_000 : DEFAULT_GRACE_MILLIS;
    }

    /** SHUTDOWN. For the default executor, which is no process of its own, its tasks are killed. */
    public void shutdown(StateChange change, Framework framework, String agentId, String executorId) {
        if (!executors.shutdown(change, framework, agentId, executorId)) {
            framework.tasks().values().stream()
                    .filter(task -> !task.isCustom()
                            && task.info().hasExecutor()
                            && task.executorId().equals(executorId)
                            && task.container().agentId().equals(agentId))
                    .toList()
                    .forEach(task -> kill(change, task, null));
        }
    }

    /** Tells the agent or the executor to end a task. */
    private void killNow(StateChange change, FrameworkTask task, long graceMillis) {
        if (task.isCustom()) {
            executors.kill(change, task, graceMillis);
        } else {
            task.container().send(change, FrameCodec.frame(AgentProtocol.KILL, out -> {
                out.writeUTF(task.key());
                out.writeLong(Math.max(0, graceMillis));
            }));
        }
    }

    /** RECONCILE. */
    public void reconcile(StateChange change, Framework framework, Call.Reconcile reconcile) {
        counters.count(Counter.RECONCILIATIONS);
        if (reconcile.getTasksCount() == 0) {
            framework.tasks().values().forEach(task -> sendLatest(change, task));
            return;
        }
        for (Call.Reconcile.Task asked : reconcile.getTasksList()) {
            FrameworkTask task = framework.tasks().get(asked.getTaskId().getValue());
            if (task != null) {
                sendLatest(change, task);
                continue;
            }
            boolean nodeKnown =
                    asked.hasAgentId() && state.hasNode(asked.getAgentId().getValue());
            AgentID agent = asked.hasAgentId() ? asked.getAgentId() : null;
            TaskState unknown = nodeKnown ? TaskState.TASK_GONE : TaskState.TASK_UNKNOWN;
            sendUnknown(change, framework, asked.getTaskId(), agent, unknown, "Reconciliation: Task is unknown");
        }
    }

    private static void sendUnknown(
            StateChange change,
            Framework framework,
            TaskID task,
            @Nullable AgentID agent,
            TaskState unknown,
            String message) {
        TaskStatus.Builder status = TaskStatuses.of(
                task,
                TaskStatuses.orLost(framework, unknown),
                TaskStatus.Source.SOURCE_MASTER,
                TaskStatus.Reason.REASON_RECONCILIATION,
                message,
                change.date());
        if (agent != null) {
            status.setAgentId(agent);
        }
        framework.send(change, SchedulerEvents.update(status.build()));
    }

    private static void sendLatest(StateChange change, FrameworkTask task) {
        TaskStatus.Builder status = TaskStatuses.of(task, task.state(), TaskStatus.Source.SOURCE_MASTER, change.date())
                .setReason(TaskStatus.Reason.REASON_RECONCILIATION)
                .setMessage("Reconciliation: Latest task state");
        TaskStatus latest = task.latest();
        if (latest != null) {
            TaskChecks.keep(latest, status);
        }
        task.framework().send(change, SchedulerEvents.update(status.build()));
    }

    // ---- events of agents ----

    public void processStarted(StateChange change, FrameworkTask task, long seq, long pid) {
        TaskStatus.Builder status = TaskStatuses.of(
                        task, TaskState.TASK_RUNNING, TaskStatus.Source.SOURCE_EXECUTOR, change.date())
                .setContainerStatus(org.apache.mesos.v1.Protos.ContainerStatus.newBuilder()
                        .setExecutorPid((int) pid)
                        .addNetworkInfos(org.apache.mesos.v1.Protos.NetworkInfo.newBuilder()
                                .addIpAddresses(org.apache.mesos.v1.Protos.NetworkInfo.IPAddress.newBuilder()
                                        .setIpAddress(address(task.container())))));
        if (task.info().hasCheck()) {
            status.setCheckStatus(TaskChecks.nothingYet(task.info().getCheck()));
        }
        update(change, task, status, TaskStatuses.uuid(task.container().id(), "s" + seq), seq);
    }

    private String address(AgentContainer container) {
        ClusterNode node = state.nodes().get(container.node());
        return node == null ? container.hostname() : node.ip();
    }

    /** Handles the result of a check or a health check; it is ignored unless the task is running. */
    public void probed(StateChange change, FrameworkTask task, long seq, boolean health, boolean good, int found) {
        TaskStatus before = task.latest();
        if (task.state() != TaskState.TASK_RUNNING || before == null) {
            settle(change, task.reporter(), seq);
            return;
        }
        TaskStatus.Builder status =
                TaskStatuses.of(task, TaskState.TASK_RUNNING, TaskStatus.Source.SOURCE_EXECUTOR, change.date());
        TaskChecks.keep(before, status);
        if (health) {
            status.setHealthy(good).setReason(TaskStatus.Reason.REASON_TASK_HEALTH_CHECK_STATUS_UPDATED);
        } else {
            status.setCheckStatus(TaskChecks.status(task.info().getCheck(), found))
                    .setReason(TaskStatus.Reason.REASON_TASK_CHECK_STATUS_UPDATED);
        }
        update(change, task, status, TaskStatuses.uuid(task.container().id(), "s" + seq), seq);
    }

    public void processEnded(
            StateChange change,
            FrameworkTask task,
            long seq,
            int code,
            boolean killed,
            boolean outOfMemory,
            String reason) {
        TaskState end;
        String message =
                code > 128 ? "Command terminated with signal " + (code - 128) : "Command exited with status " + code;
        if (outOfMemory || !reason.isEmpty()) {
            end = TaskState.TASK_FAILED;
            message = reason;
        } else if (killed) {
            end = TaskState.TASK_KILLED;
        } else {
            end = code == 0 ? TaskState.TASK_FINISHED : TaskState.TASK_FAILED;
        }
        TaskStatus.Builder status = TaskStatuses.of(task, end, TaskStatus.Source.SOURCE_EXECUTOR, change.date())
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
        update(change, task, status, TaskStatuses.uuid(task.container().id(), "s" + seq), seq);
    }

    public void processNotStarted(StateChange change, FrameworkTask task, long seq, String message) {
        TaskStatus.Builder status = TaskStatuses.of(
                        task, TaskState.TASK_FAILED, TaskStatus.Source.SOURCE_AGENT, change.date())
                .setReason(TaskStatus.Reason.REASON_CONTAINER_LAUNCH_FAILED)
                .setMessage(message);
        update(change, task, status, TaskStatuses.uuid(task.container().id(), "s" + seq), seq);
    }
}
