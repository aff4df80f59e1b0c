// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.com.google.common.util.concurrent.SettableFuture;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.QueueACL;
import org.apache.hadoop.yarn.api.records.QueueInfo;
import org.apache.hadoop.yarn.api.records.QueueUserACLInfo;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.proto.YarnServiceProtos.SchedulerResourceTypes;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppImpl;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.MutableConfScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.MutableConfigurationProvider;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.QueueMetrics;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.QueueEntitlement;
import org.apache.hadoop.yarn.util.resource.DefaultResourceCalculator;
import org.apache.hadoop.yarn.util.resource.DominantResourceCalculator;
import org.apache.hadoop.yarn.util.resource.ResourceCalculator;
import org.heddle.scheduler.accounting.UsageQuery;
import org.heddle.scheduler.accounting.UsageReport;
import org.heddle.scheduler.http.SnapshotSource;
import org.heddle.scheduler.model.ClusterRules;
import org.heddle.scheduler.model.PreemptionSettings;
import org.heddle.scheduler.snapshot.ConfigurationChange;
import org.heddle.scheduler.snapshot.History;
import org.heddle.scheduler.snapshot.LimitExceeded;
import org.heddle.scheduler.snapshot.NodeReport;
import org.heddle.scheduler.snapshot.QueueDetails;
import org.heddle.scheduler.snapshot.SchedulerSnapshot;
import org.heddle.scheduler.snapshot.Waiting;
import org.heddle.scheduler.yarn.app.HeddleApplication;
import org.heddle.scheduler.yarn.app.HeddleAttempt;
import org.heddle.scheduler.yarn.app.PriorityChange;
import org.heddle.scheduler.yarn.node.HeddleNode;
import org.heddle.scheduler.yarn.queue.HeddleQueue;
import org.heddle.scheduler.yarn.report.SchedulerReports;
import org.heddle.scheduler.yarn.report.ShadowLimits;
import org.heddle.scheduler.yarn.reservation.PlanQueues;
import org.heddle.scheduler.yarn.reservation.PlanScheduler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The part of the scheduler that faces clients, administrators and YARN's other services: it answers their questions,
 * and passes their requests on to the parts. It is long because {@code AbstractYarnScheduler} demands many methods of
 * one subclass; each of them is short or delegates. What happens in the cluster is in {@link HeddleScheduler}.
 */
public abstract class ClientFacingScheduler extends AbstractYarnScheduler<HeddleAttempt, HeddleNode>
        implements SnapshotSource, MutableConfScheduler, PlanScheduler {
    private static final Logger LOG = LoggerFactory.getLogger(ClientFacingScheduler.class);
    private static final ResourceCalculator DOMINANT = new DominantResourceCalculator();
    private static final ResourceCalculator MEMORY = new DefaultResourceCalculator();

    /** Made in {@code serviceInit}, before anything else can be called; not if the configuration is refused. */
    SchedulerParts parts;

    /**
     * A pair's AdminService asks a scheduler that is still being initialised, see {@link HeddleScheduler#reinitialize}.
     */
    volatile boolean initialised;

    @SuppressWarnings("NullAway.Init")
    ClientFacingScheduler(String name) {
        super(name);
    }

    // ---- queues ----

    /** The largest container of a queue: the smallest that it or one above it sets, or the cluster's. */
    @Override
    public Resource getMaximumResourceCapability(String queueName) {
        Resource most = getMaximumResourceCapability();
        return parts == null ? most : parts.queues.limits().container(queueName, most);
    }

    @Override
    public QueueInfo getQueueInfo(String queueName, boolean includeChildQueues, boolean recursive) throws IOException {
        return existing(queueName).getQueueInfo(includeChildQueues, recursive);
    }

    private HeddleQueue existing(String queueName) throws IOException {
        HeddleQueue queue = parts.queues.find(queueName);
        if (queue == null) {
            throw new IOException("Unknown queue: " + queueName);
        }
        return queue;
    }

    @Override
    public List<QueueUserACLInfo> getQueueUserAclInfo() {
        try {
            return parts.queues.root().getQueueUserAclInfo(UserGroupInformation.getCurrentUser());
        } catch (IOException e) {
            LOG.warn("The current user cannot be told: {}", e.getMessage());
            return new ArrayList<>();
        }
    }

    @Override
    public boolean checkAccess(UserGroupInformation user, QueueACL acl, String queueName) {
        HeddleQueue queue = parts.queues.find(queueName);
        return queue != null && queue.hasAccess(acl, user);
    }

    @Override
    @SuppressWarnings("NullAway") // null means: no such queue (YarnScheduler.getAppsInQueue)
    public List<ApplicationAttemptId> getAppsInQueue(String queueName) {
        HeddleQueue queue = parts.queues.find(queueName);
        return queue == null ? null : queue.currentAttempts();
    }

    @Override
    public int getNumClusterNodes() {
        return nodeTracker.nodeCount();
    }

    @Override
    public QueueMetrics getRootQueueMetrics() {
        return parts.queues.root().getMetrics();
    }

    @Override
    public ResourceCalculator getResourceCalculator() {
        return countsMemoryOnly() ? MEMORY : DOMINANT;
    }

    @Override
    public EnumSet<SchedulerResourceTypes> getSchedulingResourceTypes() {
        EnumSet<SchedulerResourceTypes> types = EnumSet.of(SchedulerResourceTypes.MEMORY);
        if (!countsMemoryOnly()) {
            types.add(SchedulerResourceTypes.CPU);
        }
        return types;
    }

    private boolean countsMemoryOnly() {
        return parts != null && parts.vectors.memoryOnly();
    }

    // ---- reservations in time, for YARN's ReservationSystem ----

    @Override
    public PlanQueues planQueues() {
        return parts.plans;
    }

    @Override
    public Set<String> getPlanQueues() {
        return parts.plans.paths();
    }

    @Override
    public void setEntitlement(String queueName, QueueEntitlement part) throws YarnException {
        parts.plans.entitle(queueName, part);
    }

    @Override
    public void removeQueue(String queueName) throws YarnException {
        parts.plans.remove(queueName);
    }

    // ---- changes of the configuration, for YARN's scheduler-conf ----

    @Override
    public Configuration getConfiguration() {
        MutableConfigurationProvider changes = parts.configured.configuration.changes();
        return changes == null ? getConfig() : changes.getConfiguration();
    }

    @Override
    @SuppressWarnings("NullAway") // null means: no such queue (CapacityScheduler)
    public org.apache.hadoop.yarn.server.resourcemanager.scheduler.Queue getQueue(String queueName) {
        return parts.queues.find(queueName);
    }

    @Override
    public boolean isConfigurationMutable() {
        return initialised && parts.configured.configuration.changes() != null;
    }

    @Override
    @SuppressWarnings("NullAway") // asked only where isConfigurationMutable
    public MutableConfigurationProvider getMutableConfProvider() {
        return parts.configured.configuration.changes();
    }

    // ---- administration ----

    @Override
    public String moveApplication(ApplicationId id, String newQueue) throws YarnException {
        writeLock.lock();
        try {
            return parts.applications.move(id, newQueue);
        } finally {
            writeLock.unlock();
        }
    }

    @Override
    public void preValidateMoveApplication(ApplicationId id, String newQueue) throws YarnException {
        writeLock.lock();
        try {
            parts.applications.checkMove(id, newQueue);
        } finally {
            writeLock.unlock();
        }
    }

    /**
     * Called by the ResourceManager when an application is submitted, while its client waits: the moment to refuse
     * users that may not submit there. Applications that come another way are checked at {@code APP_ADDED}.
     */
    @Override
    public Priority checkAndGetApplicationPriority(
            @Nullable Priority wanted, UserGroupInformation user, String queuePath, ApplicationId id)
            throws YarnException {
        String refusal = isAdmitted(id) ? null : parts.terms.refusal(queuePath, id, user);
        if (refusal != null) {
            throw new YarnException(refusal);
        }
        // YARN's REST makes -1 of a submission that names no priority.
        Priority named = wanted != null && wanted.getPriority() < 0 ? null : wanted;
        return withinCluster(parts.terms.priority(queuePath, user, named));
    }

    /**
     * Maximum lifetime of an application in seconds, from its request and its queue; less than 0 for no limit. Hadoop
     * 3.5 passes the request with the application, 3.4 does not.
     */
    @SuppressWarnings("MissingOverride") // overrides on one of the two lines only
    public long checkAndGetApplicationLifetime(String queuePath, long asked, RMAppImpl app) {
        return checkAndGetApplicationLifetime(queuePath, asked);
    }

    /** See {@link #checkAndGetApplicationLifetime(String, long, RMAppImpl)}. */
    @SuppressWarnings("MissingOverride")
    public long checkAndGetApplicationLifetime(String queuePath, long asked) {
        return parts.terms.lifetime(queuePath, asked);
    }

    @Override
    public long getMaximumApplicationLifetime(String queuePath) {
        return parts.terms.longestLifetime(queuePath);
    }

    private Priority withinCluster(Priority wanted) {
        int most = getMaxClusterLevelAppPriority().getPriority();
        return Priority.newInstance(Math.min(wanted.getPriority(), most));
    }

    @Override
    public Priority updateApplicationPriority(
            Priority wanted, ApplicationId id, SettableFuture<Object> whenStored, UserGroupInformation user)
            throws YarnException {
        writeLock.lock();
        try {
            HeddleApplication application = parts.applications.application(id);
            Priority allowed;
            if (application == null) {
                allowed = wanted;
            } else {
                allowed = parts.terms.priority(application.leaf().getQueueName(), user, wanted);
            }
            return PriorityChange.of(parts.applications, id, withinCluster(allowed), rmContext, whenStored);
        } finally {
            writeLock.unlock();
        }
    }

    /** Whether an application may be submitted even if its queue's access list forbids it. */
    protected boolean isAdmitted(ApplicationId application) {
        return false;
    }

    // ---- pages and REST ----

    @Override
    public SchedulerSnapshot snapshot() {
        return parts.reports.recent();
    }

    @Override
    public Map<String, QueueDetails> queueDetails() {
        return parts.reports.queueDetails(getMaximumResourceCapability());
    }

    @Override
    public ClusterRules.Compatibility compatibility() {
        return parts.queues.rules().compatibility();
    }

    @Override
    public boolean preempts() {
        return parts.queues.spec().preemption().mode() == PreemptionSettings.Mode.ON;
    }

    @Override
    public @Nullable UsageReport usage(UsageQuery query) throws IOException {
        return parts.usage.report(query, writeLock);
    }

    @Override
    public @Nullable List<LimitExceeded> shadowLimits() {
        ShadowLimits shadow = parts.configured.shadow;
        return shadow == null ? null : locked(shadow::shown);
    }

    @Override
    public History history() {
        return parts.reports.history();
    }

    @Override
    public List<ConfigurationChange> configurationChanges() {
        return parts.reports.configurationChanges();
    }

    @Override
    public List<NodeReport> nodes() {
        return parts.reports.nodes();
    }

    @Override
    public @Nullable Waiting why(String applicationId) {
        return parts.reports.why(applicationId);
    }

    /** A snapshot of this instant; does not use the last one. */
    public SchedulerSnapshot takeSnapshot() {
        return parts.reports.now();
    }

    public Collection<HeddleQueue> queues() {
        return parts.queues.all();
    }

    /** Looks at the state under the scheduler's lock. */
    <T> T locked(Supplier<T> look) {
        writeLock.lock();
        try {
            return look.get();
        } finally {
            writeLock.unlock();
        }
    }

    SchedulerReports reports() {
        return parts.reports;
    }
}
