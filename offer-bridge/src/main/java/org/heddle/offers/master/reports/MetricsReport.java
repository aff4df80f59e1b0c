// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.reports;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.mesos.v1.Protos.TaskState;
import org.apache.mesos.v1.scheduler.Protos.Call;
import org.heddle.offers.master.state.AgentContainer;
import org.heddle.offers.master.state.ClusterState;
import org.heddle.offers.wire.Json;

/** The metrics of the bridge, for Prometheus and in Mesos' form. The figures are sums over all frameworks. */
public final class MetricsReport {
    private static final String PREFIX = "heddle_bridge_";

    private MetricsReport() {}

    /**
     * One metric.
     *
     * @param name without prefix
     * @param type {@code gauge} or {@code counter}; counters begin with 0 when the bridge becomes leader
     * @param help one line for operators
     */
    record Metric(String name, String type, String help, long value) {}

    static List<Metric> metrics(StateView view) {
        List<Metric> metrics = new ArrayList<>();
        ClusterState state = view.state();
        gauge(
                metrics,
                "frameworks",
                "Frameworks, with those that are disconnected",
                state.frameworks().size());
        gauge(
                metrics,
                "frameworks_connected",
                "Frameworks with an open event stream",
                state.frameworks().values().stream()
                        .filter(framework -> framework.isConnected())
                        .count());
        gauge(
                metrics,
                "offers_outstanding",
                "Offers that wait for an answer",
                state.offers().size());
        gauge(
                metrics,
                "containers",
                "Containers that the bridge holds",
                state.containers().size());
        gauge(
                metrics,
                "agents_connected",
                "Agents that are connected",
                state.containers().values().stream()
                        .filter(container -> container.link() != null)
                        .count());
        gauge(
                metrics,
                "sandboxes_ended",
                "Sandboxes of ended tasks and executors that agents keep",
                state.containers().values().stream()
                        .mapToLong(AgentContainer::endedSandboxes)
                        .sum());
        gauge(
                metrics,
                "sandboxes_deleted",
                "Sandboxes that the agents of the present containers have deleted",
                state.containers().values().stream()
                        .mapToLong(AgentContainer::deletedSandboxes)
                        .sum());
        gauge(
                metrics,
                "tasks",
                "Tasks that run or start, and ended ones whose last update is not acknowledged",
                state.frameworks().values().stream()
                        .mapToLong(framework -> framework.tasks().size())
                        .sum());
        gauge(
                metrics,
                "warnings",
                "Warnings that the console shows at present",
                view.warnings().sentences().size());
        counter(
                metrics,
                "errors_contained",
                "Changes of the state and effects that failed inside the bridge; the log has each one",
                view.errors());
        view.counters().events().forEach((event, value) -> counter(metrics, event.metric(), event.help(), value));
        view.counters().calls().forEach((call, value) -> {
            if (call != Call.Type.UNKNOWN && call != Call.Type.SUBSCRIBE) {
                counter(metrics, "calls_" + lower(call), "Calls of schedulers of the type " + call, value);
            }
        });
        for (TaskState update : TaskState.values()) {
            counter(
                    metrics,
                    "updates_" + lower(update),
                    "Status updates to " + update,
                    view.counters().updates().getOrDefault(update, 0L));
        }
        return metrics;
    }

    private static void gauge(List<Metric> metrics, String name, String help, long value) {
        metrics.add(new Metric(name, "gauge", help, value));
    }

    private static void counter(List<Metric> metrics, String name, String help, long value) {
        metrics.add(new Metric(name, "counter", help, value));
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    public static byte[] json(StateView view) {
        return Json.object(out -> {
            out.writeNumberField("master/uptime_secs", (view.now() - view.startedAt()) / 1000.0);
            out.writeNumberField("master/elected", 1);
            for (Metric metric : metrics(view)) {
                out.writeNumberField("bridge/" + metric.name(), metric.value());
            }
        });
    }

    /** The metrics in Prometheus' text format. */
    public static byte[] text(StateView view) {
        StringBuilder text = new StringBuilder();
        for (Metric metric : metrics(view)) {
            String name = PREFIX + metric.name();
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
            text.append(name).append(' ').append(metric.value()).append('\n');
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }
}
