// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.rm;

import java.util.List;
import java.util.Set;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.QueueACL;
import org.apache.hadoop.yarn.api.records.QueueInfo;
import org.apache.hadoop.yarn.api.records.QueueUserACLInfo;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractUsersManager;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ActiveUsersManager;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Queue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.QueueMetrics;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.util.Records;

/** The only queue of a scheduler that has none. */
final class OneQueue implements Queue {
    private final QueueMetrics metrics;
    private final ActiveUsersManager users;

    OneQueue(QueueMetrics metrics, ActiveUsersManager users) {
        this.metrics = metrics;
        this.users = users;
    }

    @Override
    public String getQueueName() {
        return "default";
    }

    @Override
    public QueueMetrics getMetrics() {
        return metrics;
    }

    @Override
    public QueueInfo getQueueInfo(boolean children, boolean recursive) {
        return Records.newRecord(QueueInfo.class);
    }

    @Override
    public List<QueueUserACLInfo> getQueueUserAclInfo(UserGroupInformation user) {
        return List.of();
    }

    @Override
    public boolean hasAccess(QueueACL acl, UserGroupInformation user) {
        return true;
    }

    @Override
    public AbstractUsersManager getAbstractUsersManager() {
        return users;
    }

    @Override
    public void recoverContainer(Resource cluster, SchedulerApplicationAttempt attempt, RMContainer container) {}

    @Override
    public Set<String> getAccessibleNodeLabels() {
        return Set.of();
    }

    @Override
    public String getDefaultNodeLabelExpression() {
        return "";
    }

    @Override
    public void incPendingResource(String label, Resource more) {}

    @Override
    public void decPendingResource(String label, Resource less) {}

    @Override
    public Priority getDefaultApplicationPriority() {
        return Priority.newInstance(0);
    }

    @Override
    public void incReservedResource(String partition, Resource reserved) {}

    @Override
    public void decReservedResource(String partition, Resource reserved) {}
}
