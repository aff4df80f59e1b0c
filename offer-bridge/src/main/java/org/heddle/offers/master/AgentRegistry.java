// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.heddle.offers.agent.AgentProtocol;
import org.heddle.offers.agent.FrameCodec;
import org.heddle.offers.master.ClusterState.Executor;
import org.heddle.offers.master.ClusterState.Host;
import org.heddle.offers.master.ClusterState.HostPhase;
import org.heddle.offers.master.ClusterState.Role;
import org.heddle.offers.master.ClusterState.Task;
import org.heddle.offers.master.cluster.AllocatedContainer;
import org.heddle.offers.master.cluster.Cluster;
import org.heddle.offers.master.state.AgentLink;
import org.heddle.offers.master.state.MasterSettings;
import org.heddle.offers.master.state.Secrets;
import org.heddle.offers.master.state.StateChange;
import org.heddle.offers.master.state.StateExecutor;
import org.heddle.offers.model.Resources;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Host containers and the agents in them: started, heard, lost. Long because it is the one place that hears
 * agents.
 */
public final class AgentRegistry {
    private static final Logger LOG = LoggerFactory.getLogger(AgentRegistry.class);

    private final ClusterState state;
    private final StateExecutor loop;
    private final Cluster cluster;
    private final MasterSettings limits;
    private final OfferManager offers;
    private final TaskTracker tasks;
    private final ExecutorManager executors;
    private final ReclaimManager revocations;
    private final IdentityHashMap<AgentLink, Host> byLink = new IdentityHashMap<>();
    private final Map<Long, CompletableFuture<byte[]>> reads = new ConcurrentHashMap<>();
    private final AtomicLong requests = new AtomicLong();

    AgentRegistry(
            ClusterState state,
            StateExecutor loop,
            Cluster cluster,
            MasterSettings limits,
            OfferManager offers,
            TaskTracker tasks,
            ExecutorManager executors,
            ReclaimManager revocations) {
        this.state = state;
        this.loop = loop;
        this.cluster = cluster;
        this.limits = limits;
        this.offers = offers;
        this.tasks = tasks;
        this.executors = executors;
        this.revocations = revocations;
    }

    // ---- starting ----

    /** Has the agent of a granted container started. */
    void start(StateChange turn, Host host) {
        host.phase = HostPhase.STARTING;
        host.since = turn.now();
        host.secret = Secrets.next();
        turn.put(StateCodec.hostKey(host.containerId), StateCodec.host(host));
        turn.after(() -> cluster.startAgent(host.role.key, new Cluster.AgentSpec(host.containerId, host.secret)));
        awaitAgent(turn, host, limits.agentMillis());
    }

    private void awaitAgent(StateChange turn, Host host, long millis) {
        loop.at(turn.now() + millis, later -> {
            if (host.link == null && host.phase == HostPhase.STARTING && state.hosts.get(host.containerId) == host) {
                lost(later, host.role, host.containerId, -1, "Its agent did not come within " + millis + " ms");
                later.after(() -> cluster.release(host.role.key, host.containerId));
            }
        });
    }

    /** After a restart: agents that run come by themselves. */
    void awaitAll(StateChange turn) {
        state.hosts.values().forEach(host -> awaitAgent(turn, host, limits.returnMillis()));
    }

    /** Compares the books with what the cluster says is alive, after taking an application over. */
    void compare(StateChange turn, Role role, List<AllocatedContainer> live) {
        Set<String> alive = live.stream().map(AllocatedContainer::containerId).collect(Collectors.toSet());
        for (Host host : List.copyOf(role.hosts.values())) {
            if (!alive.contains(host.containerId)) {
                lost(turn, role, host.containerId, -1, "Its container ended while the bridge was away");
            } else if (!host.seen && host.phase == HostPhase.STARTING && host.link == null) {
                turn.after(() -> cluster.startAgent(role.key, new Cluster.AgentSpec(host.containerId, host.secret)));
            }
        }
        for (String containerId : alive) {
            if (!state.hosts.containsKey(containerId)) {
                turn.after(() -> cluster.release(role.key, containerId));
            }
        }
    }

    /** Starting failed, if the agent is not there after all: the order may have come twice. */
    void notStarted(StateChange turn, Role role, String containerId, String message) {
        Host host = role.hosts.get(containerId);
        if (host != null && !host.seen) {
            lost(turn, role, containerId, -1, "The agent could not be started: " + message);
            turn.after(() -> cluster.release(role.key, containerId));
        }
    }

    // ---- hearing ----

    /** An agent introduces itself; {@code hello} is the frame without its kind. */
    public void hello(byte[] hello, AgentLink link) {
        loop.post(turn -> {
            try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(hello))) {
                int version = in.readInt();
                String containerId = in.readUTF();
                String secret = in.readUTF();
                Host host = state.hosts.get(containerId);
                if (version != AgentProtocol.VERSION
                        || host == null
                        || !MessageDigest.isEqual(bytes(secret), bytes(host.secret))) {
                    LOG.info("agent of {} turned away", containerId);
                    byte[] quit = FrameCodec.frame(AgentProtocol.QUIT, out -> {});
                    // One that proves nothing must not be told more than that.
                    boolean stranger = host != null;
                    turn.after(() -> {
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
                host.sandboxRoot = in.readUTF();
                host.limitsOff = FrameCodec.readText(in);
                welcome(turn, host, link);
            } catch (IOException e) {
                LOG.info("agent turned away: {}", e.getMessage());
                turn.after(link::close);
            }
        });
    }

    private static byte[] bytes(String text) {
        return text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
    }

    private void welcome(StateChange turn, Host host, AgentLink link) {
        AgentLink before = host.link;
        if (before != null && before != link) {
            turn.after(before::close);
        }
        boolean first = host.phase != HostPhase.RUNNING;
        host.link = link;
        byLink.put(link, host);
        host.phase = HostPhase.RUNNING;
        if (!host.seen) {
            host.seen = true;
            turn.putSoon(StateCodec.hostKey(host.containerId), StateCodec.host(host));
        }
        link.send(FrameCodec.frame(AgentProtocol.WELCOME, out -> out.writeInt(AgentProtocol.VERSION)));
        if (!host.limitsOff.isEmpty() && first) {
            LOG.warn("tasks on {} are not limited one by one: {}", host.hostname, host.limitsOff);
        }
        // Everything that may have been lost with the last connection; agents ignore what they know.
        host.executors.values().forEach(executor -> executors.start(turn, executor));
        for (Task task : List.copyOf(host.tasks.values())) {
            if (!task.ended()) {
                if (task.state == org.apache.mesos.v1.Protos.TaskState.TASK_STAGING) {
                    tasks.start(turn, task);
                }
                if (task.killed) {
                    tasks.killNow(turn, task, 0);
                }
            }
        }
        for (Executor executor : host.executors.values()) {
            host.role.framework.tasks.values().stream()
                    .filter(task -> task.speaker == host
                            && task.host != host
                            && task.executorId.equals(executor.id)
                            && task.state == org.apache.mesos.v1.Protos.TaskState.TASK_STAGING)
                    .forEach(task -> tasks.start(turn, task));
        }
        offers.consider(turn, host);
    }

    public void gone(AgentLink link) {
        loop.post(turn -> {
            Host host = byLink.remove(link);
            if (host != null && host.link == link) {
                host.link = null;
            }
        });
    }

    /** A frame from an agent that has been welcomed; kind first. */
    public void frame(AgentLink link, byte[] frame) {
        if (frame[0] == AgentProtocol.REPLY) {
            reply(frame);
            return;
        }
        loop.post(turn -> {
            Host host = byLink.get(link);
            if (host == null || host.link != link) {
                return;
            }
            try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(frame, 1, frame.length - 1))) {
                if (frame[0] == AgentProtocol.EVENT) {
                    event(turn, host, in);
                }
            } catch (IOException e) {
                LOG.warn("agent of {} sent a frame that cannot be read: {}", host.containerId, e.getMessage());
                turn.after(link::close);
            }
        });
    }

    private void event(StateChange turn, Host host, DataInputStream in) throws IOException {
        long seq = in.readLong();
        byte what = in.readByte();
        String key = in.readUTF();
        String name = key.substring(2);
        if (key.startsWith("e/")) {
            executorEvent(turn, host, seq, what, name, in);
            return;
        }
        Task task = host.tasks.get(name);
        if (task == null || task.custom) {
            // Acknowledged long ago: the agent was not told in time.
            host.send(turn, FrameCodec.frame(AgentProtocol.SETTLE, out -> out.writeLong(seq)));
            return;
        }
        switch (what) {
            case AgentProtocol.STARTED -> tasks.processStarted(turn, task, seq, in.readLong());
            case AgentProtocol.EXITED ->
                tasks.processEnded(
                        turn, task, seq, in.readInt(), in.readBoolean(), in.readBoolean(), FrameCodec.readText(in));
            case AgentProtocol.NOT_STARTED -> tasks.processNotStarted(turn, task, seq, FrameCodec.readText(in));
            case AgentProtocol.PROBED ->
                tasks.probed(turn, task, seq, in.readBoolean(), in.readBoolean(), in.readInt());
            default -> LOG.warn("agent of {}: event of unknown kind {}", host.containerId, what);
        }
    }

    private void executorEvent(StateChange turn, Host host, long seq, byte what, String name, DataInputStream in)
            throws IOException {
        Executor executor = host.executors.get(name);
        if (executor == null || what == AgentProtocol.STARTED || what == AgentProtocol.STREAM_CLOSED) {
            host.send(turn, FrameCodec.frame(AgentProtocol.SETTLE, out -> out.writeLong(seq)));
            return;
        }
        switch (what) {
            case AgentProtocol.CALL -> {
                String type = in.readUTF();
                String accept = in.readUTF();
                executors.call(turn, host, executor, seq, type, accept, FrameCodec.readBytes(in));
            }
            case AgentProtocol.EXITED -> {
                int code = in.readInt();
                int waitStatus = code > 128 ? code - 128 : code << 8;
                String message = code > 128
                        ? "Executor terminated with signal " + (code - 128)
                        : "Executor exited with status " + code;
                executors.ended(turn, host, executor, seq, waitStatus, message);
            }
            case AgentProtocol.NOT_STARTED ->
                executors.ended(turn, host, executor, seq, 0xff00, FrameCodec.readText(in));
            default -> LOG.warn("agent of {}: event of unknown kind {}", host.containerId, what);
        }
    }

    // ---- losing ----

    /** A container ended, was taken or never began. */
    void lost(StateChange turn, Role role, String containerId, int exitStatus, String diagnostics) {
        Host host = role.hosts.get(containerId);
        if (host == null) {
            return;
        }
        String message = diagnostics.isBlank() ? "Its container ended with " + exitStatus : diagnostics.strip();
        if (message.length() > 400) {
            message = message.substring(0, 400) + "..";
        }
        boolean ran = host.phase != HostPhase.GRANTED;
        offers.forget(turn, host);
        host.link = null;
        // Tasks of an executor that lived here, wherever they are charged.
        List<Task> ending = new ArrayList<>(host.tasks.values());
        role.framework.tasks.values().stream()
                .filter(task -> task.speaker == host && task.host != host)
                .forEach(ending::add);
        for (Task task : ending) {
            if (!task.ended()) {
                tasks.update(
                        turn,
                        task,
                        task.killed ? org.apache.mesos.v1.Protos.TaskState.TASK_KILLED : Master.stateAfter(exitStatus),
                        Master.reason(exitStatus),
                        message);
            }
        }
        revocations.gone(turn, host, true);
        if (ran) {
            for (Executor executor : host.executors.values()) {
                role.framework.send(turn, SchedulerEvents.failure(host.agentId, executor.id, 9));
            }
            boolean others = role.hosts.values().stream().anyMatch(one -> one.agentId.equals(host.agentId));
            if (!others && exitStatus == -100) {
                role.framework.send(turn, SchedulerEvents.failure(host.agentId, null, null));
            }
        }
        offers.ask(turn, role);
    }

    void resized(StateChange turn, Role role, String containerId, Resources size) {
        Host host = role.hosts.get(containerId);
        if (host != null) {
            offers.shrinking().done(turn, host, size);
            offers.consider(turn, host);
        }
    }

    void notResized(StateChange turn, Role role, String containerId, String message) {
        Host host = role.hosts.get(containerId);
        if (host != null) {
            offers.shrinking().refused(turn, host, message);
        }
    }

    // ---- sandboxes ----

    /** Sends a request about sandboxes to an agent; the answer holds what the agent wrote. */
    CompletableFuture<byte[]> ask(Host host, byte kind, FrameCodec.Fields fields) {
        CompletableFuture<byte[]> answer = new CompletableFuture<>();
        AgentLink link = host.link;
        if (link == null) {
            answer.completeExceptionally(new IOException("the agent of " + host.containerId + " is not connected"));
            return answer;
        }
        long request = requests.incrementAndGet();
        reads.put(request, answer);
        link.send(FrameCodec.frame(kind, out -> {
            out.writeLong(request);
            fields.write(out);
        }));
        return answer.orTimeout(10, java.util.concurrent.TimeUnit.SECONDS)
                .whenComplete((bytes, error) -> reads.remove(request));
    }

    private void reply(byte[] frame) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(frame, 1, frame.length - 1))) {
            CompletableFuture<byte[]> waiting = reads.get(in.readLong());
            boolean good = in.readBoolean();
            byte[] body = FrameCodec.readBytes(in);
            if (waiting != null && good) {
                waiting.complete(body);
            } else if (waiting != null) {
                waiting.completeExceptionally(
                        new IOException(new String(body, java.nio.charset.StandardCharsets.UTF_8)));
            }
        } catch (IOException e) {
            LOG.warn("an agent's reply cannot be read: {}", e.getMessage());
        }
    }
}
