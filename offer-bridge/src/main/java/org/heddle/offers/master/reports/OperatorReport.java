// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.reports;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.mesos.v1.Protos.AgentID;
import org.apache.mesos.v1.Protos.AgentInfo;
import org.apache.mesos.v1.Protos.ExecutorID;
import org.apache.mesos.v1.Protos.FrameworkID;
import org.apache.mesos.v1.Protos.MachineID;
import org.apache.mesos.v1.Protos.Metric;
import org.apache.mesos.v1.Protos.Role;
import org.apache.mesos.v1.Protos.Task;
import org.apache.mesos.v1.Protos.TimeInfo;
import org.apache.mesos.v1.Protos.Unavailability;
import org.apache.mesos.v1.Protos.VersionInfo;
import org.apache.mesos.v1.maintenance.Protos.ClusterStatus;
import org.apache.mesos.v1.maintenance.Protos.Schedule;
import org.apache.mesos.v1.maintenance.Protos.Window;
import org.apache.mesos.v1.master.Protos.Call;
import org.apache.mesos.v1.master.Protos.Response;
import org.heddle.offers.master.cluster.ClusterNode;
import org.heddle.offers.master.state.AgentContainer;
import org.heddle.offers.master.state.ClusterState;
import org.heddle.offers.master.state.Framework;
import org.heddle.offers.master.state.FrameworkExecutor;
import org.heddle.offers.master.state.FrameworkRole;
import org.heddle.offers.master.state.FrameworkTask;
import org.heddle.offers.master.state.MesosResources;
import org.heddle.offers.master.state.MesosVersion;
import org.heddle.offers.model.Resources;
import org.jspecify.annotations.Nullable;

/** Answers the calls of the operator API that read the state of the master. */
public final class OperatorReport {
    private OperatorReport() {}

    /** The answer; null if the call is not one that reads the state. */
    public static @Nullable Response answer(Call call, StateView view) {
        Response.Builder response = Response.newBuilder();
        switch (call.getType()) {
            case GET_HEALTH ->
                response.setType(Response.Type.GET_HEALTH)
                        .setGetHealth(Response.GetHealth.newBuilder().setHealthy(true));
            case GET_VERSION ->
                response.setType(Response.Type.GET_VERSION)
                        .setGetVersion(Response.GetVersion.newBuilder()
                                .setVersionInfo(VersionInfo.newBuilder().setVersion(MesosVersion.MESOS)));
            case GET_MASTER ->
                response.setType(Response.Type.GET_MASTER)
                        .setGetMaster(Response.GetMaster.newBuilder()
                                .setMasterInfo(view.events().masterInfo())
                                .setStartTime(view.dateOf(view.startedAt()) / 1000.0)
                                .setElectedTime(view.dateOf(view.startedAt()) / 1000.0));
            case GET_METRICS -> response.setType(Response.Type.GET_METRICS).setGetMetrics(metrics(view));
            case GET_AGENTS -> response.setType(Response.Type.GET_AGENTS).setGetAgents(agents(view));
            case GET_FRAMEWORKS ->
                response.setType(Response.Type.GET_FRAMEWORKS).setGetFrameworks(frameworks(view));
            case GET_EXECUTORS -> response.setType(Response.Type.GET_EXECUTORS).setGetExecutors(executors(view));
            case GET_TASKS -> response.setType(Response.Type.GET_TASKS).setGetTasks(tasks(view));
            case GET_STATE -> response.setType(Response.Type.GET_STATE).setGetState(state(view));
            case GET_ROLES -> response.setType(Response.Type.GET_ROLES).setGetRoles(roles(view));
            case GET_MAINTENANCE_SCHEDULE ->
                response.setType(Response.Type.GET_MAINTENANCE_SCHEDULE)
                        .setGetMaintenanceSchedule(
                                Response.GetMaintenanceSchedule.newBuilder().setSchedule(schedule(view)));
            case GET_MAINTENANCE_STATUS ->
                response.setType(Response.Type.GET_MAINTENANCE_STATUS)
                        .setGetMaintenanceStatus(
                                Response.GetMaintenanceStatus.newBuilder().setStatus(draining(view)));
            // Empty: YARN's queues hold the shares, and the bridge refuses operations.
            case GET_WEIGHTS ->
                response.setType(Response.Type.GET_WEIGHTS).setGetWeights(Response.GetWeights.getDefaultInstance());
            case GET_QUOTA ->
                response.setType(Response.Type.GET_QUOTA)
                        .setGetQuota(Response.GetQuota.newBuilder()
                                .setStatus(org.apache.mesos.v1.quota.Protos.QuotaStatus.getDefaultInstance()));
            case GET_OPERATIONS ->
                response.setType(Response.Type.GET_OPERATIONS)
                        .setGetOperations(Response.GetOperations.getDefaultInstance());
            default -> {
                return null;
            }
        }
        return response.build();
    }

    private static Response.GetMetrics metrics(StateView view) {
        Response.GetMetrics.Builder metrics = Response.GetMetrics.newBuilder();
        MetricsReport.metrics(view)
                .forEach(one -> metrics.addMetrics(
                        Metric.newBuilder().setName("bridge/" + one.name()).setValue((double) one.value())));
        return metrics.build();
    }

    static Response.GetState state(StateView view) {
        return Response.GetState.newBuilder()
                .setGetAgents(agents(view))
                .setGetFrameworks(frameworks(view))
                .setGetExecutors(executors(view))
                .setGetTasks(tasks(view))
                .build();
    }

    private static Response.GetAgents agents(StateView view) {
        Map<String, NodeUsage> uses = NodeUsage.of(view.state());
        Response.GetAgents.Builder agents = Response.GetAgents.newBuilder();
        for (ClusterNode node : view.state().sortedNodes()) {
            NodeUsage use = uses.getOrDefault(node.node(), NodeUsage.NONE);
            agents.addAgents(agent(node, view).toBuilder()
                    .addAllAllocatedResources(MesosResources.toMesos(use.used(), ""))
                    .addAllOfferedResources(MesosResources.toMesos(use.offered(), "")));
        }
        return agents.build();
    }

    /** A node, without its used resources. */
    static Response.GetAgents.Agent agent(ClusterNode node, StateView view) {
        return Response.GetAgents.Agent.newBuilder()
                .setAgentInfo(AgentInfo.newBuilder()
                        .setHostname(node.host())
                        .setId(AgentID.newBuilder().setValue(ClusterState.agentId(node.node())))
                        .addAllResources(MesosResources.toMesos(node.total(), "")))
                .setActive(node.usable())
                .setVersion(MesosVersion.MESOS)
                .setRegisteredTime(time(view.dateOf(view.startedAt())))
                .addAllTotalResources(MesosResources.toMesos(node.total(), ""))
                .build();
    }

    private static Response.GetFrameworks frameworks(StateView view) {
        Response.GetFrameworks.Builder frameworks = Response.GetFrameworks.newBuilder();
        view.frameworks().forEach(framework -> frameworks.addFrameworks(framework(framework, view)));
        return frameworks.build();
    }

    static Response.GetFrameworks.Framework framework(Framework framework, StateView view) {
        Response.GetFrameworks.Framework.Builder one = Response.GetFrameworks.Framework.newBuilder()
                .setFrameworkInfo(framework.info())
                .setActive(framework.isConnected())
                .setConnected(framework.isConnected())
                .setRecovered(false)
                .setRegisteredTime(time(view.dateOf(framework.subscribedAt())))
                .addAllAllocatedResources(MesosResources.toMesos(StateReport.sum(framework, false), ""))
                .addAllOfferedResources(MesosResources.toMesos(StateReport.sum(framework, true), ""));
        framework.offers().forEach(offer -> one.addOffers(view.events().offer(offer, view.state(), view::dateOf)));
        return one.build();
    }

    private static Response.GetExecutors executors(StateView view) {
        Response.GetExecutors.Builder executors = Response.GetExecutors.newBuilder();
        for (AgentContainer container : view.state().containers().values()) {
            if (!view.shows(container.role().framework())) {
                continue;
            }
            for (FrameworkExecutor executor : container.executors().values()) {
                executors.addExecutors(Response.GetExecutors.Executor.newBuilder()
                        .setExecutorInfo(executor.info())
                        .setAgentId(AgentID.newBuilder().setValue(container.agentId())));
            }
        }
        return executors.build();
    }

    private static Response.GetTasks tasks(StateView view) {
        Response.GetTasks.Builder tasks = Response.GetTasks.newBuilder();
        for (Framework framework : view.frameworks()) {
            framework.tasks().values().forEach(task -> tasks.addTasks(task(task)));
            framework.completed().forEach(task -> tasks.addCompletedTasks(task(task)));
        }
        return tasks.build();
    }

    static Task task(FrameworkTask task) {
        Task.Builder built = Task.newBuilder()
                .setName(task.info().getName())
                .setTaskId(task.info().getTaskId())
                .setFrameworkId(
                        FrameworkID.newBuilder().setValue(task.framework().id()))
                .setAgentId(AgentID.newBuilder().setValue(task.container().agentId()))
                .setState(task.state())
                .addAllResources(task.info().getResourcesList());
        if (task.info().hasExecutor()) {
            built.setExecutorId(ExecutorID.newBuilder().setValue(task.executorId()));
        }
        var latest = task.latest();
        if (latest != null) {
            built.addStatuses(latest);
        }
        return built.build();
    }

    /** Roles of all frameworks. YARN's queues hold the weights, so each role has weight 1 here. */
    private static Response.GetRoles roles(StateView view) {
        Map<String, Resources> held = new TreeMap<>();
        Map<String, Set<String>> frameworks = new TreeMap<>();
        for (Framework framework : view.frameworks()) {
            for (FrameworkRole role : framework.roles().values()) {
                frameworks.computeIfAbsent(role.name(), name -> new TreeSet<>()).add(framework.id());
                held.merge(role.name(), StateReport.held(role), Resources::plus);
            }
        }
        Response.GetRoles.Builder roles = Response.GetRoles.newBuilder();
        frameworks.forEach((name, ids) -> {
            Role.Builder role = Role.newBuilder()
                    .setName(name)
                    .setWeight(1)
                    .addAllResources(MesosResources.toMesos(held.getOrDefault(name, Resources.NONE), ""));
            ids.forEach(id -> role.addFrameworks(FrameworkID.newBuilder().setValue(id)));
            roles.addRoles(role);
        });
        return roles.build();
    }

    /** The nodes that are being decommissioned, each with the end of its decommissioning. */
    private static Schedule schedule(StateView view) {
        Schedule.Builder schedule = Schedule.newBuilder();
        view.state().sortedNodes().stream()
                .filter(node -> node.leavesAt() > 0)
                .forEach(node -> schedule.addWindows(Window.newBuilder()
                        .addMachineIds(machine(node))
                        .setUnavailability(Unavailability.newBuilder().setStart(time(view.dateOf(node.leavesAt()))))));
        return schedule.build();
    }

    private static ClusterStatus draining(StateView view) {
        ClusterStatus.Builder status = ClusterStatus.newBuilder();
        view.state().sortedNodes().stream()
                .filter(node -> node.leavesAt() > 0)
                .forEach(node -> status.addDrainingMachines(
                        ClusterStatus.DrainingMachine.newBuilder().setId(machine(node))));
        return status.build();
    }

    private static MachineID machine(ClusterNode node) {
        return MachineID.newBuilder().setHostname(node.host()).setIp(node.ip()).build();
    }

    private static TimeInfo time(long millis) {
        return TimeInfo.newBuilder().setNanoseconds(millis * 1_000_000).build();
    }
}
