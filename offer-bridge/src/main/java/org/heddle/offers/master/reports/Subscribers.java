// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master.reports;

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
import org.heddle.offers.master.cluster.ClusterNode;
import org.heddle.offers.master.state.ClusterState;
import org.heddle.offers.master.state.EventSink;
import org.heddle.offers.master.state.Framework;
import org.heddle.offers.master.state.FrameworkTask;
import org.heddle.offers.master.state.StateChange;
import org.heddle.offers.master.tasks.TaskListener;

/**
 * The event streams of operators (SUBSCRIBE of the operator API): first the state, then changes of frameworks, tasks
 * and agents. Without a subscriber, no event is made.
 */
public final class Subscribers implements TaskListener {
    private record Subscriber(String viewer, EventSink<Event> sink) {
        boolean sees(Framework framework) {
            return framework.belongsTo(viewer);
        }
    }

    private static final String EVERYTHING = "";

    private final BiFunction<StateChange, String, StateView> views;
    private final Map<String, Subscriber> subscribers = new LinkedHashMap<>();

    /** @param views makes the view of the state for a viewer */
    public Subscribers(BiFunction<StateChange, String, StateView> views) {
        this.views = views;
    }

    /** @param viewer principal whose frameworks the subscriber sees; empty for all frameworks */
    public void add(StateChange change, String streamId, String viewer, EventSink<Event> sink, long heartbeatMillis) {
        subscribers.put(streamId, new Subscriber(viewer, sink));
        Event subscribed = Event.newBuilder()
                .setType(Event.Type.SUBSCRIBED)
                .setSubscribed(Event.Subscribed.newBuilder()
                        .setGetState(OperatorReport.state(views.apply(change, viewer)))
                        .setHeartbeatIntervalSeconds(heartbeatMillis / 1000.0))
                .build();
        change.after(() -> {
            sink.open(streamId);
            sink.send(subscribed);
            sink.send(heartbeat());
        });
    }

    public void remove(String streamId) {
        subscribers.remove(streamId);
    }

    public void beat() {
        subscribers.values().forEach(subscriber -> subscriber.sink().beat(heartbeat()));
    }

    private static Event heartbeat() {
        return Event.newBuilder().setType(Event.Type.HEARTBEAT).build();
    }

    public void frameworkAdded(StateChange change, Framework framework) {
        publish(
                change,
                framework,
                view -> Event.newBuilder()
                        .setType(Event.Type.FRAMEWORK_ADDED)
                        .setFrameworkAdded(Event.FrameworkAdded.newBuilder()
                                .setFramework(OperatorReport.framework(framework, view))));
    }

    /** The framework's description or its connection has changed. */
    public void frameworkUpdated(StateChange change, Framework framework) {
        publish(
                change,
                framework,
                view -> Event.newBuilder()
                        .setType(Event.Type.FRAMEWORK_UPDATED)
                        .setFrameworkUpdated(Event.FrameworkUpdated.newBuilder()
                                .setFramework(OperatorReport.framework(framework, view))));
    }

    public void frameworkRemoved(StateChange change, Framework framework) {
        publish(
                change,
                framework,
                view -> Event.newBuilder()
                        .setType(Event.Type.FRAMEWORK_REMOVED)
                        .setFrameworkRemoved(Event.FrameworkRemoved.newBuilder().setFrameworkInfo(framework.info())));
    }

    @Override
    public void taskAdded(StateChange change, FrameworkTask task) {
        publish(
                change,
                task.framework(),
                view -> Event.newBuilder()
                        .setType(Event.Type.TASK_ADDED)
                        .setTaskAdded(Event.TaskAdded.newBuilder().setTask(OperatorReport.task(task))));
    }

    @Override
    public void taskUpdated(StateChange change, FrameworkTask task, TaskStatus status) {
        publish(
                change,
                task.framework(),
                view -> Event.newBuilder()
                        .setType(Event.Type.TASK_UPDATED)
                        .setTaskUpdated(Event.TaskUpdated.newBuilder()
                                .setFrameworkId(FrameworkID.newBuilder()
                                        .setValue(task.framework().id()))
                                .setState(task.state())
                                .setStatus(status)));
    }

    /** Compares the nodes of the last report with the nodes of this one. */
    public void nodes(StateChange change, Map<String, ClusterNode> before, Collection<ClusterNode> now) {
        if (subscribers.isEmpty()) {
            return;
        }
        Map<String, ClusterNode> gone = new LinkedHashMap<>(before);
        for (ClusterNode node : now) {
            if (gone.remove(node.node()) == null) {
                publish(
                        change,
                        view -> Event.newBuilder()
                                .setType(Event.Type.AGENT_ADDED)
                                .setAgentAdded(
                                        Event.AgentAdded.newBuilder().setAgent(OperatorReport.agent(node, view))));
            }
        }
        for (String node : gone.keySet()) {
            publish(
                    change,
                    view -> Event.newBuilder()
                            .setType(Event.Type.AGENT_REMOVED)
                            .setAgentRemoved(Event.AgentRemoved.newBuilder()
                                    .setAgentId(AgentID.newBuilder().setValue(ClusterState.agentId(node)))));
        }
    }

    private void publish(StateChange change, Framework framework, Function<StateView, Event.Builder> event) {
        publish(change, subscriber -> subscriber.sees(framework), event);
    }

    private void publish(StateChange change, Function<StateView, Event.Builder> event) {
        publish(change, subscriber -> true, event);
    }

    /** Makes the event at most once, and only if a subscriber may see it. */
    private void publish(StateChange change, Predicate<Subscriber> sees, Function<StateView, Event.Builder> event) {
        Event made = null;
        for (Subscriber subscriber : subscribers.values()) {
            if (sees.test(subscriber)) {
                Event told;
                if (made == null) {
                    told = event.apply(views.apply(change, EVERYTHING)).build();
                } else {
                    told = made;
                }
                made = told;
                change.after(() -> subscriber.sink().send(told));
            }
        }
    }
}
