// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.scale;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.hadoop.ha.HAServiceProtocol.RequestSource;
import org.apache.hadoop.ha.HAServiceProtocol.StateChangeRequestInfo;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.api.protocolrecords.NMContainerStatus;
import org.apache.hadoop.yarn.server.api.protocolrecords.RegisterNodeManagerRequest;
import org.apache.hadoop.yarn.server.api.records.NodeAction;
import org.apache.hadoop.yarn.server.api.records.NodeHealthStatus;
import org.apache.hadoop.yarn.server.api.records.NodeStatus;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;
import org.heddle.benchmarks.program.PrintedTable;
import org.heddle.benchmarks.rm.Contestant;
import org.heddle.benchmarks.rm.Workload;
import org.heddle.testkit.Await;
import org.heddle.whatif.driven.DrivenNode;

/**
 * A failover of a large cluster: {@code FailoverRun NAME SCHEDULER NODES QUEUES APPLICATIONS SECONDS}. A standby
 * ResourceManager becomes active, recovers all applications, and all nodes register with their containers, as fast as
 * it takes them. Prints a table of one line.
 */
public final class FailoverRun {
    /** The ResourceManager's threads for nodes, by default. */
    private static final int THREADS = YarnConfiguration.DEFAULT_RM_RESOURCE_TRACKER_CLIENT_THREAD_COUNT;

    private static final int CONTAINERS = 8;
    private static final int PORT = 1234;
    private static final String[] PAIR = {"rm1", "rm2"};

    private final Workload load;
    private final ResourceManager rm = new ResourceManager();

    private FailoverRun(Contestant contestant, Workload load) throws IOException {
        this.load = load;
        YarnConfiguration conf = contestant.configuration(load, "heddle-failover");
        pair(conf);
        conf.setBoolean(YarnConfiguration.RECOVERY_ENABLED, true);
        conf.set(YarnConfiguration.RM_STORE, KeptApplications.class.getName());
        conf.set(YarnConfiguration.RM_CONFIGURATION_PROVIDER_CLASS, GivenConfiguration.class.getName());
        ResourceUtils.resetResourceTypes(conf);
        KeptApplications.keep(IntStream.range(0, load.applications())
                .map(application -> application % load.users())
                .mapToObj(user -> new KeptApplications.Kept(Workload.user(user), contestant.queue(load, user)))
                .toList());
        rm.init(conf);
        rm.start();
    }

    private static void pair(YarnConfiguration conf) {
        conf.setBoolean(YarnConfiguration.RM_HA_ENABLED, true);
        conf.setBoolean(YarnConfiguration.AUTO_FAILOVER_ENABLED, false);
        conf.set(YarnConfiguration.RM_HA_IDS, String.join(",", PAIR));
        conf.set(YarnConfiguration.RM_HA_ID, PAIR[0]);
        for (String id : PAIR) {
            for (String address : YarnConfiguration.getServiceAddressConfKeys(conf)) {
                conf.set(address + "." + id, "127.0.0.1:0");
            }
        }
    }

    private AbstractYarnScheduler<?, ?> scheduler() {
        return (AbstractYarnScheduler<?, ?>) rm.getResourceScheduler();
    }

    /** @param args see the class */
    public static void main(String[] args) throws Exception {
        TimeLimit.begin(Duration.ofSeconds(Integer.parseInt(args[5])));
        DefaultMetricsSystem.setMiniClusterMode(true);
        Workload load =
                Workload.of(Integer.parseInt(args[2]), Integer.parseInt(args[3]), Integer.parseInt(args[4]), 2, 1, 0);
        new FailoverRun(Contestant.named(args[1]), load).measure(args[0]);
        System.exit(0); // threads of the ResourceManager may live on
    }

    private void measure(String name) throws Exception {
        List<RegisterNodeManagerRequest> reports = new ArrayList<>();
        for (int node = 0; node < load.nodes(); node++) {
            reports.add(report(node));
        }
        long began = System.nanoTime();
        rm.getRMContext()
                .getRMAdminService()
                .transitionToActive(new StateChangeRequestInfo(RequestSource.REQUEST_BY_USER_FORCED));
        double applications = (System.nanoTime() - began) / 1e9;
        if (rm.getRMContext().getRMApps().size() != load.applications()) {
            throw new IOException("recovered " + rm.getRMContext().getRMApps().size() + " of " + load.applications()
                    + " applications");
        }
        register(reports);
        Await.until("all nodes and containers", Duration.ofHours(1), this::isComplete);
        double all = (System.nanoTime() - began) / 1e9;
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put("applications recovered after s", applications);
        figures.put(ScaleRuns.BACK, all);
        figures.put("scheduler, us for a node", cpuSeconds("SchedulerEventDispatcher") * 1e6 / load.nodes());
        figures.put(
                "ResourceManager's dispatcher, us for a node and application",
                cpuSeconds("RM Event dispatcher") * 1e6 / load.nodes() / load.applications());
        System.out.println(PrintedTable.of("run", name, figures));
    }

    /** CPU time of the threads whose names begin so. */
    private static double cpuSeconds(String thread) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        double seconds = Arrays.stream(threads.dumpAllThreads(false, false))
                .filter(one -> one.getThreadName().startsWith(thread))
                .mapToDouble(one -> threads.getThreadCpuTime(one.getThreadId()) / 1e9)
                .sum();
        if (seconds <= 0) {
            throw new IllegalStateException("this Hadoop has no thread \"" + thread + "\"");
        }
        return seconds;
    }

    private void register(List<RegisterNodeManagerRequest> reports) throws Exception {
        ExecutorService handlers = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<NodeAction>> answers = new ArrayList<>();
            for (RegisterNodeManagerRequest report : reports) {
                answers.add(handlers.submit(() -> rm.getResourceTrackerService()
                        .registerNodeManager(report)
                        .getNodeAction()));
            }
            for (Future<NodeAction> answer : answers) {
                if (answer.get() != NodeAction.NORMAL) {
                    throw new IOException("the ResourceManager refused a node");
                }
            }
        } finally {
            handlers.shutdown();
        }
    }

    private boolean isComplete() {
        return scheduler().getNumClusterNodes() == load.nodes()
                && scheduler().getRootQueueMetrics().getAllocatedContainers() == load.nodes() * CONTAINERS;
    }

    /** What a node says: its containers belong to applications in turn. */
    private RegisterNodeManagerRequest report(int node) {
        NodeId id = NodeId.newInstance(DrivenNode.host(node), PORT);
        NMContainerStatus[] containers = new NMContainerStatus[CONTAINERS];
        for (int i = 0; i < CONTAINERS; i++) {
            int number = node * CONTAINERS + i;
            int application = number % load.applications();
            ApplicationAttemptId attempt = KeptApplications.attempt(application);
            containers[i] = NMContainerStatus.newInstance(
                    ContainerId.newContainerId(attempt, 1 + number / load.applications()),
                    0,
                    ContainerState.RUNNING,
                    load.ask(application % load.users()),
                    "",
                    0,
                    Priority.newInstance(1),
                    0);
        }
        NodeStatus status = NodeStatus.newInstance(
                id, 0, List.of(), List.of(), NodeHealthStatus.newInstance(true, "", 0), null, null, null);
        return RegisterNodeManagerRequest.newInstance(
                id,
                5678,
                load.node(),
                "3.5.0",
                Arrays.asList(containers),
                Arrays.stream(containers)
                        .map(one ->
                                one.getContainerId().getApplicationAttemptId().getApplicationId())
                        .distinct()
                        .toList(),
                null,
                load.node(),
                null,
                status);
    }
}
