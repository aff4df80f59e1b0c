// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.queue;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.annotation.Metrics;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.QueueMetrics;

/** YARN's metrics of a user in a queue, with {@link PendingGauges}. */
@Metrics(context = "yarn")
final class UserMetrics extends QueueMetrics implements PendingGauges.Owner {
    private final PendingGauges pending = new PendingGauges(this, registry);

    UserMetrics(MetricsSystem system, String queue, String user, Configuration conf) {
        super(system, queue, null, false, conf);
        tag(QUEUE_INFO, queue);
        tag(USER_INFO, user);
    }

    @Override
    public PendingGauges pending() {
        return pending;
    }
}
