// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.queue;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.annotation.Metrics;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.PartitionQueueMetrics;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Queue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.QueueMetrics;
import org.jspecify.annotations.Nullable;

/** Hadoop's metrics of a queue in one partition, or of one of its users there, which can be unregistered. */
@Metrics(context = "yarn")
final class PartitionMetrics extends PartitionQueueMetrics implements PendingGauges.Owner {
    /** The name of the record, with which the name of each source of a queue begins. */
    private static final int RECORD_NAME = sourceName("").length();

    private final String source;
    private final Partition partition;
    private final PendingGauges pending = new PendingGauges(this, registry);

    /** @param label as in the names of beans: empty for nodes without a label */
    record Partition(String name, String label) {
        private String source() {
            return P_RECORD_INFO.name() + ",partition=" + label;
        }
    }

    PartitionMetrics(
            MetricsSystem system, String queue, @Nullable Queue parent, Configuration conf, Partition partition) {
        this(
                system,
                queue,
                parent,
                true,
                conf,
                partition,
                partition.source() + sourceName(queue).substring(RECORD_NAME));
        tag(QUEUE_INFO, queue);
    }

    /** The metrics of a partition in all queues, as Hadoop would make them, registered. */
    static PartitionMetrics ofWhole(MetricsSystem system, String queue, Configuration conf, Partition partition) {
        PartitionMetrics whole = new PartitionMetrics(system, queue, null, false, conf, partition, partition.source());
        system.register(whole.source, "Metrics for partition: " + partition.label(), whole);
        return whole;
    }

    private PartitionMetrics(
            MetricsSystem system,
            String queue,
            @Nullable Queue parent,
            boolean ofUsers,
            Configuration conf,
            Partition partition,
            String source) {
        super(system, queue, parent, ofUsers, conf, partition.name());
        this.partition = partition;
        this.source = source;
        tag(PARTITION_INFO, partition.label());
    }

    void register() {
        metricsSystem.register(source, "Metrics for queue: " + queueName, this);
    }

    synchronized void unregister() {
        List.copyOf(users.keySet()).forEach(this::forgetUser);
        metricsSystem.unregisterSource(source);
    }

    synchronized void forgetUser(String user) {
        if (users.remove(user) != null) {
            metricsSystem.unregisterSource(sourceOfUser(user));
        }
    }

    private String sourceOfUser(String user) {
        return source + ",user=" + user;
    }

    /** Null if this is of a user itself. */
    @Override
    @SuppressWarnings("NullAway") // Hadoop expects null
    public synchronized QueueMetrics getUserMetrics(String user) {
        if (users == null) {
            return null;
        }
        return users.computeIfAbsent(user, name -> {
            PartitionMetrics metrics =
                    new PartitionMetrics(metricsSystem, queueName, null, false, conf, partition, sourceOfUser(name));
            metrics.tag(QUEUE_INFO, queueName);
            metrics.tag(USER_INFO, name);
            metricsSystem.register(
                    metrics.source, "Metrics for user '" + name + "' in queue '" + queueName + "'", metrics);
            return metrics;
        });
    }

    @Override
    public PendingGauges pending() {
        return pending;
    }
}
