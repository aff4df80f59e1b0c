// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.agents;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.apache.mesos.v1.Protos.TaskState;
import org.heddle.offers.agent.AgentProtocol;
import org.heddle.offers.agent.FrameCodec;
import org.heddle.offers.master.cluster.AllocatedContainer;
import org.heddle.offers.master.cluster.Cluster;
import org.heddle.offers.master.offers.MasterParts;
import org.heddle.offers.master.offers.OfferManager;
import org.heddle.offers.master.offers.SchedulerEvents;
import org.heddle.offers.master.state.AgentContainer;
import org.heddle.offers.master.state.AgentLink;
import org.heddle.offers.master.state.ClusterState;
import org.heddle.offers.master.state.ContainerPhase;
import org.heddle.offers.master.state.FrameworkExecutor;
import org.heddle.offers.master.state.FrameworkRole;
import org.heddle.offers.master.state.FrameworkTask;
import org.heddle.offers.master.state.MasterSettings;
import org.heddle.offers.master.state.StateChange;
import org.heddle.offers.master.state.StateCodec;
import org.heddle.offers.master.state.StateExecutor;
import org.heddle.offers.master.tasks.ExecutorCallHandler;
import org.heddle.offers.master.tasks.ExecutorManager;
import org.heddle.offers.master.tasks.TaskTracker;
import org.heddle.offers.policy.LeasePolicy.Lease;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The agents in containers: starts them, handles their events, watches whether they live, and ends the tasks of lost
 * containers. It is long because each event of an agent is a case here.
 */
public final class AgentRegistry {
    private static final Logger LOG = LoggerFactory.getLogger(AgentRegistry.class);

    /** An agent that has not answered so many PINGs is given up; as Mesos' master does it by default. */
    private static final long MOST_UNANSWERED = 5;

    private static final int LONGEST_TEXT = 4_096;

    private final ClusterState state;
    private final StateExecutor stateExecutor;
    private final Cluster cluster;
    private final MasterSettings settings;
    private final OfferManager offers;
    private final TaskTracker tasks;
    private final ExecutorManager executors;
    private final ExecutorCallHandler executorCalls;
    private final SandboxRequests sandboxes = new SandboxRequests();

    public AgentRegistry(
            MasterParts parts,
            OfferManager offers,
            TaskTracker tasks,
            ExecutorManager executors,
            ExecutorCallHandler executorCalls) {
        this.state = parts.state();
        this.stateExecutor = parts.stateExecutor();
        this.cluster = parts.cluster();
        this.settings = parts.settings();
        this.offers = offers;
        this.tasks = tasks;
        this.executors = executors;
        this.executorCalls = executorCalls;
    }

    // ---- starting ----

    /** Starts the agent of an allocated container. */
    public void start(StateChange change, AgentContainer container) {
        container.setPhase(ContainerPhase.STARTING);
        container.setLease(Lease.from(change.now()));
        container.setSecret(Secrets.next());
        change.put(StateCodec.containerKey(container.id()), StateCodec.container(container));
        change.after(() ->
                cluster.startAgent(container.role().key(), new Cluster.AgentSpec(container.id(), container.secret())));
        awaitAgent(change, container, settings.times().agentMillis());
    }

    /**
     * Asks the agent again and again whether it still carries out orders, for as long as this connection is in use.
     * Counts questions, not time, because the bridge itself may have been stopped for a while.
     */
    private void watch(StateChange change, AgentContainer container, AgentLink link, long number) {
        if (container.link() != link) {
            return;
        }
        if (number - container.answeredPing() > MOST_UNANSWERED) {
            giveUp(
                    change,
                    container,
                    "Its agent is connected, but it has not answered for "
                            + MOST_UNANSWERED * AgentProtocol.PING_MILLIS / 1000 + " s");
            return;
        }
        link.send(FrameCodec.frame(AgentProtocol.PING, out -> out.writeLong(number)));
        stateExecutor.at(change.now() + AgentProtocol.PING_MILLIS, later -> watch(later, container, link, number + 1));
    }

    /** Ends the tasks of a container and the container itself. */
    private void giveUp(StateChange change, AgentContainer container, String why) {
        LOG.warn("Container {} on {} is released: {}", container.id(), container.hostname(), why);
        FrameworkRole role = container.role();
        AgentLink link = container.link();
        lost(change, role, container.id(), -1, why);
        change.after(() -> {
            cluster.release(role.key(), container.id());
            if (link != null) {
                link.close();
            }
        });
    }

    private void awaitAgent(StateChange change, AgentContainer container, long millis) {
        stateExecutor.at(change.now() + millis, later -> {
            if (container.link() == null
                    && container.phase() == ContainerPhase.STARTING
                    && state.containers().get(container.id()) == container) {
                giveUp(later, container, "Its agent did not come within " + millis + " ms");
            }
        });
    }

    /** After a restart of the bridge, waits for the running agents to connect again. */
    public void awaitAll(StateChange change) {
        state.containers()
                .values()
                .forEach(container ->
                        awaitAgent(change, container, settings.times().returnMillis()));
    }

    /** After an application is taken over, compares its containers with the cluster's list. */
    public void compare(StateChange change, FrameworkRole role, List<AllocatedContainer> live) {
        Set<String> alive = live.stream().map(AllocatedContainer::containerId).collect(Collectors.toSet());
        for (AgentContainer container : List.copyOf(role.containers().values())) {
            if (!alive.contains(container.id())) {
                lost(change, role, container.id(), -1, "Its container ended while the bridge was away");
            } else if (!container.isSeen()
                    && container.phase() == ContainerPhase.STARTING
                    && container.link() == null) {
                change.after(() ->
                        cluster.startAgent(role.key(), new Cluster.AgentSpec(container.id(), container.secret())));
            }
        }
        for (String containerId : alive) {
            if (!state.containers().containsKey(containerId)) {
                change.after(() -> cluster.release(role.key(), containerId));
            }
        }
    }

    /**
     * Handles a failed start of an agent. An agent that has registered was started twice, and its first start
     * succeeded.
     */
    public void notStarted(StateChange change, FrameworkRole role, String containerId, String message) {
        AgentContainer container = role.containers().get(containerId);
        if (container != null && !container.isSeen()) {
            lost(change, role, containerId, -1, "The agent could not be started: " + message);
            change.after(() -> cluster.release(role.key(), containerId));
        }
    }

    // ---- events of agents ----

    /** Registers an agent; {@code hello} is its frame without the kind. */
    public void hello(byte[] hello, AgentLink link) {
        stateExecutor.post(change -> {
            try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(hello))) {
                int version = in.readInt();
                String containerId = in.readUTF();
                String secret = in.readUTF();
                AgentContainer container = state.containers().get(containerId);
                if (version != AgentProtocol.VERSION
                        || container == null
                        || !MessageDigest.isEqual(bytes(secret), bytes(container.secret()))) {
                    String why = "there is no such container, or its secret is another";
                    if (version != AgentProtocol.VERSION) {
                        why = AgentProtocol.otherVersion(version);
                    }
                    LOG.info("Refused an agent which says that it is in container {}: {}", containerId, why);
                    byte[] quit = FrameCodec.frame(AgentProtocol.QUIT, out -> {});
                    // An agent with a wrong secret gets no answer.
                    boolean stranger = container != null;
                    change.after(() -> {
                        if (!stranger) {
                            link.send(FrameCodec.frame(
                                    AgentProtocol.WELCOME, out -> out.writeInt(AgentProtocol.VERSION)));
                            link.send(quit);
                        }
                        link.close();
                    });
                    return;
                }
                in.readLong();
                in.readUTF(); // its directory of sandboxes
                container.setMissingLimits(FrameCodec.readText(in));
                welcome(change, container, link);
            } catch (IOException e) {
                LOG.info("Refused an agent whose first message cannot be read: {}", e.getMessage());
                change.after(link::close);
            }
        });
    }

    private static byte[] bytes(String text) {
        return text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
    }

    private void welcome(StateChange change, AgentContainer container, AgentLink link) {
        AgentLink before = state.connect(container, link);
        if (before != null) {
            change.after(before::close);
        }
        boolean first = container.phase() != ContainerPhase.RUNNING;
        container.setPhase(ContainerPhase.RUNNING);
        if (!container.isSeen()) {
            container.setSeen(true);
            change.putSoon(StateCodec.containerKey(container.id()), StateCodec.container(container));
        }
        link.send(FrameCodec.frame(AgentProtocol.WELCOME, out -> out.writeInt(AgentProtocol.VERSION)));
        if (!container.missingLimits().isEmpty() && first) {
            LOG.warn(
                    "The agent on {} does not limit all that a task uses; limits: {}",
                    container.hostname(),
                    container.missingLimits());
        }
        // Sends again the frames that the last connection may have lost. Agents ignore those that they know.
        for (FrameworkExecutor executor : container.executors().values()) {
            executors.start(change, executor);
            if (executor.isShutdown()) {
                executors.killLater(change, executor);
            }
        }
        for (FrameworkTask task : List.copyOf(container.tasks().values())) {
            if (!task.ended()) {
                if (task.state() == TaskState.TASK_STAGING) {
                    tasks.start(change, task);
                }
                if (task.isKilled()) {
                    tasks.killAgain(change, task);
                }
            }
        }
        for (FrameworkExecutor executor : container.executors().values()) {
            state.servedBy(container).stream()
                    .filter(task -> task.executorId().equals(executor.id()) && task.state() == TaskState.TASK_STAGING)
                    .forEach(task -> tasks.start(change, task));
        }
        container.setAnsweredPing(0);
        watch(change, container, link, 1);
        offers.consider(change, container);
    }

    /** Handles the end of an agent's connection. */
    public void gone(AgentLink link) {
        stateExecutor.post(change -> {
            AgentContainer container = state.connected(link);
            state.disconnect(link);
            if (container != null) {
                container.setGoneAt(change.now());
                awaitReturn(change, container);
            }
        });
    }

    private void awaitReturn(StateChange change, AgentContainer container) {
        long gone = container.goneAt();
        stateExecutor.at(change.now() + settings.times().returnMillis(), later -> {
            if (container.link() == null
                    && container.goneAt() == gone
                    && state.containers().get(container.id()) == container) {
                giveUp(
                        later,
                        container,
                        "Its agent has lost the bridge and did not come back within "
                                + settings.times().returnMillis() + " ms");
            }
        });
    }

    /** Handles a frame of a registered agent; its first byte is its kind. */
    public void frame(AgentLink link, byte[] frame) {
        if (frame[0] == AgentProtocol.REPLY) {
            sandboxes.reply(link, frame);
            return;
        }
        stateExecutor.post(change -> {
            AgentContainer container = state.connected(link);
            if (container == null) {
                return;
            }
            try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(frame, 1, frame.length - 1))) {
                if (frame[0] == AgentProtocol.PONG) {
                    container.setAnsweredPing(in.readLong());
                    container.setSandboxes(in.readLong(), in.readLong());
                } else if (frame[0] == AgentProtocol.EVENT) {
                    event(change, container, in);
                }
            } catch (IOException e) {
                LOG.warn(
                        "The agent of container {} sent a frame which cannot be read: {}",
                        container.id(),
                        e.getMessage());
                change.after(link::close);
            }
        });
    }

    private void event(StateChange change, AgentContainer container, DataInputStream in) throws IOException {
        long seq = in.readLong();
        byte what = in.readByte();
        String key = in.readUTF();
        if (key.length() < 2) {
            throw new IOException("an event about the process '" + key + "'");
        }
        String name = key.substring(2);
        if (key.startsWith("e/")) {
            executorEvent(change, container, seq, what, name, in);
            return;
        }
        FrameworkTask task = container.tasks().get(name);
        if (task == null || task.isCustom()) {
            // The update was acknowledged, but the acknowledgement has not reached the agent.
            container.send(change, FrameCodec.frame(AgentProtocol.SETTLE, out -> out.writeLong(seq)));
            return;
        }
        switch (what) {
            case AgentProtocol.STARTED -> tasks.processStarted(change, task, seq, in.readLong());
            case AgentProtocol.EXITED -> {
                int code = in.readInt();
                boolean killed = in.readBoolean();
                boolean outOfMemory = in.readBoolean();
                String reason = text(in);
                task.setOutput(text(in));
                tasks.processEnded(change, task, seq, code, killed, outOfMemory, reason);
            }
            case AgentProtocol.NOT_STARTED -> tasks.processNotStarted(change, task, seq, text(in));
            case AgentProtocol.PROBED ->
                tasks.probed(change, task, seq, in.readBoolean(), in.readBoolean(), in.readInt());
            default -> LOG.warn("The agent of container {} sent an event of the unknown kind {}", container.id(), what);
        }
    }

    private void executorEvent(
            StateChange change, AgentContainer container, long seq, byte what, String name, DataInputStream in)
            throws IOException {
        FrameworkExecutor executor = container.executors().get(name);
        if (executor == null || what == AgentProtocol.STARTED || what == AgentProtocol.STREAM_CLOSED) {
            container.send(change, FrameCodec.frame(AgentProtocol.SETTLE, out -> out.writeLong(seq)));
            return;
        }
        switch (what) {
            case AgentProtocol.CALL -> {
                String type = in.readUTF();
                String accept = in.readUTF();
                executorCalls.call(change, container, executor, seq, type, accept, FrameCodec.readBytes(in));
            }
            case AgentProtocol.EXITED -> {
                int code = in.readInt();
                int waitStatus = code > 128 ? code - 128 : code << 8;
                String message;
                if (code > 128) {
                    message = "Executor terminated with signal " + (code - 128);
                } else {
                    message = "Executor exited with status " + code;
                }
                executorCalls.ended(change, container, executor, seq, waitStatus, message);
            }
            case AgentProtocol.NOT_STARTED -> executorCalls.ended(change, container, executor, seq, 0xff00, text(in));
            default -> LOG.warn("The agent of container {} sent an event of the unknown kind {}", container.id(), what);
        }
    }

    /** A text that the bridge keeps. Agents send short ones, but a task can read its agent's secret and say more. */
    private static String text(DataInputStream in) throws IOException {
        String text = FrameCodec.readText(in);
        return text.substring(0, Math.min(text.length(), LONGEST_TEXT));
    }

    // ---- the end of containers ----

    /** Handles a container that ended, was preempted, or did not start. */
    public void lost(StateChange change, FrameworkRole role, String containerId, int exitStatus, String diagnostics) {
        AgentContainer container = role.containers().get(containerId);
        if (container == null) {
            return;
        }
        String message = diagnostics.isBlank() ? "Its container ended with " + exitStatus : diagnostics.strip();
        if (message.length() > 400) {
            message = message.substring(0, 400) + "..";
        }
        boolean ran = container.phase() != ContainerPhase.ALLOCATED;
        offers.forget(change, container);
        AgentLink link = container.link();
        if (link != null) {
            state.disconnect(link);
        }
        // Ends also the tasks of its executors that use other containers.
        List<FrameworkTask> ending = new ArrayList<>(container.tasks().values());
        ending.addAll(state.servedBy(container));
        for (FrameworkTask task : ending) {
            if (!task.ended()) {
                tasks.update(
                        change,
                        task,
                        task.isKilled() ? TaskState.TASK_KILLED : ContainerExit.state(exitStatus),
                        ContainerExit.reason(exitStatus),
                        message);
            }
        }
        offers.gone(change, container, true);
        if (ran) {
            for (FrameworkExecutor executor : container.executors().values()) {
                role.framework().send(change, SchedulerEvents.failure(container.agentId(), executor.id(), 9));
            }
            boolean others =
                    state.containersOfAgent(container.agentId()).stream().anyMatch(one -> one.role() == role);
            if (!others && exitStatus == ContainerExit.ABORTED) {
                role.framework().send(change, SchedulerEvents.failure(container.agentId(), null, null));
            }
        }
        offers.ask(change, role);
    }

    /** Sends a request about sandboxes to an agent; the returned future holds the agent's answer. */
    public CompletableFuture<byte[]> ask(AgentContainer container, byte kind, FrameCodec.Fields fields) {
        return sandboxes.send(container, kind, fields);
    }
}
