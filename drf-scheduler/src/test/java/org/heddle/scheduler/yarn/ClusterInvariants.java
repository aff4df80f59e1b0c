// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.nodelabels.RMNodeLabelsManager;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.QueueMetrics;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplication;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.PendingAsk;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.AppPlacementAllocator;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.heddle.scheduler.engine.Schedulable;
import org.heddle.scheduler.yarn.app.HeddleApplication;
import org.heddle.scheduler.yarn.app.HeddleAttempt;
import org.heddle.scheduler.yarn.compat.ResourceVectors;
import org.heddle.scheduler.yarn.node.HeddleNode;
import org.heddle.scheduler.yarn.queue.HeddleQueue;
import org.jspecify.annotations.Nullable;

/** Compares every account with every other that must agree with it. Long because there are many. */
public final class ClusterInvariants {
    private static final Set<RMContainerState> ENDED = EnumSet.of(
            RMContainerState.COMPLETED, RMContainerState.KILLED, RMContainerState.RELEASED, RMContainerState.EXPIRED);

    private ClusterInvariants() {}

    /**
     * Asserts that the engine, Hadoop's attempts, the nodes and the metrics tell the same; under the lock, because the
     * state store still sends events when the dispatcher seems to be done.
     */
    public static void balance(HeddleScheduler scheduler) {
        scheduler.underLock(() -> compare(scheduler));
    }

    private static void compare(HeddleScheduler scheduler) {
        Schedulable root = scheduler.engine().root();
        sumsOfChildren(root);
        ResourceVectors vectors = new ResourceVectors();
        long[] onNodes = new long[vectors.size()];
        for (HeddleNode node : scheduler.getNodeTracker().getAllNodes()) {
            add(onNodes, vectors.of(node.getAllocatedResource()));
            for (RMContainer container : node.getCopiedListOfRunningContainers()) {
                if (ENDED.contains(container.getState()) && container.getExecutionType() == ExecutionType.GUARANTEED) {
                    // its process may still run: the room is free only when the node says so
                    add(onNodes, negative(vectors.of(container.getContainer().getResource())));
                }
            }
            assertThat(node.getReservedContainer() == null)
                    .as("reservation of %s", node.getNodeID())
                    .isEqualTo(node.reservedFor() == null);
        }
        for (SchedulerApplication<HeddleAttempt> application :
                scheduler.getSchedulerApplications().values()) {
            application((HeddleApplication) application, vectors);
            place((HeddleApplication) application, scheduler);
        }
        assertThat(root.usage())
                .as(() -> "engine against nodes; where a node alone does not balance: "
                        + nodesThatDoNotBalance(scheduler))
                .isEqualTo(onNodes);
        for (HeddleQueue queue : scheduler.queues()) {
            usageByPartition(queue, vectors);
            QueueMetrics metrics = queue.getMetrics();
            Resource unlabelled = unlabelled(queue);
            assertThat(metrics.getAllocatedMB())
                    .as("allocated MB of %s outside partitions, which have metrics of their own", queue)
                    .isEqualTo(unlabelled.getMemorySize());
            assertThat(metrics.getAllocatedVirtualCores())
                    .as("allocated cores of %s", queue)
                    .isEqualTo(unlabelled.getVirtualCores());
            notBelowZero(metrics, "queue " + queue);
            gauges(queue, scheduler);
        }
    }

    /** Those of a queue, of its users, and of both in each partition. */
    private static void gauges(HeddleQueue queue, HeddleScheduler scheduler) {
        QueueMetrics metrics = queue.getMetrics();
        List<HeddleApplication> all = HeddleApplication.of(queue);
        Map<String, List<HeddleApplication>> ofUsers =
                all.stream().collect(Collectors.groupingBy(HeddleApplication::getUser));
        Gauges.of(all, RMNodeLabelsManager.NO_LABEL, scheduler).compare(metrics, "queue " + queue);
        ofUsers.forEach((user, own) -> Gauges.of(own, RMNodeLabelsManager.NO_LABEL, scheduler)
                .compare(metrics.getUserMetrics(user), "user " + user + " in queue " + queue));
        QueueMetrics.getQueueMetrics().forEach((name, inAllQueues) -> {
            if (name.endsWith(QueueMetrics.METRIC_NAME_DELIMITER)) { // a partition
                String label = name.substring(0, name.length() - 1);
                String partition = label.equals(QueueMetrics.DEFAULT_PARTITION) ? RMNodeLabelsManager.NO_LABEL : label;
                Gauges gauges = Gauges.of(all, partition, scheduler);
                QueueMetrics there = metrics.getPartitionQueueMetrics(partition);
                gauges.compare(there, "queue " + queue + " on " + label);
                if (queue.parent() == null) {
                    gauges.compare(inAllQueues, "partition " + label);
                }
                ofUsers.forEach((user, own) -> Gauges.of(own, partition, scheduler)
                        .compare(there.getUserMetrics(user), "user " + user + " in queue " + queue + " on " + label));
            }
        });
    }

    private static void place(HeddleApplication application, HeddleScheduler scheduler) {
        HeddleQueue leaf = application.leaf();
        assertThat(scheduler.queues())
                .as("the queue of %s", application.schedulable())
                .contains(leaf);
        assertThat(leaf.applications()).as("applications of %s", leaf).contains(application);
        HeddleAttempt attempt = application.getCurrentAppAttempt();
        if (attempt != null) {
            assertThat(attempt.getLiveContainers())
                    .as("containers of %s on nodes that are gone", attempt.getApplicationAttemptId())
                    .allMatch(container -> scheduler.getSchedulerNode(container.getNodeId()) != null);
        }
    }

    private static void notBelowZero(QueueMetrics metrics, String of) {
        assertThat(List.of(
                        metrics.getAvailableMB(),
                        (long) metrics.getAvailableVirtualCores(),
                        (long) metrics.getAppsPending(),
                        (long) metrics.getAppsRunning(),
                        (long) metrics.getActiveApps(),
                        (long) metrics.getActiveUsers()))
                .as("gauges of %s: available MB and cores, applications pending, running and active, active users", of)
                .allMatch(value -> value >= 0);
    }

    /** What the gauges of applications should show together, on nodes of one partition. */
    private record Gauges(
            long allocatedMb,
            long allocatedCores,
            long pendingMb,
            long pendingCores,
            long pendingContainers,
            long reservedMb,
            long reservedContainers) {
        static Gauges of(List<HeddleApplication> applications, String partition, HeddleScheduler scheduler) {
            long[] sums = new long[7];
            for (HeddleApplication application : applications) {
                HeddleAttempt attempt = application.getCurrentAppAttempt();
                if (attempt != null) {
                    add(sums, ofAttempt(attempt, partition, scheduler));
                }
            }
            return new Gauges(sums[0], sums[1], sums[2], sums[3], sums[4], sums[5], sums[6]);
        }

        private static long[] ofAttempt(HeddleAttempt attempt, String partition, HeddleScheduler scheduler) {
            Resource used = attempt.getAppAttemptResourceUsage().getUsed(partition);
            long[] sums = {used.getMemorySize(), used.getVirtualCores(), 0, 0, 0, 0, 0};
            for (SchedulerRequestKey key : attempt.getSchedulerKeys()) {
                AppPlacementAllocator<HeddleNode> asks = attempt.getAppPlacementAllocator(key);
                PendingAsk ask = attempt.getPendingAsk(key, ResourceRequest.ANY);
                if (asks != null && partition.equals(asks.getPrimaryRequestedNodePartition())) {
                    sums[2] += ask.getPerAllocationResource().getMemorySize() * ask.getCount();
                    sums[3] += (long) ask.getPerAllocationResource().getVirtualCores() * ask.getCount();
                    sums[4] += ask.getCount();
                }
            }
            for (HeddleNode node : scheduler.getNodeTracker().getAllNodes()) {
                RMContainer reserved = node.getReservedContainer();
                if (reserved != null && attempt.equals(node.reservedFor()) && partition.equals(node.getPartition())) {
                    sums[5] += reserved.getContainer().getResource().getMemorySize();
                    sums[6]++;
                }
            }
            return sums;
        }

        /** Vcores and containers stop at the largest int, which their gauges have. */
        void compare(QueueMetrics metrics, String of) {
            assertThat(new Gauges(
                            metrics.getAllocatedMB(),
                            metrics.getAllocatedVirtualCores(),
                            metrics.getPendingMB(),
                            metrics.getPendingVirtualCores(),
                            metrics.getPendingContainers(),
                            metrics.getReservedMB(),
                            metrics.getReservedContainers()))
                    .as("gauges of %s", of)
                    .isEqualTo(new Gauges(
                            allocatedMb,
                            allocatedCores,
                            pendingMb,
                            Math.min(Integer.MAX_VALUE, pendingCores),
                            Math.min(Integer.MAX_VALUE, pendingContainers),
                            reservedMb,
                            reservedContainers));
        }
    }

    /**
     * Limits are not exceeded by new containers. Nodes that come with containers, and files with lower limits, may
     * bring that about; then nothing is added.
     */
    static final class Limits {
        private final Map<String, long[]> exceeded = new HashMap<>();
        private final AtomicBoolean free = new AtomicBoolean(true);

        /** Until {@link #hold} is called next. */
        void mayBeExceeded() {
            free.set(true);
        }

        void hold(HeddleScheduler scheduler) {
            scheduler.underLock(() -> {
                Map<String, long[]> now = new HashMap<>();
                collect(scheduler.engine().root(), "", now);
                if (!free.getAndSet(false)) {
                    now.forEach((path, usage) -> assertThat(grows(exceeded.get(path), usage))
                            .as("%s is above its limit and has got more: %s", path, Arrays.toString(usage))
                            .isFalse());
                }
                exceeded.clear();
                exceeded.putAll(now);
            });
        }

        private static boolean grows(long @Nullable [] before, long[] now) {
            return before == null || IntStream.range(0, now.length).anyMatch(j -> now[j] > before[j]);
        }

        private static void collect(Schedulable at, String above, Map<String, long[]> exceeded) {
            String path = above + "/" + at.name();
            if (at.exceedsLimitWith(new long[at.usage().length])) {
                exceeded.put(path, at.usage());
            }
            at.children().forEach(child -> collect(child, path, exceeded));
        }
    }

    private static String nodesThatDoNotBalance(HeddleScheduler scheduler) {
        StringBuilder text = new StringBuilder();
        for (HeddleNode node : scheduler.getNodeTracker().getAllNodes()) {
            Resource live = Resource.newInstance(0, 0);
            Resource there = Resource.newInstance(0, 0);
            StringBuilder containers = new StringBuilder();
            for (RMContainer container : node.getCopiedListOfRunningContainers()) {
                Resource size = container.getContainer().getResource();
                containers
                        .append("\n  ")
                        .append(container.getContainerId())
                        .append(' ')
                        .append(container.getState())
                        .append(' ')
                        .append(container.getExecutionType())
                        .append(' ')
                        .append(size);
                if (container.getExecutionType() == ExecutionType.GUARANTEED) {
                    Resources.addTo(there, size);
                }
            }
            for (SchedulerApplication<HeddleAttempt> application :
                    scheduler.getSchedulerApplications().values()) {
                HeddleAttempt attempt = application.getCurrentAppAttempt();
                if (attempt != null) {
                    for (RMContainer container : attempt.getLiveContainers()) {
                        if (container.getExecutionType() == ExecutionType.GUARANTEED
                                && container.getContainer().getNodeId().equals(node.getNodeID())) {
                            Resources.addTo(live, container.getContainer().getResource());
                        }
                    }
                }
            }
            if (!there.equals(node.getAllocatedResource()) || !there.equals(live)) {
                text.append("\n")
                        .append(node.getNodeID() + " has allocated " + node.getAllocatedResource() + ", runs " + there
                                + ", applications have " + live + " there")
                        .append(containers);
            }
        }
        return text.toString();
    }

    /** What it has on nodes with a label is counted; on the other nodes it has the rest. */
    private static void usageByPartition(HeddleQueue queue, ResourceVectors vectors) {
        long[] rest = queue.schedulable().usage();
        for (String label : queue.labels()) {
            long[] usage = new long[vectors.size()];
            Arrays.setAll(usage, j -> queue.usageOn(label, j));
            assertThat(usage)
                    .as("usage of %s on nodes with the label '%s'", queue, label)
                    .isEqualTo(ofAttempts(queue, label, vectors));
            Arrays.setAll(rest, j -> rest[j] - usage[j]);
        }
        assertThat(rest)
                .as("usage of %s on nodes without a label", queue)
                .isEqualTo(ofAttempts(queue, RMNodeLabelsManager.NO_LABEL, vectors));
    }

    private static long[] ofAttempts(HeddleQueue queue, String partition, ResourceVectors vectors) {
        long[] sum = new long[vectors.size()];
        for (HeddleApplication application : HeddleApplication.of(queue)) {
            HeddleAttempt attempt = application.getCurrentAppAttempt();
            if (attempt != null) {
                add(sum, vectors.of(attempt.getAppAttemptResourceUsage().getUsed(partition)));
            }
        }
        return sum;
    }

    private static Resource unlabelled(HeddleQueue queue) {
        Resource sum = Resource.newInstance(0, 0);
        for (HeddleApplication application : HeddleApplication.of(queue)) {
            HeddleAttempt attempt = application.getCurrentAppAttempt();
            if (attempt != null) {
                Resources.addTo(sum, attempt.getAppAttemptResourceUsage().getUsed());
            }
        }
        return sum;
    }

    private static void application(HeddleApplication application, ResourceVectors vectors) {
        HeddleAttempt attempt = application.getCurrentAppAttempt();
        if (attempt == null) {
            return;
        }
        Schedulable schedulable = application.schedulable();
        assertThat(schedulable.usage())
                .as("usage of %s", attempt.getApplicationAttemptId())
                .isEqualTo(vectors.of(attempt.getAppAttemptResourceUsage().getAllUsed()));
        assertThat(schedulable.running())
                .as(
                        "containers of %s: %s, states %s",
                        attempt.getApplicationAttemptId(),
                        attempt.getLiveContainersMap(),
                        attempt.getLiveContainers().stream()
                                .map(RMContainer::getState)
                                .toList())
                .isEqualTo(attempt.getLiveContainersMap().entrySet().stream()
                        // Hadoop has one that shrinks under a second id, until its master is told, even if it has ended
                        .filter(entry -> entry.getKey().equals(entry.getValue().getContainerId()))
                        .map(Map.Entry::getValue)
                        .filter(container -> !ENDED.contains(container.getState())
                                && container.getExecutionType() == ExecutionType.GUARANTEED)
                        .count());
        long pending = 0;
        if (application.isRunnable() && !attempt.isStopped()) {
            for (SchedulerRequestKey key : attempt.getSchedulerKeys()) {
                pending += attempt.getOutstandingAsksCount(key, ResourceRequest.ANY);
            }
        }
        assertThat(schedulable.pending())
                .as("asks of %s", attempt.getApplicationAttemptId())
                .isEqualTo(pending);
    }

    private static void sumsOfChildren(Schedulable schedulable) {
        if (schedulable.isLeaf()) {
            return;
        }
        long[] usage = new long[schedulable.usage().length];
        long running = 0;
        long pending = 0;
        for (Schedulable child : schedulable.children()) {
            sumsOfChildren(child);
            add(usage, child.usage());
            running += child.running();
            pending += child.pending();
        }
        assertThat(schedulable.usage()).as("usage of %s", schedulable).isEqualTo(usage);
        assertThat(schedulable.running()).as("running of %s", schedulable).isEqualTo(running);
        assertThat(schedulable.pending()).as("pending of %s", schedulable).isEqualTo(pending);
    }

    private static long[] negative(long[] vector) {
        return Arrays.stream(vector).map(amount -> -amount).toArray();
    }

    private static void add(long[] sum, long[] part) {
        Arrays.setAll(sum, j -> sum[j] + part[j]);
    }

    /** Asserts that nothing is left of any application: counters, metrics, maps. */
    public static void empty(HeddleScheduler scheduler) {
        balance(scheduler);
        Schedulable root = scheduler.engine().root();
        assertThat(scheduler.getSchedulerApplications()).isEmpty();
        assertThat(root.usage()).containsOnly(0L);
        assertThat(root.running()).isZero();
        assertThat(root.pending()).isZero();
        assertThat(root.demand()).containsOnly(0L);
        assertThat(scheduler.takeSnapshot().reservedNodes()).isZero();
        for (HeddleQueue queue : scheduler.queues()) {
            assertThat(queue.users()).as("users of %s", queue).isEmpty();
            assertThat(queue.runningOfUser()).as("running by user of %s", queue).isEmpty();
            assertThat(queue.applications()).as("applications of %s", queue).isEmpty();
            assertThat(queue.running()).as("running in %s", queue).isZero();
            assertThat(queue.masters()).as("masters of %s", queue).isZero();
            assertThat(List.of(queue.masterUsage(0), queue.masterUsage(1)))
                    .as("masters' usage of %s", queue)
                    .containsOnly(0L);
            metricsZero(queue.getMetrics(), queue.getQueueName());
        }
        for (HeddleNode node : scheduler.getNodeTracker().getAllNodes()) {
            assertThat(node.getNumContainers())
                    .as("containers on %s", node.getNodeID())
                    .isZero();
            assertThat(node.getReservedContainer()).isNull();
            assertThat(node)
                    .as("starts of containers on %s", node.getNodeID())
                    .extracting("starts")
                    .isEqualTo(Map.of());
        }
    }

    private static void metricsZero(QueueMetrics metrics, String of) {
        assertThat(metrics.getAllocatedMB()).as("allocated MB of %s", of).isZero();
        assertThat(metrics.getAllocatedVirtualCores())
                .as("allocated cores of %s", of)
                .isZero();
        assertThat(metrics.getAllocatedContainers())
                .as("allocated containers of %s", of)
                .isZero();
        assertThat(metrics.getPendingMB()).as("pending MB of %s", of).isZero();
        assertThat(metrics.getPendingVirtualCores())
                .as("pending cores of %s", of)
                .isZero();
        assertThat(metrics.getPendingContainers())
                .as("pending containers of %s", of)
                .isZero();
        assertThat(metrics.getReservedMB()).as("reserved MB of %s", of).isZero();
        assertThat(metrics.getReservedContainers())
                .as("reserved containers of %s", of)
                .isZero();
        assertThat(metrics.getAppsRunning())
                .as("running applications of %s", of)
                .isZero();
        assertThat(metrics.getAppsPending())
                .as("pending applications of %s", of)
                .isZero();
        assertThat(metrics.getActiveApps()).as("active applications of %s", of).isZero();
        assertThat(metrics.getActiveUsers()).as("active users of %s", of).isZero();
    }
}
