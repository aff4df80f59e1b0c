// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.reports;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.heddle.offers.master.cluster.ApplicationRecord;
import org.heddle.offers.master.cluster.Cluster;
import org.heddle.offers.master.cluster.ClusterNode;
import org.heddle.offers.master.state.AgentContainer;
import org.heddle.offers.master.state.ClusterState;
import org.heddle.offers.master.state.Framework;
import org.heddle.offers.master.state.FrameworkExecutor;
import org.heddle.offers.master.state.FrameworkRole;
import org.heddle.offers.master.state.FrameworkTask;
import org.heddle.offers.master.state.MasterIdentity;
import org.heddle.offers.master.state.MesosVersion;
import org.heddle.offers.master.state.OutstandingOffer;
import org.heddle.offers.model.Resources;
import org.heddle.offers.wire.Json;

/** The state as Mesos' {@code /master/state} and its parts. */
public final class StateReport {
    private StateReport() {}

    public static byte[] state(StateView view) {
        return Json.object(out -> {
            MasterIdentity identity = view.events().identity();
            String address = identity.ip() + ":" + identity.port();
            out.writeStringField("version", MesosVersion.MESOS);
            out.writeStringField("id", identity.id());
            out.writeStringField("pid", "master@" + address);
            out.writeStringField("leader", "master@" + address);
            out.writeObjectFieldStart("leader_info");
            out.writeStringField("id", identity.id());
            out.writeStringField("hostname", identity.hostname());
            out.writeNumberField("port", identity.port());
            out.writeEndObject();
            out.writeStringField("hostname", identity.hostname());
            out.writeStringField("cluster", "yarn");
            out.writeNumberField("start_time", view.dateOf(view.startedAt()) / 1000.0);
            out.writeNumberField("elected_time", view.dateOf(view.startedAt()) / 1000.0);
            out.writeNumberField(
                    "activated_slaves",
                    view.state().nodes().values().stream()
                            .filter(ClusterNode::usable)
                            .count());
            out.writeNumberField(
                    "deactivated_slaves",
                    view.state().nodes().values().stream()
                            .filter(node -> !node.usable())
                            .count());
            out.writeObjectFieldStart("flags");
            out.writeEndObject();
            writeAgents(view, out);
            writeFrameworks(view, out);
            out.writeArrayFieldStart("completed_frameworks");
            out.writeEndArray();
            out.writeArrayFieldStart("orphan_tasks");
            out.writeEndArray();
        });
    }

    public static byte[] agents(StateView view) {
        return Json.object(out -> writeAgents(view, out));
    }

    public static byte[] frameworks(StateView view) {
        return Json.object(out -> writeFrameworks(view, out));
    }

    public static byte[] tasks(StateView view) {
        return Json.object(out -> {
            out.writeArrayFieldStart("tasks");
            for (Framework framework : view.frameworks()) {
                for (FrameworkTask task : framework.tasks().values()) {
                    writeTask(task, out);
                }
                for (FrameworkTask task : framework.completed()) {
                    writeTask(task, out);
                }
            }
            out.writeEndArray();
        });
    }

    /** Guaranteed, used and available resources of a framework's roles, as the cluster's scheduler reports them. */
    public static byte[] shares(
            StateView view, String frameworkId, Map<FrameworkRole, CompletableFuture<Cluster.QueueShare>> answers) {
        Resources cluster = view.state().total();
        return Json.object(out -> {
            out.writeStringField("framework_id", frameworkId);
            out.writeArrayFieldStart("roles");
            for (Map.Entry<FrameworkRole, CompletableFuture<Cluster.QueueShare>> answer : answers.entrySet()) {
                Cluster.QueueShare share = answer.getValue().join();
                Resources held = held(answer.getKey());
                out.writeStartObject();
                out.writeStringField("role", answer.getKey().name());
                out.writeStringField("queue", share.queue());
                out.writeNumberField("part", share.part());
                writeResources(
                        "guaranteed",
                        Resources.of(
                                (long) (cluster.milliCpus() * share.part()), (long) (cluster.memMb() * share.part())),
                        out);
                writeResources("held", held, out);
                writeResources("headroom", answer.getKey().headroom(), out);
                out.writeEndObject();
            }
            out.writeEndArray();
        });
    }

    private static void writeAgents(StateView view, JsonGenerator out) throws IOException {
        Map<String, NodeUsage> uses = NodeUsage.of(view.state());
        out.writeArrayFieldStart("slaves");
        for (ClusterNode node : view.state().sortedNodes()) {
            NodeUsage use = uses.getOrDefault(node.node(), NodeUsage.NONE);
            out.writeStartObject();
            out.writeStringField("id", ClusterState.agentId(node.node()));
            out.writeStringField("hostname", node.host());
            MasterIdentity identity = view.events().identity();
            out.writeStringField("pid", "slave(1)@" + identity.ip() + ":" + identity.port());
            out.writeNumberField("port", identity.port());
            out.writeBooleanField("active", node.usable());
            out.writeStringField("version", MesosVersion.MESOS);
            out.writeNumberField("registered_time", view.dateOf(view.startedAt()) / 1000.0);
            writeResources("resources", node.total(), out);
            writeResources("used_resources", use.used(), out);
            writeResources("offered_resources", use.offered(), out);
            writeResources("unreserved_resources", node.total(), out);
            out.writeObjectFieldStart("attributes");
            out.writeStringField("rack", node.rack());
            for (Map.Entry<String, String> attribute : node.attributes().entrySet()) {
                out.writeStringField(attribute.getKey(), attribute.getValue());
            }
            out.writeEndObject();
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    private static void writeFrameworks(StateView view, JsonGenerator out) throws IOException {
        out.writeArrayFieldStart("frameworks");
        for (Framework framework : view.frameworks()) {
            out.writeStartObject();
            out.writeStringField("id", framework.id());
            out.writeStringField("name", framework.info().getName());
            out.writeStringField("user", framework.info().getUser());
            out.writeStringField("hostname", framework.info().getHostname());
            out.writeStringField("webui_url", framework.info().getWebuiUrl());
            out.writeStringField("principal", framework.info().getPrincipal());
            out.writeNumberField("failover_timeout", framework.info().getFailoverTimeout());
            out.writeBooleanField("checkpoint", framework.info().getCheckpoint());
            out.writeBooleanField("active", framework.isConnected());
            out.writeBooleanField("connected", framework.isConnected());
            out.writeNumberField("registered_time", view.dateOf(framework.subscribedAt()) / 1000.0);
            out.writeArrayFieldStart("capabilities");
            for (var capability : framework.info().getCapabilitiesList()) {
                out.writeString(capability.getType().name());
            }
            out.writeEndArray();
            out.writeStringField("role", String.join(",", framework.roles().keySet()));
            writeApplications(framework, out);
            Resources used = sum(framework, false);
            Resources offered = sum(framework, true);
            writeResources("used_resources", used, out);
            writeResources("offered_resources", offered, out);
            writeResources("resources", used.plus(offered), out);
            writeTasks("tasks", framework.tasks().values(), out);
            writeTasks("completed_tasks", framework.completed(), out);
            writeOffers(framework, out);
            writeExecutors(framework, out);
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    private static void writeApplications(Framework framework, JsonGenerator out) throws IOException {
        out.writeArrayFieldStart("applications");
        for (FrameworkRole role : framework.roles().values()) {
            out.writeStartObject();
            out.writeStringField("role", role.name());
            ApplicationRecord application = role.application();
            out.writeStringField("id", application == null ? "" : application.id());
            out.writeBooleanField("suppressed", role.isSuppressed());
            out.writeNumberField("asked", role.asked().count());
            out.writeStringField("asked_size", role.asked().size().toString());
            out.writeStringField("headroom", role.headroom().toString());
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    private static void writeOffers(Framework framework, JsonGenerator out) throws IOException {
        out.writeArrayFieldStart("offers");
        for (OutstandingOffer offer : framework.offers()) {
            out.writeStartObject();
            out.writeStringField("id", offer.id());
            out.writeStringField("framework_id", framework.id());
            out.writeStringField("slave_id", offer.container().agentId());
            writeResources("resources", offer.resources(), out);
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    private static void writeExecutors(Framework framework, JsonGenerator out) throws IOException {
        out.writeArrayFieldStart("executors");
        for (FrameworkRole role : framework.roles().values()) {
            for (AgentContainer container : role.containers().values()) {
                for (FrameworkExecutor executor : container.executors().values()) {
                    out.writeStartObject();
                    out.writeStringField("executor_id", executor.id());
                    out.writeStringField("framework_id", framework.id());
                    out.writeStringField("slave_id", container.agentId());
                    out.writeEndObject();
                }
            }
        }
        out.writeEndArray();
    }

    /** The sum over all containers of a role. */
    static Resources held(FrameworkRole role) {
        return role.containers().values().stream()
                .map(container -> container.total())
                .reduce(Resources.NONE, Resources::plus);
    }

    static Resources sum(Framework framework, boolean offered) {
        Resources sum = Resources.NONE;
        for (FrameworkRole role : framework.roles().values()) {
            for (AgentContainer container : role.containers().values()) {
                if (!offered) {
                    sum = sum.plus(container.used());
                } else if (container.offer() != null) {
                    sum = sum.plus(container.offer().resources());
                }
            }
        }
        return sum;
    }

    private static void writeTasks(String name, Collection<FrameworkTask> tasks, JsonGenerator out) throws IOException {
        out.writeArrayFieldStart(name);
        for (FrameworkTask task : tasks) {
            writeTask(task, out);
        }
        out.writeEndArray();
    }

    private static void writeTask(FrameworkTask task, JsonGenerator out) throws IOException {
        out.writeStartObject();
        out.writeStringField("id", task.id());
        out.writeStringField("name", task.info().getName());
        out.writeStringField("framework_id", task.framework().id());
        out.writeStringField("executor_id", task.info().hasExecutor() ? task.executorId() : "");
        out.writeStringField("slave_id", task.container().agentId());
        out.writeStringField("container_id", task.container().id());
        out.writeStringField("state", task.state().name());
        out.writeStringField("sandbox", "/" + task.container().id() + "/" + task.sandbox());
        writeResources("resources", task.resources(), out);
        out.writeArrayFieldStart("statuses");
        var latest = task.latest();
        if (latest != null) {
            out.writeStartObject();
            out.writeStringField("state", latest.getState().name());
            out.writeNumberField("timestamp", latest.getTimestamp());
            if (latest.hasMessage()) {
                out.writeStringField("message", latest.getMessage());
            }
            if (latest.hasReason()) {
                out.writeStringField("reason", latest.getReason().name());
            }
            out.writeEndObject();
        }
        out.writeEndArray();
        out.writeEndObject();
    }

    static void writeResources(String name, Resources resources, JsonGenerator out) throws IOException {
        out.writeObjectFieldStart(name);
        out.writeNumberField("cpus", resources.milliCpus() / 1000.0);
        out.writeNumberField("mem", resources.memMb());
        out.writeNumberField("disk", resources.diskMb());
        out.writeNumberField("gpus", resources.gpus());
        if (!resources.ports().isEmpty()) {
            StringBuilder ports = new StringBuilder("[");
            resources
                    .ports()
                    .ranges()
                    .forEach(range -> ports.append(ports.length() > 1 ? ", " : "")
                            .append(range.begin())
                            .append('-')
                            .append(range.end()));
            out.writeStringField("ports", ports.append(']').toString());
        }
        out.writeEndObject();
    }
}
