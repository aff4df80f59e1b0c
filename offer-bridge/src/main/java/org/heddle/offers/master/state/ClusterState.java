// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.state;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.mesos.v1.Protos.TaskState;
import org.heddle.offers.master.cluster.ApplicationKey;
import org.heddle.offers.master.cluster.ClusterNode;
import org.heddle.offers.model.Resources;
import org.jspecify.annotations.Nullable;

/**
 * All that the master knows, and the only place where its indices change: what is added or removed here is added to or
 * removed from each of them. Only the thread of {@link StateExecutor} may touch it, and what it holds.
 *
 * <pre>
 * framework ─┬─ role ── container (on a node) ─┬─ offer (its free part, at most one)
 *            │                                 ├─ executor ─┐
 *            └─ task ──────────────────────────┴─ task ◄────┘
 * </pre>
 */
public final class ClusterState {
    private static final int KEEP_ENDED = 100;
    private static final int KEEP_REMOVED = 10_000;
    private static final Pattern UNUSUAL = Pattern.compile("[^A-Za-z0-9.-]");

    private final Map<String, Framework> frameworks = new TreeMap<>();
    private final Set<String> removedFrameworks = new LinkedHashSet<>();
    private final Deque<EndedTask> endedTasks = new ArrayDeque<>();
    private final Map<String, AgentContainer> containers = new HashMap<>();
    private final Map<String, Set<AgentContainer>> byNode = new HashMap<>();
    private final Map<String, Set<AgentContainer>> byAgent = new HashMap<>();
    private final IdentityHashMap<AgentLink, AgentContainer> byLink = new IdentityHashMap<>();
    private final Map<String, OutstandingOffer> offers = new LinkedHashMap<>();
    private Map<String, ClusterNode> nodes = Map.of();
    /** The name of each node by its Mesos agent ID. */
    private final Map<String, String> nodeNames = new HashMap<>();

    private int usableNodes;
    private Resources largestNode = Resources.NONE;
    private Resources total = Resources.NONE;

    /** The Mesos agent ID of a node. */
    public static String agentId(String node) {
        return "node-" + Integer.toHexString(node.hashCode()) + "-"
                + UNUSUAL.matcher(node).replaceAll("-");
    }

    // ---- frameworks and their roles ----

    public Map<String, Framework> frameworks() {
        return Collections.unmodifiableMap(frameworks);
    }

    public @Nullable Framework framework(String id) {
        return frameworks.get(id);
    }

    public void add(Framework framework) {
        frameworks.put(framework.id(), framework);
    }

    /**
     * Removes a framework whose containers have been removed. Its id is not used again, until many others have been
     * removed.
     *
     * @return the id that is forgotten for it, or null
     */
    public @Nullable String remove(Framework framework) {
        frameworks.remove(framework.id(), framework);
        return addRemoved(framework.id());
    }

    /** Whether a framework of this name existed and has been removed. */
    public boolean isRemoved(String frameworkId) {
        return removedFrameworks.contains(frameworkId);
    }

    @Nullable
    String addRemoved(String frameworkId) {
        removedFrameworks.add(frameworkId);
        if (removedFrameworks.size() <= KEEP_REMOVED) {
            return null;
        }
        String oldest = removedFrameworks.iterator().next();
        removedFrameworks.remove(oldest);
        return oldest;
    }

    /** All roles of all frameworks. */
    public Stream<FrameworkRole> roles() {
        return frameworks.values().stream().flatMap(framework -> framework.roles().values().stream());
    }

    public @Nullable FrameworkRole role(ApplicationKey key) {
        Framework framework = frameworks.get(key.frameworkId());
        return framework == null ? null : framework.roles().get(key.role());
    }

    /** The framework's role of this name; it is added if it is missing. */
    public FrameworkRole addRole(Framework framework, String name) {
        FrameworkRole role = framework.roles().get(name);
        if (role == null) {
            role = new FrameworkRole(framework, name);
            framework.put(role);
        }
        return role;
    }

    /** Removes a role whose containers have been removed. */
    public void remove(FrameworkRole role) {
        role.framework().remove(role);
    }

    // ---- containers and their agents ----

    /** All containers, by their names in the cluster. */
    public Map<String, AgentContainer> containers() {
        return Collections.unmodifiableMap(containers);
    }

    public @Nullable AgentContainer container(String id) {
        return containers.get(id);
    }

    public boolean contains(AgentContainer container) {
        return containers.get(container.id()) == container;
    }

    public List<AgentContainer> containersOn(String node) {
        return List.copyOf(byNode.getOrDefault(node, Set.of()));
    }

    /** The containers on the node with this Mesos agent ID. */
    public List<AgentContainer> containersOfAgent(String agentId) {
        return List.copyOf(byAgent.getOrDefault(agentId, Set.of()));
    }

    public void add(AgentContainer container) {
        containers.put(container.id(), container);
        add(byNode, container.node(), container);
        add(byAgent, container.agentId(), container);
        container.role().put(container);
    }

    private static void add(Map<String, Set<AgentContainer>> index, String key, AgentContainer container) {
        index.computeIfAbsent(key, first -> new LinkedHashSet<>()).add(container);
    }

    private static void remove(Map<String, Set<AgentContainer>> index, String key, AgentContainer container) {
        index.computeIfPresent(key, (same, there) -> {
            there.remove(container);
            return there.isEmpty() ? null : there;
        });
    }

    /** Removes the container and its offer; returns whether the container was there. */
    public boolean remove(AgentContainer container) {
        OutstandingOffer offer = container.offer();
        if (offer != null) {
            remove(offer);
        }
        container.role().remove(container);
        remove(byNode, container.node(), container);
        remove(byAgent, container.agentId(), container);
        return containers.remove(container.id(), container);
    }

    /** Sets the connection of the container's agent; returns the agent's earlier connection, or null. */
    public @Nullable AgentLink connect(AgentContainer container, AgentLink link) {
        AgentLink before = container.link();
        if (before == link) {
            return null;
        }
        if (before != null) {
            byLink.remove(before);
        }
        byLink.put(link, container);
        container.setLink(link);
        return before;
    }

    /** Removes a connection that has ended. */
    public void disconnect(AgentLink link) {
        AgentContainer container = byLink.remove(link);
        if (container != null) {
            container.setLink(null);
        }
    }

    /** The container whose agent has this connection, or null. */
    public @Nullable AgentContainer connected(AgentLink link) {
        return byLink.get(link);
    }

    // ---- offers ----

    /** All outstanding offers, oldest first. */
    public Map<String, OutstandingOffer> offers() {
        return Collections.unmodifiableMap(offers);
    }

    public void add(OutstandingOffer offer) {
        offers.put(offer.id(), offer);
        offer.container().setOffer(offer);
    }

    public void remove(OutstandingOffer offer) {
        offers.remove(offer.id());
        offer.container().setOffer(null);
    }

    public void add(Framework framework, InverseOffer inverse) {
        framework.put(inverse);
    }

    public void remove(Framework framework, InverseOffer inverse) {
        framework.remove(inverse);
    }

    // ---- tasks and executors ----

    public void add(FrameworkTask task) {
        task.framework().put(task);
        task.container().put(task);
    }

    /** A task has ended, in this state and with this message. */
    public void ended(FrameworkTask task, TaskState last, String message, long now) {
        endedTasks.addFirst(EndedTask.of(task, last, message, now));
        if (endedTasks.size() > KEEP_ENDED) {
            endedTasks.removeLast();
        }
    }

    /** The last tasks that have ended since this bridge began to lead, newest first. */
    public Collection<EndedTask> endedTasks() {
        return Collections.unmodifiableCollection(endedTasks);
    }

    /** Removes a task whose last update is acknowledged. */
    public void complete(FrameworkTask task) {
        task.container().remove(task);
        task.framework().complete(task);
    }

    /** The tasks of other containers of the node that run in an executor of this one. */
    public List<FrameworkTask> servedBy(AgentContainer container) {
        return containersOfAgent(container.agentId()).stream()
                .filter(other -> other != container)
                .flatMap(other -> other.tasks().values().stream())
                .filter(task -> task.reporter() == container)
                .toList();
    }

    public void add(FrameworkExecutor executor) {
        executor.container().put(executor);
    }

    public void remove(FrameworkExecutor executor) {
        executor.container().remove(executor);
    }

    // ---- nodes ----

    /** The nodes of the cluster by their names, in no order. */
    public Map<String, ClusterNode> nodes() {
        return Collections.unmodifiableMap(nodes);
    }

    /** The nodes of the cluster in the order of their names, for reports. */
    public List<ClusterNode> sortedNodes() {
        return nodes.values().stream()
                .sorted(Comparator.comparing(ClusterNode::node))
                .toList();
    }

    /**
     * Sets the nodes, every two seconds: only nodes that come or go cost more than a look.
     *
     * @return the nodes before
     */
    public Map<String, ClusterNode> setNodes(List<ClusterNode> list) {
        Map<String, ClusterNode> before = nodes;
        Map<String, ClusterNode> now = new HashMap<>(2 * list.size());
        int known = 0;
        for (ClusterNode node : list) {
            if (now.put(node.node(), node) != null) {
                continue;
            }
            if (before.containsKey(node.node())) {
                known++;
            } else {
                nodeNames.put(agentId(node.node()), node.node());
            }
        }
        if (known < before.size()) {
            nodeNames.values().removeIf(name -> !now.containsKey(name));
        }
        nodes = now;
        sum();
        return Collections.unmodifiableMap(before);
    }

    private void sum() {
        usableNodes = 0;
        largestNode = Resources.NONE;
        total = Resources.NONE;
        for (ClusterNode node : nodes.values()) {
            if (node.usable()) {
                usableNodes++;
                largestNode = largestNode.max(node.total());
                total = total.plus(node.total());
            }
        }
    }

    /** Number of nodes on which containers can be allocated. */
    public int usableNodes() {
        return usableNodes;
    }

    /** Whether a node has this Mesos agent ID. */
    public boolean hasNode(String agentId) {
        return nodeNames.containsKey(agentId);
    }

    /** Host name of the usable node with this Mesos agent ID. */
    public @Nullable String usableHost(String agentId) {
        String name = nodeNames.get(agentId);
        ClusterNode node = name == null ? null : nodes.get(name);
        return node == null || !node.usable() ? null : node.host();
    }

    /** The maximum of each resource over all usable nodes. */
    public Resources largestNode() {
        return largestNode;
    }

    /** The sum of the resources of all usable nodes. */
    public Resources total() {
        return total;
    }

    // ---- consistency ----

    /**
     * Checks that all indices agree.
     *
     * @throws IllegalStateException names the first difference
     */
    public void assertConsistent() {
        List<String> problems = new ArrayList<>();
        Set<AgentContainer> ofRoles = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Framework framework : frameworks.values()) {
            check(framework, ofRoles, problems);
        }
        expect(
                ofRoles.size() == containers.size() && ofRoles.containsAll(containers.values()),
                problems,
                () -> "the roles have other containers than the state: " + names(ofRoles) + " and "
                        + containers.keySet());
        containers.values().forEach(container -> check(container, problems));
        expectAll(byNode, "nodes", problems);
        expectAll(byAgent, "agents", problems);
        for (OutstandingOffer offer : offers.values()) {
            expect(
                    offer.equals(offer.container().offer()) && contains(offer.container()),
                    problems,
                    () -> "offer " + offer.id() + " is not that of a known container");
        }
        byLink.forEach((link, container) -> expect(
                container.link() == link,
                problems,
                () -> "a connection leads to container " + container.id() + ", which has another one"));
        long usable = nodes.values().stream().filter(ClusterNode::usable).count();
        expect(usable == usableNodes, problems, () -> usable + " nodes are usable, not " + usableNodes);
        expect(
                nodes.keySet().equals(Set.copyOf(nodeNames.values())),
                problems,
                () -> "agent IDs are known of other nodes than there are");
        if (!problems.isEmpty()) {
            throw new IllegalStateException("the state is not consistent: " + String.join("; ", problems));
        }
    }

    private void expectAll(Map<String, Set<AgentContainer>> index, String of, List<String> problems) {
        int sum = index.values().stream().mapToInt(Set::size).sum();
        expect(
                sum == containers.size(),
                problems,
                () -> "the " + of + " have " + sum + " containers, not " + containers.size());
    }

    private void check(Framework framework, Set<AgentContainer> ofRoles, List<String> problems) {
        framework.containers().forEach(ofRoles::add);
        for (FrameworkRole role : framework.roles().values()) {
            expect(role.isConsistent(), problems, () -> role.key() + " has other containers than it has counted");
        }
        for (FrameworkTask task : framework.tasks().values()) {
            expect(
                    task.framework() == framework
                            && (task.ended()
                                    || (contains(task.container())
                                            && task.container().tasks().get(task.id()) == task)),
                    problems,
                    () -> "task " + task.id() + " has not ended, and is not in a known container");
        }
        for (InverseOffer inverse : framework.inverseOffers()) {
            AgentContainer container = inverse.container();
            expect(
                    container == null || (contains(container) && container.framework() == framework),
                    problems,
                    () -> "inverse offer " + inverse.id() + " is about an unknown container");
        }
    }

    private void check(AgentContainer container, List<String> problems) {
        Framework framework = container.framework();
        String name = "container " + container.id();
        expect(frameworks.get(framework.id()) == framework, problems, () -> name + " is of an unknown framework");
        OutstandingOffer offer = container.offer();
        expect(
                offer == null || offer.equals(offers.get(offer.id())),
                problems,
                () -> name + " has an offer which is not outstanding");
        AgentLink link = container.link();
        expect(link == null || byLink.get(link) == container, problems, () -> name + " has an unknown connection");
        expect(
                byNode.getOrDefault(container.node(), Set.of()).contains(container)
                        && byAgent.getOrDefault(container.agentId(), Set.of()).contains(container),
                problems,
                () -> name + " is not among those of its node");
        for (FrameworkTask task : container.tasks().values()) {
            expect(
                    task.container() == container && framework.tasks().get(task.id()) == task,
                    problems,
                    () -> name + " has task " + task.id() + ", which its framework does not have there");
        }
        for (FrameworkExecutor executor : container.executors().values()) {
            expect(executor.container() == container, problems, () -> name + " has an executor of another container");
        }
    }

    private static void expect(boolean holds, List<String> problems, Supplier<String> problem) {
        if (!holds) {
            problems.add(problem.get());
        }
    }

    private static Set<String> names(Collection<AgentContainer> list) {
        Set<String> names = new HashSet<>();
        list.forEach(container -> names.add(container.id()));
        return names;
    }
}
