// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.http;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.xml.stream.XMLStreamException;
import org.heddle.scheduler.model.QueueDetails;
import org.heddle.scheduler.model.SchedulerSnapshot;
import org.heddle.scheduler.model.SchedulerSnapshot.Kind;
import org.heddle.scheduler.model.SchedulerSnapshot.SchedulableReport;

/**
 * The answer of {@code /ws/v1/cluster/scheduler} in CapacityScheduler's form ({@code CapacitySchedulerInfo}), for
 * {@code compatibility="capacity-scheduler"}: a queue's part of its siblings' weights is its capacity, and its limit is its
 * maximum capacity. Left out: templates for automatic queues, capacity vectors, access lists, {@code health}, and the
 * limits of users, which have no counterpart.
 */
final class CapacitySchedulerResponse {
    private static final double PERCENT = 100;
    private static final String NO_PARTITION = "";

    private final SchedulerSnapshot snapshot;
    private final Map<String, QueueDetails> details;
    private final AnswerSink sink;

    CapacitySchedulerResponse(SnapshotSource source, AnswerSink sink) {
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
     */
    private record Capacities(
            double capacity, double maxCapacity, double absoluteCapacity, double absoluteMaxCapacity) {}

    void write() throws IOException, XMLStreamException {
        SchedulableReport root = snapshot.root();
        QueueDetails more = of(root);
        Capacities all = new Capacities(1, 1, 1, 1);
        sink.open("scheduler");
        sink.open("schedulerInfo");
        sink.value("type", "capacityScheduler");
        sink.value("schedulerName", "Capacity Scheduler");
        capacities(root, all);
        sink.value("queueName", root.name());
        sink.value("queuePath", root.path());
        sink.value("maxParallelApps", more.maxRunningApplications());
        sink.value("isAbsoluteResource", false);
        children(root, all);
        capacitiesByPartition(root, more, all);
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
    }

    private void kind(SchedulableReport queue, QueueDetails more) throws IOException, XMLStreamException {
        sink.value("queuePriority", more.priority());
        sink.value("orderingPolicyInfo", queue.order());
        sink.value("mode", "percentage");
        sink.value("queueType", queue.queues().isEmpty() ? "leaf" : "parent");
        sink.value("creationMethod", "static");
        sink.value("autoCreationEligibility", "off");
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
            queue(queue, new Capacities(part, ofParent, part * parts.absoluteCapacity(), most));
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
        sink.value("maxParallelApps", more.maxRunningApplications());
        sink.value("queueName", queue.name());
        sink.value("isAbsoluteResource", false);
        sink.value("state", !more.stopped() ? "RUNNING" : all > 0 ? "DRAINING" : "STOPPED");
        children(queue, parts);
        sink.resources("resourcesUsed", queue.usage());
        sink.value("hideReservationQueues", false);
        sink.value("allocatedContainers", more.allocatedContainers());
        sink.value("reservedContainers", more.reservedContainers());
        sink.value("pendingContainers", more.pendingContainers());
        capacitiesByPartition(queue, more, parts);
        resourcesByPartition(queue, more);
        sink.resources("minEffectiveCapacity", ofCluster(parts.absoluteCapacity()));
        sink.resources("maxEffectiveCapacity", queue.maximum(snapshot.capacity()));
        sink.resources("maximumAllocation", more.largestContainer());
        kind(queue, more);
        sink.value("autoCreateChildQueueEnabled", false);
        if (leaf) {
            leaf(queue, more, running, all);
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
        sink.value("maxAMLimitPercentage", Math.min(1, more.maxAmShare()) * PERCENT);
        sink.resources("effectiveMinResource", ofCluster(parts.absoluteCapacity()));
        sink.resources("effectiveMaxResource", queue.maximum(snapshot.capacity()));
        sink.close();
        sink.closeList();
        sink.close();
    }

    private void resourcesByPartition(SchedulableReport queue, QueueDetails more)
            throws IOException, XMLStreamException {
        sink.open("resources");
        sink.openList("resourceUsagesByPartition");
        sink.openItem("resourceUsagesByPartition");
        sink.value("partitionName", NO_PARTITION);
        sink.resources("used", queue.usage());
        sink.resources("reserved", more.reserved());
        sink.resources("pending", more.pending());
        sink.resources("amUsed", more.amUsage());
        sink.resources("amLimit", more.amLimit());
        sink.close();
        sink.closeList();
        sink.close();
    }

    private void leaf(SchedulableReport queue, QueueDetails more, int running, int all)
            throws IOException, XMLStreamException {
        sink.value("numActiveApplications", running);
        sink.value("numPendingApplications", all - running);
        sink.value("numContainers", more.allocatedContainers());
        sink.value("maxApplications", more.maxApplications());
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
                sink.value("userWeight", user.weight());
                sink.value("isActive", user.pendingContainers() > 0);
                sink.close();
            }
        }
        sink.closeList();
        sink.close();
        sink.value("configuredMaxAMResourceLimit", Math.min(1, more.maxAmShare()));
        sink.resources("AMResourceLimit", more.amLimit());
        sink.resources("usedAMResource", more.amUsage());
        sink.value("preemptionDisabled", !more.preemptable());
        sink.value("defaultPriority", 0);
        sink.value("isAutoCreatedLeafQueue", false);
        sink.value("maxApplicationLifetime", more.lifetime().mostSeconds());
        sink.value("defaultApplicationLifetime", more.lifetime().grant(0));
    }

    private Map<String, Long> ofCluster(double part) {
        Map<String, Long> amounts = new TreeMap<>();
        snapshot.capacity().forEach((resource, total) -> amounts.put(resource, (long) (total * part)));
        return amounts;
    }
}
