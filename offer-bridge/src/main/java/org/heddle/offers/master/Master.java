// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master;

import java.io.IOException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.mesos.v1.Protos.FrameworkInfo;
import org.apache.mesos.v1.Protos.TaskState;
import org.apache.mesos.v1.Protos.TaskStatus;
import org.apache.mesos.v1.scheduler.Protos.Call;
import org.apache.mesos.v1.scheduler.Protos.Event;
import org.apache.mesos.v1.scheduler.Protos.OfferConstraints;
import org.heddle.offers.agent.FrameCodec;
import org.heddle.offers.master.ClusterState.Framework;
import org.heddle.offers.master.ClusterState.Host;
import org.heddle.offers.master.ClusterState.HostPhase;
import org.heddle.offers.master.ClusterState.Role;
import org.heddle.offers.master.ClusterState.Task;
import org.heddle.offers.master.cluster.AllocatedContainer;
import org.heddle.offers.master.cluster.ApplicationKey;
import org.heddle.offers.master.cluster.ApplicationRecord;
import org.heddle.offers.master.cluster.Cluster;
import org.heddle.offers.master.cluster.ClusterNode;
import org.heddle.offers.master.state.Counters;
import org.heddle.offers.master.state.EventSink;
import org.heddle.offers.master.state.MasterSettings;
import org.heddle.offers.master.state.MesosResources;
import org.heddle.offers.master.state.MesosVersion;
import org.heddle.offers.master.state.OfferRequirements;
import org.heddle.offers.master.state.RoleNames;
import org.heddle.offers.master.state.StateChange;
import org.heddle.offers.master.state.StateExecutor;
import org.heddle.offers.model.Resources;
import org.heddle.offers.store.Journal;
import org.heddle.offers.wire.Json;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The door to the single writer: calls of schedulers, news of the cluster and of agents come in here, from any thread, and
 * become turns. Frameworks' own life (subscribe, fail over, tear down) is kept here; offers, tasks and executors have
 * desks of their own. Long because it is that door.
 *
 * <pre>
 * framework:  subscribed ◄──► disconnected ──failover timeout──► gone      (TEARDOWN: gone at once)
 * </pre>
 */
@SuppressWarnings("FutureReturnValueIgnored") // answers are passed on
public final class Master implements Cluster.Events {
    private static final Logger LOG = LoggerFactory.getLogger(Master.class);

    private static final long EXPIRY_LOOK_MILLIS = 1_000;

    private final StateExecutor loop;
    private final Cluster cluster;
    private final MasterSettings limits;
    private final SchedulerEvents messages;
    private final ClusterState state = new ClusterState();
    private final Counters tally = new Counters();
    private final ShareHistory history = new ShareHistory();
    private final OfferManager offers;
    private final TaskTracker tasks;
    private final AcceptHandler launches;
    private final ExecutorManager executors;
    private final AgentRegistry agents;
    private final ReclaimManager revocations;
    private final Subscribers watchers = new Subscribers(this::view);
    private long frameworksMade;
    private long startedAt;

    public Master(
            StateExecutor loop,
            Cluster cluster,
            MasterSettings limits,
            String id,
            String hostname,
            String ip,
            int port,
            boolean tls) {
        this.loop = loop;
        this.cluster = cluster;
        this.limits = limits;
        this.messages = new SchedulerEvents(new SchedulerEvents.Identity(id, hostname, ip, port, tls));
        this.offers = new OfferManager(state, loop, cluster, limits, messages, tally);
        this.revocations = new ReclaimManager(state, loop, offers);
        offers.wire(revocations);
        this.executors = new ExecutorManager(loop, tally);
        this.tasks = new TaskTracker(state, offers, executors, watchers, tally);
        executors.wire(tasks, offers);
        this.launches = new AcceptHandler(state, offers, executors, tasks, watchers, tally);
        this.agents = new AgentRegistry(state, loop, cluster, limits, offers, tasks, executors, revocations);
    }

    public Counters tally() {
        return tally;
    }

    /** Who this is, as Mesos' masters publish it in ZooKeeper. */
    public byte[] info() {
        SchedulerEvents.Identity identity = messages.identity();
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

    /** Reads back what the journal holds and takes over what runs; before the loop starts. */
    public void recover(Journal journal, long now) throws IOException {
        StateCodec.restore(journal.live(), state, now);
        if (!state.frameworks.isEmpty()) {
            LOG.info("taking over {} frameworks and {} containers", state.frameworks.size(), state.hosts.size());
        }
        startedAt = now;
        loop.post(turn -> {
            state.hosts.values().forEach(offers::restore);
            for (Framework framework : state.frameworks.values()) {
                framework.roles.values().forEach(role -> startApp(turn, role));
                awaitReturn(turn, framework, Math.max(limits.returnMillis(), failoverMillis(framework)));
            }
            agents.awaitAll(turn);
            loop.at(turn.now() + limits.heartbeatMillis(), this::beat);
            loop.at(turn.now() + limits.retryMillis(), this::retry);
            lookAtShares(turn);
            expireOffers(turn);
        });
    }

    /** Looks at the state; the answer is computed in a turn. With a viewer, only its frameworks are seen. */
    public <T> CompletableFuture<T> look(String viewer, Function<StateView, T> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        loop.post(turn -> {
            T found;
            try {
                found = question.apply(view(turn, viewer));
            } catch (RuntimeException e) {
                answer.completeExceptionally(e);
                return;
            }
            answer.complete(found);
        });
        return answer;
    }

    private StateView view(StateChange turn, String viewer) {
        return new StateView(state, messages, limits, turn.now(), tally, startedAt, loop.errors(), history, viewer);
    }

    /** The operator API's SUBSCRIBE. With a viewer, only its frameworks are seen. */
    public void watch(String streamId, String viewer, EventSink<org.apache.mesos.v1.master.Protos.Event> sink) {
        loop.post(turn -> watchers.add(turn, streamId, viewer, sink, limits.heartbeatMillis()));
    }

    /**
     * What the framework may count on in each of its roles (Mesos' getGuaranteedShare), as JSON; fails if there is no such
     * framework or the cluster does not tell.
     */
    public CompletableFuture<byte[]> share(String viewer, String frameworkId) {
        CompletableFuture<List<Role>> roles = new CompletableFuture<>();
        loop.post(turn -> {
            Framework framework = state.frameworks.get(frameworkId);
            if (framework == null || !framework.belongsTo(viewer)) {
                roles.completeExceptionally(new IllegalArgumentException("there is no framework " + frameworkId));
            } else {
                roles.complete(List.copyOf(framework.roles.values()));
            }
        });
        return roles.thenCompose(list -> {
            Map<Role, CompletableFuture<Cluster.QueueShare>> asked = new LinkedHashMap<>();
            list.forEach(role -> asked.put(role, cluster.share(role.key)));
            return CompletableFuture.allOf(asked.values().toArray(CompletableFuture[]::new))
                    .thenCompose(done -> look(viewer, view -> StateReport.shares(view, frameworkId, asked)));
        });
    }

    /** Asks an agent about its sandboxes; fails if there is no such container, or with the agent's own words. */
    public CompletableFuture<byte[]> sandbox(String containerId, String viewer, byte kind, FrameCodec.Fields fields) {
        CompletableFuture<byte[]> answer = new CompletableFuture<>();
        loop.post(turn -> {
            Host host = state.hosts.get(containerId);
            if (host == null || !host.role.framework.belongsTo(viewer)) {
                answer.completeExceptionally(new IOException("there is no container " + containerId));
            } else {
                agents.ask(host, kind, fields).whenComplete((bytes, error) -> {
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
        loop.post(turn -> {
            FrameworkInfo info = owned(call.getSubscribe().getFrameworkInfo(), caller);
            String id = info.getId().getValue();
            if (state.gone.contains(id)) {
                turn.after(() -> {
                    sink.open(streamId);
                    sink.send(SchedulerEvents.error("Framework has been removed"));
                    sink.close();
                });
                return;
            }
            Framework framework = state.frameworks.get(id);
            boolean isNew = framework == null;
            if (framework == null) {
                if (state.frameworks.size() >= limits.frameworks()) {
                    turn.after(() -> sink.refuse(
                            503,
                            "There are " + limits.frameworks()
                                    + " frameworks already: tear one down, or raise heddle.bridge.max.frameworks"));
                    return;
                }
                if (id.isEmpty()) {
                    id = messages.identity().id() + "-" + String.format("%04d", frameworksMade++);
                    info = info.toBuilder()
                            .setId(org.apache.mesos.v1.Protos.FrameworkID.newBuilder()
                                    .setValue(id))
                            .build();
                }
                framework = new Framework(id, info);
                state.frameworks.put(id, framework);
                tally.count("frameworks_subscribed");
            } else if (!framework.belongsTo(caller)) {
                String owner = framework.info.getPrincipal();
                turn.after(() -> sink.refuse(403, "The framework belongs to principal '" + owner + "'"));
                return;
            } else {
                failover(turn, framework);
            }
            connect(turn, framework, info, streamId, sink, call.getSubscribe());
            if (isNew) {
                watchers.frameworkAdded(turn, framework);
            } else {
                watchers.frameworkUpdated(turn, framework);
            }
        });
    }

    private static FrameworkInfo owned(FrameworkInfo info, String caller) {
        return caller.isEmpty() ? info : info.toBuilder().setPrincipal(caller).build();
    }

    private void failover(StateChange turn, Framework framework) {
        EventSink<Event> before = framework.sink;
        if (before != null) {
            tally.count("frameworks_failed_over");
            turn.after(() -> {
                before.send(SchedulerEvents.error("Framework failed over"));
                before.close();
            });
            framework.sink = null;
            offers.withdraw(turn, framework);
        }
    }

    private void connect(
            StateChange turn,
            Framework framework,
            FrameworkInfo info,
            String streamId,
            EventSink<Event> sink,
            Call.Subscribe subscribe) {
        framework.info = info;
        framework.sink = sink;
        framework.streamId = streamId;
        framework.disconnectedAt = 0;
        framework.subscribedAt = turn.now();
        setRoles(turn, framework, new HashSet<>(subscribe.getSuppressedRolesList()), subscribe.getOfferConstraints());
        turn.put(StateCodec.frameworkKey(framework.id), StateCodec.framework(framework));
        turn.after(() -> sink.open(streamId));
        framework.send(turn, messages.subscribed(framework.id, limits.heartbeatMillis()));
        framework.send(turn, SchedulerEvents.heartbeat());
        tasks.resend(turn, framework, 0);
        revocations.again(turn, framework);
        for (Role role : framework.roles.values()) {
            if (!role.running && role.app == null) {
                startApp(turn, role);
            }
            if (role.suppressed) {
                offers.suppress(turn, role);
            } else {
                offers.revive(turn, role);
            }
        }
    }

    private void setRoles(StateChange turn, Framework framework, Set<String> suppressed, OfferConstraints constraints) {
        List<String> wanted = RoleNames.of(framework.info);
        for (String name : wanted) {
            Role role = framework.roles.computeIfAbsent(name, key -> new Role(framework, key));
            role.suppressed = suppressed.contains(name);
            role.wishes = OfferRequirements.of(framework.info, constraints, name);
        }
        for (Role role : List.copyOf(framework.roles.values())) {
            if (!wanted.contains(role.name)) {
                role.suppressed = true;
                offers.ask(turn, role);
                if (role.hosts.values().stream().allMatch(Host::idle)) {
                    List.copyOf(role.hosts.values()).forEach(host -> offers.release(turn, host));
                    framework.roles.remove(role.name);
                    turn.remove(StateCodec.appKey(role.key));
                    turn.after(() -> cluster.finish(role.key, true, "The framework left role " + role.name));
                }
            }
        }
    }

    private void startApp(StateChange turn, Role role) {
        FrameworkInfo info = role.framework.info;
        Cluster.AppSpec spec =
                new Cluster.AppSpec(role.key, info.getName(), info.getUser(), info.getWebuiUrl(), role.app);
        turn.after(() -> cluster.start(spec));
    }

    private static long failoverMillis(Framework framework) {
        return (long) Math.min(1e15, framework.info.getFailoverTimeout() * 1000);
    }

    /** Gives a framework up if it is not back by then. */
    private void awaitReturn(StateChange turn, Framework framework, long millis) {
        long since = framework.disconnectedAt;
        loop.at(turn.now() + millis, later -> {
            if (framework.sink == null
                    && framework.disconnectedAt == since
                    && state.frameworks.get(framework.id) == framework) {
                LOG.info("framework {} did not come back within {} ms", framework.id, millis);
                tearDown(later, framework, "The framework did not come back within its failover timeout");
            }
        });
    }

    /** The event stream of that id, a framework's or an operator's, has ended. */
    public void disconnected(String streamId) {
        loop.post(turn -> {
            watchers.remove(streamId);
            for (Framework framework : List.copyOf(state.frameworks.values())) {
                if (framework.sink != null && framework.streamId.equals(streamId)) {
                    framework.sink = null;
                    framework.disconnectedAt = turn.now();
                    tally.count("frameworks_disconnected");
                    offers.withdraw(turn, framework);
                    awaitReturn(turn, framework, failoverMillis(framework));
                    watchers.frameworkUpdated(turn, framework);
                }
            }
        });
    }

    /** Any call but SUBSCRIBE, checked by {@link CallValidator}. */
    public void call(Call call, String streamId, String caller, Reply reply) {
        loop.post(turn -> {
            Framework framework = state.frameworks.get(call.getFrameworkId().getValue());
            if (framework == null) {
                turn.after(() -> reply.answer(400, "Framework cannot be found"));
            } else if (!framework.belongsTo(caller)) {
                turn.after(() -> reply.answer(403, "The framework belongs to another principal"));
            } else if (framework.sink == null) {
                turn.after(() -> reply.answer(403, "Framework is not subscribed"));
            } else if (!framework.streamId.equals(streamId)) {
                turn.after(() -> reply.answer(
                        400,
                        "The stream ID '" + streamId + "' included in this request didn't match the stream ID currently"
                                + " associated with framework ID " + framework.id));
            } else {
                tally.count("calls_" + call.getType().name().toLowerCase(java.util.Locale.ROOT));
                handle(turn, framework, call, reply);
            }
        });
    }

    private void handle(StateChange turn, Framework framework, Call call, Reply reply) {
        int status = 202;
        switch (call.getType()) {
            case TEARDOWN -> tearDown(turn, framework, "TEARDOWN");
            case ACCEPT -> {
                operations(turn, framework, call.getAccept());
                launches.accept(turn, framework, call.getAccept(), agents::start);
            }
            case DECLINE -> decline(turn, framework, call.getDecline());
            case REVIVE -> roles(framework, call.getRevive().getRolesList()).forEach(role -> offers.revive(turn, role));
            case SUPPRESS ->
                roles(framework, call.getSuppress().getRolesList()).forEach(role -> offers.suppress(turn, role));
            case KILL -> tasks.kill(turn, framework, call.getKill());
            case SHUTDOWN ->
                executors.shutdown(
                        turn,
                        framework,
                        call.getShutdown().getAgentId().getValue(),
                        call.getShutdown().getExecutorId().getValue());
            case ACKNOWLEDGE -> tasks.acknowledge(turn, framework, call.getAcknowledge());
            case RECONCILE -> tasks.reconcile(turn, framework, call.getReconcile());
            case MESSAGE ->
                executors.message(
                        turn,
                        framework,
                        call.getMessage().getAgentId().getValue(),
                        call.getMessage().getExecutorId().getValue(),
                        call.getMessage().getData());
            case REQUEST -> request(turn, framework, call.getRequest());
            case UPDATE_FRAMEWORK -> {
                FrameworkInfo info = call.getUpdateFramework().getFrameworkInfo().toBuilder()
                        .setId(framework.info.getId())
                        .build();
                framework.info = owned(info, framework.info.getPrincipal());
                setRoles(
                        turn,
                        framework,
                        new HashSet<>(call.getUpdateFramework().getSuppressedRolesList()),
                        call.getUpdateFramework().getOfferConstraints());
                framework.roles.values().stream()
                        .filter(role -> !role.running && role.app == null)
                        .forEach(role -> startApp(turn, role));
                framework.roles.values().forEach(role -> offers.ask(turn, role));
                turn.put(StateCodec.frameworkKey(framework.id), StateCodec.framework(framework));
                watchers.frameworkUpdated(turn, framework);
                status = 200;
            }
            case ACCEPT_INVERSE_OFFERS ->
                revocations.answered(framework, call.getAcceptInverseOffers().getInverseOfferIdsList(), true);
            case DECLINE_INVERSE_OFFERS ->
                revocations.answered(framework, call.getDeclineInverseOffers().getInverseOfferIdsList(), false);
            case ACKNOWLEDGE_OPERATION_STATUS -> LOG.debug("{} acknowledged an operation", framework.id);
            case RECONCILE_OPERATIONS, SUBSCRIBE, UNKNOWN -> status = 501;
        }
        int answer = status;
        turn.after(() -> reply.answer(
                answer, answer == 501 ? "Call " + call.getType() + " is not supported by the offer bridge" : ""));
    }

    /** Operations that the bridge does not do are told so, where the framework gave them a name. */
    private static void operations(StateChange turn, Framework framework, Call.Accept accept) {
        accept.getOperationsList().stream()
                .filter(operation -> operation.hasId())
                .forEach(operation -> framework.send(
                        turn,
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

    private void decline(StateChange turn, Framework framework, Call.Decline decline) {
        List<ClusterState.Offer> known = decline.getOfferIdsList().stream()
                .map(id -> state.offers.get(id.getValue()))
                .filter(offer -> offer != null && offer.host().role.framework == framework)
                .distinct()
                .toList();
        double seconds =
                decline.hasFilters() ? decline.getFilters().getRefuseSeconds() : OfferManager.DEFAULT_REFUSE_SECONDS;
        offers.decline(turn, known, seconds);
    }

    private static List<Role> roles(Framework framework, List<String> names) {
        if (names.isEmpty()) {
            return List.copyOf(framework.roles.values());
        }
        return framework.roles.values().stream()
                .filter(role -> names.contains(role.name))
                .toList();
    }

    /** Mesos' own allocator ignores this; we take it as the size that the framework wishes offers to have. */
    private void request(StateChange turn, Framework framework, Call.Request request) {
        Resources wished = Resources.NONE;
        for (var one : request.getRequestsList()) {
            try {
                wished = wished.max(MesosResources.bundle(one.getResourcesList()));
            } catch (IllegalArgumentException e) {
                LOG.info("{}: request ignored: it names what the bridge does not offer", framework.id);
            }
        }
        for (Role role : framework.roles.values()) {
            role.wished = wished.memMb() == 0 ? null : Resources.of(wished.milliCpus(), wished.memMb());
            role.hungry = true;
            offers.ask(turn, role);
        }
    }

    private void tearDown(StateChange turn, Framework framework, String why) {
        tally.count("frameworks_torn_down");
        EventSink<Event> sink = framework.sink;
        framework.sink = null;
        for (Role role : framework.roles.values()) {
            for (Host host : List.copyOf(role.hosts.values())) {
                offers.release(turn, host);
            }
            turn.remove(StateCodec.appKey(role.key));
            turn.after(() -> cluster.finish(role.key, true, why));
        }
        for (Task task : framework.tasks.values()) {
            turn.remove(StateCodec.taskKey(task));
        }
        state.frameworks.remove(framework.id);
        state.gone.add(framework.id);
        turn.remove(StateCodec.frameworkKey(framework.id));
        turn.put(StateCodec.goneKey(framework.id), new byte[0]);
        watchers.frameworkRemoved(turn, framework);
        if (sink != null) {
            turn.after(sink::close);
        }
    }

    private void expireOffers(StateChange turn) {
        offers.expire(turn);
        loop.at(turn.now() + Math.min(EXPIRY_LOOK_MILLIS, limits.offerMillis()), this::expireOffers);
    }

    private void lookAtShares(StateChange turn) {
        history.look(state, turn.now());
        loop.at(turn.now() + ShareHistory.EVERY_MILLIS, this::lookAtShares);
    }

    private void beat(StateChange turn) {
        state.frameworks.values().forEach(framework -> framework.send(turn, SchedulerEvents.heartbeat()));
        watchers.beat(turn);
        loop.at(turn.now() + limits.heartbeatMillis(), this::beat);
    }

    private void retry(StateChange turn) {
        state.frameworks.values().forEach(framework -> tasks.resend(turn, framework, limits.retryMillis()));
        loop.at(turn.now() + limits.retryMillis(), this::retry);
    }

    // ---- the cluster ----

    private void withRole(ApplicationKey key, java.util.function.BiConsumer<StateChange, Role> action) {
        loop.post(turn -> {
            Framework framework = state.frameworks.get(key.frameworkId());
            Role role = framework == null ? null : framework.roles.get(key.role());
            if (role != null) {
                action.accept(turn, role);
            }
        });
    }

    @Override
    public void started(ApplicationKey key, ApplicationRecord app, Resources largest, List<AllocatedContainer> live) {
        loop.post(turn -> {
            Framework framework = state.frameworks.get(key.frameworkId());
            Role role = framework == null ? null : framework.roles.get(key.role());
            if (role == null) {
                turn.after(() -> cluster.finish(key, true, "The framework has gone"));
                return;
            }
            role.app = app;
            role.running = true;
            role.largest = largest;
            turn.put(StateCodec.appKey(key), StateCodec.app(app));
            agents.compare(turn, role, live);
            offers.ask(turn, role);
        });
    }

    @Override
    public void renewed(ApplicationKey key, byte[] credential) {
        withRole(key, (turn, role) -> {
            ApplicationRecord app = role.app;
            if (app != null) {
                role.app = app.withCredential(credential);
                turn.put(StateCodec.appKey(key), StateCodec.app(role.app));
            }
        });
    }

    @Override
    public void refused(ApplicationKey key, String diagnostics) {
        withRole(key, (turn, role) -> {
            tally.count("applications_refused");
            role.framework.send(
                    turn, SchedulerEvents.error("YARN has no place for role " + role.name + ": " + diagnostics));
            tearDown(turn, role.framework, diagnostics);
        });
    }

    @Override
    public void granted(ApplicationKey key, List<AllocatedContainer> grants) {
        tally.count("allocations");
        withRole(key, (turn, role) -> offers.granted(turn, role, grants));
    }

    @Override
    public void headroom(ApplicationKey key, Resources headroom) {
        withRole(key, (turn, role) -> offers.headroom(turn, role, offers.usable(headroom)));
    }

    @Override
    public void completed(ApplicationKey key, String containerId, int exitStatus, String diagnostics) {
        withRole(key, (turn, role) -> agents.lost(turn, role, containerId, exitStatus, diagnostics));
    }

    @Override
    public void resized(ApplicationKey key, String containerId, Resources size) {
        withRole(key, (turn, role) -> agents.resized(turn, role, containerId, offers.usable(size)));
    }

    @Override
    public void notResized(ApplicationKey key, String containerId, String message) {
        withRole(key, (turn, role) -> agents.notResized(turn, role, containerId, message));
    }

    @Override
    public void wanted(ApplicationKey key, Cluster.Demand demand) {
        withRole(key, (turn, role) -> revocations.wanted(turn, role, demand));
    }

    @Override
    public void agentNotStarted(ApplicationKey key, String containerId, String message) {
        withRole(key, (turn, role) -> agents.notStarted(turn, role, containerId, message));
    }

    @Override
    public void nodes(List<ClusterNode> nodes) {
        loop.post(turn -> {
            Map<String, ClusterNode> before = Map.copyOf(state.nodes);
            offers.nodes(turn, before, nodes);
            watchers.nodes(turn, before, nodes);
        });
    }

    @Override
    public void resynced(ApplicationKey key, List<String> live) {
        withRole(key, (turn, role) -> {
            for (Host host : List.copyOf(role.hosts.values())) {
                if (host.phase == HostPhase.GRANTED) {
                    offers.forget(turn, host);
                }
            }
            offers.ask(turn, role);
        });
    }

    /** What becomes of a task whose container ended. */
    static TaskStatus.Reason reason(int exitStatus) {
        return switch (exitStatus) {
            case -102, -101, -106 -> TaskStatus.Reason.REASON_CONTAINER_PREEMPTED;
            case -103, -104 -> TaskStatus.Reason.REASON_CONTAINER_LIMITATION_MEMORY;
            case -100 -> TaskStatus.Reason.REASON_AGENT_REMOVED;
            default -> TaskStatus.Reason.REASON_AGENT_DISCONNECTED;
        };
    }

    static TaskState stateAfter(int exitStatus) {
        return exitStatus == -103 || exitStatus == -104 ? TaskState.TASK_FAILED : TaskState.TASK_LOST;
    }
}
