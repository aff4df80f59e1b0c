// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.lang.reflect.UndeclaredThrowableException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.mapreduce.v2.hs.JobHistoryServer;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.service.Service;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.heddle.testkit.embedded.EmbeddedHdfs;
import org.heddle.testkit.embedded.EmbeddedResourceManager;
import org.heddle.testkit.logs.ContainerLogs;
import org.heddle.testkit.machine.ContainerProcesses;
import org.heddle.testkit.machine.LoopbackHosts;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A real ResourceManager, NodeManagers and, on demand, HDFS and a MapReduce history server inside this JVM, with real
 * containers as processes. As a JUnit extension in a static field it lives as long as the test class, and applications
 * end with their test; in an instance field it lives as long as one test. {@link #start()} and {@link #close()} do the
 * same without JUnit. Long because it is all that a test sees of the cluster; the daemons themselves are started and
 * ended elsewhere.
 *
 * <pre>{@code
 * @RegisterExtension
 * static final HeddleCluster cluster = HeddleCluster.builder()
 *         .scheduler("org.example.MyScheduler")
 *         .nodes(3, Map.of("memory-mb", 4096L, "vcores", 4L))
 *         .users("alice", "bob")
 *         .mapReduce()
 *         .build();
 * }</pre>
 *
 * <pre>
 * new --start--> running --close--> closed     (a failed start closes; a closed one is not started again)
 * </pre>
 */
public final class HeddleCluster
        implements AutoCloseable, BeforeAllCallback, AfterAllCallback, BeforeEachCallback, AfterEachCallback {
    private enum State {
        NEW,
        RUNNING,
        CLOSED
    }

    private static final Logger LOG = LoggerFactory.getLogger(HeddleCluster.class);
    private static final Duration STOP = Duration.ofSeconds(60);

    private final ClusterBuilder plan;
    private final List<ClusterNode> nodes = new ArrayList<>();
    private final Set<String> excluded = new TreeSet<>();

    @GuardedBy("this")
    private State state = State.NEW;

    private final Map<String, UserGroupInformation> users = new ConcurrentHashMap<>();
    private boolean startedForOneTest;
    private @Nullable Path directory;
    private @Nullable Site site;
    private @Nullable EmbeddedHdfs hdfs;
    private @Nullable ResourceManager resourceManager;
    private @Nullable JobHistoryServer historyServer;
    private @Nullable FileSystem fileSystem;

    HeddleCluster(ClusterBuilder plan) {
        this.plan = plan;
    }

    public static ClusterBuilder builder() {
        return new ClusterBuilder();
    }

    /** Starts everything; returns when all nodes are known to the ResourceManager. */
    public synchronized void start() throws Exception {
        if (state != State.NEW) {
            throw new IllegalStateException("cluster is " + state + ": build a new one to start again");
        }
        state = State.RUNNING;
        long begin = System.nanoTime();
        try {
            JvmWide.requireOpen();
            startInOrder();
            LOG.info("test cluster of {} up in {} ms", nodes(), (System.nanoTime() - begin) / 1_000_000);
        } catch (Exception | Error e) {
            try {
                close();
            } catch (RuntimeException cleanup) {
                e.addSuppressed(cleanup);
            }
            throw e;
        }
    }

    private void startInOrder() throws Exception {
        // 1. A directory of its own, and what is known before anything runs
        Path home = makeDirectory();
        Site own = new Site(plan, home);
        site = own;
        for (NodeSpec node : plan.nodes) {
            introduce(node);
        }
        LoopbackHosts.writeHostsFile(own.hosts());
        JvmWide.enter(this, plan.extraTypes(), groups(), daemonConfiguration()).forEach(own::put);
        // 2. HDFS
        if (!plan.dataNodeHosts.isEmpty()) {
            hdfs = new EmbeddedHdfs(daemonConfiguration(), home.resolve("hdfs"), plan.dataNodeHosts);
            hdfs.properties().forEach(own::put);
            hdfs.prepare(plan.users.keySet(), plan.mapReduce);
        }
        // 3. History server, then ResourceManager: pages of all are served as those of the last one
        ResourceManager rm = new EmbeddedResourceManager();
        resourceManager = rm;
        JvmWide.forgetQueueMetrics();
        List<Runnable> first = new ArrayList<>();
        first.add(() -> rm.init(daemonConfiguration()));
        if (plan.mapReduce && plan.historyServer) {
            JobHistoryServer history = new JobHistoryServer();
            historyServer = history;
            history.init(daemonConfiguration());
            first.add(history::start);
        }
        Daemons.sideBySide(first, plan.startTimeout);
        if (historyServer != null) {
            own.adopt(historyServer.getConfig(), "mapreduce.jobhistory.");
        }
        JvmWide.start(rm);
        own.adopt(rm.getConfig(), "yarn.resourcemanager.");
        own.writeForClients(own.containers());
        plan.nodes.forEach(JvmWide::requireRack);
        // 4. NodeManagers, side by side
        List<Runnable> starting = new ArrayList<>();
        for (NodeSpec spec : plan.nodes) {
            starting.add(plant(spec)::start);
        }
        Daemons.sideBySide(starting, plan.startTimeout);
        // 5. All there
        nodes().forEach(ClusterNode::awaitRunning);
    }

    /**
     * Ends all applications, daemons and container processes and deletes the cluster's directory. Does nothing if
     * already closed. Every step is tried even if one before it failed; the first failure is thrown at the end.
     */
    @Override
    public synchronized void close() {
        if (state != State.RUNNING) {
            state = State.CLOSED;
            return;
        }
        state = State.CLOSED;
        Closing closing = new Closing();
        ResourceManager rm = resourceManager;
        closing.run("applications", () -> endApplications("the test cluster is closed"));
        closing.run(
                "NodeManagers",
                () -> Daemons.sideBySide(
                        nodes().stream()
                                .map(node -> (Runnable) node::stopDaemon)
                                .toList(),
                        STOP));
        if (historyServer != null) {
            closing.run("the history server", historyServer::stop);
        }
        if (rm != null) {
            closing.run("the ResourceManager", rm::stop);
        }
        FileSystem opened = fileSystem;
        if (opened != null) {
            closing.run("the file system", opened::close);
        }
        users.forEach((name, user) -> closing.run("file systems of " + name, () -> FileSystem.closeAllForUGI(user)));
        if (hdfs != null) {
            closing.run("HDFS", hdfs::close);
        }
        JvmWide.leave(this);
        plan.nodes.forEach(node -> {
            RackTable.remove(node.host());
            RackTable.remove(LoopbackHosts.address(node.host()));
        });
        Path home = directory;
        if (home != null) {
            closing.run("container processes", () -> ContainerProcesses.end(home));
            closing.run(
                    "the containers' logs",
                    () -> FailureLogs.holdBack(
                            home,
                            nodes().stream().map(ClusterNode::logDirectory).toList()));
            closing.run("the directory " + home, () -> {
                if (!FileUtil.fullyDelete(home.toFile())) {
                    throw new IOException("cannot delete " + home);
                }
            });
        }
        closing.finish();
    }

    private void endApplications(String reason) {
        ResourceManager rm = resourceManager;
        if (rm != null && rm.isInState(Service.STATE.STARTED)) {
            Daemons.killApplications(rm, reason);
        }
    }

    // ---- what tests use ----

    /** The ResourceManager, with the scheduler under test inside: {@code getResourceScheduler()}. */
    public ResourceManager resourceManager() {
        return required(resourceManager, "ResourceManager");
    }

    /** Base address of the ResourceManager's pages and REST, for example {@code http://localhost:12345}. */
    public String webAddress() {
        return "http://" + value("yarn.resourcemanager.webapp.address");
    }

    /** Address of the NameNode's pages. */
    public String hdfsWebAddress() {
        return "http://" + value("dfs.namenode.http-address");
    }

    /** The value of a property that the running cluster has, with real ports. */
    public String value(String property) {
        String found = configuration().get(property);
        if (found == null) {
            throw new IllegalStateException("property " + property + " is not set: was this part of the cluster asked"
                    + " for, and is it running?");
        }
        return found;
    }

    /** A fresh configuration for clients, with all addresses. */
    public Configuration configuration() {
        return site().forClients();
    }

    /** All nodes ever added, in order. */
    public List<ClusterNode> nodes() {
        synchronized (nodes) {
            return List.copyOf(nodes);
        }
    }

    /** The node at a position, from 0. */
    public ClusterNode node(int index) {
        return nodes().get(index);
    }

    public ClusterNode node(String host) {
        return nodes().stream()
                .filter(node -> node.host().equals(host))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no node " + host + "; there are " + nodes()));
    }

    /** Adds a node to the running cluster. Its resource types must be among those declared at the start. */
    public ClusterNode addNode(NodeSpec spec) throws IOException {
        Set<String> unknown = new TreeSet<>(spec.resources().keySet());
        unknown.removeAll(Set.of(configuration().getTrimmedStrings("yarn.resource-types")));
        unknown.remove(NodeSpec.MEMORY);
        unknown.remove(NodeSpec.VCORES);
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException("resource types " + unknown + " of " + spec.host()
                    + ": not declared when the cluster started; name them in property yarn.resource-types");
        }
        if (nodes().stream().anyMatch(other -> other.host().equals(spec.host()))) {
            throw new IllegalArgumentException("host " + spec.host() + " is already in the cluster");
        }
        introduce(spec);
        LoopbackHosts.writeHostsFile(site().hosts());
        ClusterNode node = plant(spec);
        node.start();
        node.awaitRunning();
        return node;
    }

    /** Adds a node with the next free default name. */
    public ClusterNode addNode(Map<String, Long> resources) throws IOException {
        return addNode(new NodeSpec(plan.defaultHost(nodes().size() + 1), NodeSpec.DEFAULT_RACK, resources));
    }

    /** A user as clients of the cluster see it. It need not exist in the operating system. */
    public UserGroupInformation user(String name) {
        return users.computeIfAbsent(name, UserGroupInformation::createRemoteUser);
    }

    /** Runs code as this user, for example to submit a job or to use the file system. */
    public <T> T as(String user, PrivilegedExceptionAction<T> action) throws Exception {
        try {
            return user(user).doAs(action);
        } catch (UndeclaredThrowableException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    /** The cluster's file system, as its superuser. */
    public synchronized FileSystem fileSystem() throws IOException {
        if (fileSystem == null) {
            // Not from Hadoop's cache: to close a cached file system closes it for all its users.
            fileSystem = FileSystem.newInstance(configuration());
        }
        return fileSystem;
    }

    /** Replaces the content of a file given to {@link ClusterBuilder#queuesFile}. */
    public void rewrite(String property, String content) throws IOException {
        if (!plan.files.containsKey(property)) {
            throw new IllegalArgumentException(
                    "property " + property + " names no file of the cluster; those are " + plan.files.keySet());
        }
        Files.writeString(Path.of(value(property)), content);
    }

    /** The output of containers on all nodes. */
    public ContainerLogs logs() {
        return new ContainerLogs(nodes().stream().map(ClusterNode::logDirectory).toList());
    }

    /** The cluster's own directory. */
    public Path directory() {
        return required(directory, "cluster");
    }

    /**
     * Writes site files with which any Hadoop client can use the cluster.
     *
     * @param target directory, made if it does not exist
     */
    public void writeClientConfiguration(Path target) throws IOException {
        site().writeForClients(target);
    }

    // ---- inside ----

    Configuration daemonConfiguration() {
        return site().forDaemons();
    }

    private Site site() {
        return required(site, "cluster");
    }

    void exclude(String host, boolean exclude) {
        synchronized (excluded) {
            if (exclude ? excluded.add(host) : excluded.remove(host)) {
                try {
                    Files.write(site().excludedHosts(), excluded);
                    if (!exclude) {
                        resourceManager()
                                .getRMContext()
                                .getNodesListManager()
                                .refreshNodes(resourceManager().getConfig());
                    }
                } catch (Exception e) {
                    throw new IllegalStateException("cannot change the excluded hosts to " + excluded, e);
                }
            }
        }
    }

    private ClusterNode plant(NodeSpec spec) {
        ClusterNode node =
                new ClusterNode(this, spec, directory().resolve("nodes").resolve(spec.host()));
        synchronized (nodes) {
            nodes.add(node);
        }
        return node;
    }

    private void introduce(NodeSpec node) throws IOException {
        String address = LoopbackHosts.address(node.host());
        LoopbackHosts.requireBindable(address);
        RackTable.put(node.host(), node.rack());
        RackTable.put(address, node.rack());
        Files.writeString(
                site().racks(),
                node.host() + "\t" + node.rack() + "\n" + address + "\t" + node.rack() + "\n",
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }

    private Path makeDirectory() throws IOException {
        Path parent = plan.parentDirectory;
        if (parent == null) {
            parent = Path.of(System.getProperty("java.io.tmpdir", "/tmp"));
        }
        Files.createDirectories(parent);
        Path made = Files.createTempDirectory(parent.toRealPath(), "heddle-cluster-");
        directory = made;
        // Containers of other users must be able to pass, where the executor switches users.
        Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rwxr-xr-x"));
        return made;
    }

    private Map<String, Set<String>> groups() throws IOException {
        Map<String, Set<String>> groups = new LinkedHashMap<>(plan.users);
        String self = UserGroupInformation.getLoginUser().getShortUserName();
        groups.putIfAbsent(self, Set.of(self));
        return groups;
    }

    private static <T> T required(@Nullable T part, String name) {
        if (part == null) {
            throw new IllegalStateException(name + " is not running: start the cluster first");
        }
        return part;
    }

    // ---- JUnit ----

    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
        start();
    }

    @Override
    public synchronized void beforeEach(ExtensionContext context) throws Exception {
        if (state == State.NEW) {
            startedForOneTest = true;
            start();
        }
    }

    /** What a test leaves running in a cluster that others share would take their room. */
    @Override
    public synchronized void afterEach(ExtensionContext context) {
        if (startedForOneTest) {
            close();
        } else {
            endApplications("its test has ended");
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        close();
    }
}
