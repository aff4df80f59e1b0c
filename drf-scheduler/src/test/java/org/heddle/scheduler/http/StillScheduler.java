// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.http;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.QueueACL;
import org.apache.hadoop.yarn.api.records.QueueInfo;
import org.apache.hadoop.yarn.api.records.QueueUserACLInfo;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.records.SchedulingRequest;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.recovery.RMStateStore.RMState;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerEventType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Allocation;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ContainerUpdates;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.QueueMetrics;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEvent;
import org.apache.hadoop.yarn.util.Records;
import org.apache.hadoop.yarn.util.resource.DominantResourceCalculator;
import org.apache.hadoop.yarn.util.resource.ResourceCalculator;
import org.heddle.scheduler.accounting.HourlyUsage;
import org.heddle.scheduler.accounting.UsageQuery;
import org.heddle.scheduler.accounting.UsageReport;
import org.heddle.scheduler.snapshot.ConfigurationChange;
import org.heddle.scheduler.snapshot.History;
import org.heddle.scheduler.snapshot.LimitExceeded;
import org.heddle.scheduler.snapshot.NodeReport;
import org.heddle.scheduler.snapshot.SchedulerSnapshot;
import org.heddle.scheduler.snapshot.Waiting;
import org.jspecify.annotations.Nullable;

/** Schedules nothing and shows what it is told to: a ResourceManager's web server around any snapshot. */
public final class StillScheduler extends AbstractYarnScheduler<FiCaSchedulerApp, FiCaSchedulerNode>
        implements SnapshotSource {
    private final QueueMetrics metrics = QueueMetrics.forQueue("root", null, false, new Configuration(false));
    private volatile @Nullable Waiting waiting;
    private volatile List<HourlyUsage> hours = List.of();
    private volatile History history = History.EMPTY;
    private volatile @Nullable List<LimitExceeded> limits;
    private volatile List<ConfigurationChange> changes = List.of();
    private volatile List<NodeReport> nodes = List.of();
    private volatile SchedulerSnapshot shown = Snapshots.of(1, null);

    public StillScheduler() {
        super(StillScheduler.class.getName());
    }

    void show(SchedulerSnapshot snapshot) {
        shown = snapshot;
    }

    void show(Waiting newWaiting, History newHistory) {
        waiting = newWaiting;
        history = newHistory;
    }

    void show(List<ConfigurationChange> newChanges, List<NodeReport> newNodes) {
        changes = newChanges;
        nodes = newNodes;
    }

    void showLimits(@Nullable List<LimitExceeded> newLimits) {
        limits = newLimits;
    }

    void show(HourlyUsage... newHours) {
        hours = List.of(newHours);
    }

    @Override
    public @Nullable UsageReport usage(UsageQuery query) {
        UsageReport.Builder report = new UsageReport.Builder(query);
        hours.forEach(report::add);
        return hours.isEmpty() ? null : report.build();
    }

    @Override
    public @Nullable List<LimitExceeded> shadowLimits() {
        return limits;
    }

    @Override
    public List<ConfigurationChange> configurationChanges() {
        return changes;
    }

    @Override
    public List<NodeReport> nodes() {
        return nodes;
    }

    @Override
    public History history() {
        return history;
    }

    @Override
    public @Nullable Waiting why(String applicationId) {
        Waiting known = waiting;
        return known != null && known.application().equals(applicationId) ? known : null;
    }

    @Override
    public SchedulerSnapshot snapshot() {
        return shown;
    }

    @Override
    public void serviceInit(Configuration conf) throws Exception {
        minimumAllocation = Resource.newInstance(1, 1);
        initMaximumResourceCapability(Resource.newInstance(8192, 8));
        applications = new ConcurrentHashMap<>();
        WebHooks.install(conf);
        super.serviceInit(conf);
    }

    @Override
    public void setRMContext(RMContext context) {
        rmContext = context;
    }

    @Override
    public QueueMetrics getRootQueueMetrics() {
        return metrics;
    }

    @Override
    public ResourceCalculator getResourceCalculator() {
        return new DominantResourceCalculator();
    }

    @Override
    public void reinitialize(Configuration conf, RMContext context) {}

    @Override
    public void recover(RMState state) {}

    @Override
    public void handle(SchedulerEvent event) {}

    @Override
    protected void completedContainerInternal(
            RMContainer container, ContainerStatus status, RMContainerEventType event) {}

    @Override
    public void killContainer(RMContainer container) {}

    @Override
    public Allocation allocate(
            ApplicationAttemptId attempt,
            List<ResourceRequest> ask,
            List<SchedulingRequest> schedulingRequests,
            List<ContainerId> release,
            List<String> blacklistAdditions,
            List<String> blacklistRemovals,
            ContainerUpdates updates) {
        return EMPTY_ALLOCATION;
    }

    @Override
    public QueueInfo getQueueInfo(String queue, boolean children, boolean recursive) {
        return Records.newRecord(QueueInfo.class);
    }

    @Override
    public List<QueueUserACLInfo> getQueueUserAclInfo() {
        return List.of();
    }

    @Override
    public int getNumClusterNodes() {
        return 0;
    }

    @Override
    public boolean checkAccess(UserGroupInformation caller, QueueACL acl, String queue) {
        return true;
    }

    @Override
    public List<ApplicationAttemptId> getAppsInQueue(String queue) {
        return List.of();
    }
}
