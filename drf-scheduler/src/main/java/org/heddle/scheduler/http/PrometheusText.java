// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.heddle.scheduler.snapshot.AllocationDelayReport;
import org.heddle.scheduler.snapshot.SchedulerSnapshot;
import org.heddle.scheduler.snapshot.SchedulerSnapshot.Kind;
import org.heddle.scheduler.snapshot.SchedulerSnapshot.SchedulableReport;

/**
 * A snapshot in Prometheus's text format, 0.0.4: the cluster, the counters, and every queue. Users and applications are
 * left out, because so many short-lived series would fill a time series database.
 */
final class PrometheusText {
    static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private final StringBuilder text = new StringBuilder();

    private PrometheusText() {}

    static String of(SchedulerSnapshot snapshot) {
        PrometheusText all = new PrometheusText();
        all.cluster(snapshot);
        List<SchedulableReport> queues = new ArrayList<>();
        collect(snapshot.root(), queues);
        all.queues(queues);
        return all.text.toString();
    }

    private static void collect(SchedulableReport schedulable, List<SchedulableReport> queues) {
        if (schedulable.kind() == Kind.QUEUE) {
            queues.add(schedulable);
            schedulable.children().forEach(child -> collect(child, queues));
        }
    }

    private void cluster(SchedulerSnapshot snapshot) {
        family("heddle_jain_index", "gauge", "Jain's fairness index of the users that wait, 0 to 1.");
        sample("heddle_jain_index", "", snapshot.jainIndex());
        family("heddle_nodes", "gauge", "Nodes that take containers.");
        sample("heddle_nodes", "", snapshot.nodes());
        family("heddle_reserved_nodes", "gauge", "Nodes held for one large ask.");
        sample("heddle_reserved_nodes", "", snapshot.reservedNodes());
        family("heddle_capacity", "gauge", "Capacity of the cluster, in each resource's own unit.");
        snapshot.capacity()
                .forEach((resource, units) -> sample("heddle_capacity", label("resource", resource), (double) units));
        family("heddle_configuration_refused", "gauge", "1 while a newer configuration is refused.");
        sample("heddle_configuration_refused", "", snapshot.configuration().problem() == null ? 0 : 1);
        for (Map.Entry<String, Long> counter : new TreeMap<>(snapshot.counters()).entrySet()) {
            String name = "heddle_" + counter.getKey().replaceAll("[^a-zA-Z0-9_]", "_");
            family(name, "untyped", "Counted since start: " + counter.getKey() + ".");
            sample(name, "", (double) counter.getValue());
        }
        allocationDelays(snapshot.allocationDelays());
    }

    private void allocationDelays(AllocationDelayReport delays) {
        String name = "heddle_allocation_delay_seconds";
        family(name, "histogram", "Time from the request for a container to its allocation.");
        long within = 0;
        for (int i = 0; i < delays.counts().size(); i++) {
            within += delays.counts().get(i);
            String bound;
            if (i == delays.boundsMillis().size()) {
                bound = "+Inf";
            } else {
                bound = String.valueOf(delays.boundsMillis().get(i) / 1_000.0);
            }
            sample(name + "_bucket", label("le", bound), (double) within);
        }
        sample(name + "_sum", "", delays.totalMillis() / 1_000.0);
        sample(name + "_count", "", (double) within);
    }

    private void queues(List<SchedulableReport> queues) {
        perQueue(
                queues,
                "heddle_queue_dominant_share",
                "Part of the cluster that it has of its dominant resource, 0 to 1.",
                SchedulableReport::dominantShare);
        perQueue(
                queues,
                "heddle_queue_fair_share",
                "Dominant share that would be fair now, 0 to 1.",
                SchedulableReport::fairShare);
        perQueue(
                queues,
                "heddle_queue_demand_share",
                "Dominant share if all asks were met.",
                SchedulableReport::demandShare);
        perQueue(queues, "heddle_queue_weight", "Weight against its siblings.", SchedulableReport::weight);
        perQueue(queues, "heddle_queue_running_containers", "Containers held.", SchedulableReport::runningContainers);
        perQueue(
                queues,
                "heddle_queue_pending_containers",
                "Containers asked for.",
                SchedulableReport::pendingContainers);
        family("heddle_queue_usage", "gauge", "Usage of the queue, in each resource's own unit.");
        for (SchedulableReport queue : queues) {
            queue.usage()
                    .forEach((resource, units) -> sample(
                            "heddle_queue_usage",
                            label("queue", queue.path()) + "," + label("resource", resource),
                            (double) units));
        }
    }

    private void perQueue(
            List<SchedulableReport> queues, String name, String help, ToDoubleFunction<SchedulableReport> value) {
        family(name, "gauge", help);
        queues.forEach(queue -> sample(name, label("queue", queue.path()), value.applyAsDouble(queue)));
    }

    private void family(String name, String type, String help) {
        text.append("# HELP ").append(name).append(' ').append(help).append('\n');
        text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    }

    private void sample(String name, String labels, double value) {
        text.append(name);
        if (!labels.isEmpty()) {
            text.append('{').append(labels).append('}');
        }
        String shown;
        if (Double.isNaN(value)) {
            shown = "NaN";
        } else if (Double.isInfinite(value)) {
            shown = "+Inf";
        } else {
            shown = String.valueOf(value);
        }
        text.append(' ').append(shown).append('\n');
    }

    private static String label(String name, String value) {
        return name + "=\"" + value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + "\"";
    }
}
