// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.web;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.net.NodeBase;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.server.resourcemanager.placement.ApplicationPlacementContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeImpl;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppAddedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.AppAttemptAddedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeAddedSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeUpdateSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.ReleaseContainerEvent;
import org.heddle.drf.DrfScheduler;
import org.heddle.whatif.driven.SchedulerDriver;

/**
 * A real ResourceManager with its web server; 200 nodes, and applications that ask, take and give back all the time: {@code
 * PageLatency APPLICATIONS}. Prints median, 95th and 99th percentile and worst time of each address, over 200 requests each.
 */
public final class PageLatency {
    private static final int NODES = 200;
    private static final int REQUESTS = 200;
    private static final Resource TASK = Resource.newInstance(1_024, 1);

    private final ResourceManager rm = new ResourceManager();
    private final List<RMNode> nodes = new ArrayList<>();
    private final List<ApplicationAttemptId> attempts = new ArrayList<>();
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicLong heartbeats = new AtomicLong();

    private final int applications;

    private PageLatency(int applications) {
        this.applications = applications;
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        PageLatency latency = new PageLatency(Integer.parseInt(arguments[0]));
        latency.start();
        Thread scheduling = new Thread(latency::schedule, "scheduling");
        scheduling.start();
        try {
            latency.measure();
        } finally {
            latency.over.set(true);
            scheduling.join();
            latency.rm.stop();
        }
        System.exit(0);
    }

    private void start() throws IOException {
        DefaultMetricsSystem.setMiniClusterMode(true);
        YarnConfiguration conf = new YarnConfiguration();
        conf.set(YarnConfiguration.RM_SCHEDULER, DrfScheduler.class.getName());
        SchedulerDriver.takeFreePorts(conf);
        conf.set(
                YarnConfiguration.FS_NODE_ATTRIBUTE_STORE_ROOT_DIR,
                Files.createTempDirectory("heddle-pages").toUri().toString());
        conf.set(
                "yarn.scheduler.heddle.usage.directory",
                Files.createTempDirectory("heddle-usage").toString());
        conf.setBoolean(YarnConfiguration.IS_MINI_YARN_CLUSTER, true); // writes the port that was found into conf
        rm.init(conf);
        rm.start();
        for (int i = 0; i < NODES; i++) {
            String host = "127.3." + i / 200 + "." + (1 + i % 200);
            RMNode node = new RMNodeImpl(
                    NodeId.newInstance(host, 1234),
                    rm.getRMContext(),
                    host,
                    1234,
                    5678,
                    new NodeBase(host, "/rack" + i % 10),
                    Resource.newInstance(32_768, 32),
                    "benchmark");
            nodes.add(node);
            scheduler().handle(new NodeAddedSchedulerEvent(node));
        }
        for (int i = 1; i <= applications; i++) {
            ApplicationId id = ApplicationId.newInstance(1_700_000_000_000L, i);
            ApplicationAttemptId attempt = ApplicationAttemptId.newInstance(id, 1);
            scheduler()
                    .handle(new AppAddedSchedulerEvent(
                            id,
                            "root.default",
                            "user" + i % 50,
                            false,
                            null,
                            Priority.newInstance(0),
                            new ApplicationPlacementContext("root.default")));
            scheduler().handle(new AppAttemptAddedSchedulerEvent(attempt, false));
            attempts.add(attempt);
        }
    }

    private DrfScheduler scheduler() {
        return (DrfScheduler) rm.getResourceScheduler();
    }

    /** Containers end, applications ask anew, nodes report: as fast as it goes. */
    private void schedule() {
        int turn = 0;
        while (!over.get()) {
            RMNode node = nodes.get(turn % nodes.size());
            scheduler().getSchedulerNode(node.getNodeID()).getCopiedListOfRunningContainers().stream()
                    .limit(4)
                    .forEach(container -> scheduler().handle(new ReleaseContainerEvent(container)));
            scheduler()
                    .getApplicationAttempt(attempts.get(turn % attempts.size()))
                    .updateResourceRequests(List.of(ResourceRequest.newInstance(
                            Priority.newInstance(1), ResourceRequest.ANY, TASK, 8 + turn % 7)));
            scheduler().handle(new NodeUpdateSchedulerEvent(node));
            heartbeats.incrementAndGet();
            turn++;
        }
    }

    private void measure() throws IOException, InterruptedException {
        String address = rm.getConfig().get(YarnConfiguration.RM_WEBAPP_ADDRESS);
        String base = "http://127.0.0.1" + address.substring(address.lastIndexOf(':'));
        HttpClient client = HttpClient.newHttpClient();
        for (String path : List.of(
                "/heddle/",
                "/heddle/v1/scheduler?applications=20",
                "/heddle/v1/scheduler?applications=100&find=_05",
                "/heddle/v1/scheduler",
                "/heddle/v1/queues/root.default",
                "/heddle/v1/applications/" + attempts.get(500).getApplicationId(),
                "/heddle/v1/applications/" + attempts.get(500).getApplicationId() + "/why",
                "/heddle/v1/history",
                "/heddle/v1/nodes",
                "/heddle/v1/config",
                "/heddle/usage?by=user",
                "/heddle/v1/usage?by=application",
                "/heddle/metrics",
                "/ws/v1/cluster/scheduler",
                "/cluster/scheduler")) {
            long[] nanos = new long[REQUESTS];
            int bytes = 0;
            for (int i = -20; i < REQUESTS; i++) {
                long began = System.nanoTime();
                HttpResponse<byte[]> answer = client.send(
                        HttpRequest.newBuilder(URI.create(base + path)).build(),
                        HttpResponse.BodyHandlers.ofByteArray());
                if (answer.statusCode() != 200) {
                    throw new IOException(path + " answered " + answer.statusCode() + ": "
                            + new String(answer.body(), StandardCharsets.UTF_8));
                }
                if (i >= 0) {
                    nanos[i] = System.nanoTime() - began;
                    bytes = answer.body().length;
                }
            }
            Arrays.sort(nanos);
            System.out.printf(
                    Locale.ROOT,
                    "%-62s median %6.1f ms, 95%% %6.1f ms, 99%% %6.1f ms, worst %6.1f ms, %,d bytes%n",
                    path,
                    nanos[REQUESTS / 2] / 1e6,
                    nanos[REQUESTS * 95 / 100] / 1e6,
                    nanos[REQUESTS * 99 / 100] / 1e6,
                    nanos[REQUESTS - 1] / 1e6,
                    bytes);
        }
        System.out.printf(Locale.ROOT, "%,d heartbeats meanwhile%n", heartbeats.get());
    }
}
