// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.tasks;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.mesos.v1.Protos.DurationInfo;
import org.apache.mesos.v1.Protos.ExecutorInfo;
import org.apache.mesos.v1.Protos.FrameworkID;
import org.apache.mesos.v1.Protos.KillPolicy;
import org.apache.mesos.v1.Protos.TaskGroupInfo;
import org.apache.mesos.v1.Protos.TaskID;
import org.apache.mesos.v1.Protos.TaskInfo;
import org.apache.mesos.v1.executor.Protos.Event;
import org.heddle.offers.agent.AgentProtocol;
import org.heddle.offers.agent.FrameCodec;
import org.heddle.offers.master.state.AgentContainer;
import org.heddle.offers.master.state.ClusterState;
import org.heddle.offers.master.state.ContainerPhase;
import org.heddle.offers.master.state.Counters;
import org.heddle.offers.master.state.Counters.Counter;
import org.heddle.offers.master.state.Framework;
import org.heddle.offers.master.state.FrameworkExecutor;
import org.heddle.offers.master.state.FrameworkTask;
import org.heddle.offers.master.state.MesosResources;
import org.heddle.offers.master.state.OutstandingOffer;
import org.heddle.offers.master.state.StateChange;
import org.heddle.offers.master.state.StateCodec;
import org.heddle.offers.master.state.StateExecutor;
import org.heddle.offers.model.Resources;
import org.heddle.offers.policy.TaskPlacement;
import org.heddle.offers.wire.Encoding;
import org.jspecify.annotations.Nullable;

/**
 * The executors of frameworks: one for each executor name, framework and node. Starts them and sends them the events
 * of Mesos' v1 executor API. {@link ExecutorCallHandler} handles their calls.
 */
public final class ExecutorManager {
    private static final long SHUTDOWN_GRACE_MILLIS = 5_000;
    private static final long LONGEST_GRACE_MILLIS = 24 * 3_600_000L;

    private final ClusterState state;
    private final StateExecutor stateExecutor;
    private final Counters counters;

    public ExecutorManager(ClusterState state, StateExecutor stateExecutor, Counters counters) {
        this.state = state;
        this.stateExecutor = stateExecutor;
        this.counters = counters;
    }

    // ---- placement ----

    /** The executor of that name on that node; null if there is none, or if it has been shut down. */
    private @Nullable FrameworkExecutor find(Framework framework, String agentId, String executorId) {
        return state.containersOfAgent(agentId).stream()
                .filter(container -> container.framework() == framework)
                .map(container -> container.executors().get(executorId))
                .filter(Objects::nonNull)
                .filter(executor -> !executor.isShutdown())
                .findFirst()
                .orElse(null);
    }

    private boolean isEnding(Framework framework, String agentId, String executorId) {
        return state.containersOfAgent(agentId).stream()
                .filter(container -> container.framework() == framework)
                .map(container -> container.executors().get(executorId))
                .anyMatch(executor -> executor != null && executor.isShutdown());
    }

    /** The reason why the task's executor cannot be used, or null. */
    @Nullable
    String problem(TaskInfo info, String agentId, Framework framework) {
        if (!FrameworkTask.hasOwnExecutor(info)) {
            return null;
        }
        ExecutorInfo wanted = info.getExecutor();
        if (wanted.hasFrameworkId() && !wanted.getFrameworkId().getValue().equals(framework.id())) {
            return "ExecutorInfo has an invalid FrameworkID (Actual: "
                    + wanted.getFrameworkId().getValue() + " vs Expected: " + framework.id() + ")";
        }
        String id = wanted.getExecutorId().getValue();
        if (isEnding(framework, agentId, id)) {
            return "Executor " + id + " is shutting down: launch the task again when it has ended, which FAILURE tells";
        }
        FrameworkExecutor there = find(framework, agentId, id);
        if (there != null && !complete(wanted, framework).equals(there.info())) {
            return "ExecutorInfo is not compatible with existing ExecutorInfo with same ExecutorID "
                    + wanted.getExecutorId().getValue();
        }
        MesosResources.toResources(wanted.getResourcesList());
        return null;
    }

    private static ExecutorInfo complete(ExecutorInfo info, Framework framework) {
        return info.toBuilder()
                .setFrameworkId(FrameworkID.newBuilder().setValue(framework.id()))
                .build();
    }

    /** Index of the offer whose container already has the task's executor. */
    int preferred(TaskInfo info, List<OutstandingOffer> offered) {
        if (FrameworkTask.hasOwnExecutor(info)) {
            for (int i = 0; i < offered.size(); i++) {
                if (offered.get(i)
                        .container()
                        .executors()
                        .containsKey(info.getExecutor().getExecutorId().getValue())) {
                    return i;
                }
            }
        }
        return TaskPlacement.NOWHERE;
    }

    /**
     * The resources that each launch needs. The first launch of an executor that does not run yet needs the
     * executor's resources as well.
     *
     * @param list task of each launch, or the first task of its group
     * @param needs resources that the tasks of each launch need
     */
    List<Resources> withExecutors(Framework framework, String agentId, List<TaskInfo> list, List<Resources> needs) {
        Set<String> counted = new HashSet<>();
        List<Resources> sums = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
            TaskInfo info = list.get(i);
            Resources sum = needs.get(i);
            String executorId = info.getExecutor().getExecutorId().getValue();
            if (FrameworkTask.hasOwnExecutor(info)
                    && counted.add(executorId)
                    && find(framework, agentId, executorId) == null) {
                sum = sum.plus(MesosResources.toResources(info.getExecutor().getResourcesList()));
            }
            sums.add(sum);
        }
        return sums;
    }

    /** Adds the task's executor to the task's container, unless a container of the node has it. */
    void ensure(StateChange change, FrameworkTask task) {
        FrameworkExecutor there = find(task.framework(), task.container().agentId(), task.executorId());
        if (there != null) {
            task.setReporter(there.container());
            return;
        }
        ExecutorInfo info = complete(task.info().getExecutor(), task.framework());
        FrameworkExecutor executor =
                new FrameworkExecutor(task.container(), info, MesosResources.toResources(info.getResourcesList()));
        state.add(executor);
        counters.count(Counter.EXECUTORS_LAUNCHED);
        if (task.container().phase() == ContainerPhase.RUNNING) {
            start(change, executor);
        }
    }

    /** Tells the agent to start the executor's process. The agent starts it once. */
    public void start(StateChange change, FrameworkExecutor executor) {
        executor.container()
                .send(
                        change,
                        FrameCodec.launch(LaunchBuilder.executor(
                                executor,
                                executor.container().role().framework().info().getCheckpoint())));
        executor.setStarted(true);
        change.put(StateCodec.containerKey(executor.container().id()), StateCodec.container(executor.container()));
    }

    /** Removes executors whose tasks were all killed before the container's agent started. */
    void dropUnused(StateChange change, AgentContainer container) {
        if (container.phase() != ContainerPhase.RUNNING) {
            for (FrameworkExecutor executor : List.copyOf(container.executors().values())) {
                boolean used = container.tasks().values().stream()
                        .anyMatch(task -> !task.ended() && task.executorId().equals(executor.id()));
                if (!executor.isStarted() && !used) {
                    state.remove(executor);
                }
            }
            change.put(StateCodec.containerKey(container.id()), StateCodec.container(container));
        }
    }

    // ---- events to executors ----

    private void send(StateChange change, FrameworkExecutor executor, Event event, String once) {
        Encoding encoding = executor.encoding();
        if (encoding == null) {
            return;
        }
        byte[] record = encoding.record(event);
        executor.container().send(change, FrameCodec.frame(AgentProtocol.STREAM, out -> {
            out.writeUTF(executor.key());
            FrameCodec.writeText(out, once);
            FrameCodec.writeBytes(out, record);
        }));
    }

    /**
     * Gives a task to its executor, unless its agent has already done this on the same event stream.
     *
     * @return false if the executor does not exist any more
     */
    boolean launch(StateChange change, FrameworkTask task) {
        FrameworkExecutor executor = find(task.framework(), task.container().agentId(), task.executorId());
        if (executor == null) {
            return false;
        }
        if (task.group().isEmpty()) {
            Event event = Event.newBuilder()
                    .setType(Event.Type.LAUNCH)
                    .setLaunch(Event.Launch.newBuilder().setTask(task.info()))
                    .build();
            send(change, executor, event, "launch " + task.id());
        } else {
            // Each task of a group causes this event; the agent passes it on once.
            TaskGroupInfo.Builder group = TaskGroupInfo.newBuilder();
            task.container().groupOf(task).forEach(one -> group.addTasks(one.info()));
            Event event = Event.newBuilder()
                    .setType(Event.Type.LAUNCH_GROUP)
                    .setLaunchGroup(Event.LaunchGroup.newBuilder().setTaskGroup(group))
                    .build();
            send(change, executor, event, "launch-group " + task.group());
        }
        return true;
    }

    void kill(StateChange change, FrameworkTask task, long graceMillis) {
        FrameworkExecutor executor = find(task.framework(), task.container().agentId(), task.executorId());
        if (executor != null) {
            send(
                    change,
                    executor,
                    Event.newBuilder()
                            .setType(Event.Type.KILL)
                            .setKill(Event.Kill.newBuilder()
                                    .setTaskId(task.info().getTaskId())
                                    .setKillPolicy(KillPolicy.newBuilder()
                                            .setGracePeriod(
                                                    DurationInfo.newBuilder().setNanoseconds(graceMillis * 1_000_000))))
                            .build(),
                    "");
        }
    }

    void acknowledged(StateChange change, AgentContainer reporter, String executorId, TaskID task, ByteString uuid) {
        FrameworkExecutor executor = reporter.executors().get(executorId);
        if (executor != null) {
            send(
                    change,
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

    /** MESSAGE. */
    public void message(StateChange change, Framework framework, String agentId, String executorId, ByteString data) {
        FrameworkExecutor executor = find(framework, agentId, executorId);
        if (executor != null) {
            send(
                    change,
                    executor,
                    Event.newBuilder()
                            .setType(Event.Type.MESSAGE)
                            .setMessage(Event.Message.newBuilder().setData(data))
                            .build(),
                    "");
        }
    }

    /**
     * Asks an executor to end, and kills it if it does not end in time.
     *
     * @return false if there is no such executor
     */
    boolean shutdown(StateChange change, Framework framework, String agentId, String executorId) {
        FrameworkExecutor executor = find(framework, agentId, executorId);
        if (executor == null) {
            return false;
        }
        send(change, executor, Event.newBuilder().setType(Event.Type.SHUTDOWN).build(), "");
        executor.setShutdown(true);
        change.put(StateCodec.containerKey(executor.container().id()), StateCodec.container(executor.container()));
        killLater(change, executor);
        return true;
    }

    /** Kills an executor that was told to end, after its grace; also when its agent has come back. */
    public void killLater(StateChange change, FrameworkExecutor executor) {
        stateExecutor.at(change.now() + graceMillis(executor.info()), later -> {
            // Meanwhile it may have ended, and another one may have its name.
            if (executor.container().executors().get(executor.id()) == executor) {
                executor.container().send(later, FrameCodec.frame(AgentProtocol.KILL, out -> {
                    out.writeUTF(executor.key());
                    out.writeLong(0);
                }));
            }
        });
    }

    /** Time between SHUTDOWN and the end by force, in ms. */
    static long graceMillis(ExecutorInfo executor) {
        if (executor.hasShutdownGracePeriod()) {
            return Math.max(
                    0,
                    Math.min(
                            LONGEST_GRACE_MILLIS,
                            executor.getShutdownGracePeriod().getNanoseconds() / 1_000_000));
        }
        return SHUTDOWN_GRACE_MILLIS;
    }
}
