// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.apache.mesos.v1.scheduler.Protos.Call;
import org.apache.mesos.v1.scheduler.Protos.Event;
import org.heddle.offers.agent.FrameCodec;
import org.heddle.offers.master.agents.AgentRegistry;
import org.heddle.offers.master.cluster.AllocatedContainer;
import org.heddle.offers.master.cluster.ApplicationKey;
import org.heddle.offers.master.cluster.ApplicationRecord;
import org.heddle.offers.master.cluster.Cluster;
import org.heddle.offers.master.cluster.ClusterNode;
import org.heddle.offers.master.cluster.QueuePlacement;
import org.heddle.offers.master.offers.InverseOffers;
import org.heddle.offers.master.offers.MasterParts;
import org.heddle.offers.master.offers.OfferManager;
import org.heddle.offers.master.offers.ReclaimManager;
import org.heddle.offers.master.offers.SchedulerEvents;
import org.heddle.offers.master.reports.ShareHistory;
import org.heddle.offers.master.reports.StateReport;
import org.heddle.offers.master.reports.StateView;
import org.heddle.offers.master.reports.Subscribers;
import org.heddle.offers.master.state.AgentContainer;
import org.heddle.offers.master.state.ClusterState;
import org.heddle.offers.master.state.ContainerPhase;
import org.heddle.offers.master.state.Counters;
import org.heddle.offers.master.state.Counters.Counter;
import org.heddle.offers.master.state.EventSink;
import org.heddle.offers.master.state.Framework;
import org.heddle.offers.master.state.FrameworkRole;
import org.heddle.offers.master.state.MasterIdentity;
import org.heddle.offers.master.state.MasterSettings;
import org.heddle.offers.master.state.MesosVersion;
import org.heddle.offers.master.state.StateChange;
import org.heddle.offers.master.state.StateCodec;
import org.heddle.offers.master.state.StateExecutor;
import org.heddle.offers.master.state.Warnings;
import org.heddle.offers.master.tasks.AcceptHandler;
import org.heddle.offers.master.tasks.ExecutorCallHandler;
import org.heddle.offers.master.tasks.ExecutorManager;
import org.heddle.offers.master.tasks.TaskTracker;
import org.heddle.offers.model.Resources;
import org.heddle.offers.store.Journal;
import org.heddle.offers.wire.Json;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The entry to the master. Calls of schedulers and operators and events of the cluster come in from any thread and
 * become changes of the state, one after the other. The managers, one for each subject, make the changes.
 */
@SuppressWarnings("FutureReturnValueIgnored") // answers are passed on
public final class Master implements Cluster.Events {
    private static final Logger LOG = LoggerFactory.getLogger(Master.class);

    private static final long EXPIRY_CHECK_MILLIS = 1_000;

    private final StateExecutor stateExecutor;
    private final Cluster cluster;
    private final MasterSettings settings;
    private final SchedulerEvents events;
    private final ClusterState state = new ClusterState();
    private final Counters counters = new Counters();
    private final Warnings warnings = new Warnings();
    private final ShareHistory history = new ShareHistory();
    private final Subscribers subscribers = new Subscribers(this::view);
    private final OfferManager offers;
    private final ReclaimManager reclaims;
    private final ExecutorManager executors;
    private final TaskTracker tasks;
    private final AcceptHandler accepts;
    private final AgentRegistry agents;
    private final FrameworkRegistry frameworks;
    private long startedAt;

    public Master(StateExecutor stateExecutor, Cluster cluster, MasterSettings settings, MasterIdentity identity) {
        this.stateExecutor = stateExecutor;
        this.cluster = cluster;
        this.settings = settings;
        this.events = new SchedulerEvents(identity);
        MasterParts parts = new MasterParts(state, stateExecutor, cluster, settings, counters, warnings);
        InverseOffers inverseOffers = new InverseOffers(state, counters);
        this.offers = new OfferManager(parts, events, inverseOffers);
        this.reclaims = new ReclaimManager(parts, offers, inverseOffers);
        this.executors = new ExecutorManager(state, stateExecutor, counters);
        this.tasks = new TaskTracker(state, offers, executors, subscribers, counters);
        ExecutorCallHandler executorCalls = new ExecutorCallHandler(state, executors, tasks, offers, counters);
        this.accepts = new AcceptHandler(state, offers, executors, tasks, subscribers, counters);
        this.agents = new AgentRegistry(parts, offers, tasks, executors, executorCalls);
        this.frameworks = new FrameworkRegistry(parts, events, offers, reclaims, tasks, subscribers);
    }

    /** The description that Mesos' masters publish about themselves in ZooKeeper. */
    public byte[] info() {
        MasterIdentity identity = events.identity();
        return Json.object(out -> {
            out.writeStringField("pid", "master@" + identity.ip() + ":" + identity.port());
            out.writeStringField("id", identity.id());
            out.writeStringField("hostname", identity.hostname());
            out.writeNumberField("port", identity.port());
            out.writeStringField("version", MesosVersion.MESOS);
            out.writeObjectFieldStart("address");
            out.writeStringField("hostname", identity.hostname());
            out.writeStringField("ip", identity.ip());
            out.writeNumberField("port", identity.port());
            out.writeEndObject();
        });
    }

    public AgentRegistry agents() {
        return agents;
    }

    /**
     * Restores the state from the journal and takes over the running applications. Called before the executor starts.
     *
     * @param now by the monotonic clock
     */
    public void recover(Journal journal, long now) throws IOException {
        StateCodec.restore(journal.live(), state, now);
        if (!state.frameworks().isEmpty()) {
            LOG.info(
                    "Taking over {} frameworks and {} containers",
                    state.frameworks().size(),
                    state.containers().size());
        }
        startedAt = now;
        stateExecutor.post(change -> {
            state.containers().values().forEach(offers::restore);
            frameworks.recover(change);
            agents.awaitAll(change);
            stateExecutor.at(change.now() + settings.times().heartbeatMillis(), this::beat);
            stateExecutor.at(change.now() + settings.times().retryMillis(), this::retry);
            recordShares(change);
            expireOffers(change);
        });
    }

    /** Answers a question about the state. A viewer sees only the frameworks of its own principal. */
    public <T> CompletableFuture<T> look(String viewer, Function<StateView, T> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        stateExecutor.post(change -> {
            T found;
            try {
                found = question.apply(view(change, viewer));
            } catch (RuntimeException e) {
                answer.completeExceptionally(e);
                return;
            }
            answer.complete(found);
        });
        return answer;
    }

    private StateView view(StateChange change, String viewer) {
        return new StateView(
                state,
                events,
                settings,
                change.now(),
                change.date(),
                counters,
                warnings,
                startedAt,
                stateExecutor.errors(),
                history,
                viewer);
    }

    /** SUBSCRIBE of the operator API. A viewer sees only the frameworks of its own principal. */
    public void watch(String streamId, String viewer, EventSink<org.apache.mesos.v1.master.Protos.Event> sink) {
        stateExecutor.post(change ->
                subscribers.add(change, streamId, viewer, sink, settings.times().heartbeatMillis()));
    }

    /**
     * The guaranteed share of a framework in each of its roles (Mesos' getGuaranteedShare), as JSON; fails if there is
     * no such framework, or if the cluster does not answer.
     */
    public CompletableFuture<byte[]> share(String viewer, String frameworkId) {
        CompletableFuture<List<FrameworkRole>> roles = new CompletableFuture<>();
        stateExecutor.post(change -> {
            Framework framework = state.frameworks().get(frameworkId);
            if (framework == null || !framework.belongsTo(viewer)) {
                roles.completeExceptionally(new IllegalArgumentException("there is no framework " + frameworkId));
            } else {
                roles.complete(List.copyOf(framework.roles().values()));
            }
        });
        return roles.thenCompose(list -> {
            Map<FrameworkRole, CompletableFuture<Cluster.QueueShare>> asked = new LinkedHashMap<>();
            list.forEach(role -> asked.put(role, cluster.share(role.key())));
            return CompletableFuture.allOf(asked.values().toArray(CompletableFuture[]::new))
                    .thenCompose(done -> look(viewer, view -> StateReport.shares(view, frameworkId, asked)));
        });
    }

    /** Asks an agent about its sandboxes; fails if there is no such container, or with the agent's message. */
    public CompletableFuture<byte[]> sandbox(String containerId, String viewer, byte kind, FrameCodec.Fields fields) {
        CompletableFuture<byte[]> answer = new CompletableFuture<>();
        stateExecutor.post(change -> {
            AgentContainer container = state.containers().get(containerId);
            if (container == null || !container.role().framework().belongsTo(viewer)) {
                answer.completeExceptionally(new IOException("there is no container " + containerId));
            } else {
                agents.ask(container, kind, fields).whenComplete((bytes, error) -> {
                    if (error == null) {
                        answer.complete(bytes);
                    } else {
                        answer.completeExceptionally(error);
                    }
                });
            }
        });
        return answer;
    }

    // ---- schedulers ----

    /** SUBSCRIBE, checked by {@link CallValidator}. */
    public void subscribe(Call call, String streamId, String caller, EventSink<Event> sink) {
        stateExecutor.post(change -> frameworks.subscribe(change, call.getSubscribe(), streamId, caller, sink));
    }

    /** Handles the end of an event stream of a framework or an operator. */
    public void disconnected(String streamId) {
        stateExecutor.post(change -> {
            subscribers.remove(streamId);
            frameworks.disconnected(change, streamId);
        });
    }

    /** Handles every call other than SUBSCRIBE, checked by {@link CallValidator}. */
    public void call(Call call, String streamId, String caller, Reply reply) {
        stateExecutor.post(change -> {
            Framework framework = state.frameworks().get(call.getFrameworkId().getValue());
            if (framework == null) {
                change.after(() -> reply.answer(400, "Framework cannot be found"));
            } else if (!framework.belongsTo(caller)) {
                change.after(() -> reply.answer(403, "The framework belongs to another principal"));
            } else if (!framework.isConnected()) {
                change.after(() -> reply.answer(403, "Framework is not subscribed"));
            } else if (!framework.streamId().equals(streamId)) {
                change.after(() -> reply.answer(
                        400,
                        "The stream ID '" + streamId + "' included in this request didn't match the stream ID currently"
                                + " associated with framework ID " + framework.id()));
            } else {
                counters.count(call.getType());
                handle(change, framework, call, reply);
            }
        });
    }

    private void handle(StateChange change, Framework framework, Call call, Reply reply) {
        int status = 202;
        switch (call.getType()) {
            case TEARDOWN -> frameworks.tearDown(change, framework, "TEARDOWN");
            case ACCEPT -> {
                refuseOperations(change, framework, call.getAccept());
                accepts.accept(change, framework, call.getAccept(), agents::start);
            }
            case DECLINE -> offers.decline(change, framework, call.getDecline());
            case REVIVE ->
                roles(framework, call.getRevive().getRolesList()).forEach(role -> offers.revive(change, role));
            case SUPPRESS ->
                roles(framework, call.getSuppress().getRolesList()).forEach(role -> offers.suppress(change, role));
            case KILL -> tasks.kill(change, framework, call.getKill());
            case SHUTDOWN ->
                tasks.shutdown(
                        change,
                        framework,
                        call.getShutdown().getAgentId().getValue(),
                        call.getShutdown().getExecutorId().getValue());
            case ACKNOWLEDGE -> tasks.acknowledge(change, framework, call.getAcknowledge());
            case RECONCILE -> tasks.reconcile(change, framework, call.getReconcile());
            case MESSAGE ->
                executors.message(
                        change,
                        framework,
                        call.getMessage().getAgentId().getValue(),
                        call.getMessage().getExecutorId().getValue(),
                        call.getMessage().getData());
            case REQUEST -> frameworks.request(change, framework, call.getRequest());
            case UPDATE_FRAMEWORK -> {
                frameworks.update(change, framework, call.getUpdateFramework());
                status = 200;
            }
            case ACCEPT_INVERSE_OFFERS ->
                reclaims.answered(framework, call.getAcceptInverseOffers().getInverseOfferIdsList(), true);
            case DECLINE_INVERSE_OFFERS ->
                reclaims.answered(framework, call.getDeclineInverseOffers().getInverseOfferIdsList(), false);
            case ACKNOWLEDGE_OPERATION_STATUS -> LOG.debug("{} acknowledged an operation", framework.id());
            case RECONCILE_OPERATIONS, SUBSCRIBE, UNKNOWN -> status = 501;
        }
        int answer = status;
        change.after(() -> reply.answer(
                answer, answer == 501 ? "Call " + call.getType() + " is not supported by the offer bridge" : ""));
    }

    /** Refuses operations that the bridge does not support, if the framework named them. */
    private static void refuseOperations(StateChange change, Framework framework, Call.Accept accept) {
        accept.getOperationsList().stream()
                .filter(operation -> operation.hasId())
                .forEach(operation -> framework.send(
                        change,
                        Event.newBuilder()
                                .setType(Event.Type.UPDATE_OPERATION_STATUS)
                                .setUpdateOperationStatus(Event.UpdateOperationStatus.newBuilder()
                                        .setStatus(org.apache.mesos.v1.Protos.OperationStatus.newBuilder()
                                                .setOperationId(operation.getId())
                                                .setState(org.apache.mesos.v1.Protos.OperationState.OPERATION_ERROR)
                                                .setMessage("Operation " + operation.getType()
                                                        + " is not supported by the offer bridge")))
                                .build()));
    }

    private static List<FrameworkRole> roles(Framework framework, List<String> names) {
        if (names.isEmpty()) {
            return List.copyOf(framework.roles().values());
        }
        return framework.roles().values().stream()
                .filter(role -> names.contains(role.name()))
                .toList();
    }

    private void expireOffers(StateChange change) {
        offers.expire(change);
        reclaims.askForIdle(change);
        stateExecutor.at(change.now() + Math.min(EXPIRY_CHECK_MILLIS, settings.offerMillis()), this::expireOffers);
    }

    private void recordShares(StateChange change) {
        history.record(state, change.date());
        stateExecutor.at(change.now() + ShareHistory.EVERY_MILLIS, this::recordShares);
    }

    private void beat(StateChange change) {
        state.frameworks().values().forEach(framework -> framework.beat(SchedulerEvents.heartbeat()));
        subscribers.beat();
        stateExecutor.at(change.now() + settings.times().heartbeatMillis(), this::beat);
    }

    private void retry(StateChange change) {
        // What waits for the journal has not been sent once.
        if (!stateExecutor.isBehind(change.now() - settings.times().retryMillis())) {
            state.frameworks()
                    .values()
                    .forEach(framework ->
                            tasks.resend(change, framework, settings.times().retryMillis()));
        }
        stateExecutor.at(change.now() + settings.times().retryMillis(), this::retry);
    }

    // ---- the cluster ----

    private void withRole(ApplicationKey key, BiConsumer<StateChange, FrameworkRole> action) {
        stateExecutor.post(change -> {
            FrameworkRole role = state.role(key);
            if (role != null) {
                action.accept(change, role);
            }
        });
    }

    private void withContainer(ApplicationKey key, String containerId, BiConsumer<StateChange, AgentContainer> action) {
        withRole(key, (change, role) -> {
            AgentContainer container = role.containers().get(containerId);
            if (container != null) {
                action.accept(change, container);
            }
        });
    }

    @Override
    public void started(ApplicationKey key, ApplicationRecord app, Resources largest, List<AllocatedContainer> live) {
        stateExecutor.post(change -> {
            FrameworkRole role = state.role(key);
            if (role == null) {
                change.after(() -> cluster.finish(key, true, "The framework has been removed"));
                return;
            }
            role.setApplication(app);
            role.setRunning(largest);
            change.put(StateCodec.applicationKey(key), StateCodec.application(app));
            agents.compare(change, role, live);
            offers.ask(change, role);
        });
    }

    @Override
    public void placed(ApplicationKey key, QueuePlacement placement) {
        withRole(key, (change, role) -> role.setPlacement(placement));
    }

    @Override
    public void renewed(ApplicationKey key, byte[] credential) {
        withRole(key, (change, role) -> {
            ApplicationRecord app = role.application();
            if (app != null) {
                ApplicationRecord renewed = app.withCredential(credential);
                role.setApplication(renewed);
                change.put(StateCodec.applicationKey(key), StateCodec.application(renewed));
            }
        });
    }

    @Override
    public void refused(ApplicationKey key, String diagnostics) {
        withRole(key, (change, role) -> {
            counters.count(Counter.APPLICATIONS_REFUSED);
            role.framework()
                    .send(
                            change,
                            SchedulerEvents.error(
                                    "YARN refused the application of role " + role.name() + ": " + diagnostics));
            frameworks.tearDown(change, role.framework(), diagnostics);
        });
    }

    @Override
    public void granted(ApplicationKey key, List<AllocatedContainer> containers) {
        counters.count(Counter.ALLOCATIONS);
        withRole(key, (change, role) -> offers.allocated(change, role, containers));
    }

    @Override
    public void headroom(ApplicationKey key, Resources headroom) {
        withRole(key, (change, role) -> offers.headroom(change, role, settings.usable(headroom)));
    }

    @Override
    public void completed(ApplicationKey key, String containerId, int exitStatus, String diagnostics) {
        withRole(key, (change, role) -> agents.lost(change, role, containerId, exitStatus, diagnostics));
    }

    @Override
    public void resized(ApplicationKey key, String containerId, Resources size) {
        withContainer(
                key, containerId, (change, container) -> offers.resized(change, container, settings.usable(size)));
    }

    @Override
    public void notResized(ApplicationKey key, String containerId, String message) {
        withContainer(key, containerId, (change, container) -> offers.notResized(change, container, message));
    }

    @Override
    public void wanted(ApplicationKey key, Cluster.Demand demand) {
        withRole(key, (change, role) -> reclaims.wanted(change, role, demand));
    }

    @Override
    public void agentNotStarted(ApplicationKey key, String containerId, String message) {
        withRole(key, (change, role) -> agents.notStarted(change, role, containerId, message));
    }

    @Override
    public void nodes(List<ClusterNode> nodes) {
        stateExecutor.post(change -> {
            Map<String, ClusterNode> before = state.setNodes(nodes);
            reclaims.nodesChanged(change, before, nodes);
            offers.nodesChanged(change, before);
            subscribers.nodes(change, before, nodes);
        });
    }

    @Override
    public void pending(long containers) {
        stateExecutor.post(change -> offers.pending(change, containers));
    }

    @Override
    public void warning(String subject, String sentence) {
        warnings.set(subject, sentence);
    }

    @Override
    public void resynced(ApplicationKey key, List<String> live) {
        withRole(key, (change, role) -> {
            for (AgentContainer container : List.copyOf(role.containers().values())) {
                if (container.phase() == ContainerPhase.ALLOCATED) {
                    offers.forget(change, container);
                }
            }
            offers.ask(change, role);
        });
    }
}
