// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.queue;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.annotation.Metrics;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.PartitionQueueMetrics;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Queue;
import org.jspecify.annotations.Nullable;

/** Hadoop's metrics of a queue in one partition, which can be unregistered. */
@Metrics(context = "yarn")
final class PartitionMetrics extends PartitionQueueMetrics {
    /** The name of the record, with which the name of each source of a queue begins. */
    private static final int RECORD_NAME = sourceName("").length();

    private final String source;

    /** @param label as in the names of beans: empty for nodes without a label */
    PartitionMetrics(
            MetricsSystem system,
            String queue,
            @Nullable Queue parent,
            Configuration conf,
            String partition,
            String label) {
        super(system, queue, parent, true, conf, partition);
        source =
                P_RECORD_INFO.name() + ",partition=" + label + sourceName(queue).substring(RECORD_NAME);
        tag(PARTITION_INFO, label);
        tag(QUEUE_INFO, queue);
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
            metricsSystem.unregisterSource(source + ",user=" + user);
        }
    }
}
