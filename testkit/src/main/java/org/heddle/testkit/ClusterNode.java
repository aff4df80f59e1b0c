// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.service.Service;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.nodemanager.NodeManager;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.heddle.testkit.embedded.NamedNodeManager;
import org.heddle.testkit.machine.LoopbackHosts;
import org.jspecify.annotations.Nullable;

/** One NodeManager of a running cluster. Methods return when the ResourceManager has noticed. */
public final class ClusterNode {
    private static final Duration NOTICE = Duration.ofSeconds(60);

    private final HeddleCluster cluster;
    private final NodeSpec spec;
    private final Path directory;

    @GuardedBy("this")
    private @Nullable NamedNodeManager daemon;

    @GuardedBy("this")
    private @Nullable NodeId id;

    ClusterNode(HeddleCluster cluster, NodeSpec spec, Path directory) {
        this.cluster = cluster;
        this.spec = spec;
        this.directory = directory;
    }

    public NodeSpec spec() {
        return spec;
    }

    /** The name under which YARN and HDFS know the node. */
    public String host() {
        return spec.host();
    }

    /** Host and port of the NodeManager; the same after a restart. */
    public synchronized NodeId nodeId() {
        if (id == null) {
            throw new IllegalStateException("node " + host() + " has not been started");
        }
        return id;
    }

    /** The daemon itself. */
    public synchronized NodeManager nodeManager() {
        if (daemon == null) {
            throw new IllegalStateException("node " + host() + " is stopped");
        }
        return daemon;
    }

    public synchronized boolean isRunning() {
        return daemon != null && daemon.isInState(Service.STATE.STARTED);
    }

    /** The ResourceManager's view of the node; null once the node is removed. */
    public @Nullable RMNode seenByResourceManager() {
        return rm().getRMNodes().get(nodeId());
    }

    /** The node's containers' logs: {@code <application id>/<container id>/stderr} and so on. */
    public Path logDirectory() {
        return directory.resolve("logs");
    }

    /** Stops the NodeManager in an orderly way: its containers are killed and it unregisters. */
    public void stop() {
        stopDaemon();
        awaitGone();
    }

    /** Starts the NodeManager again under the same name and port; lets it in again if it was decommissioned. */
    public void restart() {
        stopDaemon();
        cluster.exclude(host(), false);
        start();
        awaitRunning();
    }

    /** Takes the node out of service at once, as {@code yarn rmadmin -refreshNodes} does with an excluded host. */
    public void decommission() {
        cluster.exclude(host(), true);
        refresh(-1);
        awaitGone();
        stopDaemon();
    }

    /**
     * Begins to take the node out of service: it gets no more containers, and leaves when those that it has are done
     * or the time is over. Returns when it is DECOMMISSIONING (or already gone).
     *
     * @param seconds time for the containers, 0 or more
     */
    public void decommissionGracefully(int seconds) {
        cluster.exclude(host(), true);
        refresh(seconds);
        Await.until(host() + " to be decommissioning", NOTICE, () -> {
            RMNode node = seenByResourceManager();
            return node == null || node.getState() == NodeState.DECOMMISSIONING;
        });
    }

    /** Waits until the ResourceManager no longer counts the node among the active ones. */
    public void awaitGone() {
        Await.until(host() + " to leave the ResourceManager", NOTICE, () -> seenByResourceManager() == null);
    }

    void awaitRunning() {
        Await.until(host() + " to be known to the ResourceManager", NOTICE, () -> {
            RMNode node = seenByResourceManager();
            return node != null && node.getState() == NodeState.RUNNING;
        });
    }

    synchronized void start() {
        if (daemon != null) {
            throw new IllegalStateException("node " + host() + " is already running");
        }
        int port = id == null ? 0 : id.getPort();
        Configuration conf = configuration(port);
        NamedNodeManager node = new NamedNodeManager(host());
        JvmWide.initialize(node, conf);
        node.start();
        daemon = node;
        id = node.nodeId();
    }

    synchronized void stopDaemon() {
        if (daemon != null) {
            daemon.stop();
            daemon = null;
        }
    }

    private Configuration configuration(int port) {
        String address = LoopbackHosts.address(host());
        Configuration conf = new YarnConfiguration(cluster.daemonConfiguration());
        conf.set(YarnConfiguration.NM_ADDRESS, address + ":" + port);
        conf.set(YarnConfiguration.NM_LOCALIZER_ADDRESS, address + ":0");
        conf.set(YarnConfiguration.NM_WEBAPP_ADDRESS, address + ":0");
        conf.set(YarnConfiguration.NM_LOCAL_DIRS, make("local"));
        conf.set(YarnConfiguration.NM_LOG_DIRS, make("logs"));
        spec.resources().forEach((name, amount) -> {
            if (name.equals(NodeSpec.MEMORY)) {
                conf.setLong(YarnConfiguration.NM_PMEM_MB, amount);
            } else if (name.equals(NodeSpec.VCORES)) {
                conf.setLong(YarnConfiguration.NM_VCORES, amount);
            } else {
                conf.setLong(YarnConfiguration.NM_RESOURCES_PREFIX + name, amount);
            }
        });
        return conf;
    }

    private String make(String name) {
        Path made = directory.resolve(name);
        try {
            Files.createDirectories(made);
        } catch (IOException e) {
            throw new IllegalStateException("cannot make the directory " + made + " of node " + host(), e);
        }
        return made.toString();
    }

    private void refresh(int gracefulSeconds) {
        try {
            Configuration conf = cluster.resourceManager().getConfig();
            if (gracefulSeconds < 0) {
                rm().getNodesListManager().refreshNodes(conf);
            } else {
                rm().getNodesListManager().refreshNodesGracefully(conf, gracefulSeconds);
            }
        } catch (Exception e) {
            throw new IllegalStateException("the ResourceManager refused to refresh its nodes", e);
        }
    }

    private RMContext rm() {
        return cluster.resourceManager().getRMContext();
    }

    @Override
    public String toString() {
        return host();
    }
}
