// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.rm;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeUpdateSchedulerEvent;
import org.apache.log4j.Level;
import org.apache.log4j.LogManager;
import org.heddle.whatif.driven.DrivenNode;
import org.heddle.whatif.driven.SchedulerDriver;

/**
 * The time from the {@code allocate()} call with an ask to the end of the call that returns the container, in a real
 * ResourceManager whose event threads run: {@code AskLatency SCHEDULER NODES FILLED TASKS SECONDS}. Each node sends a
 * heartbeat a second. Twenty masters ask for {@code TASKS} tasks each at random times, 128 tasks a second together,
 * whether or not they wait for others; each task prefers three nodes and runs for two seconds. A master that waits
 * calls every two milliseconds, which is the resolution. {@code FILLED} cores of 16 on each node are taken by
 * containers that do not end.
 */
public final class AskLatency implements AutoCloseable {
    private static final int MASTERS = 20;
    private static final long MILLIS_PER_TASK = 156;
    private static final long TASK_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long HEARTBEAT_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long CALL_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final int WARM_UP_SECONDS = 8;
    private static final Resource NODE = Resource.newInstance(32_768, 16);
    private static final Resource TASK = Resource.newInstance(1_024, 1);

    private static final class Master {
        final ApplicationAttemptId id;
        final TaskList tasks;
        final Deque<Long> askedNanos = new ArrayDeque<>();
        long nextNanos;

        Master(ApplicationAttemptId id, TaskList tasks, long nextNanos) {
            this.id = id;
            this.tasks = tasks;
            this.nextNanos = nextNanos;
        }
    }

    private final ResourceManager rm = new ResourceManager();
    private final SchedulerDriver driver = new SchedulerDriver(rm);
    private final List<DrivenNode> nodes = new ArrayList<>();
    private final Map<NodeId, DrivenNode> byId = new HashMap<>();
    private final Map<ContainerId, Long> endsNanos = new ConcurrentHashMap<>();
    private final SplittableRandom random = new SplittableRandom(1);
    private final Contestant contestant;
    private final int tasks;
    private final Workload load;
    private final List<Long> latencies = new ArrayList<>();
    private int submitted;
    private long local;
    private long inSameAnswer;
    private volatile boolean stopped;

    private AskLatency(Contestant contestant, int count, int tasks) throws IOException {
        this.contestant = contestant;
        this.tasks = tasks;
        this.load = Workload.named("small", 1);
        DefaultMetricsSystem.setMiniClusterMode(true);
        rm.init(contestant.configuration(load, "heddle-latency"));
        rm.start();
        for (int i = 0; i < count; i++) {
            DrivenNode node = new DrivenNode(rm.getRMContext(), i, NODE);
            nodes.add(node);
            byId.put(node.getNodeID(), node);
            driver.add(node);
        }
        Thread heartbeats = new Thread(this::sendHeartbeats, "heartbeats");
        heartbeats.setDaemon(true);
        heartbeats.start();
    }

    private AbstractYarnScheduler<?, ?> scheduler() {
        return driver.scheduler();
    }

    /** Nodes one after another, evenly over each second, through the ResourceManager's dispatcher. */
    private void sendHeartbeats() {
        long next = System.nanoTime();
        for (int i = 0; !stopped; i = (i + 1) % nodes.size()) {
            DrivenNode node = nodes.get(i);
            long now = System.nanoTime();
            node.prepare(container -> {
                Long end = endsNanos.get(container.getId());
                return end != null && end <= now;
            });
            rm.getRMContext().getDispatcher().getEventHandler().handle(new NodeUpdateSchedulerEvent(node));
            next += HEARTBEAT_NANOS / nodes.size();
            LockSupport.parkNanos(Math.max(0, next - System.nanoTime()));
        }
    }

    private ApplicationAttemptId submit() {
        int user = submitted % load.users();
        ApplicationId id = ApplicationId.newInstance(1_700_000_000_000L, ++submitted);
        String queue = contestant.queue(load, user);
        ApplicationAttemptId attempt = ApplicationAttemptId.newInstance(id, 1);
        driver.start(attempt, Workload.user(user), queue);
        return attempt;
    }

    private List<Container> allocate(ApplicationAttemptId id, List<ResourceRequest> asks) {
        return driver.allocate(id, asks);
    }

    /** Takes as many cores of each node with containers that do not end. */
    private void fill(int cores) {
        if (cores == 0) {
            return;
        }
        ApplicationAttemptId filler = submit();
        Priority priority = DrivenAppMaster.PRIORITY;
        List<ResourceRequest> asks = new ArrayList<>();
        Map<String, Integer> perRack = new HashMap<>();
        for (int i = 0; i < nodes.size(); i++) {
            asks.add(ResourceRequest.newInstance(priority, DrivenNode.host(i), TASK, cores));
            perRack.merge(DrivenNode.rack(i), cores, Integer::sum);
        }
        perRack.forEach((rack, many) -> asks.add(ResourceRequest.newInstance(priority, rack, TASK, many, false)));
        int wanted = cores * nodes.size();
        asks.add(ResourceRequest.newInstance(priority, ResourceRequest.ANY, TASK, wanted, false));
        List<ResourceRequest> now = asks;
        while (wanted > 0) {
            for (Container container : allocate(filler, now)) {
                Objects.requireNonNull(byId.get(container.getNodeId())).start(container);
                wanted--;
            }
            now = List.of();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    private void run(int seconds) {
        List<Master> masters = new ArrayList<>();
        for (int i = 0; i < MASTERS; i++) {
            masters.add(new Master(
                    submit(),
                    new TaskList(nodes.size(), TaskList.REPLICAS, random.split()),
                    System.nanoTime() + pause()));
        }
        long measured = System.nanoTime() + TimeUnit.SECONDS.toNanos(WARM_UP_SECONDS);
        long end = measured + TimeUnit.SECONDS.toNanos(seconds);
        for (long now = System.nanoTime(); now < end; now = System.nanoTime()) {
            for (Master master : masters) {
                call(master, now >= measured);
            }
            LockSupport.parkNanos(Math.max(0, now + CALL_NANOS - System.nanoTime()));
        }
        for (Master master : masters) { // those that wait still count with what they have waited
            master.askedNanos.forEach(asked -> {
                if (asked >= measured) {
                    latencies.add(end - asked);
                }
            });
        }
    }

    private long pause() {
        double mean = (double) TimeUnit.MILLISECONDS.toNanos(MILLIS_PER_TASK * tasks);
        return (long) (-Math.log(1 - random.nextDouble()) * mean);
    }

    private void call(Master master, boolean measuring) {
        long began = System.nanoTime();
        boolean asks = began >= master.nextNanos;
        if (asks) {
            master.nextNanos += pause();
            master.tasks.add(tasks);
            for (int i = 0; i < tasks; i++) {
                master.askedNanos.add(began);
            }
        }
        if (master.askedNanos.isEmpty()) {
            return;
        }
        List<Container> given = allocate(master.id, master.tasks.changed(TASK));
        long ended = System.nanoTime();
        for (Container container : given) {
            Long asked = master.askedNanos.poll();
            boolean near = master.tasks.given(container.getNodeId().getHost());
            if (measuring && asked != null) {
                latencies.add(ended - asked);
                local += near ? 1 : 0;
                inSameAnswer += asked == began ? 1 : 0;
            }
            endsNanos.put(container.getId(), ended + TASK_NANOS);
            Objects.requireNonNull(byId.get(container.getNodeId())).start(container);
        }
    }

    private String report() {
        double[] millis =
                latencies.stream().mapToDouble(nanos -> nanos / 1e6).sorted().toArray();
        if (millis.length == 0) {
            return "no container was asked for";
        }
        Resource used = scheduler().getRootQueueMetrics().getAllocatedResources();
        return String.format(
                Locale.ROOT,
                "containers %d, ms p50 %.2f, p90 %.2f, p99 %.2f, most %.0f; same answer %.3f, node-local %.3f, cores"
                        + " in use at the end %.2f",
                millis.length,
                millis[millis.length / 2],
                millis[(int) (millis.length * 0.9)],
                millis[(int) (millis.length * 0.99)],
                Arrays.stream(millis).max().orElse(0),
                (double) inSameAnswer / millis.length,
                (double) local / millis.length,
                (double) used.getVirtualCores() / NODE.getVirtualCores() / nodes.size());
    }

    @Override
    public void close() {
        stopped = true;
        rm.stop();
    }

    public static void main(String[] arguments) throws IOException {
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        System.setOut(System.err); // whatever Hadoop has to say
        LogManager.getRootLogger().setLevel(Level.OFF);
        try (AskLatency latency = new AskLatency(
                Contestant.named(arguments[0]), Integer.parseInt(arguments[1]), Integer.parseInt(arguments[3]))) {
            latency.fill(Integer.parseInt(arguments[2]));
            latency.run(Integer.parseInt(arguments[4]));
            out.println(String.join(" ", arguments) + ": " + latency.report());
        }
        System.exit(0); // threads of the ResourceManager may live on
    }
}
