// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.yarn;

import java.io.IOException;
import java.net.InetAddress;
import java.security.PrivilegedAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.QueueInfo;
import org.apache.hadoop.yarn.api.records.QueueStatistics;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceInformation;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.heddle.offers.master.cluster.ApplicationKey;
import org.heddle.offers.master.cluster.Cluster;
import org.heddle.offers.master.cluster.ClusterNode;
import org.heddle.offers.master.cluster.NoEvents;
import org.heddle.offers.model.ContainerAsk;
import org.heddle.offers.model.Resources;
import org.heddle.offers.yarn.FrameworkAppMaster.Submitter;
import org.heddle.settings.Clocks;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * YARN as the cluster of the master: one application for each role of a framework, the list of nodes, and their
 * threads.
 */
@SuppressWarnings("FutureReturnValueIgnored") // the repeated task contains its own errors
public final class YarnCluster implements Cluster, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(YarnCluster.class);
    private static final int ALLOCATORS = 4;
    private static final int LAUNCHERS = 4;
    private static final int CLOSE_SECONDS = 3;
    private static final int TOKENS_SECONDS = 5;

    private final Configuration conf;
    private final YarnSettings settings;
    private final YarnClient client;
    private final Map<ApplicationKey, FrameworkAppMaster> applications = new ConcurrentHashMap<>();
    private final Map<String, Submitter> submitters = new ConcurrentHashMap<>();
    private final ScheduledThreadPoolExecutor allocators =
            new ScheduledThreadPoolExecutor(ALLOCATORS, task -> daemon("bridge-allocate", task));
    private final ExecutorService launchers =
            Executors.newFixedThreadPool(LAUNCHERS, task -> daemon("bridge-launch", task));
    private final FrameworkAppMaster.Shared shared;
    private final AgentReach reach;
    private final FileSystemTokens tokens;
    private final NodeAddresses addresses = new NodeAddresses(YarnCluster::address);

    private Events events = new NoEvents();
    private volatile boolean resizes;

    /**
     * @param conf the cluster's own configuration
     * @throws IOException if the agent's jar cannot be written where nodes read it, or if the agents of no node can
     *     reach this bridge
     */
    public YarnCluster(Configuration conf, YarnSettings settings) throws IOException {
        this.conf = conf;
        this.settings = settings;
        allocators.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        List<String> fileSystems = new ArrayList<>(settings.tokenFileSystems());
        fileSystems.add("/");
        fileSystems.add(settings.stagingDirectory());
        this.tokens = new FileSystemTokens(conf, fileSystems, Clocks.SYSTEM);
        this.client = YarnClient.createYarnClient();
        client.init(conf);
        client.start();
        try {
            reach = AgentReach.of(settings.bridgeAddresses());
            refuseWithoutReach();
            shared = new FrameworkAppMaster.Shared(
                    conf, settings, allocators, AgentJar.publish(settings.stagingDirectory(), conf), tokens);
        } catch (IOException | RuntimeException e) {
            client.stop();
            throw e;
        }
    }

    /** Every task would be lost. A cluster whose nodes come later only gets a warning. */
    private void refuseWithoutReach() throws IOException {
        try {
            List<String> nodes = hosts(client.getNodeReports(NodeState.RUNNING));
            if (!nodes.isEmpty() && reach.cutOff(nodes).size() == nodes.size()) {
                throw new IOException(reach.problem(nodes));
            }
        } catch (YarnException e) {
            throw new IOException("YARN does not report its nodes: " + e.getMessage(), e);
        }
    }

    private static List<String> hosts(List<NodeReport> reports) {
        return reports.stream().map(report -> report.getNodeId().getHost()).toList();
    }

    /** Starts to report events. */
    public void open(Events listener) {
        events = listener;
        allocators.scheduleWithFixedDelay(this::readNodes, 0, settings.times().nodesMillis(), TimeUnit.MILLISECONDS);
        allocators.scheduleWithFixedDelay(tokens::renewDue, 0, TOKENS_SECONDS, TimeUnit.SECONDS);
    }

    static Thread daemon(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    private void readNodes() {
        try {
            List<ClusterNode> nodes = new ArrayList<>();
            List<NodeReport> reports = client.getNodeReports(NodeState.RUNNING, NodeState.DECOMMISSIONING);
            for (NodeReport report : reports) {
                nodes.add(view(report));
            }
            events.nodes(nodes);
            events.warning("nodes that cannot reach the bridge", reach.problem(hosts(reports)));
            long pending = 0;
            for (QueueInfo queue : client.getRootQueueInfos()) {
                QueueStatistics statistics = queue.getQueueStatistics();
                resizes = !"FairScheduler".equals(queue.getSchedulerType());
                pending += statistics == null ? 0 : Math.max(0, statistics.getPendingContainers());
            }
            events.pending(pending);
        } catch (YarnException | IOException | RuntimeException e) {
            LOG.warn("cannot read the list of nodes and the pending containers, will try again: {}", e.toString());
        }
    }

    private ClusterNode view(NodeReport report) {
        Map<String, String> attributes = new TreeMap<>();
        if (report.getNodeLabels() != null && !report.getNodeLabels().isEmpty()) {
            attributes.put("label", String.join(",", report.getNodeLabels()));
        }
        if (report.getNodeAttributes() != null) {
            report.getNodeAttributes()
                    .forEach(attribute -> attributes.put(
                            attribute.getAttributeKey().getAttributeName(),
                            String.valueOf(attribute.getAttributeValue())));
        }
        boolean leaving = report.getNodeState() == NodeState.DECOMMISSIONING;
        Integer timeout = report.getDecommissioningTimeout();
        long now = Clocks.SYSTEM.millis();
        long leavesAt =
                leaving && timeout != null ? now + Duration.ofSeconds(timeout).toMillis() : 0;
        return new ClusterNode(
                report.getNodeId().toString(),
                report.getNodeId().getHost(),
                addresses.of(report.getNodeId().getHost(), now),
                report.getRackName(),
                String.valueOf(report.getHttpAddress()),
                resources(report.getCapability()),
                resources(report.getUsed()),
                EnumSet.of(NodeState.RUNNING).contains(report.getNodeState()),
                leavesAt,
                attributes);
    }

    private static @Nullable String address(String host) {
        InetAddress address = NetUtils.createSocketAddrForHost(host, 0).getAddress();
        return address == null ? null : address.getHostAddress();
    }

    static Resources resources(Resource resource) {
        if (resource == null) {
            return Resources.NONE;
        }
        long gpus = 0;
        for (ResourceInformation one : resource.getResources()) {
            gpus = one.getName().equals(ResourceInformation.GPU_URI) ? one.getValue() : gpus;
        }
        return Resources.of(Math.max(0, resource.getVirtualCores()) * 1000L, Math.max(0, resource.getMemorySize()))
                .withGpus(Math.max(0, gpus));
    }

    /** GPUs come from nodes, so the site files of the bridge have this resource type. */
    static Resource resource(Resources amount) {
        Resource resource = Resource.newInstance(amount.memMb(), (int) Math.max(1, (amount.milliCpus() + 999) / 1000));
        if (amount.gpus() > 0) {
            resource.setResourceValue(ResourceInformation.GPU_URI, amount.gpus());
        }
        return resource;
    }

    // ---- orders of the master ----

    @Override
    public void start(AppSpec spec) {
        Submitter submitter;
        try {
            submitter = submitter(spec.user());
        } catch (IOException e) {
            events.refused(spec.key(), "this bridge cannot act as user " + spec.user() + ": " + e.getMessage());
            return;
        }
        FrameworkAppMaster application = new FrameworkAppMaster(spec, shared, submitter, events);
        if (applications.putIfAbsent(spec.key(), application) == null) {
            application.begin();
        }
    }

    /**
     * Without proxy users only the bridge's own user. With Kerberos the bridge submits as its own user through a proxy
     * user too: the ResourceManager shows the token of an unmanaged application only to callers whose whole name is the
     * application's user, and the name of a caller with a ticket has a realm.
     */
    private Submitter submitter(String user) throws IOException {
        UserGroupInformation self = UserGroupInformation.getCurrentUser();
        String own = self.getShortUserName();
        String name = settings.proxyUsers() && !user.isEmpty() ? user : own;
        if (name.equals(self.getUserName())) {
            return new Submitter(self, client);
        }
        Submitter known = submitters.get(name);
        if (known == null) {
            UserGroupInformation proxy = UserGroupInformation.createProxyUser(name, self);
            // Only the ResourceManager need allow the own user: file systems know it by its ticket.
            known = new Submitter(name.equals(own) ? self : proxy, proxy.doAs((PrivilegedAction<YarnClient>) () -> {
                YarnClient made = YarnClient.createYarnClient();
                made.init(conf);
                made.start();
                return made;
            }));
            submitters.put(name, known);
        }
        return known;
    }

    @Override
    public void ask(ApplicationKey key, ContainerAsk plan, Set<String> refusedHosts) {
        FrameworkAppMaster application = applications.get(key);
        if (application != null) {
            application.ask(plan, refusedHosts);
        }
    }

    @Override
    public void release(ApplicationKey key, String containerId) {
        FrameworkAppMaster application = applications.get(key);
        if (application != null) {
            application.release(containerId);
        }
    }

    @Override
    public void startAgent(ApplicationKey key, AgentSpec agent) {
        FrameworkAppMaster application = applications.get(key);
        if (application != null) {
            launchers.execute(() -> application.startAgent(agent));
        }
    }

    @Override
    public void resize(ApplicationKey key, String containerId, Resources size) {
        FrameworkAppMaster application = applications.get(key);
        if (application != null) {
            application.resize(containerId, size);
        }
    }

    /** FairScheduler accepts such requests, and never carries them out. */
    @Override
    public boolean resizesContainers() {
        return resizes;
    }

    @Override
    public CompletableFuture<QueueShare> share(ApplicationKey key) {
        return CompletableFuture.supplyAsync(
                () -> {
                    FrameworkAppMaster application = applications.get(key);
                    String known = application == null ? "" : application.queue();
                    String queue = known.isEmpty() ? settings.queues(key.role()).get(0) : known;
                    try {
                        return new QueueShare(queue, guaranteed(queue));
                    } catch (YarnException | IOException e) {
                        throw new CompletionException(
                                new IOException("YARN does not report queue " + queue + ": " + e.getMessage(), e));
                    }
                },
                launchers);
    }

    /**
     * CapacityScheduler and DrfScheduler report the capacity of a queue as part of its parent, FairScheduler as part of
     * the cluster.
     */
    private double guaranteed(String queue) throws YarnException, IOException {
        double part = 1;
        String full = YarnSettings.fullPath(queue);
        for (int dot = full.indexOf('.'); dot >= 0; dot = full.indexOf('.', dot + 1)) {
            int end = full.indexOf('.', dot + 1);
            QueueInfo info = client.getQueueInfo(end < 0 ? full : full.substring(0, end));
            if (info == null) {
                throw new IOException("there is no such queue");
            }
            part = "FairScheduler".equals(info.getSchedulerType()) ? info.getCapacity() : part * info.getCapacity();
        }
        return part;
    }

    @Override
    public void finish(ApplicationKey key, boolean succeeded, String diagnostics) {
        FrameworkAppMaster application = applications.remove(key);
        if (application != null) {
            application.finish(succeeded, diagnostics);
        }
    }

    /** Does not end applications and containers: the next bridge takes them over. */
    @Override
    public void close() {
        applications.values().forEach(FrameworkAppMaster::stopHeartbeats);
        allocators.shutdown();
        launchers.shutdown();
        try {
            if (!allocators.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                allocators.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        launchers.shutdownNow();
        applications.values().forEach(FrameworkAppMaster::close);
        submitters.values().forEach(submitter -> submitter.client().stop());
        client.stop();
    }
}
