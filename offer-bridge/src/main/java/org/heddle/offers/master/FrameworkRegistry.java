// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.mesos.v1.Protos.FrameworkInfo;
import org.apache.mesos.v1.Protos.TaskState;
import org.apache.mesos.v1.scheduler.Protos.Call;
import org.apache.mesos.v1.scheduler.Protos.Event;
import org.apache.mesos.v1.scheduler.Protos.OfferConstraints;
import org.heddle.offers.master.cluster.Cluster;
import org.heddle.offers.master.offers.MasterParts;
import org.heddle.offers.master.offers.OfferManager;
import org.heddle.offers.master.offers.ReclaimManager;
import org.heddle.offers.master.offers.SchedulerEvents;
import org.heddle.offers.master.reports.Subscribers;
import org.heddle.offers.master.state.AgentContainer;
import org.heddle.offers.master.state.ClusterState;
import org.heddle.offers.master.state.Counters;
import org.heddle.offers.master.state.Counters.Counter;
import org.heddle.offers.master.state.EventSink;
import org.heddle.offers.master.state.Framework;
import org.heddle.offers.master.state.FrameworkRole;
import org.heddle.offers.master.state.FrameworkTask;
import org.heddle.offers.master.state.MasterSettings;
import org.heddle.offers.master.state.MesosResources;
import org.heddle.offers.master.state.OfferRequirements;
import org.heddle.offers.master.state.RoleNames;
import org.heddle.offers.master.state.StateChange;
import org.heddle.offers.master.state.StateCodec;
import org.heddle.offers.master.state.StateExecutor;
import org.heddle.offers.master.tasks.TaskTracker;
import org.heddle.offers.model.Resources;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The frameworks: they subscribe, fail over, change their roles, and are removed.
 *
 * <pre>
 * subscribed ◄──► disconnected ──failover timeout──► removed      (TEARDOWN: removed at once)
 * </pre>
 */
final class FrameworkRegistry {
    private static final Logger LOG = LoggerFactory.getLogger(FrameworkRegistry.class);
    /** As many as a bridge was measured with. Each is an application of YARN, with its heartbeats. */
    private static final int MOST_FRAMEWORKS = 1_000;

    private final ClusterState state;
    private final StateExecutor stateExecutor;
    private final Cluster cluster;
    private final MasterSettings settings;
    private final SchedulerEvents events;
    private final OfferManager offers;
    private final ReclaimManager reclaims;
    private final TaskTracker tasks;
    private final Subscribers subscribers;
    private final Counters counters;
    private long made;

    FrameworkRegistry(
            MasterParts parts,
            SchedulerEvents events,
            OfferManager offers,
            ReclaimManager reclaims,
            TaskTracker tasks,
            Subscribers subscribers) {
        this.state = parts.state();
        this.stateExecutor = parts.stateExecutor();
        this.cluster = parts.cluster();
        this.settings = parts.settings();
        this.counters = parts.counters();
        this.events = events;
        this.offers = offers;
        this.reclaims = reclaims;
        this.tasks = tasks;
        this.subscribers = subscribers;
    }

    /** After a restart, starts the applications again and waits for the frameworks. */
    void recover(StateChange change) {
        for (Framework framework : state.frameworks().values()) {
            framework.roles().values().forEach(role -> startApplication(change, role));
            awaitReturn(change, framework, Math.max(settings.times().returnMillis(), failoverMillis(framework)));
        }
    }

    /** SUBSCRIBE. */
    void subscribe(
            StateChange change, Call.Subscribe subscribe, String streamId, String caller, EventSink<Event> sink) {
        FrameworkInfo info = owned(subscribe.getFrameworkInfo(), caller);
        String id = info.getId().getValue();
        if (state.isRemoved(id)) {
            change.after(() -> {
                sink.open(streamId);
                sink.send(SchedulerEvents.error("Framework has been removed"));
                sink.close();
            });
            return;
        }
        Framework framework = state.framework(id);
        boolean isNew = framework == null;
        if (framework == null) {
            if (state.frameworks().size() >= MOST_FRAMEWORKS) {
                change.after(() -> sink.refuse(
                        503,
                        "There are " + MOST_FRAMEWORKS
                                + " frameworks already: tear one down, or start another bridge for more"));
                return;
            }
            if (id.isEmpty()) {
                id = events.identity().id() + "-" + String.format(Locale.ROOT, "%04d", made++);
                info = info.toBuilder()
                        .setId(org.apache.mesos.v1.Protos.FrameworkID.newBuilder()
                                .setValue(id))
                        .build();
            }
            framework = new Framework(id, info);
            state.add(framework);
            counters.count(Counter.FRAMEWORKS_SUBSCRIBED);
        } else if (!framework.belongsTo(caller)) {
            String owner = framework.info().getPrincipal();
            change.after(() -> sink.refuse(403, "The framework belongs to principal '" + owner + "'"));
            return;
        } else {
            failover(change, framework);
        }
        connect(change, framework, info, streamId, sink, subscribe);
        if (isNew) {
            subscribers.frameworkAdded(change, framework);
        } else {
            subscribers.frameworkUpdated(change, framework);
        }
    }

    void disconnected(StateChange change, String streamId) {
        for (Framework framework : List.copyOf(state.frameworks().values())) {
            if (framework.isConnected() && framework.streamId().equals(streamId)) {
                framework.disconnect();
                framework.setDisconnectedAt(change.now());
                counters.count(Counter.FRAMEWORKS_DISCONNECTED);
                offers.withdraw(change, framework);
                awaitReturn(change, framework, failoverMillis(framework));
                subscribers.frameworkUpdated(change, framework);
            }
        }
    }

    /** UPDATE_FRAMEWORK. */
    void update(StateChange change, Framework framework, Call.UpdateFramework update) {
        FrameworkInfo info = update.getFrameworkInfo().toBuilder()
                .setId(framework.info().getId())
                .build();
        framework.setInfo(owned(info, framework.info().getPrincipal()));
        setRoles(change, framework, new HashSet<>(update.getSuppressedRolesList()), update.getOfferConstraints());
        framework.roles().values().stream()
                .filter(role -> !role.isRunning() && role.application() == null)
                .forEach(role -> startApplication(change, role));
        framework.roles().values().forEach(role -> offers.ask(change, role));
        change.put(StateCodec.frameworkKey(framework.id()), StateCodec.framework(framework));
        subscribers.frameworkUpdated(change, framework);
    }

    /** REQUEST: sets the size of the offers. Mesos' own allocator ignores this call. */
    void request(StateChange change, Framework framework, Call.Request request) {
        Resources wanted = Resources.NONE;
        for (var one : request.getRequestsList()) {
            try {
                wanted = wanted.max(MesosResources.toResources(one.getResourcesList()));
            } catch (IllegalArgumentException e) {
                LOG.info(
                        "Ignored a request of framework {}, as it names resources which the bridge does not offer",
                        framework.id());
            }
        }
        Resources size;
        if (framework.isGpuCapable()) {
            size = wanted.scheduled();
        } else {
            size = wanted.scheduled().withGpus(0);
        }
        for (FrameworkRole role : framework.roles().values()) {
            offers.request(change, role, wanted.memMb() == 0 ? null : size);
        }
    }

    /** Removes a framework with its tasks, containers and applications. */
    void tearDown(StateChange change, Framework framework, String why) {
        counters.count(Counter.FRAMEWORKS_TORN_DOWN);
        EventSink<Event> sink = framework.disconnect();
        for (FrameworkRole role : framework.roles().values()) {
            for (AgentContainer container : List.copyOf(role.containers().values())) {
                offers.release(change, container);
            }
            change.remove(StateCodec.applicationKey(role.key()));
            change.after(() -> cluster.finish(role.key(), true, why));
        }
        for (FrameworkTask task : framework.tasks().values()) {
            if (!task.ended()) {
                state.ended(task, TaskState.TASK_KILLED, why, change.now());
            }
            change.remove(StateCodec.taskKey(task));
        }
        String forgotten = state.remove(framework);
        if (forgotten != null) {
            change.remove(StateCodec.removedKey(forgotten));
        }
        change.remove(StateCodec.frameworkKey(framework.id()));
        change.put(StateCodec.removedKey(framework.id()), StateCodec.removed(change.date()));
        subscribers.frameworkRemoved(change, framework);
        if (sink != null) {
            change.after(sink::close);
        }
    }

    private static FrameworkInfo owned(FrameworkInfo info, String caller) {
        return caller.isEmpty() ? info : info.toBuilder().setPrincipal(caller).build();
    }

    private void failover(StateChange change, Framework framework) {
        EventSink<Event> before = framework.disconnect();
        if (before != null) {
            counters.count(Counter.FRAMEWORKS_FAILED_OVER);
            change.after(() -> {
                before.send(SchedulerEvents.error("Framework failed over"));
                before.close();
            });
            offers.withdraw(change, framework);
        }
    }

    private void connect(
            StateChange change,
            Framework framework,
            FrameworkInfo info,
            String streamId,
            EventSink<Event> sink,
            Call.Subscribe subscribe) {
        framework.setInfo(info);
        framework.connect(streamId, sink, change.now());
        setRoles(change, framework, new HashSet<>(subscribe.getSuppressedRolesList()), subscribe.getOfferConstraints());
        change.put(StateCodec.frameworkKey(framework.id()), StateCodec.framework(framework));
        change.after(() -> sink.open(streamId));
        framework.send(
                change, events.subscribed(framework.id(), settings.times().heartbeatMillis()));
        framework.send(change, SchedulerEvents.heartbeat());
        tasks.resend(change, framework, 0);
        reclaims.sendAgain(change, framework);
        for (FrameworkRole role : framework.roles().values()) {
            if (!role.isRunning() && role.application() == null) {
                startApplication(change, role);
            }
            if (role.isSuppressed()) {
                offers.suppress(change, role);
            } else {
                offers.revive(change, role);
            }
        }
    }

    private void setRoles(
            StateChange change, Framework framework, Set<String> suppressed, OfferConstraints constraints) {
        List<String> wanted = RoleNames.of(framework.info());
        for (String name : wanted) {
            FrameworkRole role = state.addRole(framework, name);
            role.setSuppressed(suppressed.contains(name));
            role.setRequirements(OfferRequirements.of(framework.info(), constraints, name));
        }
        for (FrameworkRole role : List.copyOf(framework.roles().values())) {
            if (!wanted.contains(role.name())) {
                role.setSuppressed(true);
                offers.ask(change, role);
                if (role.containers().values().stream().allMatch(AgentContainer::isIdle)) {
                    List.copyOf(role.containers().values()).forEach(container -> offers.release(change, container));
                    state.remove(role);
                    change.remove(StateCodec.applicationKey(role.key()));
                    change.after(() -> cluster.finish(role.key(), true, "The framework left role " + role.name()));
                }
            }
        }
    }

    private void startApplication(StateChange change, FrameworkRole role) {
        FrameworkInfo info = role.framework().info();
        Cluster.AppSpec spec =
                new Cluster.AppSpec(role.key(), info.getName(), info.getUser(), info.getWebuiUrl(), role.application());
        change.after(() -> cluster.start(spec));
    }

    private static long failoverMillis(Framework framework) {
        return (long) Math.min(1e15, framework.info().getFailoverTimeout() * 1000);
    }

    /** Removes a framework if it has not reconnected by this time. */
    private void awaitReturn(StateChange change, Framework framework, long millis) {
        long since = framework.disconnectedAt();
        stateExecutor.at(change.now() + millis, later -> {
            if (!framework.isConnected()
                    && framework.disconnectedAt() == since
                    && state.framework(framework.id()) == framework) {
                LOG.info("Framework {} did not reconnect within {} ms", framework.id(), millis);
                tearDown(later, framework, "The framework did not reconnect within its failover timeout");
            }
        });
    }
}
