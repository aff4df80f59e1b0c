// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.yarn;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.lang.reflect.UndeclaredThrowableException;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
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
import org.apache.hadoop.yarn.api.records.PreemptionContainer;
import org.apache.hadoop.yarn.api.records.PreemptionMessage;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceBlacklistRequest;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
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
import org.heddle.offers.master.Cluster;
import org.heddle.offers.master.Grant;
import org.heddle.offers.model.AskPlan;
import org.heddle.offers.model.Bundle;
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
final class RoleApplication {
    private static final Logger LOG = LoggerFactory.getLogger(RoleApplication.class);
    private static final Priority PROBE = Priority.newInstance(10);
    private static final long TOKEN_MILLIS = 100;
    private static final long SOONEST_MILLIS = 15;

    private final Cluster.AppSpec spec;
    private final Configuration conf;
    private final YarnSettings settings;
    private final YarnClient client;
    private final Cluster.Events events;
    private final ScheduledExecutorService pool;
    private final AgentFiles agentFiles;
    private final NMTokenCache nodeTokens = new NMTokenCache();

    // Touched by the thread that begins or heartbeats only, one at a time.
    private @Nullable ApplicationId id;
    private @Nullable UserGroupInformation master;
    private @Nullable ApplicationMasterProtocol protocol;
    private int responseId;
    private Resource headroom = Resource.newInstance(-1, -1);
    private final Map<String, Integer> sentAsks = new HashMap<>();

    @GuardedBy("this")
    private final Map<String, Container> containers = new LinkedHashMap<>();

    @GuardedBy("this")
    private AskPlan plan = new AskPlan(Bundle.NONE, 0);

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

    private volatile boolean registered;
    private volatile boolean closed;
    private @Nullable Resource askedSize;

    RoleApplication(
            Cluster.AppSpec spec,
            Configuration conf,
            YarnSettings settings,
            YarnClient client,
            Cluster.Events events,
            ScheduledExecutorService pool,
            AgentFiles agentFiles) {
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
            String known = spec.applicationId();
            if (known != null && isAlive(ApplicationId.fromString(known))) {
                id = ApplicationId.fromString(known);
            } else {
                id = submit();
            }
            awaitToken();
        } catch (YarnException | IOException | RuntimeException e) {
            LOG.warn("cannot start an application for {}", spec.key(), e);
            events.refused(spec.key(), message(e));
        }
    }

    private boolean isAlive(ApplicationId known) throws YarnException, IOException {
        try {
            return switch (client.getApplicationReport(known).getYarnApplicationState()) {
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
        token.setService(ClientRMProxy.getAMRMTokenService(conf));
        UserGroupInformation user = UserGroupInformation.createRemoteUser(
                report.getCurrentApplicationAttemptId().toString());
        user.addToken(token);
        master = user;
        protocol = as(() -> ClientRMProxy.createRMProxy(conf, ApplicationMasterProtocol.class));
        register(true);
    }

    private void register(boolean first) throws YarnException, IOException {
        ApplicationMasterProtocol rm = java.util.Objects.requireNonNull(protocol);
        RegisterApplicationMasterResponse response = as(() ->
                rm.registerApplicationMaster(RegisterApplicationMasterRequest.newInstance("", 0, spec.trackingUrl())));
        responseId = 0;
        List<Grant> live = new ArrayList<>();
        synchronized (this) {
            for (NMToken token : response.getNMTokensFromPreviousAttempts()) {
                nodeTokens.setToken(token.getNodeId().toString(), token.getToken());
            }
            for (Container container : response.getContainersFromPreviousAttempts()) {
                containers.put(container.getId().toString(), container);
                live.add(grant(container));
            }
            sentAsks.clear();
            refusedSent = Set.of();
            planChanged = true;
            askedSize = null;
        }
        registered = true;
        if (first) {
            events.started(
                    spec.key(),
                    java.util.Objects.requireNonNull(id).toString(),
                    YarnCluster.bundle(response.getMaximumResourceCapability()),
                    live);
            beatIn(0);
        } else {
            events.resynced(spec.key(), live.stream().map(Grant::containerId).toList());
        }
    }

    private static Grant grant(Container container) {
        return new Grant(
                container.getId().toString(),
                container.getNodeId().toString(),
                container.getNodeId().getHost(),
                YarnCluster.bundle(container.getResource()));
    }

    // ---- orders ----

    synchronized void ask(AskPlan wanted, Set<String> refusedHosts) {
        plan = wanted;
        planChanged = true;
        refused = refusedHosts;
        beatIn(SOONEST_MILLIS);
    }

    synchronized void release(String containerId) {
        releases.add(ContainerId.fromString(containerId));
        beatIn(SOONEST_MILLIS);
    }

    synchronized void resize(String containerId, Bundle size) {
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
            exchange();
        } catch (ApplicationMasterNotRegisteredException e) {
            LOG.info("{}: the ResourceManager has restarted, registering again", id);
            lost = !registerAgain();
        } catch (ApplicationAttemptNotFoundException e) {
            lost = true;
        } catch (YarnException | IOException | RuntimeException e) {
            LOG.warn("{}: heartbeat failed, will try again: {}", id, message(e));
        } finally {
            long delay;
            synchronized (this) {
                beating = false;
                boolean busy = plan.count() > 0 || !releases.isEmpty() || !updates.isEmpty();
                delay = again ? SOONEST_MILLIS : busy ? settings.busyMillis() : settings.idleMillis();
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

    private boolean registerAgain() {
        try {
            register(false);
            return true;
        } catch (YarnException | IOException | RuntimeException e) {
            LOG.warn("{}: cannot register again", id, e);
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
        AllocateResponse response = as(() -> rm.allocate(request));
        responseId = response.getResponseId();
        synchronized (this) {
            released.forEach(releases::remove);
            released.forEach(one -> containers.remove(one.toString()));
            updates.removeAll(updated);
            refusedSent = refusedNow;
        }
        takeIn(response);
    }

    /** The one ask that we have, as a row for the ResourceManager; an old one of another size is withdrawn. */
    @GuardedBy("this")
    private List<ResourceRequest> asks() {
        if (!planChanged) {
            return List.of();
        }
        planChanged = false;
        List<ResourceRequest> rows = new ArrayList<>();
        Resource size = YarnCluster.resource(plan.size());
        if (askedSize != null && !askedSize.equals(size)) {
            rows.add(row(askedSize, 0));
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
        List<Grant> grants = new ArrayList<>();
        synchronized (this) {
            for (NMToken token : response.getNMTokens()) {
                nodeTokens.setToken(token.getNodeId().toString(), token.getToken());
            }
            for (Container container : response.getAllocatedContainers()) {
                containers.put(container.getId().toString(), container);
                grants.add(grant(container));
            }
            plan = new AskPlan(plan.size(), Math.max(0, plan.count() - grants.size()));
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
            }
            events.completed(spec.key(), containerId, status.getExitStatus(), String.valueOf(status.getDiagnostics()));
        }
        for (UpdatedContainer updated : response.getUpdatedContainers()) {
            takeUpdate(updated);
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
        try {
            nodeClient().updateContainerResource(container);
            events.resized(spec.key(), containerId, YarnCluster.bundle(container.getResource()));
        } catch (YarnException | IOException e) {
            LOG.warn("{}: the node did not take the new size of {}: {}", id, containerId, message(e));
        }
    }

    private void takePreemption(PreemptionMessage preemption) {
        if (preemption.getStrictContract() != null) {
            events.wanted(
                    spec.key(),
                    ids(preemption.getStrictContract().getContainers()),
                    false,
                    settings.preemptionGraceMillis());
        }
        if (preemption.getContract() != null) {
            events.wanted(
                    spec.key(), ids(preemption.getContract().getContainers()), true, settings.preemptionGraceMillis());
        }
    }

    private static List<String> ids(Set<PreemptionContainer> wanted) {
        return wanted.stream().map(one -> one.getId().toString()).toList();
    }

    private void renew(org.apache.hadoop.yarn.api.records.Token renewed) throws IOException {
        java.util.Objects.requireNonNull(master)
                .addToken(new Token<AMRMTokenIdentifier>(
                        renewed.getIdentifier().array(),
                        renewed.getPassword().array(),
                        new Text(renewed.getKind()),
                        ClientRMProxy.getAMRMTokenService(conf)));
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
        Map<String, String> environment = new LinkedHashMap<>();
        environment.put("HEDDLE_BRIDGE", settings.bridgeAddresses());
        environment.put("HEDDLE_CONTAINER", agent.containerId());
        environment.put("HEDDLE_SECRET", agent.secret());
        environment.put("HEDDLE_LIMITS", settings.agentLimits());
        environment.put("HEDDLE_ORPHAN_MILLIS", Long.toString(settings.orphanMillis()));
        String command = "exec $JAVA_HOME/bin/java -Xms8m -Xmx" + settings.agentHeapMb() + "m -Xss256k -XX:+UseSerialGC"
                + " -XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=8m -XX:CICompilerCount=1 -Xshare:auto"
                + " -cp agent.jar org.heddle.offers.agent.Agent 1><LOG_DIR>/stdout 2><LOG_DIR>/stderr";
        ContainerLaunchContext context = ContainerLaunchContext.newInstance(
                Map.of("agent.jar", agentFiles.jar()), environment, List.of(command), Map.of(), null, Map.of());
        try {
            nodeClient().startContainer(container, context);
        } catch (YarnException | IOException | RuntimeException e) {
            if (message(e).contains("already")) {
                LOG.debug("{} runs already", agent.containerId());
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
