// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.yarn;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.api.ApplicationMasterProtocol;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.protocolrecords.FinishApplicationMasterRequest;
import org.apache.hadoop.yarn.api.protocolrecords.FinishApplicationMasterResponse;
import org.apache.hadoop.yarn.api.protocolrecords.GetNewApplicationResponse;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterRequest;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterResponse;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.QueueInfo;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.RMFailoverProxyProvider;
import org.apache.hadoop.yarn.client.RMProxy;
import org.apache.hadoop.yarn.client.api.YarnClientApplication;
import org.apache.hadoop.yarn.client.api.impl.YarnClientImpl;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.security.AMRMTokenIdentifier;
import org.apache.hadoop.yarn.util.Records;
import org.heddle.offers.fixture.TestBridges;
import org.heddle.offers.master.cluster.ApplicationKey;
import org.heddle.offers.master.cluster.ApplicationRecord;
import org.heddle.offers.master.cluster.Cluster;
import org.heddle.settings.Clocks;
import org.jspecify.annotations.Nullable;

/** A ResourceManager in the test's thread: it records what it is told, and answers or fails as the test says. */
final class FakeYarn extends YarnClientImpl implements ApplicationMasterProtocol {
    static final ApplicationId APPLICATION = ApplicationId.newInstance(1_700_000_000_000L, 1);
    static final ApplicationKey KEY = new ApplicationKey("framework", "web");

    private static final ApplicationAttemptId ATTEMPT = ApplicationAttemptId.newInstance(APPLICATION, 1);
    private static final String NUMBER = "fake.yarn";
    private static final Map<String, FakeYarn> ALL = new ConcurrentHashMap<>();

    /** Connects Hadoop's client to the fake of its configuration. */
    static final class Provider<T> implements RMFailoverProxyProvider<T> {
        private @Nullable Class<T> protocol;
        private @Nullable FakeYarn yarn;

        @Override
        public void init(Configuration conf, RMProxy<T> proxy, Class<T> type) {
            protocol = type;
            yarn = ALL.get(conf.get(NUMBER));
        }

        @Override
        public ProxyInfo<T> getProxy() {
            return new ProxyInfo<>(Objects.requireNonNull(protocol).cast(yarn), "fake");
        }

        @Override
        public void performFailover(T current) {}

        @Override
        public Class<T> getInterface() {
            return Objects.requireNonNull(protocol);
        }

        @Override
        public void close() {}
    }

    final ManualPool pool = new ManualPool();
    final EventLog events = new EventLog();
    final YarnSettings settings;
    /** Queues that exist; submissions into others are refused. */
    final Set<String> queues = new HashSet<>(Set.of("root.web", "root.default"));

    final List<String> submissions = new ArrayList<>();
    final List<String> killed = new ArrayList<>();
    final List<AllocateRequest> heartbeats = new ArrayList<>();
    final List<FinishApplicationMasterRequest> ends = new ArrayList<>();
    /** What the next heartbeats and ends are answered: a response or an exception; by default they succeed. */
    final Deque<Object> answers = new ArrayDeque<>();
    /** What the next calls of clients fail with. */
    final Deque<Exception> failures = new ArrayDeque<>();
    /** Containers that a registration tells. */
    List<Container> live = List.of();

    /** What happens while a heartbeat is under way. */
    Runnable meanwhile = () -> {};

    YarnApplicationState state = YarnApplicationState.ACCEPTED;
    boolean tokenReady = true;
    int registrations;
    private final Configuration conf = new YarnConfiguration();
    private final Path directory;

    FakeYarn(Path directory) {
        this.directory = directory;
        this.settings = TestBridges.settings(directory, 0, 0).yarn();
        String number = UUID.randomUUID().toString();
        ALL.put(number, this);
        conf.set(NUMBER, number);
        conf.setLong(YarnConfiguration.RESOURCEMANAGER_CONNECT_MAX_WAIT_MS, 0); // else Hadoop repeats calls after 30 s
        conf.setClass(
                YarnConfiguration.CLIENT_FAILOVER_NO_HA_PROXY_PROVIDER, Provider.class, RMFailoverProxyProvider.class);
    }

    /** The master of an application for role web. */
    FrameworkAppMaster master(@Nullable ApplicationRecord known) throws IOException {
        return new FrameworkAppMaster(
                new Cluster.AppSpec(KEY, "a framework", "user", "http://bridge", known),
                new FrameworkAppMaster.Shared(
                        conf,
                        settings,
                        pool,
                        AgentJar.publish(directory.resolve("staging").toUri().toString(), conf),
                        new FileSystemTokens(conf, List.of(), Clocks.SYSTEM)),
                new FrameworkAppMaster.Submitter(UserGroupInformation.createRemoteUser("user"), this),
                events);
    }

    /** One that has registered and sent its first heartbeat. */
    FrameworkAppMaster runningMaster() throws IOException {
        FrameworkAppMaster master = master(null);
        master.begin();
        pool.pass(0);
        heartbeats.clear();
        events.lines.clear();
        return master;
    }

    static Container container(long number) {
        return container(number, Resource.newInstance(1024, 2));
    }

    static Container container(long number, Resource size) {
        return Container.newInstance(
                ContainerId.newContainerId(ATTEMPT, number),
                NodeId.newInstance("node", 1),
                "node:2",
                size,
                Priority.newInstance(10),
                null);
    }

    static Token<AMRMTokenIdentifier> token() {
        return new Token<>(new byte[] {1}, new byte[] {2}, AMRMTokenIdentifier.KIND_NAME, new Text(""));
    }

    AllocateRequest lastHeartbeat() {
        return heartbeats.get(heartbeats.size() - 1);
    }

    // ---- for clients ----

    private void mayFail() throws YarnException, IOException {
        fail(failures.poll());
    }

    private static void fail(@Nullable Object answer) throws YarnException, IOException {
        if (answer instanceof YarnException e) {
            throw e;
        }
        if (answer instanceof IOException e) {
            throw e;
        }
    }

    @Override
    public YarnClientApplication createApplication() throws YarnException, IOException {
        mayFail();
        return new YarnClientApplication(
                Records.newRecord(GetNewApplicationResponse.class),
                Records.newRecord(ApplicationSubmissionContext.class));
    }

    @Override
    public ApplicationId submitApplication(ApplicationSubmissionContext context) throws YarnException {
        submissions.add(context.getQueue());
        if (!queues.contains(context.getQueue())) {
            throw new YarnException("no queue " + context.getQueue());
        }
        return APPLICATION;
    }

    @Override
    public ApplicationReport getApplicationReport(ApplicationId application) throws YarnException, IOException {
        mayFail();
        ApplicationReport report = Records.newRecord(ApplicationReport.class);
        report.setApplicationId(application);
        report.setCurrentApplicationAttemptId(ATTEMPT);
        report.setUser("user");
        report.setQueue("web");
        report.setYarnApplicationState(state);
        report.setDiagnostics("it is " + state);
        if (tokenReady) {
            report.setAMRMToken(org.apache.hadoop.yarn.api.records.Token.newInstance(
                    new byte[] {1}, "kind", new byte[] {2}, "service"));
        }
        return report;
    }

    @Override
    public Token<AMRMTokenIdentifier> getAMRMToken(ApplicationId application) {
        return token();
    }

    @Override
    public @Nullable QueueInfo getQueueInfo(String queue) {
        return queues.contains(queue) ? Records.newRecord(QueueInfo.class) : null;
    }

    @Override
    public List<NodeReport> getNodeReports(NodeState... states) {
        NodeReport node = Records.newRecord(NodeReport.class);
        node.setNodeId(NodeId.newInstance("node", 1));
        return List.of(node);
    }

    @Override
    public void killApplication(ApplicationId application) {
        killed.add(application.toString());
    }

    // ---- for application masters ----

    @Override
    public RegisterApplicationMasterResponse registerApplicationMaster(RegisterApplicationMasterRequest request) {
        registrations++;
        RegisterApplicationMasterResponse response = Records.newRecord(RegisterApplicationMasterResponse.class);
        response.setMaximumResourceCapability(Resource.newInstance(8192, 8));
        response.setContainersFromPreviousAttempts(live);
        response.setNMTokensFromPreviousAttempts(List.of());
        return response;
    }

    @Override
    public AllocateResponse allocate(AllocateRequest request) throws YarnException, IOException {
        heartbeats.add(request);
        meanwhile.run();
        Object answer = answers.poll();
        fail(answer);
        AllocateResponse response = answer instanceof AllocateResponse given
                ? given
                : AllocateResponse.newBuilder().build();
        response.setResponseId(request.getResponseId() + 1);
        return response;
    }

    @Override
    public FinishApplicationMasterResponse finishApplicationMaster(FinishApplicationMasterRequest request)
            throws YarnException, IOException {
        ends.add(request);
        Object answer = answers.poll();
        fail(answer);
        return FinishApplicationMasterResponse.newInstance(!Boolean.FALSE.equals(answer));
    }
}
