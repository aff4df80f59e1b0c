// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit;

import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.heddle.testkit.machine.LoopbackHosts;
import org.jspecify.annotations.Nullable;

/**
 * Configuration of a {@link HeddleCluster}. The order of calls does not matter, except that later values of a
 * property replace earlier ones.
 */
public final class ClusterBuilder {
    String scheduler = "org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler";
    final List<NodeSpec> nodes = new ArrayList<>();
    final Map<String, String> properties = new LinkedHashMap<>();
    final Map<String, String> files = new LinkedHashMap<>();
    final Map<String, Set<String>> users = new LinkedHashMap<>();
    final List<String> dataNodeHosts = new ArrayList<>();
    boolean mapReduce;
    boolean historyServer;
    Duration startTimeout = Duration.ofMinutes(2);

    @Nullable
    Path parentDirectory;

    @Nullable
    String containerClassPath;

    private int dataNodes;
    private boolean addressesAsNames;
    private final List<PendingNodes> pending = new ArrayList<>();

    private record PendingNodes(int count, @Nullable String host, String rack, Map<String, Long> resources) {}

    ClusterBuilder() {}

    /** The ResourceManager's scheduler; CapacityScheduler where none is named. The class must be on the class path. */
    public ClusterBuilder scheduler(String className) {
        scheduler = className;
        return this;
    }

    /**
     * Adds {@code count} nodes on the default rack, named {@code node1}, {@code node2} and so on.
     *
     * @param resources as in {@link NodeSpec#resources()}, of each node; types beyond memory and vcores are declared
     *     to YARN by being named here
     */
    public ClusterBuilder nodes(int count, Map<String, Long> resources) {
        return nodes(count, NodeSpec.DEFAULT_RACK, resources);
    }

    /** Adds {@code count} nodes on one rack. */
    public ClusterBuilder nodes(int count, String rack, Map<String, Long> resources) {
        if (count < 1) {
            throw new IllegalArgumentException("nodes = " + count + ": give 1 or more");
        }
        pending.add(new PendingNodes(count, null, rack, resources));
        return this;
    }

    /** Adds one node with a name of its own. */
    public ClusterBuilder node(String host, String rack, Map<String, Long> resources) {
        pending.add(new PendingNodes(1, host, rack, resources));
        return this;
    }

    /**
     * Names nodes by their loopback addresses ({@code 127.0.70.1} ..) instead of {@code node1} ..: uglier, but
     * any program on the machine can resolve them, for example a client outside this JVM.
     */
    public ClusterBuilder addressesAsNames() {
        addressesAsNames = true;
        return this;
    }

    /** Sets a Hadoop property for daemons, clients and containers; wins over what the fixture sets. */
    public ClusterBuilder property(String name, String value) {
        properties.put(name, value);
        return this;
    }

    public ClusterBuilder properties(Map<String, String> more) {
        properties.putAll(more);
        return this;
    }

    /**
     * Writes a file into the cluster's directory and sets {@code property} to its absolute path: the queue layout of a
     * scheduler that reads a file, for example {@code yarn.scheduler.fair.allocation.file}.
     * {@link HeddleCluster#rewrite} changes it later.
     */
    public ClusterBuilder queuesFile(String property, String content) {
        files.put(property, content);
        return this;
    }

    /** Declares users, each in a group of the same name; with HDFS each gets a home directory. */
    public ClusterBuilder users(String... names) {
        for (String name : names) {
            user(name, name);
        }
        return this;
    }

    /** Declares a user with its groups, the primary one first. */
    public ClusterBuilder user(String name, String... groups) {
        users.put(name, new LinkedHashSet<>(Arrays.asList(groups)));
        return this;
    }

    /** Adds HDFS with one DataNode, which bears the name of the first node. */
    public ClusterBuilder hdfs() {
        return hdfs(1);
    }

    /** Adds HDFS with DataNodes that bear the names of the first {@code count} nodes, so that tasks can be local. */
    public ClusterBuilder hdfs(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("DataNodes = " + count + ": give 1 or more");
        }
        dataNodes = count;
        return this;
    }

    /** Adds HDFS with DataNodes that bear these names, for example of nodes that will be added later. */
    public ClusterBuilder hdfsOn(String... hosts) {
        dataNodeHosts.addAll(List.of(hosts));
        return this;
    }

    /**
     * Adds MapReduce: shuffle service on every node, history server, small container JVMs. Adds HDFS too if it was not
     * asked for, since jobs of several users need a file system with owners.
     */
    public ClusterBuilder mapReduce() {
        mapReduce = true;
        historyServer = true;
        return this;
    }

    /** Leaves the history server out: quicker, but counters and task reports of finished jobs cannot be read. */
    public ClusterBuilder withoutHistoryServer() {
        historyServer = false;
        return this;
    }

    /**
     * Class path of container JVMs that ask for YARN's or MapReduce's; the class path of this JVM where none is given.
     *
     * @param classPath as for {@code java -cp}; relative entries are made absolute
     */
    public ClusterBuilder containerClassPath(String classPath) {
        containerClassPath = classPath;
        return this;
    }

    /** Where the cluster's own directory is made; the JVM's temporary directory where none is given. */
    public ClusterBuilder directory(Path parent) {
        parentDirectory = parent;
        return this;
    }

    /** Time after which starting the cluster fails; 2 minutes by default. */
    public ClusterBuilder startTimeout(Duration timeout) {
        startTimeout = timeout;
        return this;
    }

    /** The cluster, not yet started: JUnit starts it, or {@link HeddleCluster#start()}. */
    public HeddleCluster build() {
        if (pending.isEmpty()) {
            nodes(1, Map.of(NodeSpec.MEMORY, 4096L, NodeSpec.VCORES, 4L));
        }
        int number = 0;
        for (PendingNodes group : pending) {
            for (int i = 0; i < group.count; i++) {
                number++;
                nodes.add(new NodeSpec(
                        group.host != null ? group.host : defaultHost(number), group.rack, group.resources));
            }
        }
        pending.clear();
        Set<String> names = new LinkedHashSet<>();
        for (NodeSpec node : nodes) {
            if (!names.add(node.host())) {
                throw new IllegalArgumentException("host " + node.host() + " is given twice: each node needs its own");
            }
        }
        if (mapReduce && dataNodes == 0 && dataNodeHosts.isEmpty()) {
            dataNodes = 1;
        }
        if (dataNodes > nodes.size()) {
            throw new IllegalArgumentException("DataNodes = " + dataNodes + " but there are " + nodes.size()
                    + " nodes, and each DataNode has the name of a node: add nodes or ask for fewer DataNodes");
        }
        nodes.subList(0, dataNodes).forEach(node -> dataNodeHosts.add(node.host()));
        dataNodes = 0;
        return new HeddleCluster(this);
    }

    String defaultHost(int number) {
        return addressesAsNames ? LoopbackHosts.literal(number) : "node" + number;
    }

    /** Resource types beyond memory and vcores that some node or property declares. */
    Set<String> extraTypes() {
        Set<String> types = new LinkedHashSet<>();
        for (String declared :
                properties.getOrDefault("yarn.resource-types", "").split(",", -1)) {
            if (!declared.isBlank()) {
                types.add(declared.trim());
            }
        }
        for (NodeSpec node : nodes) {
            for (String name : node.resources().keySet()) {
                if (!name.equals(NodeSpec.MEMORY) && !name.equals(NodeSpec.VCORES)) {
                    types.add(name);
                }
            }
        }
        return types;
    }

    /** Entries of the container class path, absolute. */
    List<String> classPathEntries() {
        String path = containerClassPath != null ? containerClassPath : System.getProperty("java.class.path", "");
        List<String> entries = new ArrayList<>();
        for (String entry : path.split(File.pathSeparator, -1)) {
            if (!entry.isEmpty()) {
                entries.add(new File(entry).getAbsolutePath());
            }
        }
        return entries;
    }
}
