// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit;

import java.io.IOException;
import java.lang.reflect.UndeclaredThrowableException;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
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
import org.apache.hadoop.yarn.api.records.PreemptionMessage;
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
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.security.AMRMTokenIdentifier;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.jspecify.annotations.Nullable;

/**
 * An application whose ApplicationMaster is the test itself (an <em>unmanaged</em> one): it holds exactly what it asks
 * for and no container for a master. For one thread; nothing happens between the calls, except that the
 * ResourceManager gives up on an application that is silent for 10 minutes.
 *
 * <pre>{@code
 * try (TestApplication app = TestApplication.start(cluster, "alice", "root.default")) {
 *     Ask ask = app.ask(Ask.of(4, Map.of("memory-mb", 1024L, "vcores", 1L)));
 *     app.awaitGranted(ask, 4);
 *     app.release(ask.granted().get(0));
 * }
 * }</pre>
 *
 * <p>Long because it speaks both of YARN's protocols for applications, the client's and the master's.
 */
public final class TestApplication implements AutoCloseable {
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    private final HeddleCluster cluster;
    private final Configuration conf;
    private final YarnClient client;
    private final ApplicationId id;
    private final UserGroupInformation master;
    private final ApplicationMasterProtocol protocol;
    private final NMTokenCache nodeTokens = new NMTokenCache();
    private final Map<Long, Ask> asks = new LinkedHashMap<>();
    private final List<ResourceRequest> unsent = new ArrayList<>();
    private final List<ContainerId> toRelease = new ArrayList<>();
    private final List<UpdateContainerRequest> toUpdate = new ArrayList<>();
    private final List<String> toBlacklist = new ArrayList<>();
    private final Map<ContainerId, ContainerStatus> completed = new LinkedHashMap<>();
    private final List<PreemptionMessage> preemptions = new ArrayList<>();
    private final List<UpdatedContainer> updated = new ArrayList<>();
    private final Resource maximum;
    private Resource headroom = Resources.none();
    private int responseId;
    private @Nullable NMClient nodeClient;
    private boolean finished;

    private TestApplication(
            HeddleCluster cluster, YarnClient client, ApplicationId id, Token<AMRMTokenIdentifier> token)
            throws Exception {
        this.cluster = cluster;
        this.client = client;
        this.id = id;
        this.conf = cluster.configuration();
        this.master = UserGroupInformation.createRemoteUser(id.toString());
        master.addToken(token);
        this.protocol = master.doAs((PrivilegedExceptionAction<ApplicationMasterProtocol>)
                () -> ClientRMProxy.createRMProxy(conf, ApplicationMasterProtocol.class));
        RegisterApplicationMasterResponse response =
                call(() -> protocol.registerApplicationMaster(RegisterApplicationMasterRequest.newInstance("", 0, "")));
        this.maximum = response.getMaximumResourceCapability();
    }

    /** Submits an application of that user to that queue and registers as its master. */
    public static TestApplication start(HeddleCluster cluster, String user, String queue) throws Exception {
        return start(cluster, user, queue, context -> {});
    }

    /**
     * Submits an application and registers as its master.
     *
     * @param adjust last changes to the submission: priority, tags, node label, name
     * @throws IllegalStateException if it was rejected; the message holds the diagnostics
     */
    public static TestApplication start(
            HeddleCluster cluster, String user, String queue, Consumer<ApplicationSubmissionContext> adjust)
            throws Exception {
        return cluster.as(user, () -> {
            YarnClient client = YarnClient.createYarnClient();
            client.init(cluster.configuration());
            client.start();
            try {
                ApplicationId id = UnmanagedApplication.submit(client, "test application of " + user, queue, adjust);
                TestApplication started =
                        new TestApplication(cluster, client, id, UnmanagedApplication.awaitToken(client, id));
                Await.until(
                        "application " + id + " to run",
                        DEADLINE,
                        () -> started.report().getYarnApplicationState() == YarnApplicationState.RUNNING);
                return started;
            } catch (Exception | Error e) {
                client.stop();
                throw e;
            }
        });
    }

    public ApplicationId id() {
        return id;
    }

    /** The largest container that may be asked for, as told at registration. */
    public Resource maximum() {
        return maximum;
    }

    /** The headroom at the last heartbeat. */
    public Resource headroom() {
        return headroom;
    }

    /** The ResourceManager's report of the application, as clients see it. */
    public ApplicationReport report() throws YarnException, IOException {
        return client.getApplicationReport(id);
    }

    /** Asks; it is sent with the next heartbeat. */
    public Ask ask(Ask ask) {
        ask.number(asks.size());
        asks.put(ask.id(), ask);
        unsent.addAll(ask.rows(this::rackOf));
        return ask;
    }

    /** Asks for {@code more} (or, negative, fewer) containers of an earlier ask. */
    public void change(Ask ask, int more) {
        ask.add(more);
        unsent.addAll(ask.rows(this::rackOf));
    }

    /** Gives a container back with the next heartbeat. */
    public void release(Container container) {
        toRelease.add(container.getId());
    }

    /** Refuses hosts from the next heartbeat on. */
    public void blacklist(String... hosts) {
        toBlacklist.addAll(List.of(hosts));
    }

    /** Asks to make a container larger or smaller; see {@link #updated()}. */
    public void resize(Container container, Map<String, Long> resources) {
        Resource target = Ask.resource(resources);
        boolean grows = Resources.fitsIn(container.getResource(), target);
        toUpdate.add(UpdateContainerRequest.newInstance(
                container.getVersion(),
                container.getId(),
                grows ? ContainerUpdateType.INCREASE_RESOURCE : ContainerUpdateType.DECREASE_RESOURCE,
                target,
                null));
    }

    /** One exchange with the ResourceManager: sends what is unsent and takes in what it says. */
    public AllocateResponse heartbeat() throws Exception {
        AllocateRequest request = AllocateRequest.newBuilder()
                .responseId(responseId)
                .progress(0.5f)
                .askList(List.copyOf(unsent))
                .releaseList(List.copyOf(toRelease))
                .updateRequests(List.copyOf(toUpdate))
                .resourceBlacklistRequest(ResourceBlacklistRequest.newInstance(List.copyOf(toBlacklist), List.of()))
                .build();
        AllocateResponse response = call(() -> protocol.allocate(request));
        unsent.clear();
        toRelease.clear();
        toUpdate.clear();
        toBlacklist.clear();
        takeIn(response);
        return response;
    }

    private void takeIn(AllocateResponse response) throws IOException {
        responseId = response.getResponseId();
        if (response.getAvailableResources() != null) {
            headroom = response.getAvailableResources();
        }
        for (NMToken token : response.getNMTokens()) {
            nodeTokens.setToken(token.getNodeId().toString(), token.getToken());
        }
        if (response.getAMRMToken() != null) {
            renew(response.getAMRMToken());
        }
        for (Container container : response.getAllocatedContainers()) {
            Ask ask = asks.get(container.getAllocationRequestId());
            if (ask == null) {
                throw new IllegalStateException("container " + container.getId() + " answers ask "
                        + container.getAllocationRequestId() + ", which was never made");
            }
            ask.grant(container);
        }
        for (ContainerStatus status : response.getCompletedContainersStatuses()) {
            completed.put(status.getContainerId(), status);
        }
        updated.addAll(response.getUpdatedContainers());
        if (response.getPreemptionMessage() != null) {
            preemptions.add(response.getPreemptionMessage());
        }
    }

    private void renew(org.apache.hadoop.yarn.api.records.Token record) throws IOException {
        Token<AMRMTokenIdentifier> token = new Token<>(
                record.getIdentifier().array(),
                record.getPassword().array(),
                new org.apache.hadoop.io.Text(record.getKind()),
                ClientRMProxy.getAMRMTokenService(conf));
        master.addToken(token);
    }

    /** Heartbeats until at least {@code count} containers of an ask have been granted. */
    public List<Container> awaitGranted(Ask ask, int count) {
        heartbeatUntil(
                count + " containers of " + ask + " on " + id + ", "
                        + ask.granted().size() + " granted before",
                () -> ask.granted().size() >= count);
        return ask.granted();
    }

    /** Heartbeats until a container has ended; says how. */
    public ContainerStatus awaitCompleted(ContainerId container) {
        heartbeatUntil("container " + container + " to end", () -> completed.containsKey(container));
        return Objects.requireNonNull(completed.get(container));
    }

    /** Heartbeats until something is so. */
    public void heartbeatUntil(String what, Await.Condition condition) {
        Await.until(
                what,
                DEADLINE,
                () -> {
                    heartbeat();
                    return condition.holds();
                },
                () -> asks.values().stream()
                        .map(ask -> ask.granted().size() + " granted, still asking for " + ask)
                        .toList()
                        .toString());
    }

    /** Containers that ended, with exit status and diagnostics, in order. */
    public Map<ContainerId, ContainerStatus> completed() {
        return Map.copyOf(completed);
    }

    /** Containers granted and not known to have ended. */
    public List<Container> live() {
        return asks.values().stream()
                .flatMap(ask -> ask.granted().stream())
                .filter(container -> !completed.containsKey(container.getId()))
                .toList();
    }

    /** The preemption messages of the scheduler, in order. */
    public List<PreemptionMessage> preemptions() {
        return List.copyOf(preemptions);
    }

    /** Resized containers, in order. */
    public List<UpdatedContainer> updated() {
        return List.copyOf(updated);
    }

    /** Runs shell commands in a granted container; see {@link HeddleCluster#logs()} for what they print. */
    public void launch(Container container, String command) throws Exception {
        String line = "{ " + command + "\n} 1><LOG_DIR>/stdout 2><LOG_DIR>/stderr";
        ContainerLaunchContext context =
                ContainerLaunchContext.newInstance(Map.of(), Map.of(), List.of(line), Map.of(), null, Map.of());
        nodeClient().startContainer(container, context);
    }

    private NMClient nodeClient() throws Exception {
        if (nodeClient == null) {
            nodeClient = master.doAs((PrivilegedExceptionAction<NMClient>) () -> {
                NMClient made = NMClient.createNMClient();
                made.setNMTokenCache(nodeTokens);
                made.cleanupRunningContainersOnStop(false);
                made.init(conf);
                made.start();
                return made;
            });
        }
        return nodeClient;
    }

    /** Ends the application; its containers are killed. */
    public void finish(FinalApplicationStatus status) {
        FinishApplicationMasterRequest request = FinishApplicationMasterRequest.newInstance(status, "", "");
        Await.until(
                "application " + id + " to be unregistered",
                DEADLINE,
                () -> call(() -> protocol.finishApplicationMaster(request)).getIsUnregistered());
        finished = true;
    }

    /** Finishes successfully if not finished, and lets go of all connections. */
    @Override
    public void close() throws IOException, YarnException {
        try {
            if (!finished && report().getYarnApplicationState() == YarnApplicationState.RUNNING) {
                finish(FinalApplicationStatus.SUCCEEDED);
            }
        } finally {
            if (nodeClient != null) {
                nodeClient.stop();
            }
            RPC.stopProxy(protocol);
            client.stop();
        }
    }

    private String rackOf(String host) {
        return cluster.nodes().stream()
                .filter(node -> node.host().equals(host))
                .map(node -> node.spec().rack())
                .findFirst()
                .orElse(NodeSpec.DEFAULT_RACK);
    }

    private <T> T call(PrivilegedExceptionAction<T> action) throws Exception {
        try {
            return master.doAs(action);
        } catch (UndeclaredThrowableException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }
}
