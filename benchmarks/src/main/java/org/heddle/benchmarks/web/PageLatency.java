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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeUpdateSchedulerEvent;
import org.heddle.drf.DrfScheduler;
import org.heddle.whatif.driven.DrivenNode;
import org.heddle.whatif.driven.SchedulerDriver;

/**
 * A real ResourceManager with its web server; 200 nodes, and applications that ask, take and give back all the time:
 * {@code PageLatency APPLICATIONS [HEARTBEATS]}, as fast as one thread can or with so many heartbeats a second. Prints
 * median, 95th and 99th percentile and worst time of each address, over 200 requests each.
 */
public final class PageLatency {
    private static final int NODES = 200;
    private static final int REQUESTS = 200;
    private static final int PAUSED_REQUESTS = 30;
    private static final long PAUSE_MILLIS = 600;
    private static final Resource TASK = Resource.newInstance(1_024, 1);

    private final ResourceManager rm = new ResourceManager();
    private final SchedulerDriver driver = new SchedulerDriver(rm);
    private final Map<NodeId, DrivenNode> nodes = new LinkedHashMap<>();
    private final List<ApplicationAttemptId> attempts = new ArrayList<>();
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicLong heartbeats = new AtomicLong();

    private final int applications;
    private final long nanosBetweenHeartbeats;

    private PageLatency(int applications, long nanosBetweenHeartbeats) {
        this.applications = applications;
        this.nanosBetweenHeartbeats = nanosBetweenHeartbeats;
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        long between = arguments.length > 1 ? TimeUnit.SECONDS.toNanos(1) / Integer.parseInt(arguments[1]) : 0;
        PageLatency latency = new PageLatency(Integer.parseInt(arguments[0]), between);
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
        conf.setLong(YarnConfiguration.RM_WORK_PRESERVING_RECOVERY_SCHEDULING_WAIT_MS, 0);
        conf.setInt(YarnConfiguration.RM_CONTAINER_ALLOC_EXPIRY_INTERVAL_MS, Integer.MAX_VALUE); // none is launched
        conf.setBoolean(YarnConfiguration.IS_MINI_YARN_CLUSTER, true); // writes the port that was found into conf
        rm.init(conf);
        rm.start();
        for (int i = 0; i < NODES; i++) {
            DrivenNode node = new DrivenNode(rm.getRMContext(), i, Resource.newInstance(32_768, 32));
            nodes.put(node.getNodeID(), node);
            driver.add(node);
        }
        for (int i = 1; i <= applications; i++) {
            ApplicationAttemptId attempt =
                    ApplicationAttemptId.newInstance(ApplicationId.newInstance(1_700_000_000_000L, i), 1);
            driver.start(attempt, "user" + i % 50, "root.default");
            attempts.add(attempt);
        }
    }

    /** Containers end, nodes report it, masters take what they were given and ask anew. */
    private void schedule() {
        List<DrivenNode> inTurn = List.copyOf(nodes.values());
        SplittableRandom random = new SplittableRandom(1);
        long due = System.nanoTime();
        for (int turn = 0; !over.get(); turn++) {
            due += nanosBetweenHeartbeats;
            if (nanosBetweenHeartbeats > 0) {
                LockSupport.parkNanos(due - System.nanoTime());
            }
            DrivenNode node = inTurn.get(turn % inTurn.size());
            node.prepare(4, random, container -> true);
            driver.scheduler().handle(new NodeUpdateSchedulerEvent(node));
            List<ResourceRequest> asks = List.of(
                    ResourceRequest.newInstance(Priority.newInstance(1), ResourceRequest.ANY, TASK, 8 + turn % 7));
            for (Container given : driver.allocate(attempts.get(turn % attempts.size()), asks)) {
                Objects.requireNonNull(nodes.get(given.getNodeId())).start(given);
            }
            heartbeats.incrementAndGet();
        }
    }

    private void measure() throws IOException, InterruptedException {
        String address = rm.getConfig().get(YarnConfiguration.RM_WEBAPP_ADDRESS);
        String base = "http://127.0.0.1" + address.substring(address.lastIndexOf(':'));
        HttpClient client = HttpClient.newHttpClient();
        for (String path : List.of(
                "/heddle/",
                "/heddle/v1/scheduler?applications=20",
                "/heddle/v1/scheduler?applications=20&below=220:root.default.user5",
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
            measure(client, base, path, REQUESTS, 0);
        }
        measure(client, base, "/heddle/v1/scheduler?applications=20", PAUSED_REQUESTS, PAUSE_MILLIS);
        System.out.printf(Locale.ROOT, "%,d heartbeats meanwhile%n", heartbeats.get());
    }

    /** @param pauseMillis before each request; longer than a snapshot is shown again, each has to make a new one */
    private static void measure(HttpClient client, String base, String path, int requests, long pauseMillis)
            throws IOException, InterruptedException {
        long[] nanos = new long[requests];
        int bytes = 0;
        for (int i = -requests / 10; i < requests; i++) {
            Thread.sleep(pauseMillis);
            long began = System.nanoTime();
            HttpResponse<byte[]> answer = client.send(
                    HttpRequest.newBuilder(URI.create(base + path)).build(), HttpResponse.BodyHandlers.ofByteArray());
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
                path + (pauseMillis == 0 ? "" : "#after-a-pause"),
                nanos[requests / 2] / 1e6,
                nanos[requests * 95 / 100] / 1e6,
                nanos[requests * 99 / 100] / 1e6,
                nanos[requests - 1] / 1e6,
                bytes);
    }
}
