// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.http;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.heddle.scheduler.snapshot.AllocationDelayReport;
import org.heddle.scheduler.snapshot.Metric;
import org.heddle.scheduler.snapshot.SchedulerSnapshot;
import org.heddle.scheduler.snapshot.SchedulerSnapshot.Kind;
import org.heddle.scheduler.snapshot.SchedulerSnapshot.SchedulableReport;

/**
 * A snapshot in Prometheus's text format, 0.0.4: the cluster, the counters, and every queue. Users and applications are
 * left out, because so many short-lived series would fill a time series database.
 */
final class PrometheusText {
    static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    /** The samples of each metric. A metric is named where there is none, too. */
    private final Map<Metric, StringBuilder> families = new EnumMap<>(Metric.class);

    private PrometheusText() {
        for (Metric metric : Metric.values()) {
            families.put(metric, new StringBuilder());
        }
    }

    static String of(SchedulerSnapshot snapshot) {
        PrometheusText all = new PrometheusText();
        all.cluster(snapshot);
        List<SchedulableReport> queues = new ArrayList<>();
        collect(snapshot.root(), queues);
        all.queues(queues);
        StringBuilder text = new StringBuilder();
        all.families.forEach((metric, samples) -> {
            String name = metric.inPrometheus();
            text.append("# HELP ")
                    .append(name)
                    .append(' ')
                    .append(metric.help())
                    .append('\n');
            text.append("# TYPE ")
                    .append(name)
                    .append(' ')
                    .append(metric.type())
                    .append('\n');
            text.append(samples);
        });
        return text.toString();
    }

    private static void collect(SchedulableReport schedulable, List<SchedulableReport> queues) {
        if (schedulable.kind() == Kind.QUEUE) {
            queues.add(schedulable);
            schedulable.children().forEach(child -> collect(child, queues));
        }
    }

    private void cluster(SchedulerSnapshot snapshot) {
        single(Metric.JAIN_INDEX, snapshot.jainIndex());
        single(Metric.NODES, snapshot.nodes());
        single(Metric.RESERVED_NODES, snapshot.reservedNodes());
        perResource(Metric.CAPACITY, "", snapshot.capacity());
        snapshot.pending().forEach((label, asks) -> {
            String of = label("label", label);
            sample(Metric.PENDING_CONTAINERS, of, (double) asks.containers());
            perResource(Metric.PENDING, of + ",", asks.resources());
        });
        single(Metric.CONFIGURATION_REFUSED, snapshot.configuration().problem() == null ? 0 : 1);
        snapshot.counters().forEach((name, count) -> {
            Metric metric = Metric.ofCount(name);
            if (metric != null) {
                single(metric, (double) count);
            }
        });
        allocationDelays(snapshot.allocationDelays());
    }

    private void single(Metric metric, double value) {
        sample(metric, "", value);
    }

    /** @param others labels besides that of the resource, each with a comma behind it */
    private void perResource(Metric metric, String others, Map<String, Long> amounts) {
        amounts.forEach((resource, units) -> sample(metric, others + label("resource", resource), (double) units));
    }

    private void allocationDelays(AllocationDelayReport delays) {
        StringBuilder samples = samples(Metric.ALLOCATION_DELAY_SECONDS);
        String name = Metric.ALLOCATION_DELAY_SECONDS.inPrometheus();
        long within = 0;
        for (int i = 0; i < delays.counts().size(); i++) {
            within += delays.counts().get(i);
            String bound;
            if (i == delays.boundsMillis().size()) {
                bound = "+Inf";
            } else {
                bound = String.valueOf(delays.boundsMillis().get(i) / 1_000.0);
            }
            sample(samples, name + "_bucket", label("le", bound), (double) within);
        }
        sample(samples, name + "_sum", "", delays.totalMillis() / 1_000.0);
        sample(samples, name + "_count", "", (double) within);
    }

    private void queues(List<SchedulableReport> queues) {
        for (SchedulableReport queue : queues) {
            String of = label("queue", queue.path());
            sample(Metric.QUEUE_DOMINANT_SHARE, of, queue.dominantShare());
            sample(Metric.QUEUE_FAIR_SHARE, of, queue.fairShare());
            sample(Metric.QUEUE_DEMAND_SHARE, of, queue.demandShare());
            sample(Metric.QUEUE_WEIGHT, of, queue.weight());
            sample(Metric.QUEUE_RUNNING_CONTAINERS, of, queue.runningContainers());
            sample(Metric.QUEUE_PENDING_CONTAINERS, of, queue.pendingContainers());
            perResource(Metric.QUEUE_USAGE, of + ",", queue.usage());
        }
    }

    private void sample(Metric metric, String labels, double value) {
        sample(samples(metric), metric.inPrometheus(), labels, value);
    }

    private StringBuilder samples(Metric metric) {
        return families.computeIfAbsent(metric, any -> new StringBuilder());
    }

    private static void sample(StringBuilder text, String name, String labels, double value) {
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
