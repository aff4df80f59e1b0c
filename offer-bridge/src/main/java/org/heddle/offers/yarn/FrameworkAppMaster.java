// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.yarn;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterResponse;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.ContainerUpdateType;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.PreemptionMessage;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.UpdateContainerError;
import org.apache.hadoop.yarn.api.records.UpdatedContainer;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.exceptions.ApplicationAttemptNotFoundException;
import org.apache.hadoop.yarn.exceptions.ApplicationMasterNotRegisteredException;
import org.apache.hadoop.yarn.exceptions.ApplicationNotFoundException;
import org.apache.hadoop.yarn.exceptions.InvalidResourceRequestException;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.security.AMRMTokenIdentifier;
import org.apache.hadoop.yarn.util.Records;
import org.heddle.offers.master.cluster.AllocatedContainer;
import org.heddle.offers.master.cluster.ApplicationRecord;
import org.heddle.offers.master.cluster.Cluster;
import org.heddle.offers.master.cluster.QueuePlacement;
import org.heddle.offers.model.ContainerAsk;
import org.heddle.offers.model.Resources;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ApplicationMaster of one role of a framework: an unmanaged application in YARN. All calls to the ResourceManager
 * are tasks of one {@link SerialExecutor}, and fields for these tasks only are used behind its check. Orders may come
 * from any thread: they change the {@link AllocationState} and go out with the next heartbeat.
 *
 * <pre>
 * begin ─► submit or find ─► wait for the token ─► register ─► heartbeats ─► finish
 * </pre>
 */
@SuppressWarnings("FutureReturnValueIgnored") // tasks contain their own errors
final class FrameworkAppMaster {
    private static final Logger LOG = LoggerFactory.getLogger(FrameworkAppMaster.class);
    private static final long TOKEN_MILLIS = 100;
    private static final long UNREACHABLE_MILLIS = 1_000;
    private static final long SOONEST_MILLIS = 15;

    private final Cluster.AppSpec spec;
    private final Configuration conf;
    private final YarnSettings settings;
    private final YarnClient client;
    private final Cluster.Events events;
    private final ScheduledExecutorService pool;
    private final SerialExecutor serial;
    private final AgentJar agentFiles;
    private final FileSystemTokens tokens;
    private final UserGroupInformation user;
    private final AgentLauncher launcher;
    private final AllocationState allocation = new AllocationState();
    private volatile @Nullable AppMasterSession session;
    private volatile String queue = "";
    private volatile boolean registered;
    private volatile boolean closed;

    private final List<String> queues;

    // For tasks of the serial executor only.
    private int choice;
    private @Nullable ApplicationId id;
    private int responseId;
    private Resource headroom = Resource.newInstance(-1, -1);
    /** Whether the active ResourceManager knows this application master. */
    private boolean managerKnows;
    /** When the last heartbeat that was answered began, {@link System#nanoTime}. */
    private long lastBeat = System.nanoTime();

    @GuardedBy("this")
    private @Nullable ScheduledFuture<?> next;

    @GuardedBy("this")
    private boolean beating;

    /** An order came during the heartbeat, which may have missed it. */
    @GuardedBy("this")
    private boolean again;

    /** What the applications of one cluster share. */
    record Shared(
            Configuration conf,
            YarnSettings settings,
            ScheduledExecutorService pool,
            AgentJar agentFiles,
            FileSystemTokens tokens) {}

    /**
     * Who submits an application.
     *
     * @param user as which its containers run
     */
    record Submitter(UserGroupInformation user, YarnClient client) {}

    FrameworkAppMaster(Cluster.AppSpec spec, Shared shared, Submitter submitter, Cluster.Events events) {
        this.spec = spec;
        this.conf = shared.conf();
        this.settings = shared.settings();
        this.client = submitter.client();
        this.events = events;
        this.pool = shared.pool();
        this.serial = new SerialExecutor(pool);
        this.agentFiles = shared.agentFiles();
        this.tokens = shared.tokens();
        this.user = submitter.user();
        this.launcher = new AgentLauncher(conf);
        this.queues = settings.queues(spec.key().role());
    }

    // ---- beginning ----

    void begin() {
        serial.execute(this::submitOrFind);
    }

    private void submitOrFind() {
        serial.checkThread();
        if (closed) {
            return;
        }
        try {
            ApplicationRecord before = spec.known();
            if (before != null && isAlive(ApplicationId.fromString(before.id()))) {
                takeOver(before);
            } else {
                id = submit();
                awaitToken();
            }
        } catch (YarnException | IOException | RuntimeException e) {
            failed(e, this::submitOrFind);
        }
    }

    private void failed(Exception e, Runnable step) {
        if (e instanceof SocketException || e instanceof SocketTimeoutException || e instanceof EOFException) {
            // Hadoop's client has tried for long. The framework and its tasks must not end for that.
            LOG.warn("{}: YARN cannot be reached, will try again: {}", spec.key(), message(e));
            if (!closed) {
                serial.schedule(step, UNREACHABLE_MILLIS);
            }
            return;
        }
        refused(message(e));
    }

    /** YARN refused the application; tries the next queue if it was because this one does not exist. */
    private void refused(String diagnostics) {
        String tried = queues.get(choice);
        if (choice + 1 < queues.size() && !exists(tried)) {
            choice++;
            LOG.warn(
                    "{}: YARN has no queue {}, so role {} runs in {}, together with other roles. For a share of its"
                            + " own, add that queue, or set heddle.bridge.queues",
                    spec.name(),
                    tried,
                    spec.key().role(),
                    queues.get(choice));
            serial.execute(this::submitOrFind);
            return;
        }
        LOG.warn("cannot start an application for {}: {}", spec.key(), diagnostics);
        events.refused(spec.key(), diagnostics);
    }

    private boolean exists(String path) {
        try {
            return client.getQueueInfo(path) != null;
        } catch (YarnException | IOException e) {
            return false; // this is how schedulers say that there is no such queue
        }
    }

    /** The full path of the queue in which YARN placed it; empty before that. */
    String queue() {
        return queue;
    }

    /**
     * Continues the application of a former bridge. The ResourceManager still has the asks and the blacklist of that
     * bridge; the first heartbeat withdraws both.
     */
    private void takeOver(ApplicationRecord before) throws YarnException, IOException {
        ApplicationId application = ApplicationId.fromString(before.id());
        id = application;
        ApplicationReport report = client.getApplicationReport(application);
        placed(report);
        open(report.getCurrentApplicationAttemptId(), AppMasterSession.token(before.credential()));
        Set<String> hosts = new TreeSet<>();
        for (NodeReport node : client.getNodeReports(NodeState.RUNNING)) {
            hosts.add(node.getNodeId().getHost());
        }
        registerFirst(before.credential(), hosts, before.asked());
    }

    private boolean isAlive(ApplicationId application) throws YarnException, IOException {
        try {
            return !isOver(client.getApplicationReport(application).getYarnApplicationState());
        } catch (ApplicationNotFoundException e) {
            return false;
        }
    }

    private static boolean isOver(YarnApplicationState state) {
        return switch (state) {
            case FINISHED, FAILED, KILLED -> true;
            default -> false;
        };
    }

    private ApplicationId submit() throws YarnException, IOException {
        ApplicationSubmissionContext context = client.createApplication().getApplicationSubmissionContext();
        context.setApplicationName(spec.name());
        context.setApplicationType("OFFERS");
        context.setApplicationTags(Set.of("heddle-offers"));
        context.setQueue(queues.get(choice));
        context.setUnmanagedAM(true);
        context.setMaxAppAttempts(1);
        // With it, and only with it, the ResourceManager lets the bridge register again after a restart of either.
        context.setKeepContainersAcrossApplicationAttempts(true);
        context.setResource(Resource.newInstance(1, 1));
        context.setAMContainerSpec(Records.newRecord(ContainerLaunchContext.class));
        return client.submitApplication(context);
    }

    /** An unmanaged attempt is ready for its master once the report holds its token. */
    private void awaitToken() {
        serial.checkThread();
        if (closed) {
            return;
        }
        try {
            ApplicationId known = Objects.requireNonNull(id);
            ApplicationReport report = client.getApplicationReport(known);
            if (isOver(report.getYarnApplicationState())) {
                refused(String.valueOf(report.getDiagnostics()));
                return;
            }
            Token<AMRMTokenIdentifier> token = report.getAMRMToken() == null ? null : client.getAMRMToken(known);
            if (token == null) {
                serial.schedule(this::awaitToken, TOKEN_MILLIS);
                return;
            }
            placed(report);
            open(report.getCurrentApplicationAttemptId(), token);
            registerFirst(AppMasterSession.bytes(token), Set.of(), Resources.NONE);
        } catch (YarnException | IOException | RuntimeException e) {
            failed(e, this::awaitToken);
        }
    }

    private void placed(ApplicationReport report) {
        queue = YarnSettings.fullPath(report.getQueue());
        events.placed(spec.key(), new QueuePlacement(queue, report.getUser()));
    }

    private void open(ApplicationAttemptId attempt, Token<AMRMTokenIdentifier> token)
            throws YarnException, IOException {
        AppMasterSession before = session;
        if (before != null) {
            before.close();
        }
        session = AppMasterSession.open(conf, attempt, token);
    }

    /** Registers for the first time; the ResourceManager knows of these refused hosts and of an ask of that size. */
    private void registerFirst(byte[] credential, Set<String> refused, Resources asked)
            throws YarnException, IOException {
        RegisterApplicationMasterResponse response =
                register(refused, asked.isEmpty() ? null : YarnCluster.resource(asked));
        registered = true;
        ApplicationRecord before = spec.known();
        events.started(
                spec.key(),
                new ApplicationRecord(
                        Objects.requireNonNull(id).toString(),
                        credential,
                        before == null ? Resources.NONE : before.asked()),
                YarnCluster.resources(response.getMaximumResourceCapability()),
                response.getContainersFromPreviousAttempts().stream()
                        .map(FrameworkAppMaster::grant)
                        .toList());
        beatIn(0);
    }

    private RegisterApplicationMasterResponse register(Set<String> refused, @Nullable Resource asked)
            throws YarnException, IOException {
        RegisterApplicationMasterResponse response = session().register(spec.trackingUrl());
        responseId = 0;
        launcher.add(response.getNMTokensFromPreviousAttempts());
        allocation.registered(response.getContainersFromPreviousAttempts(), refused, asked);
        managerKnows = true;
        return response;
    }

    /** The connection to the ResourceManager, for tasks of the serial executor only. */
    private AppMasterSession session() {
        serial.checkThread();
        return Objects.requireNonNull(session);
    }

    private static AllocatedContainer grant(Container container) {
        return new AllocatedContainer(
                container.getId().toString(),
                container.getNodeId().toString(),
                container.getNodeId().getHost(),
                YarnCluster.resources(container.getResource()));
    }

    // ---- orders ----

    void ask(ContainerAsk wanted, Set<String> refusedHosts) {
        allocation.ask(wanted, refusedHosts);
        beatIn(SOONEST_MILLIS);
    }

    void release(String containerId) {
        allocation.release(containerId);
        beatIn(SOONEST_MILLIS);
    }

    void resize(String containerId, Resources size) {
        if (allocation.resize(containerId, size)) {
            beatIn(SOONEST_MILLIS);
        }
    }

    void startAgent(Cluster.AgentSpec agent) {
        Container container = allocation.container(agent.containerId());
        AppMasterSession current = session;
        if (container == null || current == null) {
            events.agentNotStarted(spec.key(), agent.containerId(), "the container is gone");
            return;
        }
        try {
            launcher.start(current, container, AgentLaunchContext.of(agent, settings, agentFiles, tokens.of(user)));
        } catch (YarnException | IOException | RuntimeException e) {
            LOG.warn("cannot start the agent of {}: {}", agent.containerId(), message(e));
            events.agentNotStarted(spec.key(), agent.containerId(), message(e));
        }
    }

    // ---- heartbeats ----

    /** Schedules a heartbeat within that time. */
    private synchronized void beatIn(long millis) {
        if (closed || !registered) {
            return;
        }
        if (beating) {
            again = again || millis < YarnSettings.BUSY_MILLIS;
            return;
        }
        ScheduledFuture<?> planned = next;
        if (planned != null && planned.getDelay(TimeUnit.MILLISECONDS) <= millis && !planned.isDone()) {
            return;
        }
        if (planned != null) {
            planned.cancel(false);
        }
        next = serial.schedule(this::beat, millis);
    }

    private void beat() {
        serial.checkThread();
        synchronized (this) {
            if (closed) {
                return;
            }
            beating = true;
            again = false;
            next = null;
        }
        boolean lost = false;
        try {
            if (!managerKnows) {
                RegisterApplicationMasterResponse response = register(Set.of(), null);
                events.resynced(
                        spec.key(),
                        response.getContainersFromPreviousAttempts().stream()
                                .map(container -> container.getId().toString())
                                .toList());
            }
            exchange();
        } catch (ApplicationMasterNotRegisteredException e) {
            LOG.info("{}: the ResourceManager has restarted, registering again", id);
            managerKnows = false;
        } catch (ApplicationAttemptNotFoundException e) {
            lost = hasEnded();
        } catch (YarnException | IOException | RuntimeException e) {
            LOG.warn("{}: heartbeat failed, will try again: {}", id, message(e));
        } finally {
            long delay = delay();
            if (!lost) {
                beatIn(delay);
            }
        }
        if (lost && !closed) {
            closed = true;
            events.refused(spec.key(), "application " + id + " ended in YARN");
        }
    }

    /** The heartbeat is over; returns when the next one is due. */
    private synchronized long delay() {
        beating = false;
        if (again && managerKnows) {
            return SOONEST_MILLIS;
        }
        if (!managerKnows || allocation.isBusy()) {
            return YarnSettings.BUSY_MILLIS;
        }
        if (allocation.holdsContainers()) {
            return settings.holdingMillis();
        }
        if (allocation.isResting()) {
            return settings.restingMillis();
        }
        return settings.times().idleMillis();
    }

    /** Whether YARN has ended the application; false if YARN does not answer. */
    private boolean hasEnded() {
        try {
            return !isAlive(Objects.requireNonNull(id));
        } catch (YarnException | IOException | RuntimeException e) {
            LOG.warn("{}: cannot read its state, will try again: {}", id, message(e));
            return false;
        }
    }

    private void exchange() throws YarnException, IOException {
        AllocationState.Changes changes = allocation.changes();
        long begin = System.nanoTime();
        AllocateResponse response;
        try {
            response = session().allocate(changes.request(responseId));
        } catch (InvalidResourceRequestException e) {
            allocation.refused(changes);
            throw e;
        }
        responseId = response.getResponseId();
        allocation.sent(changes);
        handle(response);
        lastBeat = begin;
    }

    private void handle(AllocateResponse response) throws IOException {
        if (response.getAMRMToken() != null) {
            events.renewed(spec.key(), session().renew(response.getAMRMToken()));
        }
        launcher.add(response.getNMTokens());
        List<Container> granted = allocation.granted(response.getAllocatedContainers());
        Resource available = response.getAvailableResources();
        if (available != null && !available.equals(headroom)) {
            headroom = available;
            events.headroom(spec.key(), YarnCluster.resources(available));
        }
        if (!granted.isEmpty()) {
            events.granted(
                    spec.key(), granted.stream().map(FrameworkAppMaster::grant).toList());
        }
        for (ContainerStatus status : response.getCompletedContainersStatuses()) {
            allocation.completed(status.getContainerId());
            events.completed(
                    spec.key(),
                    status.getContainerId().toString(),
                    status.getExitStatus(),
                    String.valueOf(status.getDiagnostics()));
        }
        for (UpdatedContainer updated : response.getUpdatedContainers()) {
            Container container = updated.getContainer();
            allocation.resized(container);
            if (updated.getUpdateType() == ContainerUpdateType.INCREASE_RESOURCE) {
                pool.execute(() -> tellNode(container));
            } else { // the ResourceManager tells the node
                resized(container);
            }
        }
        for (UpdateContainerError error : response.getUpdateErrors()) {
            events.notResized(
                    spec.key(),
                    error.getUpdateContainerRequest().getContainerId().toString(),
                    String.valueOf(error.getReason()));
        }
        PreemptionMessage preemption = response.getPreemptionMessage();
        if (preemption != null) {
            handlePreemption(preemption);
        }
    }

    /** Without this the ResourceManager takes back what it has added. */
    private void tellNode(Container container) {
        AppMasterSession current = session;
        if (current == null) {
            return;
        }
        try {
            launcher.update(current, container);
            resized(container);
        } catch (YarnException | IOException | RuntimeException e) {
            events.notResized(spec.key(), container.getId().toString(), "its node refuses: " + message(e));
        }
    }

    private void resized(Container container) {
        events.resized(spec.key(), container.getId().toString(), YarnCluster.resources(container.getResource()));
    }

    /** The grace period began when the scheduler chose the containers, which was after the last heartbeat. */
    private void handlePreemption(PreemptionMessage preemption) {
        long sinceLast = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - lastBeat);
        long grace = Math.max(0, settings.preemptionGraceMillis() - sinceLast);
        allocation.demands(preemption, grace).forEach(demand -> events.wanted(spec.key(), demand));
    }

    // ---- ending ----

    /** Ends the application in YARN, after the running task. No heartbeat follows. */
    void finish(boolean succeeded, String diagnostics) {
        closed = true;
        serial.execute(() ->
                unregister(succeeded ? FinalApplicationStatus.SUCCEEDED : FinalApplicationStatus.FAILED, diagnostics));
    }

    private void unregister(FinalApplicationStatus status, String diagnostics) {
        serial.checkThread();
        try {
            if (registered) {
                while (!unregistered(status, diagnostics)) {
                    TimeUnit.MILLISECONDS.sleep(TOKEN_MILLIS);
                }
            } else if (id != null) {
                client.killApplication(id);
            }
        } catch (YarnException | IOException | RuntimeException e) {
            LOG.warn("{} could not be finished in YARN: {}", id, message(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        close();
    }

    /**
     * Whether the ResourceManager has stored the end. One that has restarted takes it only from who has registered with
     * it; else it would call the application failed some minutes later.
     */
    private boolean unregistered(FinalApplicationStatus status, String diagnostics) throws YarnException, IOException {
        try {
            if (!managerKnows) {
                register(Set.of(), null);
            }
            return session().unregister(status, diagnostics);
        } catch (ApplicationMasterNotRegisteredException e) {
            managerKnows = false;
            return false;
        }
    }

    /** Stops heartbeats; the application goes on in YARN. */
    void stopHeartbeats() {
        closed = true;
    }

    /** Closes the connections; the application goes on in YARN. */
    void close() {
        closed = true;
        launcher.close();
        AppMasterSession open = session;
        if (open != null) {
            open.close();
        }
    }

    private static String message(Throwable error) {
        String message = error.getMessage();
        return message == null ? error.toString() : message.lines().findFirst().orElse(error.toString());
    }
}
