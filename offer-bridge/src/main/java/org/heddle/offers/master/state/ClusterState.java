// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.state;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Stream;
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
    private final Map<String, Framework> frameworks = new TreeMap<>();
    private final Set<String> removedFrameworks = new TreeSet<>();
    private final Map<String, AgentContainer> containers = new HashMap<>();
    private final Map<String, Set<AgentContainer>> byNode = new HashMap<>();
    private final IdentityHashMap<AgentLink, AgentContainer> byLink = new IdentityHashMap<>();
    private final Map<String, OutstandingOffer> offers = new LinkedHashMap<>();
    private final Map<String, ClusterNode> nodes = new TreeMap<>();
    private final Map<String, String> usableHosts = new HashMap<>();
    private Resources largestNode = Resources.NONE;

    /** The Mesos agent ID of a node. */
    public static String agentId(String node) {
        return "node-" + Integer.toHexString(node.hashCode()) + "-" + node.replaceAll("[^A-Za-z0-9.-]", "-");
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

    /** Removes a framework whose containers have been removed. Its name is not used again. */
    public void remove(Framework framework) {
        frameworks.remove(framework.id(), framework);
        removedFrameworks.add(framework.id());
    }

    /** Whether a framework of this name existed and has been removed. */
    public boolean isRemoved(String frameworkId) {
        return removedFrameworks.contains(frameworkId);
    }

    void addRemoved(String frameworkId) {
        removedFrameworks.add(frameworkId);
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

    public void add(AgentContainer container) {
        containers.put(container.id(), container);
        byNode.computeIfAbsent(container.node(), node -> new LinkedHashSet<>()).add(container);
        container.role().put(container);
    }

    /** Removes the container and its offer; returns whether the container was there. */
    public boolean remove(AgentContainer container) {
        OutstandingOffer offer = container.offer();
        if (offer != null) {
            remove(offer);
        }
        container.role().remove(container);
        byNode.computeIfPresent(container.node(), (node, there) -> {
            there.remove(container);
            return there.isEmpty() ? null : there;
        });
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

    /** Removes a task whose last update is acknowledged. */
    public void complete(FrameworkTask task) {
        task.container().remove(task);
        task.framework().complete(task);
    }

    public void add(FrameworkExecutor executor) {
        executor.container().put(executor);
    }

    public void remove(FrameworkExecutor executor) {
        executor.container().remove(executor);
    }

    // ---- nodes ----

    /** The nodes of the cluster, by their names. */
    public Map<String, ClusterNode> nodes() {
        return Collections.unmodifiableMap(nodes);
    }

    public void setNodes(List<ClusterNode> list) {
        nodes.clear();
        usableHosts.clear();
        largestNode = Resources.NONE;
        for (ClusterNode node : list) {
            nodes.put(node.node(), node);
            if (node.usable()) {
                usableHosts.put(agentId(node.node()), node.host());
                largestNode = largestNode.max(node.total());
            }
        }
    }

    /** Number of nodes on which containers can be allocated. */
    public int usableNodes() {
        return usableHosts.size();
    }

    /** Host name of the usable node with this Mesos agent ID. */
    public @Nullable String usableHost(String agentId) {
        return usableHosts.get(agentId);
    }

    /** The maximum of each resource over all usable nodes. */
    public Resources largestNode() {
        return largestNode;
    }

    /** The sum of the resources of all usable nodes. */
    public Resources total() {
        return nodes.values().stream()
                .filter(ClusterNode::usable)
                .map(ClusterNode::total)
                .reduce(Resources.NONE, Resources::plus);
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
        int onNodes = byNode.values().stream().mapToInt(Set::size).sum();
        expect(
                onNodes == containers.size(),
                problems,
                () -> "the nodes have " + onNodes + " containers, not " + containers.size());
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
        expect(usable == usableHosts.size(), problems, () -> usable + " nodes are usable, not " + usableHosts.size());
        if (!problems.isEmpty()) {
            throw new IllegalStateException("the state is not consistent: " + String.join("; ", problems));
        }
    }

    private void check(Framework framework, Set<AgentContainer> ofRoles, List<String> problems) {
        framework.containers().forEach(ofRoles::add);
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
                byNode.getOrDefault(container.node(), Set.of()).contains(container),
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
