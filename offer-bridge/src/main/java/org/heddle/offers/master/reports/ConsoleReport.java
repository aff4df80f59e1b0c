// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.reports;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.heddle.offers.master.cluster.ClusterNode;
import org.heddle.offers.master.state.AgentContainer;
import org.heddle.offers.master.state.ClusterState;
import org.heddle.offers.master.state.Counters.Counter;
import org.heddle.offers.master.state.EndedTask;
import org.heddle.offers.master.state.Framework;
import org.heddle.offers.master.state.FrameworkRole;
import org.heddle.offers.master.state.FrameworkTask;
import org.heddle.offers.master.state.InverseOffer;
import org.heddle.offers.master.state.OutstandingOffer;
import org.heddle.offers.model.Resources;
import org.heddle.offers.wire.Json;

/** The figures of the console, as JSON. The format belongs to the page and may change with it. */
public final class ConsoleReport {
    private static final int MOST_TASKS = 200;
    /** The counters, each with a sentence for users whose tasks wait. */
    private static final Map<Counter, String> REASONS = new LinkedHashMap<>();

    static {
        REASONS.put(Counter.OFFERS_DECLINED, "declined by the framework");
        REASONS.put(Counter.OFFERS_EXPIRED, "not answered in time");
        REASONS.put(
                Counter.OFFERS_RESCINDED, "rescinded: expired, wanted by the cluster, or the framework disconnected");
        REASONS.put(Counter.ALLOCATED_CONTAINERS_REJECTED, "container allocated by YARN that was no longer needed");
        REASONS.put(Counter.TASKS_REFUSED, "task refused: not valid, too large, or its offer was gone");
        REASONS.put(Counter.CONTAINERS_PREEMPTION_REQUESTED, "container that YARN's scheduler will preempt");
        REASONS.put(Counter.IDLE_EXECUTORS_ASKED_FOR, "executor without tasks that the framework was asked to end");
        REASONS.put(Counter.LEASES_EXPIRED, "container drained after its lease");
        REASONS.put(
                Counter.SCHEDULERS_THAT_DO_NOT_SHARE,
                "YARN did not share between frameworks: the log names the setting");
        REASONS.put(
                Counter.FRAMEWORKS_NEVER_PLACED,
                "framework without a container although there is room: the log says why");
        REASONS.put(Counter.APPLICATIONS_REFUSED, "YARN refused the framework's application");
    }

    private ConsoleReport() {}

    public static byte[] data(StateView view) {
        return Json.object(out -> write(view, out));
    }

    private static void write(StateView view, JsonGenerator out) throws IOException {
        ClusterState state = view.state();
        Resources cluster = state.total();
        out.writeNumberField("now", view.date());
        out.writeNumberField("up_seconds", (view.now() - view.startedAt()) / 1000.0);
        StateReport.writeResources("cluster", cluster, out);
        out.writeNumberField("containers", state.containers().size());
        out.writeNumberField(
                "tasks_total",
                state.frameworks().values().stream()
                        .mapToInt(framework -> framework.tasks().size())
                        .sum());
        out.writeArrayFieldStart("warnings");
        for (String warning : view.warnings().sentences()) {
            out.writeString(warning);
        }
        out.writeEndArray();
        frameworks(view, cluster, out);
        offers(view, out);
        inverse(view, out);
        tasks(view, out);
        ended(view, out);
        out.writeObjectFieldStart("reasons");
        Map<Counter, Long> counts = view.counters().events();
        for (Map.Entry<Counter, String> reason : REASONS.entrySet()) {
            long times = counts.getOrDefault(reason.getKey(), 0L);
            if (times > 0) {
                out.writeNumberField(reason.getValue(), times);
            }
        }
        out.writeEndObject();
        agents(view, out);
        history(view, out);
    }

    private static void frameworks(StateView view, Resources cluster, JsonGenerator out) throws IOException {
        out.writeArrayFieldStart("frameworks");
        for (Framework framework : view.frameworks()) {
            out.writeStartObject();
            out.writeStringField("id", framework.id());
            out.writeStringField("name", framework.info().getName());
            out.writeStringField("user", framework.info().getUser());
            out.writeBooleanField("connected", framework.isConnected());
            out.writeNumberField("share", ShareHistory.share(framework, cluster));
            out.writeNumberField("tasks", framework.tasks().size());
            out.writeNumberField("offers", framework.offers().size());
            out.writeNumberField("accepted", framework.accepted());
            out.writeNumberField("declined", framework.declined());
            out.writeNumberField("expired", framework.expired());
            out.writeBooleanField(
                    "suppressed", framework.roles().values().stream().allMatch(role -> role.isSuppressed()));
            out.writeArrayFieldStart("roles");
            StringBuilder asks = new StringBuilder();
            for (FrameworkRole role : framework.roles().values()) {
                out.writeString(role.name());
                asks.append(asks.length() > 0 ? "; " : "")
                        .append(role.asked().count())
                        .append(" x ")
                        .append(role.asked().size());
            }
            out.writeEndArray();
            out.writeStringField("asks", asks.toString());
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    private static void offers(StateView view, JsonGenerator out) throws IOException {
        out.writeArrayFieldStart("offers");
        for (OutstandingOffer offer : view.state().offers().values()) {
            if (!view.shows(offer.container().role().framework())) {
                continue;
            }
            out.writeStartObject();
            out.writeStringField("id", offer.id().substring(offer.id().lastIndexOf('-') + 1));
            out.writeStringField(
                    "framework", offer.container().role().framework().info().getName());
            out.writeStringField("agent", offer.container().hostname());
            StateReport.writeResources("resources", offer.resources(), out);
            out.writeBooleanField("only_short", offer.maxTaskMillis() > 0);
            out.writeNumberField("age_seconds", (view.now() - offer.since()) / 1000.0);
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    private static void inverse(StateView view, JsonGenerator out) throws IOException {
        out.writeArrayFieldStart("inverse");
        for (Framework framework : view.frameworks()) {
            for (InverseOffer inverse : framework.inverseOffers()) {
                AgentContainer container = inverse.container();
                out.writeStartObject();
                out.writeStringField("id", inverse.id());
                out.writeStringField("framework", framework.info().getName());
                out.writeStringField("agent", container == null ? "" : container.hostname());
                StateReport.writeResources("resources", inverse.amount(), out);
                out.writeNumberField("left_seconds", (inverse.start() - view.now()) / 1000.0);
                out.writeEndObject();
            }
        }
        out.writeEndArray();
    }

    private static void tasks(StateView view, JsonGenerator out) throws IOException {
        out.writeArrayFieldStart("tasks");
        int left = MOST_TASKS;
        for (Framework framework : view.frameworks()) {
            for (FrameworkTask task : framework.tasks().values()) {
                if (left-- <= 0) {
                    break;
                }
                out.writeStartObject();
                out.writeStringField("id", task.id());
                out.writeStringField("framework", framework.info().getName());
                out.writeStringField("agent", task.container().hostname());
                out.writeStringField("state", task.state().name());
                StateReport.writeResources("resources", task.resources(), out);
                out.writeStringField("sandbox", "/" + task.container().id() + "/" + task.sandbox());
                out.writeEndObject();
            }
        }
        out.writeEndArray();
    }

    private static void ended(StateView view, JsonGenerator out) throws IOException {
        out.writeArrayFieldStart("ended");
        for (EndedTask task : view.state().endedTasks()) {
            if (!view.viewer().isEmpty() && !view.viewer().equals(task.principal())) {
                continue;
            }
            boolean held = view.state().containers().containsKey(task.containerId());
            out.writeStartObject();
            out.writeStringField("id", task.id());
            out.writeStringField("framework", task.framework());
            out.writeStringField("agent", task.hostname());
            out.writeStringField("state", task.state());
            out.writeStringField("message", task.message());
            StateReport.writeResources("resources", task.resources(), out);
            out.writeNumberField("ago_seconds", (view.now() - task.endedAt()) / 1000.0);
            out.writeStringField("output", task.output());
            out.writeStringField("sandbox", held ? "/" + task.containerId() + "/" + task.sandbox() : "");
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    private static void agents(StateView view, JsonGenerator out) throws IOException {
        out.writeArrayFieldStart("agents");
        for (ClusterNode node : view.state().sortedNodes()) {
            Resources used = Resources.NONE;
            Resources offered = Resources.NONE;
            int containers = 0;
            TreeSet<String> settings = new TreeSet<>();
            for (AgentContainer container : view.state().containersOn(node.node())) {
                containers++;
                used = used.plus(container.used());
                OutstandingOffer offer = container.offer();
                offered = offer == null ? offered : offered.plus(offer.resources());
                if (container.isSeen()) {
                    settings.add(container.missingLimits().isEmpty() ? "cgroups" : container.missingLimits());
                }
            }
            out.writeStartObject();
            out.writeStringField("hostname", node.host());
            out.writeBooleanField("active", node.usable());
            String nodeState = node.usable() ? "usable" : "not usable";
            if (node.leavesAt() > 0) {
                nodeState = "leaves in " + Math.max(0, (node.leavesAt() - view.now()) / 1000) + " s";
            }
            out.writeStringField("state", nodeState);
            StateReport.writeResources("total", node.total(), out);
            StateReport.writeResources("used", used, out);
            StateReport.writeResources("offered", offered, out);
            out.writeNumberField("containers", containers);
            out.writeStringField("limits", String.join("; ", settings));
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    private static void history(StateView view, JsonGenerator out) throws IOException {
        ShareHistory history = view.history();
        Set<String> hidden = new TreeSet<>(view.state().frameworks().keySet());
        view.frameworks().forEach(framework -> hidden.remove(framework.id()));
        out.writeObjectFieldStart("history");
        out.writeArrayFieldStart("times");
        TreeSet<String> ids = new TreeSet<>();
        for (ShareHistory.Sample sample : history.samples()) {
            out.writeNumber(sample.time());
            ids.addAll(sample.shares().keySet());
        }
        out.writeEndArray();
        ids.removeAll(hidden);
        out.writeObjectFieldStart("shares");
        for (String id : ids) {
            out.writeArrayFieldStart(id);
            for (ShareHistory.Sample sample : history.samples()) {
                out.writeNumber(sample.shares().getOrDefault(id, 0.0));
            }
            out.writeEndArray();
        }
        out.writeEndObject();
        out.writeEndObject();
    }
}
