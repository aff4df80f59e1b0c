// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master;

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
import org.heddle.offers.master.ClusterState.Framework;
import org.heddle.offers.master.ClusterState.Host;
import org.heddle.offers.master.ClusterState.HostPhase;
import org.heddle.offers.master.ClusterState.Offer;
import org.heddle.offers.master.ClusterState.Task;
import org.heddle.offers.master.state.Counters;
import org.heddle.offers.master.state.MesosResources;
import org.heddle.offers.master.state.StateChange;
import org.heddle.offers.model.Resources;
import org.heddle.offers.policy.TaskPlacement;
import org.jspecify.annotations.Nullable;

/** ACCEPT: takes offers off the book, judges and places tasks and task groups, and settles what is left. */
final class AcceptHandler {
    private final ClusterState state;
    private final OfferManager offerDesk;
    private final ExecutorManager executorDesk;
    private final TaskTracker taskDesk;
    private final Subscribers watchers;
    private final Counters tally;

    AcceptHandler(
            ClusterState state,
            OfferManager offerDesk,
            ExecutorManager executorDesk,
            TaskTracker taskDesk,
            Subscribers watchers,
            Counters tally) {
        this.state = state;
        this.offerDesk = offerDesk;
        this.executorDesk = executorDesk;
        this.taskDesk = taskDesk;
        this.watchers = watchers;
        this.tally = tally;
    }

    /** Starts the container of a host. */
    interface HostStarter {
        void start(StateChange turn, Host host);
    }

    /**
     * What is launched as one, or not at all: a task, or the tasks of a group.
     *
     * @param executor of a group; null for a task launched alone
     * @param group names the group; empty for a task launched alone
     */
    private record Unit(List<TaskInfo> tasks, @Nullable ExecutorInfo executor, String group) {
        TaskStatus.Reason invalid() {
            return executor == null
                    ? TaskStatus.Reason.REASON_TASK_INVALID
                    : TaskStatus.Reason.REASON_TASK_GROUP_INVALID;
        }

        /** The tasks as they are kept: those of a group with its executor. */
        List<TaskInfo> complete() {
            ExecutorInfo shared = executor;
            return shared == null
                    ? tasks
                    : tasks.stream()
                            .map(task -> task.toBuilder().setExecutor(shared).build())
                            .toList();
        }
    }

    /** A unit that can be launched, with what each of its tasks needs. */
    private record Sound(Unit unit, List<TaskInfo> tasks, List<Resources> needs) {}

    void accept(StateChange turn, Framework framework, Call.Accept accept, HostStarter starter) {
        List<Unit> units = units(accept);
        List<Offer> offers = new ArrayList<>();
        String problem = take(framework, accept, offers);
        double refuseSeconds =
                accept.hasFilters() ? accept.getFilters().getRefuseSeconds() : OfferManager.DEFAULT_REFUSE_SECONDS;
        if (problem != null) {
            TaskState dropped = TaskStatuses.orLost(framework, TaskState.TASK_DROPPED);
            units.forEach(
                    unit -> refuse(turn, framework, unit, dropped, TaskStatus.Reason.REASON_INVALID_OFFERS, problem));
            offers.forEach(offer -> offerDesk.consider(turn, offer.host()));
            offers.stream()
                    .filter(offer -> offer.host().phase == HostPhase.GRANTED)
                    .forEach(offer -> offerDesk.unoffered(turn, offer.host()));
            return;
        }
        if (units.isEmpty()) {
            offers.forEach(offer -> offer.host().offer = offer);
            offers.forEach(offer -> state.offers.put(offer.id(), offer));
            offerDesk.decline(turn, offers, refuseSeconds);
            return;
        }
        tally.count("offers_accepted");
        framework.accepted += offers.size();
        launch(turn, framework, units, offers);
        settleLeftovers(turn, offers, refuseSeconds, starter);
    }

    private static List<Unit> units(Call.Accept accept) {
        List<Unit> units = new ArrayList<>();
        for (Operation operation : accept.getOperationsList()) {
            if (operation.getType() == Operation.Type.LAUNCH) {
                operation.getLaunch().getTaskInfosList().forEach(task -> units.add(new Unit(List.of(task), null, "")));
            } else if (operation.getType() == Operation.Type.LAUNCH_GROUP) {
                List<TaskInfo> tasks = operation.getLaunchGroup().getTaskGroup().getTasksList();
                if (!tasks.isEmpty()) {
                    // Offers have names that never come again.
                    String offer = accept.getOfferIdsCount() == 0
                            ? ""
                            : accept.getOfferIds(0).getValue();
                    units.add(new Unit(tasks, operation.getLaunchGroup().getExecutor(), offer + "-G" + units.size()));
                }
            }
        }
        return units;
    }

    /** Takes the offers off the book; says what is wrong with them, if anything. */
    private @Nullable String take(Framework framework, Call.Accept accept, List<Offer> offers) {
        String problem = null;
        Set<String> seen = new HashSet<>();
        for (var id : accept.getOfferIdsList()) {
            Offer offer = state.offers.get(id.getValue());
            if (!seen.add(id.getValue())) {
                problem = "Duplicate offer " + id.getValue() + " in offer list";
            } else if (offer == null || offer.host().role.framework != framework) {
                problem = "Offer " + id.getValue() + " is no longer valid";
            } else {
                offers.add(offer);
            }
        }
        if (accept.getOfferIdsCount() == 0) {
            problem = "No offers specified";
        }
        if (offers.stream().map(offer -> offer.host().agentId).distinct().count() > 1) {
            problem = "Aggregated offers must belong to one single agent";
        } else if (offers.stream().map(offer -> offer.host().role).distinct().count() > 1) {
            problem = "Aggregated offers must be allocated to the same role";
        }
        offers.forEach(offerDesk::take);
        return problem;
    }

    private void launch(StateChange turn, Framework framework, List<Unit> units, List<Offer> offers) {
        String agentId = offers.get(0).host().agentId;
        // 1. What is wrong with each?
        List<Sound> sound = new ArrayList<>();
        Set<String> ids = new HashSet<>();
        for (Unit unit : units) {
            List<TaskInfo> tasks = unit.complete();
            List<Resources> needs = new ArrayList<>();
            String problem = problem(framework, unit, tasks, offers, ids, needs);
            if (problem == null) {
                sound.add(new Sound(unit, tasks, needs));
            } else {
                refuse(turn, framework, unit, TaskState.TASK_ERROR, unit.invalid(), problem);
            }
        }
        // 2. Which offer has room for each?
        List<Resources> sums = executorDesk.withExecutors(
                framework,
                agentId,
                sound.stream().map(one -> one.tasks.get(0)).toList(),
                sound.stream()
                        .map(one -> one.needs.stream().reduce(Resources.NONE, Resources::plus))
                        .toList());
        int[] preferred = sound.stream()
                .mapToInt(one -> executorDesk.preferred(one.tasks.get(0), offers))
                .toArray();
        List<Resources> free = offers.stream().map(offer -> offer.host().free()).toList();
        int[] placed = TaskPlacement.place(sums, free, preferred);
        // 3. Into the books
        for (int i = 0; i < sound.size(); i++) {
            if (placed[i] == TaskPlacement.NOWHERE) {
                Unit unit = sound.get(i).unit;
                refuse(
                        turn,
                        framework,
                        unit,
                        TaskState.TASK_ERROR,
                        unit.invalid(),
                        (unit.executor == null ? "Task uses" : "Tasks of the group together use") + " more resources ("
                                + sums.get(i) + ") than any of the offers has (" + free
                                + "): each offer is a container, what is launched as one must fit into one");
            } else {
                book(turn, framework, sound.get(i), offers.get(placed[i]).host());
            }
        }
    }

    /** Why a unit cannot be launched, or null; then {@code needs} holds what each of its tasks needs. */
    private @Nullable String problem(
            Framework framework,
            Unit unit,
            List<TaskInfo> tasks,
            List<Offer> offers,
            Set<String> ids,
            List<Resources> needs) {
        String agentId = offers.get(0).host().agentId;
        long most = offers.stream().mapToLong(Offer::mostMillis).max().orElse(0);
        for (int i = 0; i < tasks.size(); i++) {
            ExecutorInfo executor = unit.executor;
            String problem = executor == null
                    ? LaunchBuilder.problem(tasks.get(i), agentId)
                    : LaunchBuilder.groupProblem(unit.tasks.get(i), executor, agentId);
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
            amount = MesosResources.bundle(task.getResourcesList());
            String problem =
                    amount.isEmpty() ? "Task uses no resources" : executorDesk.problem(task, agentId, framework);
            if (problem != null) {
                return problem;
            }
        } catch (IllegalArgumentException e) {
            return e.getMessage();
        }
        if (most > 0 && !LaunchBuilder.endsWithin(task, most)) {
            return "Task " + id + " is no command with a max_completion_time of at most " + most / 1000.0
                    + " s: this part of the node is kept for short tasks (attribute max_completion_secs)";
        }
        if (framework.tasks.containsKey(id) || !ids.add(id)) {
            return "Task has duplicate ID: " + id;
        }
        needs.add(amount);
        return null;
    }

    private void book(StateChange turn, Framework framework, Sound sound, Host host) {
        List<Task> tasks = new ArrayList<>();
        for (int i = 0; i < sound.tasks.size(); i++) {
            Task task = new Task(sound.tasks.get(i), framework, host, sound.needs.get(i), sound.unit.group);
            framework.tasks.put(task.id, task);
            host.tasks.put(task.id, task);
            tasks.add(task);
        }
        for (Task task : tasks) {
            if (task.custom) {
                executorDesk.ensure(turn, task);
            }
            turn.put(StateCodec.taskKey(task), StateCodec.task(task));
            watchers.taskAdded(turn, task);
            tally.count("tasks_launched");
            if (host.phase == HostPhase.RUNNING) {
                taskDesk.start(turn, task);
            }
        }
    }

    private void settleLeftovers(StateChange turn, List<Offer> offers, double refuseSeconds, HostStarter starter) {
        for (Offer offer : offers) {
            Host host = offer.host();
            Resources left = host.free();
            boolean used = !host.idle();
            if (used && host.phase == HostPhase.GRANTED) {
                starter.start(turn, host);
            }
            if (used) {
                host.unwantedSince = 0;
                offerDesk.accepted(turn, host.role, host.used());
            }
            if (!used) {
                offerDesk.refuse(turn, host, left, refuseSeconds);
                offerDesk.unoffered(turn, host);
            } else if (left.memMb() > 0 && left.milliCpus() > 0) {
                offerDesk.refuse(turn, host, left, refuseSeconds);
                offerDesk.consider(turn, host);
            }
        }
    }

    /** Tasks that never were: their status is told once. */
    private void refuse(
            StateChange turn,
            Framework framework,
            Unit unit,
            TaskState taskState,
            TaskStatus.Reason reason,
            String message) {
        for (TaskInfo info : unit.tasks) {
            tally.count("tasks_refused");
            TaskStatus status = TaskStatuses.of(
                            info.getTaskId(), taskState, TaskStatus.Source.SOURCE_MASTER, reason, message, turn.now())
                    .setAgentId(info.getAgentId())
                    .build();
            framework.send(turn, SchedulerEvents.update(status));
        }
    }
}
