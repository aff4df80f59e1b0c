// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master;

import com.google.protobuf.ByteString;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.mesos.v1.Protos.ExecutorInfo;
import org.apache.mesos.v1.Protos.FrameworkInfo;
import org.apache.mesos.v1.Protos.TaskInfo;
import org.apache.mesos.v1.Protos.TaskState;
import org.apache.mesos.v1.Protos.TaskStatus;
import org.apache.mesos.v1.scheduler.Protos.Event;
import org.heddle.offers.master.cluster.ApplicationKey;
import org.heddle.offers.master.cluster.ApplicationRecord;
import org.heddle.offers.master.cluster.ClusterNode;
import org.heddle.offers.master.state.AgentLink;
import org.heddle.offers.master.state.EventSink;
import org.heddle.offers.master.state.OfferRequirements;
import org.heddle.offers.master.state.StateChange;
import org.heddle.offers.model.ContainerAsk;
import org.heddle.offers.model.Resources;
import org.heddle.offers.policy.RefusedOfferFilters;
import org.heddle.offers.wire.Encoding;
import org.jspecify.annotations.Nullable;

/**
 * All that the master knows, and the indices over it. Only the turns thread touches it.
 *
 * <pre>
 * framework ─┬─ role ──── host (container) ─┬─ offer (its free part, at most one)
 *            │                              ├─ executor ─┐
 *            └─ task ───────────────────────┴─ task ◄────┘
 * </pre>
 */
final class ClusterState {
    final Map<String, Framework> frameworks = new TreeMap<>();
    final Map<String, Host> hosts = new HashMap<>();
    final Map<String, Offer> offers = new LinkedHashMap<>();
    final Map<String, ClusterNode> nodes = new TreeMap<>();
    /** Of the nodes: how many can be used, the largest of each resource, and host names by agents' ids. */
    int usableNodes;

    Resources largestNode = Resources.NONE;
    final Map<String, String> usableHosts = new HashMap<>();
    /** Frameworks that were torn down; their names are not used again. */
    final Set<String> gone = new TreeSet<>();

    /** Takes a new list of nodes, and what is asked of it for every framework again and again. */
    void setNodes(List<ClusterNode> list) {
        nodes.clear();
        usableHosts.clear();
        largestNode = Resources.NONE;
        for (ClusterNode node : list) {
            nodes.put(node.node(), node);
            if (node.usable()) {
                usableHosts.put(OfferManager.agentId(node.node()), node.host());
                largestNode = largestNode.max(node.total());
            }
        }
        usableNodes = usableHosts.size();
    }

    static final class Framework {
        final String id;
        FrameworkInfo info;
        String streamId = "";

        @Nullable
        EventSink<Event> sink;
        /** When its stream ended; 0 while it has one. */
        long disconnectedAt;

        long subscribedAt;
        long accepted;
        long declined;
        long expired;
        final Map<String, Role> roles = new TreeMap<>();
        final Map<String, Task> tasks = new LinkedHashMap<>();
        final Deque<Task> completed = new ArrayDeque<>();
        final Map<String, InverseOffer> inverseOffers = new LinkedHashMap<>();

        Framework(String id, FrameworkInfo info) {
            this.id = id;
            this.info = info;
        }

        /** Frameworks belong to the principal that made them; without authentication, whose name is empty, to everybody. */
        boolean belongsTo(String principal) {
            return principal.isEmpty() || info.getPrincipal().equals(principal);
        }

        boolean has(FrameworkInfo.Capability.Type capability) {
            return info.getCapabilitiesList().stream().anyMatch(one -> one.getType() == capability);
        }

        /** What of its containers is offered to it now. */
        List<Offer> offers() {
            return roles.values().stream()
                    .flatMap(role -> role.hosts.values().stream())
                    .flatMap(host -> Stream.ofNullable(host.offer))
                    .toList();
        }

        void send(StateChange turn, Event event) {
            EventSink<Event> to = sink;
            if (to != null) {
                turn.after(() -> to.send(event));
            }
        }
    }

    static final class Role {
        final Framework framework;
        final String name;
        final ApplicationKey key;
        boolean suppressed;

        @Nullable
        ApplicationRecord app;

        boolean running;
        final RefusedOfferFilters filters = new RefusedOfferFilters();
        OfferRequirements wishes = OfferRequirements.NONE;
        final Map<String, Host> hosts = new LinkedHashMap<>();
        Resources largest = Resources.NONE;
        Resources headroom = Resources.NONE;
        ContainerAsk asked = new ContainerAsk(Resources.NONE, 0);
        Set<String> refusedHosts = Set.of();
        int declines;
        int declineRounds;
        boolean hungry = true;
        double acceptsPerSecond;
        long lastAccept;

        @Nullable
        Resources wished;

        final Deque<Resources> used = new ArrayDeque<>();
        long filterTimer;
        /** What the cluster wants back, of containers of the framework's choice; containers as the cluster counts them. */
        Resources owed = Resources.NONE;

        long owedAt;
        /** Containers that the cluster has named when it asked for that. */
        final Set<String> demanded = new HashSet<>();

        Role(Framework framework, String name) {
            this.framework = framework;
            this.name = name;
            this.key = new ApplicationKey(framework.id, name);
        }

        boolean wantsOffers() {
            return framework.sink != null && !suppressed;
        }
    }

    enum HostPhase {
        /** Granted; nothing runs in it. */
        GRANTED,
        /** Its agent is being started. */
        STARTING,
        /** Its agent has been here, even if its connection is broken now. */
        RUNNING
    }

    /** A container of a framework on a node. */
    static final class Host {
        final String containerId;
        final Role role;
        final String node;
        final String hostname;
        final String agentId;
        Resources total;
        HostPhase phase = HostPhase.GRANTED;
        String secret = "";
        long since;

        @Nullable
        AgentLink link;

        @Nullable
        Offer offer;

        /** Since when its framework has not wanted its free part; 0 if it did when last asked. */
        long unwantedSince;

        /** What it was while the cluster is asked to make it smaller. */
        @Nullable
        Resources shrinksFrom;

        /** Until then it gets no new tasks, so that it can go back; 0 if it is not emptied. */
        long emptiedUntil;

        /** Its agent has been here, of this bridge or of one before: it must not be started again. */
        boolean seen;

        boolean leaving;
        String sandboxRoot = "";
        String limitsOff = "";
        final Map<String, Task> tasks = new LinkedHashMap<>();
        final Map<String, Executor> executors = new LinkedHashMap<>();

        Host(String containerId, Role role, String node, String hostname, String agentId, Resources total) {
            this.containerId = containerId;
            this.role = role;
            this.node = node;
            this.hostname = hostname;
            this.agentId = agentId;
            this.total = total;
        }

        Resources used() {
            Resources sum = Resources.NONE;
            for (Task task : tasks.values()) {
                if (!task.ended()) {
                    sum = sum.plus(task.needs);
                }
            }
            for (Executor executor : executors.values()) {
                sum = sum.plus(executor.needs);
            }
            return sum;
        }

        Resources free() {
            return total.minus(used());
        }

        /** The tasks that were launched with that one and have not ended, itself among them. */
        List<Task> groupOf(Task task) {
            return tasks.values().stream()
                    .filter(one -> one.group.equals(task.group) && !one.ended())
                    .toList();
        }

        boolean idle() {
            return executors.isEmpty() && tasks.values().stream().allMatch(Task::ended);
        }

        /** Sends a frame if the agent is there; what matters is sent again when it comes. */
        void send(StateChange turn, byte[] frame) {
            AgentLink to = link;
            if (to != null) {
                turn.after(() -> to.send(frame));
            }
        }
    }

    /** {@code mostMillis}: only for tasks that say they end within that time; 0 for all. */
    record Offer(String id, Host host, Resources bundle, long since, long mostMillis) {}

    /** Something wanted back: of that host, or of any. */
    record InverseOffer(String id, @Nullable Host host, Resources amount, long start) {}

    static final class Executor {
        final String id;
        final String key;
        final Host host;
        final ExecutorInfo info;
        final Resources needs;
        boolean started;
        boolean shutdown;
        /** How it wants its events; null before it has subscribed. */
        @Nullable
        Encoding encoding;

        Executor(Host host, ExecutorInfo info, Resources needs) {
            this.id = info.getExecutorId().getValue();
            this.key = "e/" + id;
            this.host = host;
            this.info = info;
            this.needs = needs;
        }
    }

    /** An update that the framework has not acknowledged; {@code seq} of the agent's event, 0 if the bridge made it. */
    record Pending(ByteString uuid, long seq, TaskStatus status) {}

    static final class Task {
        final String id;
        final String key;
        final TaskInfo info;
        final Framework framework;
        final Resources needs;
        /** Where it runs. */
        final Host host;
        /** Its executor's name; that of a command task is the task's own, as in Mesos. */
        final String executorId;

        /** Its executor is the framework's own program. */
        final boolean custom;
        /** Names the task group that it was launched with; empty if it was launched alone. */
        final String group;

        TaskState state = TaskState.TASK_STAGING;
        /** The last status made, sent or not. */
        @Nullable
        TaskStatus latest;

        final Deque<Pending> pending = new ArrayDeque<>();
        /** The agent's events up to this one need not be told again. */
        long settled;

        boolean killed;
        long sentAt;
        /** Whose agent speaks for it: the executor's host, which may be another container of the node. */
        Host speaker;
        /** Names of updates that the framework has acknowledged: executors may tell them again. */
        final Set<ByteString> acknowledged = new HashSet<>();

        Task(TaskInfo info, Framework framework, Host host, Resources needs, String group) {
            this.id = info.getTaskId().getValue();
            this.key = "t/" + id;
            this.info = info;
            this.framework = framework;
            this.host = host;
            this.speaker = host;
            this.needs = needs;
            this.group = group;
            this.custom = LaunchBuilder.hasOwnExecutor(info);
            this.executorId =
                    info.hasExecutor() ? info.getExecutor().getExecutorId().getValue() : id;
        }

        boolean ended() {
            return TaskStatuses.isTerminal(state);
        }
    }
}
