// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hadoop.test.GenericTestUtils;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.api.protocolrecords.NMContainerStatus;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmissionData;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmitter;
import org.apache.hadoop.yarn.server.resourcemanager.recovery.RMStateStore;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptState;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.QueueMetrics;
import org.heddle.drf.DrfScheduler;
import org.heddle.scheduler.snapshot.SchedulerSnapshot;
import org.heddle.scheduler.yarn.node.HeddleNode;
import org.heddle.scheduler.yarn.queue.HeddleQueue;
import org.heddle.scheduler.yarn.report.SchedulerReports;
import org.heddle.settings.Clocks;
import org.heddle.testkit.SharedProxyKey;
import org.jspecify.annotations.Nullable;

/**
 * A ResourceManager under our scheduler, without network: nodes and ApplicationMasters are played by Hadoop's mocks,
 * the scheduler's clock by hand. Hosts are addresses, so that no name has to be resolved.
 */
public final class RmFixture implements AutoCloseable {
    public static final String ONE_LEAF =
            "<heddle-scheduler version=\"1\"><queue name=\"root\"><queue name=\"default\"/></queue>"
                    + "<scheduling-delays><node-locality>0s</node-locality><rack-locality>0s</rack-locality></scheduling-delays></heddle-scheduler>";

    /** For {@link #errorsExpected}, where they cannot be counted beforehand. */
    static final long SOME_ERRORS = -1;

    private static final int POLL_MILLIS = 10;
    private static final int LONGEST_WAIT_MILLIS = 40_000;

    public final YarnConfiguration conf;
    public final FakeClock clock = new FakeClock();
    private Clocks clocks = clock.withDatesThatStep();
    final Path file;
    public final Map<String, MockNM> nodes = new LinkedHashMap<>();
    private final List<MockRM> gone = new ArrayList<>();
    public MockRM rm;
    long errorsExpected;

    public RmFixture(Path directory, String xml, String... properties) throws IOException {
        this(directory, xml, null, properties);
    }

    public RmFixture(Path directory, String xml, @Nullable RMStateStore store, String... properties)
            throws IOException {
        file = directory.resolve("heddle-scheduler.xml");
        Files.writeString(file, inMode(xml));
        conf = new YarnConfiguration();
        conf.set(YarnConfiguration.RM_SCHEDULER, DrfScheduler.class.getName());
        conf.set("yarn.scheduler.heddle.configuration.file", file.toString());
        conf.setInt(YarnConfiguration.RM_SCHEDULER_MINIMUM_ALLOCATION_MB, 1);
        conf.setInt(YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_MB, 1_000_000);
        conf.setInt(YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_VCORES, 1_000);
        conf.setBoolean("yarn.resourcemanager.work-preserving-recovery.enabled", true);
        conf.setLong(YarnConfiguration.RM_WORK_PRESERVING_RECOVERY_SCHEDULING_WAIT_MS, 0);
        // Every ResourceManager of a user on one machine would write to the same files.
        conf.set(
                YarnConfiguration.FS_NODE_ATTRIBUTE_STORE_ROOT_DIR,
                file.resolveSibling("node-attributes").toUri().toString());
        for (int i = 0; i < properties.length; i += 2) {
            conf.set(properties[i], properties[i + 1]);
        }
        rm = start(store);
    }

    /**
     * Tests run with allocation at heartbeats under {@code -Dheddle.test.allocation=heartbeat}, unless their file says
     * otherwise.
     */
    private static String inMode(String xml) {
        String mode = System.getProperty("heddle.test.allocation", "");
        return mode.isEmpty() || xml.contains("<allocation>")
                ? xml
                : xml.replaceFirst("<heddle-scheduler[^>]*>", "$0<allocation>" + mode + "</allocation>");
    }

    /** The file with allocation at heartbeats only: for tests of what happens before one, or at one. */
    public static String atHeartbeats(String xml) {
        return xml.replaceFirst("<heddle-scheduler[^>]*>", "$0<allocation>heartbeat</allocation>");
    }

    private MockRM start(@Nullable RMStateStore store) {
        SharedProxyKey.install();
        MockRM started = store == null ? new MockRM(conf) : new MockRM(conf, store);
        ((HeddleScheduler) started.getResourceScheduler()).setClocks(clocks);
        started.start();
        return started;
    }

    /** For tests of what happens at dates: these are the times of the clock. */
    public void setDatesByTheClock() {
        clocks = new Clocks(clock::getTime, clock::getTime);
        scheduler().setClocks(clocks);
    }

    /**
     * Starts another ResourceManager on the same store (null: the one that is configured), as if this one were gone;
     * nodes and masters have to register again. The old one is stopped at the end only, because that stops its store
     * too.
     */
    public void restart(@Nullable RMStateStore store) {
        gone.add(rm);
        rm = start(store);
        nodes.values().forEach(node -> node.setResourceTrackerService(rm.getResourceTrackerService()));
    }

    /** Another ResourceManager starts on the same {@link RetainedStateStore}, after this one has gone for good. */
    void replace() {
        RMStateStore store = rm.getRMContext().getStateStore();
        rm.stop();
        rm = start(store);
    }

    public DrfScheduler scheduler() {
        return (DrfScheduler) rm.getResourceScheduler();
    }

    public MockNM node(String host, int memory, int vcores) throws Exception {
        MockNM node = rm.registerNode(host + ":1234", memory, vcores);
        nodes.put(host, node);
        rm.drainEvents();
        return node;
    }

    /** So many nodes of a size, with 1,000 MB a core. */
    public List<String> nodes(int count, int cores) throws Exception {
        List<String> hosts = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            String host = "127.0.1." + i;
            node(host, 1_000 * cores, cores);
            hosts.add(host);
        }
        return hosts;
    }

    /** One heartbeat of every node, a second later. */
    public void heartbeat() throws Exception {
        clock.tick(1_000);
        for (MockNM node : nodes.values()) {
            node.nodeHeartbeat(true);
            rm.drainEvents();
        }
    }

    /**
     * A second passes: housekeeping, then masters hear of what has ended, then nodes' heartbeats, then what masters
     * were given runs.
     */
    public void second(App... apps) throws Exception {
        shell().update();
        rm.drainEvents();
        for (App app : apps) {
            AllocateResponse response = app.heartbeat(List.of(), List.of());
            Set<ContainerId> completed = response.getCompletedContainersStatuses().stream()
                    .map(ContainerStatus::getContainerId)
                    .collect(Collectors.toSet());
            List<Container> ended = new ArrayList<>(app.containers);
            ended.removeIf(container -> !completed.contains(container.getId()));
            app.containers.removeAll(ended);
            finish(ended);
        }
        heartbeat();
        for (App app : apps) {
            app.collect();
            run(app.containers.stream()
                    .filter(container -> app.ran.add(container.getId()))
                    .toList());
        }
    }

    /** An application without a master container, registered and ready to ask. */
    public App unmanaged(String user, String queue) throws Exception {
        RMApp app = MockRMAppSubmitter.submit(
                rm,
                MockRMAppSubmissionData.Builder.createWithMemory(100, rm)
                        .withAppName(user)
                        .withUser(user)
                        .withQueue(queue)
                        .withUnmanagedAM(true)
                        .build());
        MockNM any = nodes.values().iterator().next();
        MockAM am = MockRM.launchUAM(app, rm, any);
        am.registerAppAttempt();
        rm.drainEvents();
        return new App(app, am);
    }

    /** An application whose master takes a container of this size. */
    public App managed(String user, String queue, int memory) throws Exception {
        RMApp app = submit(user, queue, memory);
        return new App(app, launchAndRegister(app, nodes.values().iterator().next()));
    }

    /**
     * Starts an application's master. Hadoop's {@link MockRM#launchAM} expects that nothing is allocated before the
     * heartbeat.
     *
     * @param node sends the heartbeat
     */
    public MockAM launch(RMApp app, MockNM node) throws Exception {
        GenericTestUtils.waitFor(() -> isScheduled(app.getCurrentAppAttempt()), POLL_MILLIS, LONGEST_WAIT_MILLIS);
        RMAppAttempt attempt = app.getCurrentAppAttempt();
        node.nodeHeartbeat(true);
        rm.drainEvents();
        rm.waitForState(attempt.getAppAttemptId(), RMAppAttemptState.ALLOCATED);
        MockAM am = rm.sendAMLaunched(attempt.getAppAttemptId());
        rm.waitForState(attempt.getAppAttemptId(), RMAppAttemptState.LAUNCHED);
        return am;
    }

    private static boolean isScheduled(@Nullable RMAppAttempt attempt) {
        return attempt != null
                && EnumSet.of(RMAppAttemptState.SCHEDULED, RMAppAttemptState.ALLOCATED)
                        .contains(attempt.getAppAttemptState());
    }

    /** The same, and the master registers. */
    public MockAM launchAndRegister(RMApp app, MockNM node) throws Exception {
        MockAM am = launch(app, node);
        am.registerAppAttempt();
        rm.waitForState(app.getApplicationId(), RMAppState.RUNNING);
        return am;
    }

    public RMApp submit(String user, String queue, int memory) throws Exception {
        return MockRMAppSubmitter.submit(
                rm,
                MockRMAppSubmissionData.Builder.createWithMemory(memory, rm)
                        .withAppName(user)
                        .withUser(user)
                        .withQueue(queue)
                        .withUnmanagedAM(false)
                        .withWaitForAppAcceptedState(false)
                        .build());
    }

    /** A heartbeat of one node, without time passing. */
    public void heartbeat(String host) throws Exception {
        node(host).nodeHeartbeat(true);
        rm.drainEvents();
    }

    /** The scheduler as its own package sees it. */
    public HeddleScheduler shell() {
        return (HeddleScheduler) rm.getResourceScheduler();
    }

    public MockNM node(String host) {
        return Objects.requireNonNull(nodes.get(host), host);
    }

    public HeddleNode seen(String host) {
        return shell().getSchedulerNode(node(host).getNodeId());
    }

    /** The nodes report that containers run. */
    public void run(Collection<Container> containers) throws Exception {
        report(containers, ContainerState.RUNNING);
    }

    /** The nodes report that containers have ended. */
    public void finish(Collection<Container> containers) throws Exception {
        report(containers, ContainerState.COMPLETE);
    }

    /** The nodes report the end of all that was killed, whoever had it. */
    public void finishKilled() throws Exception {
        List<Container> killed = new ArrayList<>();
        for (HeddleNode node : shell().getNodes(node -> true)) {
            node.getCopiedListOfRunningContainers().stream()
                    .filter(container -> container.getState() == RMContainerState.KILLED)
                    .forEach(container -> killed.add(container.getContainer()));
        }
        finish(killed);
    }

    private void report(Collection<Container> containers, ContainerState state) throws Exception {
        for (Container container : List.copyOf(containers)) {
            ContainerId id = container.getId();
            node(container.getNodeId().getHost())
                    .nodeHeartbeat(id.getApplicationAttemptId(), id.getContainerId(), state);
            rm.drainEvents();
        }
    }

    /** What a node that registers reports of containers that run on it. */
    public static List<NMContainerStatus> running(Collection<Container> containers) {
        return containers.stream()
                .map(container -> NMContainerStatus.newInstance(
                        container.getId(),
                        container.getVersion(),
                        ContainerState.RUNNING,
                        container.getResource(),
                        "",
                        0,
                        container.getPriority(),
                        0))
                .toList();
    }

    /** Writes the configuration file anew; nobody is told. */
    public void write(String xml) throws IOException {
        Files.writeString(file, inMode(xml));
    }

    public HeddleQueue queue(String path) {
        return shell().queues().stream()
                .filter(queue -> queue.getQueueName().equals(path))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no queue " + path));
    }

    /** Everybody has gone: no account, metric or map may still know them. */
    public void assertNothingLeft() {
        rm.drainEvents();
        assertThat(shell().getSchedulerApplications()).isEmpty();
        assertThat(locked(() -> shell().engine().asks(shell().engine().root()))).isEmpty();
        for (HeddleQueue queue : shell().queues()) {
            assertThat(queue.schedulable().usage()).as("usage of " + queue).containsOnly(0);
            assertThat(queue.schedulable().running())
                    .as("containers of " + queue)
                    .isZero();
            assertThat(queue.schedulable().pending()).as("asks of " + queue).isZero();
            assertThat(queue.users()).as("users of " + queue).isEmpty();
            assertThat(queue.runningOfUser()).as("limits of " + queue).isEmpty();
            assertThat(queue.running()).as("running in " + queue).isZero();
            assertThat(queue.masters()).as("masters of " + queue).isZero();
            assertThat(List.of(queue.masterUsage(0), queue.masterUsage(1)))
                    .as("masters' usage of " + queue)
                    .containsOnly(0L);
            assertThat(busy(queue.getMetrics())).as("metrics of " + queue).isEqualTo(IDLE);
        }
        for (HeddleNode node : shell().getNodes(node -> true)) {
            assertThat(node.getUnallocatedResource()).isEqualTo(node.getTotalResource());
            assertThat(node.getReservedContainer()).isNull();
            assertThat(node).extracting("starts").isEqualTo(Map.of());
            assertThat(node.getNumContainers()).isZero();
        }
    }

    public SchedulerReports reports() {
        return shell().reports();
    }

    /** Looks at the scheduler's state under its lock. */
    public <T> T locked(Supplier<T> look) {
        return shell().locked(look);
    }

    private static final String IDLE =
            "allocated 0 MB 0 cores 0 containers, pending 0 MB 0 cores 0 containers, reserved 0 MB 0 cores 0"
                    + " containers, applications 0 pending 0 running";

    /** The gauges of a queue or user in words. */
    public static String busy(QueueMetrics metrics) {
        return "allocated %d MB %d cores %d containers, pending %d MB %d cores %d containers, "
                        .formatted(
                                metrics.getAllocatedMB(),
                                metrics.getAllocatedVirtualCores(),
                                metrics.getAllocatedContainers(),
                                metrics.getPendingMB(),
                                metrics.getPendingVirtualCores(),
                                metrics.getPendingContainers())
                + "reserved %d MB %d cores %d containers, applications %d pending %d running"
                        .formatted(
                                metrics.getReservedMB(),
                                metrics.getReservedVirtualCores(),
                                metrics.getReservedContainers(),
                                metrics.getAppsPending(),
                                metrics.getAppsRunning());
    }

    public SchedulerSnapshot.SchedulableReport schedulable(String path) {
        SchedulerSnapshot.SchedulableReport at = shell().takeSnapshot().root();
        for (String name : path.isEmpty() ? new String[0] : path.split("/", -1)) {
            at = at.children().stream()
                    .filter(child -> child.name().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("no schedulable " + name + " in " + path));
        }
        return at;
    }

    public long counter(String name) {
        return shell().takeSnapshot().counters().getOrDefault(name, 0L);
    }

    @Override
    public void close() {
        try {
            if (errorsExpected != SOME_ERRORS) {
                assertThat(counter("errors-contained"))
                        .as("errors contained, see the log")
                        .isEqualTo(errorsExpected);
            }
        } finally {
            rm.stop();
            gone.forEach(MockRM::stop);
        }
    }

    /** An application and what it has been given. */
    public final class App {
        public final RMApp app;
        public final MockAM am;
        public final List<Container> containers = new ArrayList<>();
        /** Those that {@link #second} has begun to run. */
        private final Set<ContainerId> ran = new HashSet<>();

        public App(RMApp app, MockAM am) {
            this.app = app;
            this.am = am;
        }

        public ApplicationId id() {
            return app.getApplicationId();
        }

        public ApplicationAttemptId attempt() {
            return am.getApplicationAttemptId();
        }

        public List<ContainerId> ids() {
            return containers.stream().map(Container::getId).toList();
        }

        /** Ends as it should; a managed one's node reports the end of its master. */
        public void end() throws Exception {
            am.unregisterAppAttempt();
            Container master = app.getCurrentAppAttempt().getMasterContainer();
            if (master != null) {
                node(master.getNodeId().getHost()).nodeHeartbeat(attempt(), 1, ContainerState.COMPLETE);
            }
            rm.waitForState(id(), RMAppState.FINISHED);
            rm.waitForAppRemovedFromScheduler(id());
            rm.drainEvents();
        }

        /** Asks for so many containers anywhere. */
        public App ask(int count, int memory, int vcores) throws Exception {
            return ask(10, count, Resource.newInstance(memory, vcores), ResourceRequest.ANY);
        }

        /** Asks for so many containers in each of the places. */
        public App ask(int priority, int count, Resource size, String... places) throws Exception {
            List<ResourceRequest> requests = new ArrayList<>();
            for (String place : places) {
                requests.add(ResourceRequest.newInstance(Priority.newInstance(priority), place, size, count));
            }
            heartbeat(requests, List.of());
            return this;
        }

        public App release(ContainerId... ids) throws Exception {
            heartbeat(List.of(), List.of(ids));
            return this;
        }

        /** Collects what has been allocated meanwhile. */
        public App collect() throws Exception {
            heartbeat(List.of(), List.of());
            return this;
        }

        public AllocateResponse heartbeat(List<ResourceRequest> asks, List<ContainerId> releases) throws Exception {
            AllocateResponse response =
                    am.allocate(AllocateRequest.newInstance(am.getResponseId(), 0f, asks, releases, null));
            containers.addAll(response.getAllocatedContainers());
            rm.drainEvents();
            return response;
        }
    }
}
