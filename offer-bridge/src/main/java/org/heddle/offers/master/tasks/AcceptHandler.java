// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.tasks;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.mesos.v1.Protos.ExecutorInfo;
import org.apache.mesos.v1.Protos.Offer.Operation;
import org.apache.mesos.v1.Protos.TaskInfo;
import org.apache.mesos.v1.Protos.TaskState;
import org.apache.mesos.v1.Protos.TaskStatus;
import org.apache.mesos.v1.scheduler.Protos.Call;
import org.heddle.offers.master.offers.OfferManager;
import org.heddle.offers.master.offers.SchedulerEvents;
import org.heddle.offers.master.state.AgentContainer;
import org.heddle.offers.master.state.ClusterState;
import org.heddle.offers.master.state.ContainerPhase;
import org.heddle.offers.master.state.Counters;
import org.heddle.offers.master.state.Counters.Counter;
import org.heddle.offers.master.state.Framework;
import org.heddle.offers.master.state.FrameworkTask;
import org.heddle.offers.master.state.MesosResources;
import org.heddle.offers.master.state.OutstandingOffer;
import org.heddle.offers.master.state.StateChange;
import org.heddle.offers.master.state.StateCodec;
import org.heddle.offers.model.Resources;
import org.heddle.offers.policy.OfferPolicy;
import org.heddle.offers.policy.TaskPlacement;
import org.jspecify.annotations.Nullable;

/**
 * ACCEPT: ends the offers, validates the tasks and task groups, assigns them to offers, and offers or returns the
 * remaining resources.
 */
public final class AcceptHandler {
    private final ClusterState state;
    private final OfferManager offers;
    private final ExecutorManager executors;
    private final TaskTracker tasks;
    private final TaskListener listener;
    private final Counters counters;

    public AcceptHandler(
            ClusterState state,
            OfferManager offers,
            ExecutorManager executors,
            TaskTracker tasks,
            TaskListener listener,
            Counters counters) {
        this.state = state;
        this.offers = offers;
        this.executors = executors;
        this.tasks = tasks;
        this.listener = listener;
        this.counters = counters;
    }

    /** Starts the agent of a container. */
    @FunctionalInterface
    public interface AgentStarter {
        void start(StateChange change, AgentContainer container);
    }

    /**
     * A task, or a task group, whose tasks are launched together or not at all.
     *
     * @param executor executor of a task group; null for a task launched alone
     * @param group name of the task group; empty for a task launched alone
     */
    private record Unit(List<TaskInfo> tasks, @Nullable ExecutorInfo executor, String group) {
        TaskStatus.Reason invalid() {
            if (executor == null) {
                return TaskStatus.Reason.REASON_TASK_INVALID;
            }
            return TaskStatus.Reason.REASON_TASK_GROUP_INVALID;
        }

        /** The tasks as they are stored: those of a group with the group's executor. */
        List<TaskInfo> complete() {
            ExecutorInfo shared = executor;
            if (shared == null) {
                return tasks;
            }
            return tasks.stream()
                    .map(task -> task.toBuilder().setExecutor(shared).build())
                    .toList();
        }
    }

    /** A unit that can be launched, with the resources that each of its tasks needs. */
    private record Sound(Unit unit, List<TaskInfo> tasks, List<Resources> needs) {}

    public void accept(StateChange change, Framework framework, Call.Accept accept, AgentStarter starter) {
        List<Unit> units = units(accept);
        List<OutstandingOffer> accepted = new ArrayList<>();
        String problem = find(framework, accept, accepted);
        double refuseSeconds =
                accept.hasFilters() ? accept.getFilters().getRefuseSeconds() : OfferPolicy.DEFAULT_REFUSE_SECONDS;
        if (problem == null && units.isEmpty()) {
            offers.decline(change, accepted, refuseSeconds);
            return;
        }
        accepted.forEach(state::remove);
        if (problem != null) {
            TaskState dropped = TaskStatuses.orLost(framework, TaskState.TASK_DROPPED);
            units.forEach(
                    unit -> refuse(change, framework, unit, dropped, TaskStatus.Reason.REASON_INVALID_OFFERS, problem));
            accepted.forEach(offer -> offers.consider(change, offer.container()));
            accepted.stream()
                    .filter(offer -> offer.container().phase() == ContainerPhase.ALLOCATED)
                    .forEach(offer -> offers.unoffered(change, offer.container()));
            return;
        }
        counters.count(Counter.OFFERS_ACCEPTED);
        framework.countAccepted(accepted.size());
        launch(change, framework, units, accepted);
        useRest(change, accepted, refuseSeconds, starter);
    }

    private static List<Unit> units(Call.Accept accept) {
        List<Unit> units = new ArrayList<>();
        for (Operation operation : accept.getOperationsList()) {
            if (operation.getType() == Operation.Type.LAUNCH) {
                operation.getLaunch().getTaskInfosList().forEach(task -> units.add(new Unit(List.of(task), null, "")));
            } else if (operation.getType() == Operation.Type.LAUNCH_GROUP) {
                List<TaskInfo> tasks = operation.getLaunchGroup().getTaskGroup().getTasksList();
                if (!tasks.isEmpty()) {
                    // Names of offers are never used again.
                    String offer;
                    if (accept.getOfferIdsCount() == 0) {
                        offer = "";
                    } else {
                        offer = accept.getOfferIds(0).getValue();
                    }
                    units.add(new Unit(tasks, operation.getLaunchGroup().getExecutor(), offer + "-G" + units.size()));
                }
            }
        }
        return units;
    }

    /** Finds the accepted offers; returns the reason why they cannot be accepted, or null. */
    private @Nullable String find(Framework framework, Call.Accept accept, List<OutstandingOffer> accepted) {
        String problem = null;
        Set<String> seen = new HashSet<>();
        for (var id : accept.getOfferIdsList()) {
            OutstandingOffer offer = state.offers().get(id.getValue());
            if (!seen.add(id.getValue())) {
                problem = "Duplicate offer " + id.getValue() + " in offer list";
            } else if (offer == null || offer.container().role().framework() != framework) {
                problem = "Offer " + id.getValue() + " is no longer valid";
            } else {
                accepted.add(offer);
            }
        }
        if (accept.getOfferIdsCount() == 0) {
            problem = "No offers specified";
        }
        if (accepted.stream()
                        .map(offer -> offer.container().agentId())
                        .distinct()
                        .count()
                > 1) {
            problem = "Aggregated offers must belong to one single agent";
        } else if (accepted.stream()
                        .map(offer -> offer.container().role())
                        .distinct()
                        .count()
                > 1) {
            problem = "Aggregated offers must be allocated to the same role";
        }
        return problem;
    }

    private void launch(StateChange change, Framework framework, List<Unit> units, List<OutstandingOffer> accepted) {
        String agentId = accepted.get(0).container().agentId();
        // 1. Validate each unit.
        List<Sound> sound = new ArrayList<>();
        Set<String> ids = new HashSet<>();
        for (Unit unit : units) {
            List<TaskInfo> tasks = unit.complete();
            List<Resources> needs = new ArrayList<>();
            // A unit that is refused leaves its ids to those that follow.
            Set<String> used = new HashSet<>(ids);
            String problem = problem(framework, unit, tasks, accepted, used, needs);
            if (problem == null) {
                ids.addAll(used);
                sound.add(new Sound(unit, tasks, needs));
            } else {
                refuse(change, framework, unit, TaskState.TASK_ERROR, unit.invalid(), problem);
            }
        }
        // 2. Assign each unit to an offer with enough resources.
        List<Resources> sums = executors.withExecutors(
                framework,
                agentId,
                sound.stream().map(one -> one.tasks().get(0)).toList(),
                sound.stream()
                        .map(one -> one.needs().stream().reduce(Resources.NONE, Resources::plus))
                        .toList());
        int[] preferred = sound.stream()
                .mapToInt(one -> executors.preferred(one.tasks().get(0), accepted))
                .toArray();
        List<Resources> free =
                accepted.stream().map(offer -> offer.container().free()).toList();
        int[] placed = TaskPlacement.place(sums, free, preferred);
        // 3. Add the tasks.
        for (int i = 0; i < sound.size(); i++) {
            if (placed[i] == TaskPlacement.NOWHERE) {
                Unit unit = sound.get(i).unit;
                refuse(
                        change,
                        framework,
                        unit,
                        TaskState.TASK_ERROR,
                        unit.invalid(),
                        (unit.executor == null ? "Task uses" : "Tasks of the group together use") + " more resources ("
                                + sums.get(i) + ") than any of the offers has (" + free
                                + "): each offer is a container, and a task or a task group must fit into one");
            } else {
                add(change, framework, sound.get(i), accepted.get(placed[i]).container());
            }
        }
    }

    /**
     * The reason why a unit cannot be launched. If it is null, {@code needs} holds the resources that each of its
     * tasks needs.
     */
    private @Nullable String problem(
            Framework framework,
            Unit unit,
            List<TaskInfo> tasks,
            List<OutstandingOffer> accepted,
            Set<String> ids,
            List<Resources> needs) {
        String agentId = accepted.get(0).container().agentId();
        long most = accepted.stream()
                .mapToLong(OutstandingOffer::maxTaskMillis)
                .max()
                .orElse(0);
        for (int i = 0; i < tasks.size(); i++) {
            ExecutorInfo executor = unit.executor;
            String problem;
            if (executor == null) {
                problem = TaskValidator.problem(tasks.get(i), agentId);
            } else {
                problem = TaskValidator.groupProblem(unit.tasks().get(i), executor, agentId);
            }
            if (problem == null) {
                problem = problem(framework, tasks.get(i), agentId, most, ids, needs);
            }
            if (problem != null) {
                return problem;
            }
        }
        return null;
    }

    private @Nullable String problem(
            Framework framework, TaskInfo task, String agentId, long most, Set<String> ids, List<Resources> needs) {
        String id = task.getTaskId().getValue();
        Resources amount;
        try {
            amount = MesosResources.toResources(task.getResourcesList());
            String problem = amount.isEmpty() ? "Task uses no resources" : executors.problem(task, agentId, framework);
            if (problem != null) {
                return problem;
            }
        } catch (IllegalArgumentException e) {
            return e.getMessage();
        }
        if (most > 0 && !FrameworkTask.endsWithin(task, most)) {
            return "Task " + id + " is not a command with a max_completion_time of at most " + most / 1000.0
                    + " s: this part of the node is kept for short tasks (attribute max_completion_secs)";
        }
        if (framework.tasks().containsKey(id) || !ids.add(id)) {
            return "Task has duplicate ID: " + id;
        }
        needs.add(amount);
        return null;
    }

    private void add(StateChange change, Framework framework, Sound sound, AgentContainer container) {
        List<FrameworkTask> launched = new ArrayList<>();
        for (int i = 0; i < sound.tasks().size(); i++) {
            FrameworkTask task = new FrameworkTask(
                    sound.tasks().get(i), framework, container, sound.needs().get(i), sound.unit.group());
            state.add(task);
            launched.add(task);
        }
        for (FrameworkTask task : launched) {
            if (task.isCustom()) {
                executors.ensure(change, task);
            }
            change.put(StateCodec.taskKey(task), StateCodec.task(task));
            listener.taskAdded(change, task);
            counters.count(Counter.TASKS_LAUNCHED);
            if (container.phase() == ContainerPhase.RUNNING) {
                tasks.start(change, task);
            }
        }
    }

    private void useRest(
            StateChange change, List<OutstandingOffer> accepted, double refuseSeconds, AgentStarter starter) {
        for (OutstandingOffer offer : accepted) {
            AgentContainer container = offer.container();
            Resources left = container.free();
            boolean used = !container.isIdle();
            if (used && container.phase() == ContainerPhase.ALLOCATED) {
                starter.start(change, container);
            }
            if (used) {
                offers.accepted(change, container);
            }
            if (!used) {
                offers.refuse(change, container, left, refuseSeconds);
                offers.unoffered(change, container);
            } else if (left.memMb() > 0 && left.milliCpus() > 0) {
                offers.refuse(change, container, left, refuseSeconds);
                offers.consider(change, container);
            }
        }
    }

    /** Tells the framework that tasks were not launched. These updates need no acknowledgement. */
    private void refuse(
            StateChange change,
            Framework framework,
            Unit unit,
            TaskState taskState,
            TaskStatus.Reason reason,
            String message) {
        for (TaskInfo info : unit.tasks()) {
            counters.count(Counter.TASKS_REFUSED);
            TaskStatus status = TaskStatuses.of(
                            info.getTaskId(),
                            taskState,
                            TaskStatus.Source.SOURCE_MASTER,
                            reason,
                            message,
                            change.date())
                    .setAgentId(info.getAgentId())
                    .build();
            framework.send(change, SchedulerEvents.update(status));
        }
    }
}
