// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.mesos.v1.Protos.AgentID;
import org.apache.mesos.v1.Protos.FrameworkID;
import org.apache.mesos.v1.Protos.TaskStatus;
import org.apache.mesos.v1.master.Protos.Event;
import org.heddle.offers.master.ClusterState.Framework;
import org.heddle.offers.master.ClusterState.Task;
import org.heddle.offers.master.cluster.ClusterNode;
import org.heddle.offers.master.state.EventSink;
import org.heddle.offers.master.state.StateChange;

/**
 * Operators' event streams (the operator API's SUBSCRIBE): the state first, then what changes of frameworks, tasks and
 * agents. Costs nothing while nobody watches.
 */
final class Subscribers {
    private record Watcher(String viewer, EventSink<Event> sink) {
        boolean sees(Framework framework) {
            return framework.belongsTo(viewer);
        }
    }

    private static final String EVERYTHING = "";

    private final BiFunction<StateChange, String, StateView> views;
    private final Map<String, Watcher> watchers = new LinkedHashMap<>();

    /** @param views the state as a viewer may see it */
    Subscribers(BiFunction<StateChange, String, StateView> views) {
        this.views = views;
    }

    /** Lets one in; {@code viewer} is the principal whose frameworks it sees, empty for all. */
    void add(StateChange turn, String streamId, String viewer, EventSink<Event> sink, long heartbeatMillis) {
        watchers.put(streamId, new Watcher(viewer, sink));
        Event subscribed = Event.newBuilder()
                .setType(Event.Type.SUBSCRIBED)
                .setSubscribed(Event.Subscribed.newBuilder()
                        .setGetState(OperatorReport.state(views.apply(turn, viewer)))
                        .setHeartbeatIntervalSeconds(heartbeatMillis / 1000.0))
                .build();
        turn.after(() -> {
            sink.open(streamId);
            sink.send(subscribed);
            sink.send(heartbeat());
        });
    }

    void remove(String streamId) {
        watchers.remove(streamId);
    }

    void beat(StateChange turn) {
        watchers.values().forEach(watcher -> turn.after(() -> watcher.sink.send(heartbeat())));
    }

    private static Event heartbeat() {
        return Event.newBuilder().setType(Event.Type.HEARTBEAT).build();
    }

    void frameworkAdded(StateChange turn, Framework framework) {
        tell(
                turn,
                framework,
                view -> Event.newBuilder()
                        .setType(Event.Type.FRAMEWORK_ADDED)
                        .setFrameworkAdded(Event.FrameworkAdded.newBuilder()
                                .setFramework(OperatorReport.framework(framework, view))));
    }

    /** Its description has changed, or whether it is connected. */
    void frameworkUpdated(StateChange turn, Framework framework) {
        tell(
                turn,
                framework,
                view -> Event.newBuilder()
                        .setType(Event.Type.FRAMEWORK_UPDATED)
                        .setFrameworkUpdated(Event.FrameworkUpdated.newBuilder()
                                .setFramework(OperatorReport.framework(framework, view))));
    }

    void frameworkRemoved(StateChange turn, Framework framework) {
        tell(
                turn,
                framework,
                view -> Event.newBuilder()
                        .setType(Event.Type.FRAMEWORK_REMOVED)
                        .setFrameworkRemoved(Event.FrameworkRemoved.newBuilder().setFrameworkInfo(framework.info)));
    }

    void taskAdded(StateChange turn, Task task) {
        tell(
                turn,
                task.framework,
                view -> Event.newBuilder()
                        .setType(Event.Type.TASK_ADDED)
                        .setTaskAdded(Event.TaskAdded.newBuilder().setTask(OperatorReport.task(task))));
    }

    void taskUpdated(StateChange turn, Task task, TaskStatus status) {
        tell(
                turn,
                task.framework,
                view -> Event.newBuilder()
                        .setType(Event.Type.TASK_UPDATED)
                        .setTaskUpdated(Event.TaskUpdated.newBuilder()
                                .setFrameworkId(FrameworkID.newBuilder().setValue(task.framework.id))
                                .setState(task.state)
                                .setStatus(status)));
    }

    /** Compares the nodes that were with those that are. */
    void nodes(StateChange turn, Map<String, ClusterNode> before, Collection<ClusterNode> now) {
        if (watchers.isEmpty()) {
            return;
        }
        Map<String, ClusterNode> gone = new LinkedHashMap<>(before);
        for (ClusterNode node : now) {
            if (gone.remove(node.node()) == null) {
                tell(
                        turn,
                        view -> Event.newBuilder()
                                .setType(Event.Type.AGENT_ADDED)
                                .setAgentAdded(
                                        Event.AgentAdded.newBuilder().setAgent(OperatorReport.agent(node, view))));
            }
        }
        for (String node : gone.keySet()) {
            tell(
                    turn,
                    view -> Event.newBuilder()
                            .setType(Event.Type.AGENT_REMOVED)
                            .setAgentRemoved(Event.AgentRemoved.newBuilder()
                                    .setAgentId(AgentID.newBuilder().setValue(OfferManager.agentId(node)))));
        }
    }

    private void tell(StateChange turn, Framework framework, Function<StateView, Event.Builder> event) {
        tell(turn, watcher -> watcher.sees(framework), event);
    }

    private void tell(StateChange turn, Function<StateView, Event.Builder> event) {
        tell(turn, watcher -> true, event);
    }

    /** Makes the event once, and only if somebody is to see it. */
    private void tell(StateChange turn, Predicate<Watcher> sees, Function<StateView, Event.Builder> event) {
        Event made = null;
        for (Watcher watcher : watchers.values()) {
            if (sees.test(watcher)) {
                Event told = made == null
                        ? event.apply(views.apply(turn, EVERYTHING)).build()
                        : made;
                made = told;
                turn.after(() -> watcher.sink.send(told));
            }
        }
    }
}
