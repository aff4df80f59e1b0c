// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.yarn;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.lang.reflect.UndeclaredThrowableException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.api.ApplicationMasterProtocol;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.protocolrecords.FinishApplicationMasterRequest;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterRequest;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterResponse;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.ContainerUpdateType;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.NMToken;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.PreemptionMessage;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceBlacklistRequest;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.records.UpdateContainerError;
import org.apache.hadoop.yarn.api.records.UpdateContainerRequest;
import org.apache.hadoop.yarn.api.records.UpdatedContainer;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.ClientRMProxy;
import org.apache.hadoop.yarn.client.api.NMClient;
import org.apache.hadoop.yarn.client.api.NMTokenCache;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.exceptions.ApplicationAttemptNotFoundException;
import org.apache.hadoop.yarn.exceptions.ApplicationMasterNotRegisteredException;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.security.AMRMTokenIdentifier;
import org.apache.hadoop.yarn.util.Records;
import org.heddle.offers.master.cluster.AllocatedContainer;
import org.heddle.offers.master.cluster.ApplicationRecord;
import org.heddle.offers.master.cluster.Cluster;
import org.heddle.offers.model.ContainerAsk;
import org.heddle.offers.model.Resources;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One unmanaged application: the bridge is its master. Orders are collected under the object's lock and go out with the
 * next heartbeat, which one thread of the pool at a time carries out. Long because it speaks both of YARN's protocols for
 * applications, the client's and the master's.
 *
 * <pre>
 * begin ─► submit or find ─► wait for the token ─► register ─► heartbeats ─► finish
 * </pre>
 */
@SuppressWarnings("FutureReturnValueIgnored") // what is done later contains its own errors
final class FrameworkAppMaster {
    private static final Logger LOG = LoggerFactory.getLogger(FrameworkAppMaster.class);
    private static final Priority PROBE = Priority.newInstance(10);
    /** What NodeManagers answer to an order that they have had: ContainerManagerImpl. */
    private static final Pattern ALREADY = Pattern.compile(
            "Attempt to relaunch the same container|already is running on this node|is already started");

    private static final long TOKEN_MILLIS = 100;
    private static final long UNREACHABLE_MILLIS = 1_000;
    private static final long SOONEST_MILLIS = 15;

    private final Cluster.AppSpec spec;
    private final Configuration conf;
    private final YarnSettings settings;
    private final YarnClient client;
    private final Cluster.Events events;
    private final ScheduledExecutorService pool;
    private final AgentJar agentFiles;
    private final NMTokenCache nodeTokens = new NMTokenCache();

    // Touched by the thread that begins or heartbeats only, one at a time.
    private @Nullable ApplicationId id;
    private @Nullable UserGroupInformation master;
    private @Nullable ApplicationMasterProtocol protocol;
    private byte[] credential = {};
    private int responseId;
    private Resource headroom = Resource.newInstance(-1, -1);

    @GuardedBy("this")
    private final Map<String, Container> containers = new LinkedHashMap<>();

    @GuardedBy("this")
    private ContainerAsk plan = new ContainerAsk(Resources.NONE, 0);

    @GuardedBy("this")
    private boolean planChanged;

    @GuardedBy("this")
    private Set<String> refused = Set.of();

    @GuardedBy("this")
    private Set<String> refusedSent = Set.of();

    @GuardedBy("this")
    private final Set<ContainerId> releases = new LinkedHashSet<>();

    @GuardedBy("this")
    private final List<UpdateContainerRequest> updates = new ArrayList<>();

    @GuardedBy("this")
    private @Nullable ScheduledFuture<?> next;

    @GuardedBy("this")
    private boolean beating;

    @GuardedBy("this")
    private boolean again;

    @GuardedBy("this")
    private @Nullable NMClient nodeClient;

    /** Containers given back whose end the ResourceManager has not told: a new one must be told again. */
    @GuardedBy("this")
    private final Set<ContainerId> leaving = new LinkedHashSet<>();

    private volatile boolean registered;
    /** The ResourceManager that is active now knows of us. */
    private boolean met;
    /** When the last heartbeat that was answered began, {@link System#nanoTime}. */
    private long lastBeat = System.nanoTime();

    private volatile boolean closed;
    private @Nullable Resource askedSize;

    FrameworkAppMaster(
            Cluster.AppSpec spec,
            Configuration conf,
            YarnSettings settings,
            YarnClient client,
            Cluster.Events events,
            ScheduledExecutorService pool,
            AgentJar agentFiles) {
        this.spec = spec;
        this.conf = conf;
        this.settings = settings;
        this.client = client;
        this.events = events;
        this.pool = pool;
        this.agentFiles = agentFiles;
    }

    // ---- beginning ----

    void begin() {
        try {
            ApplicationRecord before = spec.known();
            if (before != null && isAlive(ApplicationId.fromString(before.id()))) {
                takeOver(before);
            } else {
                id = submit();
                awaitToken();
            }
        } catch (SocketException | SocketTimeoutException | EOFException e) {
            // Nobody there, for longer than Hadoop's client waits: no reason to give a framework and its tasks up.
            LOG.warn("{}: YARN cannot be reached, will try again: {}", spec.key(), message(e));
            if (!closed) {
                pool.schedule(this::begin, UNREACHABLE_MILLIS, TimeUnit.MILLISECONDS);
            }
        } catch (YarnException | IOException | RuntimeException e) {
            LOG.warn("cannot start an application for {}", spec.key(), e);
            events.refused(spec.key(), message(e));
        }
    }

    /**
     * The application of a bridge before this one. The ResourceManager still has that bridge's asks and its list of refused
     * nodes: the first heartbeat takes both back.
     */
    private void takeOver(ApplicationRecord before) throws YarnException, IOException {
        ApplicationId application = ApplicationId.fromString(before.id());
        id = application;
        Token<AMRMTokenIdentifier> token = new Token<>();
        token.readFields(new DataInputStream(new ByteArrayInputStream(before.credential())));
        connect(client.getApplicationReport(application).getCurrentApplicationAttemptId(), token);
        Set<String> hosts = new TreeSet<>();
        for (NodeReport node : client.getNodeReports(NodeState.RUNNING)) {
            hosts.add(node.getNodeId().getHost());
        }
        register(true, hosts, before.asked().isEmpty() ? null : YarnCluster.resource(before.asked()));
        beatIn(0);
    }

    private boolean isAlive(ApplicationId application) throws YarnException, IOException {
        try {
            return switch (client.getApplicationReport(application).getYarnApplicationState()) {
                case FINISHED, FAILED, KILLED -> false;
                default -> true;
            };
        } catch (org.apache.hadoop.yarn.exceptions.ApplicationNotFoundException e) {
            return false;
        }
    }

    private ApplicationId submit() throws YarnException, IOException {
        ApplicationSubmissionContext context = client.createApplication().getApplicationSubmissionContext();
        context.setApplicationName(spec.name());
        context.setApplicationType("OFFERS");
        context.setApplicationTags(Set.of("heddle-offers"));
        context.setQueue(settings.queue(spec.key().role()));
        context.setUnmanagedAM(true);
        context.setMaxAppAttempts(1);
        // With it, and only with it, the ResourceManager lets the bridge register again after a restart of either.
        context.setKeepContainersAcrossApplicationAttempts(true);
        context.setResource(Resource.newInstance(1, 1));
        context.setAMContainerSpec(Records.newRecord(ContainerLaunchContext.class));
        return client.submitApplication(context);
    }

    /** An unmanaged attempt is ready for its master once the report holds its token. */
    private void awaitToken() throws YarnException, IOException {
        ApplicationId known = java.util.Objects.requireNonNull(id);
        ApplicationReport report = client.getApplicationReport(known);
        YarnApplicationState state = report.getYarnApplicationState();
        if (state == YarnApplicationState.FAILED
                || state == YarnApplicationState.KILLED
                || state == YarnApplicationState.FINISHED) {
            events.refused(spec.key(), String.valueOf(report.getDiagnostics()));
            return;
        }
        Token<AMRMTokenIdentifier> token = report.getAMRMToken() == null ? null : client.getAMRMToken(known);
        if (token == null) {
            if (!closed) {
                pool.schedule(
                        () -> {
                            try {
                                awaitToken();
                            } catch (YarnException | IOException | RuntimeException e) {
                                LOG.warn("cannot start {}", known, e);
                                events.refused(spec.key(), message(e));
                            }
                        },
                        TOKEN_MILLIS,
                        TimeUnit.MILLISECONDS);
            }
            return;
        }
        connect(report.getCurrentApplicationAttemptId(), token);
        register(true, Set.of(), null);
        beatIn(0);
    }

    private void connect(ApplicationAttemptId attempt, Token<AMRMTokenIdentifier> token)
            throws YarnException, IOException {
        token.setService(ClientRMProxy.getAMRMTokenService(conf));
        UserGroupInformation user = UserGroupInformation.createRemoteUser(attempt.toString());
        user.addToken(token);
        master = user;
        credential = bytes(token);
        protocol = as(() -> ClientRMProxy.createRMProxy(conf, ApplicationMasterProtocol.class));
    }

    private static byte[] bytes(Token<?> token) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        token.write(new DataOutputStream(bytes));
        return bytes.toByteArray();
    }

    /** Registers; the ResourceManager knows of these refused nodes and of asks of that size. */
    private void register(boolean first, Set<String> refusedBefore, @Nullable Resource askedBefore)
            throws YarnException, IOException {
        ApplicationMasterProtocol rm = java.util.Objects.requireNonNull(protocol);
        RegisterApplicationMasterResponse response = as(() ->
                rm.registerApplicationMaster(RegisterApplicationMasterRequest.newInstance("", 0, spec.trackingUrl())));
        responseId = 0;
        List<AllocatedContainer> live = new ArrayList<>();
        synchronized (this) {
            for (NMToken token : response.getNMTokensFromPreviousAttempts()) {
                nodeTokens.setToken(token.getNodeId().toString(), token.getToken());
            }
            for (Container container : response.getContainersFromPreviousAttempts()) {
                containers.put(container.getId().toString(), container);
                live.add(grant(container));
            }
            refusedSent = refusedBefore;
            planChanged = true;
            askedSize = askedBefore;
            releases.addAll(leaving);
        }
        registered = true;
        met = true;
        if (first) {
            ApplicationRecord before = spec.known();
            events.started(
                    spec.key(),
                    new ApplicationRecord(
                            java.util.Objects.requireNonNull(id).toString(),
                            credential,
                            before == null ? Resources.NONE : before.asked()),
                    YarnCluster.bundle(response.getMaximumResourceCapability()),
                    live);
        } else {
            events.resynced(
                    spec.key(),
                    live.stream().map(AllocatedContainer::containerId).toList());
        }
    }

    private static AllocatedContainer grant(Container container) {
        return new AllocatedContainer(
                container.getId().toString(),
                container.getNodeId().toString(),
                container.getNodeId().getHost(),
                YarnCluster.bundle(container.getResource()));
    }

    // ---- orders ----

    synchronized void ask(ContainerAsk wanted, Set<String> refusedHosts) {
        plan = wanted;
        planChanged = true;
        refused = refusedHosts;
        beatIn(SOONEST_MILLIS);
    }

    synchronized void release(String containerId) {
        releases.add(ContainerId.fromString(containerId));
        beatIn(SOONEST_MILLIS);
    }

    synchronized void resize(String containerId, Resources size) {
        Container container = containers.get(containerId);
        if (container != null) {
            Resource target = YarnCluster.resource(size);
            boolean grows = target.getMemorySize() >= container.getResource().getMemorySize()
                    && target.getVirtualCores() >= container.getResource().getVirtualCores();
            updates.add(UpdateContainerRequest.newInstance(
                    container.getVersion(),
                    container.getId(),
                    grows ? ContainerUpdateType.INCREASE_RESOURCE : ContainerUpdateType.DECREASE_RESOURCE,
                    target,
                    null));
            beatIn(SOONEST_MILLIS);
        }
    }

    // ---- heartbeats ----

    /** Sees to it that there is a heartbeat within that time. */
    private synchronized void beatIn(long millis) {
        if (closed || !registered) {
            return;
        }
        if (beating) {
            again = again || millis < settings.busyMillis();
            return;
        }
        ScheduledFuture<?> planned = next;
        if (planned != null && planned.getDelay(TimeUnit.MILLISECONDS) <= millis && !planned.isDone()) {
            return;
        }
        if (planned != null) {
            planned.cancel(false);
        }
        next = pool.schedule(this::beat, millis, TimeUnit.MILLISECONDS);
    }

    private void beat() {
        synchronized (this) {
            if (beating || closed) {
                return;
            }
            beating = true;
            again = false;
            next = null;
        }
        boolean lost = false;
        try {
            if (!met) {
                register(false, Set.of(), null);
            }
            exchange();
        } catch (ApplicationMasterNotRegisteredException e) {
            LOG.info("{}: the ResourceManager has restarted, registering again", id);
            met = false;
        } catch (ApplicationAttemptNotFoundException e) {
            lost = hasEnded();
        } catch (YarnException | IOException | RuntimeException e) {
            LOG.warn("{}: heartbeat failed, will try again: {}", id, message(e));
        } finally {
            long delay;
            synchronized (this) {
                beating = false;
                boolean busy = plan.count() > 0 || !releases.isEmpty() || !updates.isEmpty();
                boolean resting =
                        containers.isEmpty() && leaving.isEmpty() && plan.size().isEmpty();
                long idle = resting
                        ? settings.restingMillis()
                        : containers.isEmpty() ? settings.idleMillis() : settings.holdingMillis();
                delay = again && met ? SOONEST_MILLIS : busy || !met ? settings.busyMillis() : idle;
            }
            if (!lost) {
                beatIn(delay);
            }
        }
        if (lost) {
            closed = true;
            events.refused(spec.key(), "application " + id + " ended in YARN");
        }
    }

    /** Whether YARN has ended the application; one that is only unreachable has not ended. */
    private boolean hasEnded() {
        try {
            return !isAlive(java.util.Objects.requireNonNull(id));
        } catch (YarnException | IOException | RuntimeException e) {
            LOG.warn("{}: cannot learn what became of it, will try again: {}", id, message(e));
            return false;
        }
    }

    private void exchange() throws YarnException, IOException {
        List<ResourceRequest> asks;
        List<ContainerId> released;
        List<UpdateContainerRequest> updated;
        ResourceBlacklistRequest blacklist;
        Set<String> refusedNow;
        synchronized (this) {
            asks = asks();
            released = List.copyOf(releases);
            updated = List.copyOf(updates);
            refusedNow = refused;
            Set<String> add = new TreeSet<>(refusedNow);
            add.removeAll(refusedSent);
            Set<String> remove = new TreeSet<>(refusedSent);
            remove.removeAll(refusedNow);
            blacklist = ResourceBlacklistRequest.newInstance(List.copyOf(add), List.copyOf(remove));
        }
        AllocateRequest request = AllocateRequest.newBuilder()
                .responseId(responseId)
                .progress(0.5f)
                .askList(asks)
                .releaseList(released)
                .updateRequests(updated)
                .resourceBlacklistRequest(blacklist)
                .build();
        ApplicationMasterProtocol rm = java.util.Objects.requireNonNull(protocol);
        long begin = System.nanoTime();
        AllocateResponse response = as(() -> rm.allocate(request));
        responseId = response.getResponseId();
        synchronized (this) {
            released.forEach(releases::remove);
            leaving.addAll(released);
            released.forEach(one -> containers.remove(one.toString()));
            updates.removeAll(updated);
            refusedSent = refusedNow;
        }
        takeIn(response);
        lastBeat = begin;
    }

    /** The one ask that we have, as a row for the ResourceManager; an old one of another size is withdrawn. */
    @GuardedBy("this")
    private List<ResourceRequest> asks() {
        if (!planChanged) {
            return List.of();
        }
        planChanged = false;
        List<ResourceRequest> rows = new ArrayList<>();
        Resource size = plan.size().isEmpty() ? null : YarnCluster.resource(plan.size());
        if (askedSize != null && !askedSize.equals(size)) {
            rows.add(row(askedSize, 0));
        }
        if (size == null) {
            askedSize = null;
            return rows;
        }
        rows.add(row(size, plan.count()));
        askedSize = size;
        return rows;
    }

    private static ResourceRequest row(Resource size, int count) {
        return ResourceRequest.newInstance(PROBE, ResourceRequest.ANY, size, count, true);
    }

    private void takeIn(AllocateResponse response) throws YarnException, IOException {
        if (response.getAMRMToken() != null) {
            renew(response.getAMRMToken());
        }
        List<AllocatedContainer> grants = new ArrayList<>();
        synchronized (this) {
            for (NMToken token : response.getNMTokens()) {
                nodeTokens.setToken(token.getNodeId().toString(), token.getToken());
            }
            for (Container container : response.getAllocatedContainers()) {
                // One that was there when an application was taken over has been told of already, and may be on its way
                // back.
                if (containers.put(container.getId().toString(), container) == null) {
                    grants.add(grant(container));
                }
            }
            plan = new ContainerAsk(plan.size(), Math.max(0, plan.count() - grants.size()));
        }
        Resource room = response.getAvailableResources();
        if (room != null && !room.equals(headroom)) {
            headroom = room;
            events.headroom(spec.key(), YarnCluster.bundle(room));
        }
        if (!grants.isEmpty()) {
            events.granted(spec.key(), grants);
        }
        for (ContainerStatus status : response.getCompletedContainersStatuses()) {
            String containerId = status.getContainerId().toString();
            synchronized (this) {
                containers.remove(containerId);
                leaving.remove(status.getContainerId());
            }
            events.completed(spec.key(), containerId, status.getExitStatus(), String.valueOf(status.getDiagnostics()));
        }
        for (UpdatedContainer updated : response.getUpdatedContainers()) {
            takeUpdate(updated);
        }
        for (UpdateContainerError error : response.getUpdateErrors()) {
            events.notResized(
                    spec.key(),
                    error.getUpdateContainerRequest().getContainerId().toString(),
                    String.valueOf(error.getReason()));
        }
        PreemptionMessage preemption = response.getPreemptionMessage();
        if (preemption != null) {
            takePreemption(preemption);
        }
    }

    private void takeUpdate(UpdatedContainer updated) {
        Container container = updated.getContainer();
        String containerId = container.getId().toString();
        synchronized (this) {
            containers.put(containerId, container);
        }
        if (updated.getUpdateType() == ContainerUpdateType.DECREASE_RESOURCE) {
            // The ResourceManager tells the node itself.
            events.resized(spec.key(), containerId, YarnCluster.bundle(container.getResource()));
            return;
        }
        try {
            nodeClient().updateContainerResource(container);
            events.resized(spec.key(), containerId, YarnCluster.bundle(container.getResource()));
        } catch (YarnException | IOException e) {
            LOG.warn("{}: the node did not take the new size of {}: {}", id, containerId, message(e));
        }
    }

    /** The scheduler counts from when it marked the containers, which was after the heartbeat before this one. */
    private void takePreemption(PreemptionMessage preemption) {
        long sinceLast = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - lastBeat);
        long grace = Math.max(0, settings.preemptionGraceMillis() - sinceLast);
        List<Cluster.Demand> demands;
        synchronized (this) {
            demands = PreemptionContracts.demands(preemption, containers, grace);
        }
        demands.forEach(demand -> events.wanted(spec.key(), demand));
    }

    private void renew(org.apache.hadoop.yarn.api.records.Token renewed) throws IOException {
        Token<AMRMTokenIdentifier> token = new Token<>(
                renewed.getIdentifier().array(),
                renewed.getPassword().array(),
                new Text(renewed.getKind()),
                ClientRMProxy.getAMRMTokenService(conf));
        java.util.Objects.requireNonNull(master).addToken(token);
        credential = bytes(token);
        events.renewed(spec.key(), credential);
    }

    // ---- containers ----

    void startAgent(Cluster.AgentSpec agent) {
        Container container;
        synchronized (this) {
            container = containers.get(agent.containerId());
        }
        if (container == null) {
            events.agentNotStarted(spec.key(), agent.containerId(), "the container is gone");
            return;
        }
        try {
            nodeClient().startContainer(container, AgentLaunchContext.of(agent, settings, agentFiles));
        } catch (YarnException | IOException | RuntimeException e) {
            if (ALREADY.matcher(String.valueOf(e.getMessage())).find()) {
                // The order of a bridge before this one: its agent comes, or its end is told by the ResourceManager.
                LOG.info("{} has been started already", agent.containerId());
                return;
            }
            LOG.warn("{}: cannot start the agent of {}: {}", id, agent.containerId(), message(e));
            events.agentNotStarted(spec.key(), agent.containerId(), message(e));
        }
    }

    private synchronized NMClient nodeClient() throws YarnException, IOException {
        NMClient known = nodeClient;
        if (known == null) {
            known = as(() -> {
                NMClient made = NMClient.createNMClient();
                made.setNMTokenCache(nodeTokens);
                // The containers are to survive this process.
                made.cleanupRunningContainersOnStop(false);
                made.init(conf);
                made.start();
                return made;
            });
            nodeClient = known;
        }
        return known;
    }

    // ---- ending ----

    void finish(boolean succeeded, String diagnostics) {
        closed = true;
        try {
            ApplicationMasterProtocol rm = protocol;
            if (registered && rm != null) {
                FinishApplicationMasterRequest request = FinishApplicationMasterRequest.newInstance(
                        succeeded ? FinalApplicationStatus.SUCCEEDED : FinalApplicationStatus.FAILED, diagnostics, "");
                while (!as(() -> rm.finishApplicationMaster(request)).getIsUnregistered()) {
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

    /** No more heartbeats; the application stays as it is. */
    void rest() {
        closed = true;
    }

    synchronized void close() {
        closed = true;
        if (nodeClient != null) {
            nodeClient.stop();
        }
        if (protocol != null) {
            RPC.stopProxy(protocol);
        }
    }

    private <T> T as(PrivilegedExceptionAction<T> action) throws YarnException, IOException {
        UserGroupInformation user = java.util.Objects.requireNonNull(master);
        try {
            return user.doAs(action);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (UndeclaredThrowableException e) {
            if (e.getCause() instanceof YarnException cause) {
                throw cause;
            }
            throw e;
        }
    }

    private static String message(Throwable error) {
        String message = error.getMessage();
        return message == null ? error.toString() : message.lines().findFirst().orElse(error.toString());
    }
}
