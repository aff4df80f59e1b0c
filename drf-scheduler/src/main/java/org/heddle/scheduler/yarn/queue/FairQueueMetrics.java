// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.queue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.annotation.Metric;
import org.apache.hadoop.metrics2.annotation.Metrics;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.MutableGaugeInt;
import org.apache.hadoop.metrics2.lib.MutableGaugeLong;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Queue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.QueueMetrics;
import org.jspecify.annotations.Nullable;

/**
 * YARN's metrics of a queue with those that FairScheduler adds, under the same names ({@code FSQueueMetrics}), so that
 * dashboards keep working. Memory is in MiB; the names of the fields are the names of the metrics.
 */
@Metrics(context = "yarn")
public final class FairQueueMetrics extends QueueMetrics implements PendingGauges.Owner {
    private static final int MEMORY = 0;
    private static final int VCORES = 1;

    @Metric("Fair share of memory in MB")
    private MutableGaugeLong fairShareMB;

    @Metric("Fair share of CPU in vcores")
    private MutableGaugeLong fairShareVCores;

    @Metric("Steady fair share of memory in MB")
    private MutableGaugeLong steadyFairShareMB;

    @Metric("Steady fair share of CPU in vcores")
    private MutableGaugeLong steadyFairShareVCores;

    @Metric("Minimum share of memory in MB")
    private MutableGaugeLong minShareMB;

    @Metric("Minimum share of CPU in vcores")
    private MutableGaugeLong minShareVCores;

    @Metric("Maximum share of memory in MB")
    private MutableGaugeLong maxShareMB;

    @Metric("Maximum share of CPU in vcores")
    private MutableGaugeLong maxShareVCores;

    @Metric("Maximum number of applications")
    private MutableGaugeInt maxApps;

    @Metric("Maximum AM share of memory in MB")
    private MutableGaugeLong maxAMShareMB;

    @Metric("Maximum AM share of CPU in vcores")
    private MutableGaugeInt maxAMShareVCores;

    @Metric("AM resource usage of memory in MB")
    private MutableGaugeLong amResourceUsageMB;

    @Metric("AM resource usage of CPU in vcores")
    private MutableGaugeInt amResourceUsageVCores;

    private final @Nullable Queue parentQueue;
    /** By the names under which Hadoop keeps them. */
    private final Map<String, PartitionMetrics> partitions = new HashMap<>();

    private boolean gone;

    private final PendingGauges pending = new PendingGauges(this, registry);
    private final CapacityGauges capacities = new CapacityGauges(registry);

    private volatile String schedulingPolicy = "";

    @SuppressWarnings("NullAway.Init") // Hadoop's metrics system sets the gauges
    private FairQueueMetrics(@Nullable MetricsSystem system, String queue, @Nullable Queue parent, Configuration conf) {
        super(system, queue, parent, true, conf);
        this.parentQueue = parent;
        tag(QUEUE_INFO, queue);
    }

    /**
     * The metrics of a queue, which are registered on first use. Metrics of the same queue that another scheduler of
     * this process has registered stay as they are.
     */
    static synchronized QueueMetrics forQueue(String queue, @Nullable Queue parent, Configuration conf) {
        QueueMetrics known = getQueueMetrics().get(queue);
        if (known != null) {
            return known;
        }
        MetricsSystem system = DefaultMetricsSystem.instance();
        QueueMetrics metrics = system.register(
                sourceName(queue).toString(),
                "Metrics for queue: " + queue,
                new FairQueueMetrics(system, queue, parent, conf));
        getQueueMetrics().put(queue, metrics);
        return metrics;
    }

    /**
     * As Hadoop's, of a class that can be unregistered; null if the queue is gone. Those of the queue above are made
     * first: they get what is added here only if they are there.
     */
    @Override
    @SuppressWarnings("NullAway") // Hadoop expects null
    public synchronized QueueMetrics getPartitionQueueMetrics(@Nullable String label) {
        String name = wholePartition(label) + queueName;
        QueueMetrics known = getQueueMetrics().get(name);
        if (known != null || gone) {
            return known;
        }
        String shown = label == null ? DEFAULT_PARTITION_JMX_STR : label;
        PartitionMetrics.Partition partition =
                new PartitionMetrics.Partition(shown.isEmpty() ? DEFAULT_PARTITION : shown, shown);
        if (parentQueue == null) {
            getQueueMetrics()
                    .computeIfAbsent(
                            wholePartition(label),
                            any -> PartitionMetrics.ofWhole(metricsSystem, queueName, conf, partition));
        } else {
            parentQueue.getMetrics().getPartitionQueueMetrics(label);
        }
        PartitionMetrics metrics = new PartitionMetrics(metricsSystem, queueName, parentQueue, conf, partition);
        metrics.register();
        getQueueMetrics().put(name, metrics);
        registerPartitionMetricsCreation(name);
        partitions.put(name, metrics);
        return metrics;
    }

    /**
     * The name under which Hadoop keeps the metrics of a partition in all queues; the name of a queue follows for its
     * part.
     */
    private static String wholePartition(@Nullable String label) {
        return (label == null || label.isEmpty() ? DEFAULT_PARTITION : label) + METRIC_NAME_DELIMITER;
    }

    /** Null if the queue is gone. */
    @Override
    @SuppressWarnings("NullAway") // Hadoop expects null
    public synchronized QueueMetrics getUserMetrics(String user) {
        return gone ? null : users.computeIfAbsent(user, this::register);
    }

    private QueueMetrics register(String user) {
        return metricsSystem.register(
                sourceOf(user),
                "Metrics for user '" + user + "' in queue '" + queueName + "'",
                new UserMetrics(metricsSystem, queueName, user, conf));
    }

    private String sourceOf(String user) {
        return sourceName(queueName) + ",user=" + user;
    }

    /** The user has no more application here; the next one begins with new metrics. */
    synchronized void forgetUser(String user) {
        if (users.remove(user) != null) {
            metricsSystem.unregisterSource(sourceOf(user));
        }
        partitions.values().forEach(partition -> partition.forgetUser(user));
    }

    /** The queue is gone. A late call of an ApplicationMaster registers nothing again. */
    synchronized void unregister() {
        gone = true;
        List.copyOf(users.keySet()).forEach(this::forgetUser);
        partitions.forEach((name, partition) -> {
            partition.unregister();
            getQueueMetrics().remove(name, partition);
        });
        metricsSystem.unregisterSource(sourceName(queueName).toString());
        getQueueMetrics().remove(queueName, this);
    }

    /**
     * Sets the shares, per resource; only memory and vcores are published.
     *
     * @param maximum {@link Long#MAX_VALUE} for no limit, which FairScheduler publishes in the same way for memory, and
     *     as the largest int for vcores
     */
    public void setShares(long[] fair, long[] steady, long[] minimum, long[] maximum) {
        fairShareMB.set(fair[MEMORY]);
        fairShareVCores.set(fair[VCORES]);
        steadyFairShareMB.set(steady[MEMORY]);
        steadyFairShareVCores.set(steady[VCORES]);
        minShareMB.set(minimum[MEMORY]);
        minShareVCores.set(minimum[VCORES]);
        maxShareMB.set(maximum[MEMORY]);
        maxShareVCores.set(Math.min(Integer.MAX_VALUE, maximum[VCORES]));
    }

    /**
     * Adds containers of one size to what is asked for here; fewer than 0 are not asked for any more.
     *
     * @param partition empty for nodes without a label
     */
    void addPending(String partition, String user, int containers, Resource each) {
        if (partition.isEmpty()) {
            PendingGauges.add(this, containers, each);
            PendingGauges.add(getUserMetrics(user), containers, each);
        }
        QueueMetrics there = getPartitionQueueMetrics(partition);
        if (there != null) { // null: the queue is gone
            PendingGauges.add(there, containers, each);
            PendingGauges.add(there.getUserMetrics(user), containers, each);
        }
        if (parentQueue == null) {
            PendingGauges.add(getQueueMetrics().get(wholePartition(partition)), containers, each);
        }
    }

    /** Nothing: Hadoop's own increments do not always meet what they add to. See {@link #addPending}. */
    @Override
    public void incrPendingResources(@Nullable String partition, String user, int containers, Resource each) {}

    /** See {@link #incrPendingResources}. */
    @Override
    public void decrPendingResources(@Nullable String partition, String user, int containers, Resource each) {}

    /** What is pending does not change here; see {@link #addPending}. */
    @Override
    public void allocateResources(
            @Nullable String partition, String user, int containers, Resource each, boolean wasPending) {
        super.allocateResources(partition, user, containers, each, false);
    }

    @Override
    public PendingGauges pending() {
        return pending;
    }

    /** Those of CapacityScheduler. */
    public CapacityGauges capacities() {
        return capacities;
    }

    @Metric("Scheduling policy")
    public String getSchedulingPolicy() {
        return schedulingPolicy;
    }

    public void setSchedulingPolicy(String policy) {
        schedulingPolicy = policy;
    }

    /**
     * Sets the limits of applications, and what ApplicationMasters use.
     *
     * @param masterLimit maximum of all ApplicationMasters per resource, 0 for no limit
     * @param masterUsage usage of all ApplicationMasters per resource
     */
    public void setApplications(int maximum, long[] masterLimit, long[] masterUsage) {
        maxApps.set(maximum);
        maxAMShareMB.set(masterLimit[MEMORY]);
        maxAMShareVCores.set((int) masterLimit[VCORES]);
        amResourceUsageMB.set(masterUsage[MEMORY]);
        amResourceUsageVCores.set((int) masterUsage[VCORES]);
    }
}
