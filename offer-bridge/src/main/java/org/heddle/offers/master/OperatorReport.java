// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master;

import org.apache.mesos.v1.Protos.AgentID;
import org.apache.mesos.v1.Protos.AgentInfo;
import org.apache.mesos.v1.Protos.ExecutorID;
import org.apache.mesos.v1.Protos.FrameworkID;
import org.apache.mesos.v1.Protos.Metric;
import org.apache.mesos.v1.Protos.Task;
import org.apache.mesos.v1.Protos.TimeInfo;
import org.apache.mesos.v1.Protos.VersionInfo;
import org.apache.mesos.v1.master.Protos.Call;
import org.apache.mesos.v1.master.Protos.Response;
import org.heddle.offers.master.State.Executor;
import org.heddle.offers.master.State.Framework;
import org.heddle.offers.master.State.Host;
import org.heddle.offers.model.Bundle;
import org.jspecify.annotations.Nullable;

/** Answers to the operator API's calls that read. */
public final class OperatorReport {
    private OperatorReport() {}

    /** The answer, or null for a call that the bridge does not know how to answer. */
    public static @Nullable Response answer(Call call, StateView view) {
        Response.Builder response = Response.newBuilder();
        switch (call.getType()) {
            case GET_HEALTH ->
                response.setType(Response.Type.GET_HEALTH)
                        .setGetHealth(Response.GetHealth.newBuilder().setHealthy(true));
            case GET_VERSION ->
                response.setType(Response.Type.GET_VERSION)
                        .setGetVersion(Response.GetVersion.newBuilder()
                                .setVersionInfo(VersionInfo.newBuilder().setVersion(Version.MESOS)));
            case GET_MASTER ->
                response.setType(Response.Type.GET_MASTER)
                        .setGetMaster(Response.GetMaster.newBuilder()
                                .setMasterInfo(view.messages().masterInfo())
                                .setStartTime(view.startedAt() / 1000.0)
                                .setElectedTime(view.startedAt() / 1000.0));
            case GET_METRICS -> response.setType(Response.Type.GET_METRICS).setGetMetrics(metrics(view));
            case GET_AGENTS -> response.setType(Response.Type.GET_AGENTS).setGetAgents(agents(view));
            case GET_FRAMEWORKS ->
                response.setType(Response.Type.GET_FRAMEWORKS).setGetFrameworks(frameworks(view));
            case GET_EXECUTORS -> response.setType(Response.Type.GET_EXECUTORS).setGetExecutors(executors(view));
            case GET_TASKS -> response.setType(Response.Type.GET_TASKS).setGetTasks(tasks(view));
            case GET_STATE ->
                response.setType(Response.Type.GET_STATE)
                        .setGetState(Response.GetState.newBuilder()
                                .setGetAgents(agents(view))
                                .setGetFrameworks(frameworks(view))
                                .setGetExecutors(executors(view))
                                .setGetTasks(tasks(view)));
            default -> {
                return null;
            }
        }
        return response.build();
    }

    private static Response.GetMetrics metrics(StateView view) {
        Response.GetMetrics.Builder metrics = Response.GetMetrics.newBuilder();
        StateReport.metrics(view)
                .forEach((name, value) -> metrics.addMetrics(
                        Metric.newBuilder().setName("bridge/" + name).setValue((double) value)));
        return metrics.build();
    }

    private static Response.GetAgents agents(StateView view) {
        Response.GetAgents.Builder agents = Response.GetAgents.newBuilder();
        for (NodeView node : view.state().nodes.values()) {
            Bundle used = Bundle.NONE;
            Bundle offered = Bundle.NONE;
            for (Host host : view.state().hosts.values()) {
                if (host.node.equals(node.node())) {
                    used = used.plus(host.used());
                    offered = host.offer == null ? offered : offered.plus(host.offer.bundle());
                }
            }
            agents.addAgents(Response.GetAgents.Agent.newBuilder()
                    .setAgentInfo(AgentInfo.newBuilder()
                            .setHostname(node.host())
                            .setId(AgentID.newBuilder().setValue(OfferDesk.agentId(node.node())))
                            .addAllResources(Amounts.resources(node.total(), "")))
                    .setActive(node.usable())
                    .setVersion(Version.MESOS)
                    .setRegisteredTime(time(view.startedAt()))
                    .addAllTotalResources(Amounts.resources(node.total(), ""))
                    .addAllAllocatedResources(Amounts.resources(used, ""))
                    .addAllOfferedResources(Amounts.resources(offered, "")));
        }
        return agents.build();
    }

    private static Response.GetFrameworks frameworks(StateView view) {
        Response.GetFrameworks.Builder frameworks = Response.GetFrameworks.newBuilder();
        for (Framework framework : view.frameworks()) {
            Response.GetFrameworks.Framework.Builder one = Response.GetFrameworks.Framework.newBuilder()
                    .setFrameworkInfo(framework.info)
                    .setActive(framework.sink != null)
                    .setConnected(framework.sink != null)
                    .setRecovered(false)
                    .setRegisteredTime(time(framework.subscribedAt))
                    .addAllAllocatedResources(Amounts.resources(StateReport.sum(framework, false), ""))
                    .addAllOfferedResources(Amounts.resources(StateReport.sum(framework, true), ""));
            view.state().offers.values().stream()
                    .filter(offer -> offer.host().role.framework == framework)
                    .forEach(offer -> one.addOffers(view.messages().offer(offer, view.state())));
            frameworks.addFrameworks(one);
        }
        return frameworks.build();
    }

    private static Response.GetExecutors executors(StateView view) {
        Response.GetExecutors.Builder executors = Response.GetExecutors.newBuilder();
        for (Host host : view.state().hosts.values()) {
            if (!view.shows(host.role.framework)) {
                continue;
            }
            for (Executor executor : host.executors.values()) {
                executors.addExecutors(Response.GetExecutors.Executor.newBuilder()
                        .setExecutorInfo(executor.info)
                        .setAgentId(AgentID.newBuilder().setValue(host.agentId)));
            }
        }
        return executors.build();
    }

    private static Response.GetTasks tasks(StateView view) {
        Response.GetTasks.Builder tasks = Response.GetTasks.newBuilder();
        for (Framework framework : view.frameworks()) {
            framework.tasks.values().forEach(task -> tasks.addTasks(task(task)));
            framework.completed.forEach(task -> tasks.addCompletedTasks(task(task)));
        }
        return tasks.build();
    }

    private static Task task(State.Task task) {
        Task.Builder built = Task.newBuilder()
                .setName(task.info.getName())
                .setTaskId(task.info.getTaskId())
                .setFrameworkId(FrameworkID.newBuilder().setValue(task.framework.id))
                .setAgentId(AgentID.newBuilder().setValue(task.host.agentId))
                .setState(task.state)
                .addAllResources(task.info.getResourcesList());
        if (task.custom) {
            built.setExecutorId(ExecutorID.newBuilder().setValue(task.executorId));
        }
        var latest = task.latest;
        if (latest != null) {
            built.addStatuses(latest);
        }
        return built.build();
    }

    private static TimeInfo time(long millis) {
        return TimeInfo.newBuilder().setNanoseconds(millis * 1_000_000).build();
    }
}
