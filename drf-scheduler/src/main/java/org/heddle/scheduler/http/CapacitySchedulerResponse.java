// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.http;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import javax.xml.stream.XMLStreamException;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerHealth;
import org.heddle.scheduler.model.AccessList;
import org.heddle.scheduler.model.QueuePreemptionSettings;
import org.heddle.scheduler.model.QueueSettings;
import org.heddle.scheduler.model.QueueSpec;
import org.heddle.scheduler.policy.FifoOrder;
import org.heddle.scheduler.policy.PriorityOrder;
import org.heddle.scheduler.snapshot.LabelUsage;
import org.heddle.scheduler.snapshot.QueueDetails;
import org.heddle.scheduler.snapshot.SchedulerSnapshot;
import org.heddle.scheduler.snapshot.SchedulerSnapshot.Kind;
import org.heddle.scheduler.snapshot.SchedulerSnapshot.SchedulableReport;
import org.jspecify.annotations.Nullable;

/**
 * The answer of {@code /ws/v1/cluster/scheduler} in CapacityScheduler's form ({@code CapacitySchedulerInfo}), for
 * {@code compatibility="capacity-scheduler"}: a queue's part of its siblings' weights is its capacity, and its limit is
 * its maximum capacity. Templates for automatic queues are empty.
 */
final class CapacitySchedulerResponse {
    private static final double PERCENT = 100;
    private static final String NO_PARTITION = "";
    private static final List<String> TEMPLATES = List.of(
            "autoQueueTemplateProperties", "autoQueueParentTemplateProperties", "autoQueueLeafTemplateProperties");

    private final SchedulerSnapshot snapshot;
    private final Map<String, QueueDetails> details;
    private final @Nullable SchedulerHealth health;
    private final boolean preempts;
    private final AnswerSink sink;

    CapacitySchedulerResponse(SnapshotSource source, AnswerSink sink) {
        this.health = source.getSchedulerHealth();
        this.preempts = source.preempts();
        this.snapshot = source.snapshot();
        this.details = source.queueDetails();
        this.sink = sink;
    }

    /**
     * Parts of the parent and of the cluster, 0 to 1.
     *
     * @param capacity of the parent
     * @param maxCapacity of the parent
     * @param absoluteCapacity of the cluster
     * @param absoluteMaxCapacity of the cluster
     * @param most maximum resources of the queue and of those above it, per resource name
     */
    private record Capacities(
            double capacity,
            double maxCapacity,
            double absoluteCapacity,
            double absoluteMaxCapacity,
            Map<String, Long> most) {}

    void write() throws IOException, XMLStreamException {
        SchedulableReport root = snapshot.root();
        QueueDetails more = of(root);
        Capacities all = new Capacities(1, 1, 1, 1, snapshot.capacity());
        sink.open("scheduler");
        sink.open("schedulerInfo");
        sink.value("type", "capacityScheduler");
        sink.value("schedulerName", "Capacity Scheduler");
        capacities(root, all);
        sink.value("queueName", root.name());
        sink.value("queuePath", root.path());
        sink.value("maxParallelApps", more.spec().maxRunningApps());
        sink.value("isAbsoluteResource", false);
        children(root, all);
        capacitiesByPartition(root, more, all);
        if (health != null) {
            HealthAnswer.write(health, sink);
        }
        sink.resources("maximumAllocation", more.largestContainer());
        kind(root, more);
        sink.close();
        sink.close();
    }

    private QueueDetails of(SchedulableReport queue) {
        QueueDetails found = details.get(queue.path());
        return found == null ? QueueDetails.NONE : found;
    }

    private void capacities(SchedulableReport queue, Capacities parts) throws IOException, XMLStreamException {
        double used = parts.absoluteCapacity() > 0 ? queue.dominantShare() / parts.absoluteCapacity() : 0;
        sink.value("capacity", parts.capacity() * PERCENT);
        sink.value("usedCapacity", used * PERCENT);
        sink.value("maxCapacity", parts.maxCapacity() * PERCENT);
        sink.value("weight", -1.0); // as CapacityScheduler says of queues with capacities in percent
        sink.value("normalizedWeight", 0.0);
        String percent = parts.capacity() * PERCENT + "%";
        sink.open("queueCapacityVectorInfo");
        sink.value(
                "configuredCapacityVector",
                new TreeSet<>(snapshot.capacity().keySet())
                        .stream().map(resource -> resource + "=" + percent).collect(Collectors.joining(",", "[", "]")));
        sink.openList("capacityVectorEntries");
        for (String resource : new TreeSet<>(snapshot.capacity().keySet())) {
            sink.openItem("capacityVectorEntries");
            sink.value("resourceName", resource);
            sink.value("resourceValue", percent);
            sink.close();
        }
        sink.closeList();
        sink.close();
    }

    /** The ordering policy of CapacityScheduler that does the same: of queues, or of the applications of a leaf. */
    private static String orderingPolicy(SchedulableReport queue, QueueSpec spec) {
        if (!queue.queues().isEmpty() || !spec.isLeaf()) {
            return queue.order().equals(PriorityOrder.NAME) ? "priority-utilization" : "utilization";
        }
        return isFifo(spec) ? "fifo" : "fair";
    }

    private static boolean isFifo(QueueSpec leaf) {
        return leaf.userOrder().equals(FifoOrder.NAME);
    }

    private void kind(SchedulableReport queue, QueueDetails more) throws IOException, XMLStreamException {
        sink.value("queuePriority", more.spec().get(QueueSettings.PRIORITY));
        sink.value("orderingPolicyInfo", orderingPolicy(queue, more.spec()));
        sink.value("mode", "percentage");
        sink.value("queueType", queue.queues().isEmpty() ? "leaf" : "parent");
        sink.value("creationMethod", "static");
        sink.value("autoCreationEligibility", "off");
        String usual = more.spec().get(QueueSettings.DEFAULT_NODE_LABEL);
        if (!usual.isEmpty()) {
            sink.value("defaultNodeLabelExpression", usual);
        }
        sink.open("queueAcls");
        sink.openList("queueAcl");
        acl("ADMINISTER_QUEUE", people(more.spec().administer()));
        acl("SUBMIT_APP", people(more.spec().submit()));
        sink.closeList();
        sink.close();
        for (String template : TEMPLATES) {
            sink.open(template);
            sink.close();
        }
    }

    private void acl(String type, String people) throws IOException, XMLStreamException {
        sink.openItem("queueAcl");
        sink.value("accessType", type);
        sink.value("accessControlList", people);
        sink.close();
    }

    /** As YARN writes access lists: users, a blank, groups. */
    private static String people(AccessList list) {
        if (list.everyone()) {
            return "*";
        }
        return String.join(",", new TreeSet<>(list.users())) + " " + String.join(",", new TreeSet<>(list.groups()));
    }

    private void children(SchedulableReport parent, Capacities parts) throws IOException, XMLStreamException {
        List<SchedulableReport> queues = parent.queues();
        if (queues.isEmpty()) {
            return;
        }
        double weights = queues.stream().mapToDouble(SchedulableReport::weight).sum();
        sink.open("queues");
        sink.openList("queue");
        for (SchedulableReport queue : queues) {
            double part = weights > 0 ? queue.weight() / weights : 0;
            double most = parts.absoluteMaxCapacity();
            for (Map.Entry<String, Long> limit : queue.limit().entrySet()) {
                long total = snapshot.capacity().getOrDefault(limit.getKey(), 0L);
                most = total > 0 ? Math.min(most, (double) limit.getValue() / total) : most;
            }
            double ofParent = parts.absoluteMaxCapacity() > 0 ? most / parts.absoluteMaxCapacity() : 0;
            sink.openItem("queue");
            queue(
                    queue,
                    new Capacities(part, ofParent, part * parts.absoluteCapacity(), most, queue.maximum(parts.most())));
            sink.close();
        }
        sink.closeList();
        sink.close();
    }

    private void queue(SchedulableReport queue, Capacities parts) throws IOException, XMLStreamException {
        QueueDetails more = of(queue);
        boolean leaf = queue.queues().isEmpty();
        int running = queue.applications(true);
        int all = queue.applications(false);
        if (leaf) {
            sink.value("type", "capacitySchedulerLeafQueueInfo");
        }
        sink.value("queuePath", queue.path());
        capacities(queue, parts);
        sink.value("absoluteCapacity", parts.absoluteCapacity() * PERCENT);
        sink.value("absoluteMaxCapacity", parts.absoluteMaxCapacity() * PERCENT);
        sink.value("absoluteUsedCapacity", queue.dominantShare() * PERCENT);
        sink.value("numApplications", all);
        sink.value("maxParallelApps", more.spec().maxRunningApps());
        sink.value("queueName", queue.name());
        sink.value("isAbsoluteResource", false);
        String stopped = all > 0 ? "DRAINING" : "STOPPED";
        sink.value("state", more.stopped() ? stopped : "RUNNING");
        children(queue, parts);
        sink.resources("resourcesUsed", queue.usage());
        sink.value("hideReservationQueues", false);
        sink.openList("nodeLabels");
        for (String label : new TreeSet<>(more.spec().get(QueueSettings.NODE_LABELS))) {
            sink.item("nodeLabels", label);
        }
        sink.closeList();
        sink.value("allocatedContainers", more.allocatedContainers());
        sink.value("reservedContainers", more.reservedContainers());
        sink.value("pendingContainers", more.pendingContainers());
        capacitiesByPartition(queue, more, parts);
        resourcesByPartition(queue, more);
        sink.resources("minEffectiveCapacity", ofCluster(parts.absoluteCapacity()));
        sink.resources("maxEffectiveCapacity", parts.most());
        sink.resources("maximumAllocation", more.largestContainer());
        kind(queue, more);
        sink.value("autoCreateChildQueueEnabled", false);
        sink.open("leafQueueTemplate");
        sink.close();
        if (leaf) {
            leaf(queue, more, parts, running, all);
        }
    }

    private void capacitiesByPartition(SchedulableReport queue, QueueDetails more, Capacities parts)
            throws IOException, XMLStreamException {
        sink.open("capacities");
        sink.openList("queueCapacitiesByPartition");
        sink.openItem("queueCapacitiesByPartition");
        sink.value("partitionName", NO_PARTITION);
        capacities(queue, parts);
        sink.value("absoluteCapacity", parts.absoluteCapacity() * PERCENT);
        sink.value("absoluteUsedCapacity", queue.dominantShare() * PERCENT);
        sink.value("absoluteMaxCapacity", parts.absoluteMaxCapacity() * PERCENT);
        sink.value("maxAMLimitPercentage", Math.min(1, more.spec().maxAmShare()) * PERCENT);
        configuredResources();
        sink.resources("effectiveMinResource", ofCluster(parts.absoluteCapacity()));
        sink.resources("effectiveMaxResource", parts.most());
        sink.close();
        for (Map.Entry<String, LabelUsage> label : labels(queue).entrySet()) {
            LabelUsage usage = label.getValue();
            Map<String, Long> most = new TreeMap<>(usage.total());
            most.putAll(usage.limit());
            double capacity = largestPart(usage.guaranteed(), usage.total());
            sink.openItem("queueCapacitiesByPartition");
            sink.value("partitionName", label.getKey());
            sink.value("absoluteCapacity", capacity * PERCENT);
            sink.value("absoluteUsedCapacity", largestPart(usage.used(), usage.total()) * PERCENT);
            sink.value("absoluteMaxCapacity", smallestPart(most, usage.total()) * PERCENT);
            sink.value("maxAMLimitPercentage", Math.min(1, more.spec().maxAmShare()) * PERCENT);
            configuredResources();
            sink.resources("effectiveMinResource", usage.guaranteed());
            sink.resources("effectiveMaxResource", most);
            sink.close();
        }
        sink.closeList();
        sink.close();
    }

    /** Nothing, as CapacityScheduler says of queues with capacities in percent. */
    private void configuredResources() throws IOException, XMLStreamException {
        sink.resources("configuredMinResource", Map.of());
        sink.resources("configuredMaxResource", Map.of());
    }

    /** The nodes without a label are reported as the whole cluster. */
    private static Map<String, LabelUsage> labels(SchedulableReport queue) {
        Map<String, LabelUsage> labels = new TreeMap<>(queue.labels());
        labels.remove(NO_PARTITION);
        return labels;
    }

    private static double largestPart(Map<String, Long> amounts, Map<String, Long> total) {
        return parts(amounts, total).max().orElse(0);
    }

    private static double smallestPart(Map<String, Long> amounts, Map<String, Long> total) {
        return Math.min(1, parts(amounts, total).min().orElse(1));
    }

    private static DoubleStream parts(Map<String, Long> amounts, Map<String, Long> total) {
        return amounts.entrySet().stream()
                .filter(amount -> total.getOrDefault(amount.getKey(), 0L) > 0)
                .mapToDouble(amount -> (double) amount.getValue() / total.getOrDefault(amount.getKey(), 1L));
    }

    /** Begins the list of partitions with that of the nodes without a label. */
    private void openPartitions(
            Map<String, Long> used,
            Map<String, Long> reserved,
            Map<String, Long> pending,
            Map<String, Long> amUsed,
            Map<String, Long> amLimit,
            Map<String, Long> userAmLimit)
            throws IOException, XMLStreamException {
        sink.open("resources");
        sink.openList("resourceUsagesByPartition");
        sink.openItem("resourceUsagesByPartition");
        sink.value("partitionName", NO_PARTITION);
        sink.resources("used", used);
        sink.resources("reserved", reserved);
        sink.resources("pending", pending);
        sink.resources("amUsed", amUsed);
        sink.resources("amLimit", amLimit);
        sink.resources("userAmLimit", userAmLimit);
        sink.close();
    }

    private void resourcesByPartition(SchedulableReport queue, QueueDetails more)
            throws IOException, XMLStreamException {
        openPartitions(queue.usage(), more.reserved(), more.pending(), more.amUsage(), more.amLimit(), more.amLimit());
        for (Map.Entry<String, LabelUsage> label : labels(queue).entrySet()) {
            sink.openItem("resourceUsagesByPartition");
            sink.value("partitionName", label.getKey());
            sink.resources("used", label.getValue().used());
            sink.close();
        }
        sink.closeList();
        sink.close();
    }

    private void leaf(SchedulableReport queue, QueueDetails more, Capacities parts, int running, int all)
            throws IOException, XMLStreamException {
        sink.value("numActiveApplications", running);
        sink.value("numPendingApplications", all - running);
        sink.value("numContainers", more.allocatedContainers());
        sink.value("maxApplications", more.spec().get(QueueSettings.MAX_APPLICATIONS));
        sink.value(
                "maxApplicationsPerUser",
                Math.min(
                        more.spec().get(QueueSettings.MAX_APPLICATIONS_PER_USER),
                        more.spec().get(QueueSettings.MAX_APPLICATIONS)));
        sink.value("userLimit", leastPart(more.spec()) * PERCENT);
        sink.value("userLimitFactor", userLimitFactor(more.spec(), parts));
        sink.open("users");
        sink.openList("user");
        for (SchedulableReport user : queue.children()) {
            if (user.kind() == Kind.USER) {
                int active = user.applications(true);
                sink.openItem("user");
                sink.value("username", user.name());
                sink.resources("resourcesUsed", user.usage());
                sink.value("numPendingApplications", user.applications(false) - active);
                sink.value("numActiveApplications", active);
                sink.resources("AMResourceUsed", Map.of());
                sink.resources("userResourceLimit", user.maximum(parts.most()));
                ofUser(user, more);
                sink.value("userWeight", user.weight());
                sink.value("isActive", user.pendingContainers() > 0);
                sink.close();
            }
        }
        sink.closeList();
        sink.close();
        sink.value("configuredMaxAMResourceLimit", Math.min(1, more.spec().maxAmShare()));
        sink.resources("AMResourceLimit", more.amLimit());
        sink.resources("usedAMResource", more.amUsage());
        sink.resources("userAMResourceLimit", more.amLimit());
        boolean none = !preempts || !more.spec().get(QueueSettings.ALLOW_PREEMPTION_FROM);
        sink.value("preemptionDisabled", none);
        boolean noneWithin = more.spec().get(QueueSettings.USER_PREEMPTION_TIMEOUT) == QueuePreemptionSettings.NEVER;
        sink.value("intraQueuePreemptionDisabled", none || noneWithin);
        sink.value("orderingPolicyDisplayName", isFifo(more.spec()) ? "FifoOrderingPolicy" : "FairOrderingPolicy");
        sink.value("defaultPriority", 0);
        sink.value("isAutoCreatedLeafQueue", false);
        sink.value("maxApplicationLifetime", more.spec().lifetime().mostSeconds());
        sink.value("defaultApplicationLifetime", more.spec().lifetime().grant(0));
    }

    /** The part of a leaf that is promised to each of its users, as its limit of ApplicationMasters says it. */
    private static double leastPart(QueueSpec leaf) {
        double least = leaf.get(QueueSettings.MIN_AM_SHARE_PER_USER);
        double most = leaf.get(QueueSettings.MAX_AM_SHARE_PER_USER);
        return Double.isInfinite(least) || most <= 0 ? 1 : Math.min(1, least / most);
    }

    /** How many times the capacity of a leaf one user may have. */
    private static double userLimitFactor(QueueSpec leaf, Capacities parts) {
        double most = parts.absoluteMaxCapacity();
        for (double part : leaf.maxResourcesPerUser().fraction().values()) {
            most = Math.min(most, part);
        }
        return parts.absoluteCapacity() > 0 ? most / parts.absoluteCapacity() : 1;
    }

    /** On all nodes together; what the user's ApplicationMasters have is not known. */
    private void ofUser(SchedulableReport user, QueueDetails more) throws IOException, XMLStreamException {
        Map<String, Long> pending = new TreeMap<>(user.demand());
        user.usage().forEach((resource, amount) -> pending.merge(resource, -amount, Long::sum));
        openPartitions(user.usage(), Map.of(), pending, Map.of(), Map.of(), more.amLimit());
        sink.closeList();
        sink.close();
    }

    private Map<String, Long> ofCluster(double part) {
        Map<String, Long> amounts = new TreeMap<>();
        snapshot.capacity().forEach((resource, total) -> amounts.put(resource, (long) (total * part)));
        return amounts;
    }
}
