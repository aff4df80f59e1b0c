// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.queue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.QueueACL;
import org.apache.hadoop.yarn.api.records.QueueInfo;
import org.apache.hadoop.yarn.api.records.QueueState;
import org.apache.hadoop.yarn.api.records.QueueStatistics;
import org.apache.hadoop.yarn.api.records.QueueUserACLInfo;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractUsersManager;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ActiveUsersManager;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Queue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.QueueMetrics;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplication;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.heddle.scheduler.engine.Schedulable;
import org.heddle.scheduler.model.QueueSettings;
import org.heddle.scheduler.model.QueueSpec;
import org.heddle.scheduler.model.Vectors;
import org.jspecify.annotations.Nullable;

/** A queue as YARN sees it: name, metrics, access, statistics. The engine decides which resources it gets. */
public final class HeddleQueue implements Queue {
    private volatile QueueSpec spec;
    private final @Nullable HeddleQueue parent;
    private final Schedulable schedulable;
    private final QueueLimits limits;
    private final QueueMetrics metrics;
    private final ActiveUsersManager activeUsers;
    private final QueueAccess access;
    private volatile boolean made;
    private volatile boolean planned;
    private volatile boolean draining;

    private final String schedulerName;
    private final Map<String, HeddleQueue> children = Collections.synchronizedMap(new LinkedHashMap<>());

    /** Applications assigned to this leaf, in order of arrival. */
    private final Set<SchedulerApplication<?>> applications = Collections.synchronizedSet(new LinkedHashSet<>());

    /** The users of this leaf; changed by {@link QueueTree}, as all below under the scheduler's lock. */
    private final Map<String, Schedulable> users = new HashMap<>();

    private final Map<String, Integer> runningOfUser = new HashMap<>();
    /** The number of applications of each user, here and below. */
    private final Map<String, Integer> applicationsOfUser = new ConcurrentHashMap<>();

    /** By resource, the part of the cluster that it is entitled to while all queues are busy. */
    private double[] capacity;

    private final OffNodeCost offNodeCost = new OffNodeCost();

    private int running;
    /** Usage of the ApplicationMasters of this leaf, per resource, and their number. */
    private final long[] masterUsage;

    private final Map<String, long[]> masterUsageOfUser = new HashMap<>();

    private int masters;

    /**
     * Usage of this queue by node label, per resource. What it has on nodes without a label is the rest of its usage.
     */
    private final Map<String, long[]> usageByLabel = new ConcurrentHashMap<>();

    /**
     * The weights of the queues below it at the last {@link #sampleWeights}, by resource; null if one was added since.
     */
    private volatile double @Nullable [] sampledWeights;

    HeddleQueue(
            QueueSpec spec,
            @Nullable HeddleQueue parent,
            Schedulable schedulable,
            QueueLimits limits,
            QueueAccess access,
            Configuration conf,
            String schedulerName) {
        this.spec = spec;
        this.parent = parent;
        this.schedulable = schedulable;
        this.limits = limits;
        schedulable.attach(this);
        this.schedulerName = schedulerName;
        this.metrics = FairQueueMetrics.forQueue(spec.path(), parent, conf);
        this.activeUsers = new ActiveUsersManager(metrics);
        this.access = access;
        this.masterUsage = new long[schedulable.usage().length];
        this.capacity = new double[masterUsage.length];
        if (parent != null) {
            parent.children.put(spec.name(), this);
            parent.sampledWeights = null;
        }
    }

    /** Whether it pays to wait for a node here, by what its containers showed. */
    public OffNodeCost offNodeCost() {
        return offNodeCost;
    }

    public QueueSpec spec() {
        return spec;
    }

    public void setSpec(QueueSpec changed) {
        spec = changed;
    }

    /** The part of a resource of the cluster that it is entitled to while all queues are busy, 0 to 1. */
    public double capacity(int resource) {
        return capacity[resource];
    }

    void setCapacity(double[] parts) {
        capacity = parts;
    }

    /** Whether it was created without configuration, and is removed when it is empty. */
    boolean isNew() {
        return made;
    }

    void setNew(boolean now) {
        made = now;
    }

    /** Whether the configuration no longer has it: it takes no more applications, and is removed when it is empty. */
    boolean isDraining() {
        return draining;
    }

    void setDraining(boolean now) {
        draining = now;
    }

    /** Whether it is inside a plan: for a reservation, or for applications without one. */
    public boolean isPlanned() {
        return planned;
    }

    public void setPlanned(boolean now) {
        planned = now;
    }

    @Nullable
    public HeddleQueue parent() {
        return parent;
    }

    public Schedulable schedulable() {
        return schedulable;
    }

    public List<HeddleQueue> children() {
        synchronized (children) {
            return new ArrayList<>(children.values());
        }
    }

    void forgetChild(HeddleQueue child) {
        children.remove(child.spec.name());
    }

    public boolean isLeaf() {
        return spec.isLeaf();
    }

    public void add(SchedulerApplication<?> application) {
        applications.add(application);
        count(application.getUser(), 1);
    }

    public void remove(SchedulerApplication<?> application) {
        if (applications.remove(application)) {
            count(application.getUser(), -1);
        }
    }

    private void count(String user, int sign) {
        for (HeddleQueue queue = this; queue != null; queue = queue.parent) {
            queue.applicationsOfUser.merge(user, sign, Integer::sum);
            queue.applicationsOfUser.remove(user, 0);
        }
    }

    /**
     * Adds containers of one size that an application of a user asks for to the gauges of this leaf and of the queues
     * above; fewer than 0 are not asked for any more. Any thread.
     *
     * @param partition empty for nodes without a label
     */
    public void addPending(String partition, String user, int containers, Resource each) {
        limits.pending().add(partition, containers, each);
        for (HeddleQueue queue = this; queue != null; queue = queue.parent) {
            if (queue.metrics instanceof FairQueueMetrics own) {
                own.addPending(partition, user, containers, each);
            }
        }
    }

    /** Removes the metrics of a user where it has no application: in this leaf and in the queues above. */
    void forgetMetricsIfIdle(String user) {
        for (HeddleQueue queue = this; queue != null; queue = queue.parent) {
            if (!queue.applicationsOfUser.containsKey(user) && queue.metrics instanceof FairQueueMetrics own) {
                own.forgetUser(user);
            }
        }
    }

    /** Removes the metrics of this queue, which is gone. */
    void unregisterMetrics() {
        if (metrics instanceof FairQueueMetrics own) {
            own.unregister();
        }
    }

    /** The current attempts of its applications and of those below it. */
    public List<ApplicationAttemptId> currentAttempts() {
        List<ApplicationAttemptId> ids = new ArrayList<>();
        for (SchedulerApplication<?> application : applications()) {
            SchedulerApplicationAttempt attempt = application.getCurrentAppAttempt();
            if (attempt != null) {
                ids.add(attempt.getApplicationAttemptId());
            }
        }
        return ids;
    }

    /** Applications of this leaf, or of all leaves below, in order of arrival within each. */
    public List<SchedulerApplication<?>> applications() {
        List<SchedulerApplication<?>> all;
        synchronized (applications) {
            all = new ArrayList<>(applications);
        }
        for (HeddleQueue child : children()) {
            all.addAll(child.applications());
        }
        return all;
    }

    /** The number of {@link #applications}, without a list of them. */
    private int applicationCount() {
        int count = applications.size();
        for (HeddleQueue child : children()) {
            count += child.applicationCount();
        }
        return count;
    }

    /** The users of this leaf that have applications, by name; unmodifiable. */
    public Map<String, Schedulable> users() {
        return Collections.unmodifiableMap(users);
    }

    void addUser(String user, Schedulable schedulable) {
        users.put(user, schedulable);
    }

    void removeUser(String user) {
        users.remove(user);
    }

    /**
     * Counts an application of a user that starts (1) or stops (-1) to run in this leaf, here and in all queues above.
     */
    public void countRunning(String user, int sign) {
        runningOfUser.merge(user, sign, Integer::sum);
        runningOfUser.remove(user, 0);
        for (HeddleQueue queue = this; queue != null; queue = queue.parent) {
            queue.running += sign;
        }
    }

    /** Number of running applications in this queue and below it. */
    public int running() {
        return running;
    }

    /** Number of running applications of each user in this leaf; unmodifiable. */
    public Map<String, Integer> runningOfUser() {
        return Collections.unmodifiableMap(runningOfUser);
    }

    /** Counts an ApplicationMaster of a user that starts (1) or ends (-1) in this leaf. */
    public void countMaster(String user, long[] size, int sign) {
        Vectors.add(masterUsage, size, sign);
        masters += sign;
        long[] own = masterUsageOfUser.computeIfAbsent(user, any -> new long[size.length]);
        Vectors.add(own, size, sign);
        if (Arrays.stream(own).allMatch(amount -> amount == 0)) {
            masterUsageOfUser.remove(user);
        }
    }

    /**
     * Counts containers that start (1) or end (-1) in this leaf on nodes of a partition, here and in all queues above.
     * Nothing is done for nodes without a label.
     */
    public void countUsage(String partition, long[] amount, int sign) {
        if (partition.isEmpty()) {
            return;
        }
        for (HeddleQueue queue = this; queue != null; queue = queue.parent) {
            long[] sum = queue.usageByLabel.computeIfAbsent(partition, any -> new long[masterUsage.length]);
            Vectors.add(sum, amount, sign);
        }
    }

    /** Usage of this queue on nodes with a label, of one resource. */
    public long usageOn(String label, int resource) {
        long[] sum = usageByLabel.get(label);
        return sum == null ? 0 : sum[resource];
    }

    /** The labels on whose nodes it has a capacity or has had containers. */
    public Set<String> labels() {
        Set<String> all = new TreeSet<>(usageByLabel.keySet());
        all.addAll(spec.partitions().capacities().keySet());
        return all;
    }

    /** Number of running ApplicationMasters in this leaf. */
    public int masters() {
        return masters;
    }

    /** Usage of the ApplicationMasters of this leaf, of one resource. */
    public long masterUsage(int resource) {
        return masterUsage[resource];
    }

    /** Usage of the ApplicationMasters of a user in this leaf, of one resource. */
    public long masterUsage(String user, int resource) {
        long[] own = masterUsageOfUser.get(user);
        return own == null ? 0 : own[resource];
    }

    @Override
    public String getQueueName() {
        return spec.path();
    }

    @Override
    public QueueMetrics getMetrics() {
        return metrics;
    }

    /** Why a user may not submit an application here, in one sentence; null if they may. */
    @Nullable
    public String refusal(ApplicationId id, UserGroupInformation user) {
        if (hasAccess(QueueACL.SUBMIT_APPLICATIONS, user) || hasAccess(QueueACL.ADMINISTER_QUEUE, user)) {
            return null;
        }
        String plugIn = access.plugIn();
        String way = "ask for a place in its <submit> list";
        if (plugIn != null) {
            way = "the authorization plug-in " + plugIn + " decides; ask for a policy there";
        }
        return "User " + user.getShortUserName() + " does not have permission to submit " + id + " to queue "
                + getQueueName() + ": " + way;
    }

    /**
     * Why this queue or one above it takes no more applications of a user, as the end of a sentence; null if it takes
     * one.
     *
     * @param shared the first queue above that already has the application; null if none has it
     */
    public @Nullable String closed(String user, @Nullable HeddleQueue shared) {
        for (HeddleQueue at = this; at != null && at != shared; at = at.parent) {
            if (at.draining) {
                return "queue " + at.getQueueName() + " is no longer in the configuration file and is removed when its"
                        + " last application has ended; name another queue";
            }
            if (at.spec.get(QueueSettings.STOPPED)) {
                return "queue " + at.getQueueName()
                        + " is stopped; it takes applications again when an administrator sets"
                        + " its <state> to running";
            }
            int most = at.spec.get(QueueSettings.MAX_APPLICATIONS);
            int present = most == Integer.MAX_VALUE ? 0 : at.applicationCount();
            if (present >= most) {
                return "queue " + at.getQueueName() + " has " + present
                        + " applications, running and waiting, and its <max-applications> is " + most
                        + "; submit again when one has ended";
            }
        }
        int ofUser = spec.get(QueueSettings.MAX_APPLICATIONS_PER_USER);
        if (this != shared && applicationsOfUser.getOrDefault(user, 0) >= ofUser) {
            return "queue " + getQueueName() + " has " + applicationsOfUser.getOrDefault(user, 0)
                    + " applications of user "
                    + user + ", running and waiting, and its <max-applications-per-user> is " + ofUser
                    + "; submit again when one has ended";
        }
        return null;
    }

    private QueueState state() {
        boolean stopped = false;
        for (HeddleQueue at = this; at != null; at = at.parent) {
            stopped |= at.draining || at.spec.get(QueueSettings.STOPPED);
        }
        if (!stopped) {
            return QueueState.RUNNING;
        }
        return applicationCount() == 0 ? QueueState.STOPPED : QueueState.DRAINING;
    }

    @Override
    public boolean hasAccess(QueueACL acl, UserGroupInformation user) {
        return access.allows(this, acl, user);
    }

    @Override
    public List<QueueUserACLInfo> getQueueUserAclInfo(UserGroupInformation user) {
        Map<QueueACL, Boolean> granted = new EnumMap<>(QueueACL.class);
        for (QueueACL acl : QueueACL.values()) {
            if (hasAccess(acl, user)) {
                granted.put(acl, true);
            }
        }
        List<QueueUserACLInfo> infos = new ArrayList<>();
        infos.add(QueueUserACLInfo.newInstance(spec.path(), new ArrayList<>(granted.keySet())));
        for (HeddleQueue child : children()) {
            infos.addAll(child.getQueueUserAclInfo(user));
        }
        return infos;
    }

    @Override
    public QueueInfo getQueueInfo(boolean includeChildQueues, boolean recursive) {
        return info(steadyPart(), includeChildQueues, recursive);
    }

    private QueueInfo info(double part, boolean includeChildQueues, boolean recursive) {
        QueueInfo info = org.apache.hadoop.yarn.util.Records.newRecord(QueueInfo.class);
        double held = Double.isInfinite(schedulable.normalizedShare()) ? 0 : schedulable.normalizedShare();
        info.setSchedulerType(schedulerName);
        info.setQueueName(spec.path());
        info.setQueuePath(spec.path());
        info.setCapacity((float) part);
        info.setMaximumCapacity((float) limits.partOfParent(this));
        info.setWeight((float) schedulable.weight(0));
        info.setMaxParallelApps(spec.maxRunningApps());
        info.setCurrentCapacity((float) held);
        info.setQueueState(state());
        info.setQueueStatistics(statistics());
        info.setAccessibleNodeLabels(getAccessibleNodeLabels());
        info.setDefaultNodeLabelExpression(getDefaultNodeLabelExpression());
        info.setPreemptionDisabled(!spec.get(QueueSettings.ALLOW_PREEMPTION_FROM));
        List<QueueInfo> below = new ArrayList<>();
        if (includeChildQueues) {
            double[] all = weightsBelow();
            for (HeddleQueue child : children()) {
                below.add(child.info(child.partOf(all), recursive, recursive));
            }
        }
        info.setChildQueues(below);
        return info;
    }

    /**
     * Its part of the cluster by weight, when all queues are busy, as of the last {@link #sampleWeights}. Any thread;
     * the time does not depend on the number of queues, because each heartbeat of an ApplicationMaster asks for it.
     */
    public double partOfCluster() {
        double part = 1;
        for (HeddleQueue at = this; at.parent != null; at = at.parent) {
            double[] siblings = at.parent.sampledWeights;
            part *= at.partOf(siblings == null ? at.parent.weightsBelow() : siblings);
        }
        return Math.min(1, part);
    }

    /** Adds up the weights of the queues below it. */
    void sampleWeights() {
        sampledWeights = weightsBelow();
    }

    /** Its part of its parent by weight, when all queues are busy; the largest over all resources. */
    private double steadyPart() {
        return parent == null ? 1 : partOf(parent.weightsBelow());
    }

    /**
     * Its part of its parent by weight; the largest over all resources.
     *
     * @param siblings {@link #weightsBelow} of the parent
     */
    public double partOf(double[] siblings) {
        double most = 0;
        for (int j = 0; j < siblings.length; j++) {
            most = Math.max(most, siblings[j] > 0 ? schedulable.weight(j) / siblings[j] : 0);
        }
        return most;
    }

    /** The sum of the weights of the child queues, by resource. */
    public double[] weightsBelow() {
        double[] sums = new double[masterUsage.length];
        for (HeddleQueue child : children()) {
            for (int j = 0; j < sums.length; j++) {
                sums[j] += child.schedulable.weight(j);
            }
        }
        return sums;
    }

    private QueueStatistics statistics() {
        QueueStatistics statistics = org.apache.hadoop.yarn.util.Records.newRecord(QueueStatistics.class);
        statistics.setNumAppsSubmitted(metrics.getAppsSubmitted());
        statistics.setNumAppsRunning(metrics.getAppsRunning());
        statistics.setNumAppsPending(metrics.getAppsPending());
        statistics.setNumAppsCompleted(metrics.getAppsCompleted());
        statistics.setNumAppsKilled(metrics.getAppsKilled());
        statistics.setNumAppsFailed(metrics.getAppsFailed());
        statistics.setNumActiveUsers(metrics.getActiveUsers());
        statistics.setAvailableMemoryMB(metrics.getAvailableMB());
        statistics.setAllocatedMemoryMB(metrics.getAllocatedMB());
        statistics.setPendingMemoryMB(metrics.getPendingMB());
        statistics.setReservedMemoryMB(metrics.getReservedMB());
        statistics.setAvailableVCores(metrics.getAvailableVirtualCores());
        statistics.setAllocatedVCores(metrics.getAllocatedVirtualCores());
        statistics.setPendingVCores(metrics.getPendingVirtualCores());
        statistics.setReservedVCores(metrics.getReservedVirtualCores());
        statistics.setAllocatedContainers(metrics.getAllocatedContainers());
        statistics.setPendingContainers(metrics.getPendingContainers());
        statistics.setReservedContainers(metrics.getReservedContainers());
        return statistics;
    }

    @Override
    public AbstractUsersManager getAbstractUsersManager() {
        return activeUsers;
    }

    /** Nothing to do: the attempt's own recovery counts the container in the engine. */
    @Override
    public void recoverContainer(Resource cluster, SchedulerApplicationAttempt attempt, RMContainer container) {}

    @Override
    public Set<String> getAccessibleNodeLabels() {
        return spec.get(QueueSettings.NODE_LABELS);
    }

    @Override
    public @Nullable String getDefaultNodeLabelExpression() {
        String usual = spec.get(QueueSettings.DEFAULT_NODE_LABEL);
        return usual.isEmpty() ? null : usual;
    }

    /** Pending resources are counted by the engine and by {@link #addPending}. */
    @Override
    public void incPendingResource(String nodeLabel, Resource amount) {}

    /** See {@link #incPendingResource}. */
    @Override
    public void decPendingResource(String nodeLabel, Resource amount) {}

    @Override
    public Priority getDefaultApplicationPriority() {
        return Priority.newInstance(0);
    }

    /** Reserved resources are counted by {@link QueueMetrics}. */
    @Override
    public void incReservedResource(String partition, Resource amount) {}

    /** See {@link #incReservedResource}. */
    @Override
    public void decReservedResource(String partition, Resource amount) {}

    @Override
    public String toString() {
        return spec.path();
    }
}
