// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.yarn;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.test.GenericTestUtils;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.DecommissioningNodesWatcher;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmissionData;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmitter;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceTrackerService;
import org.apache.hadoop.yarn.server.resourcemanager.recovery.RMStateStore;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptState;
import org.heddle.market.DynamicPriorityScheduler;
import org.heddle.market.ledger.Market;
import org.heddle.market.model.amount.Credits;
import org.heddle.market.model.amount.SpendingRate;
import org.heddle.market.model.change.MarketException;
import org.heddle.market.model.change.Mutation;
import org.heddle.market.model.status.QueueStatus;
import org.heddle.scheduler.config.SchedulerKeys;
import org.heddle.settings.Clocks;
import org.heddle.testkit.SharedProxyKey;
import org.jspecify.annotations.Nullable;

/**
 * A ResourceManager with the market and without network: nodes and masters are Hadoop's mocks, the clocks are manual,
 * and a slot is 1,000 MiB. The market's own thread uses the same clock, so it does nothing between the ticks of a test.
 */
final class MarketFixture implements AutoCloseable {
    private static final long HOUR = 3_600_000;
    /** 2026-01-01. */
    private static final long START = 1_767_225_600_000L;

    static final long INTERVAL = 10_000;

    final YarnConfiguration conf = new YarnConfiguration();
    /**
     * Later than the machine's clock, which it replaces in a scheduler that has been initialised: no time goes back.
     */
    final AtomicLong clock = new AtomicLong(100_000_000);

    private Clocks clocks = new Clocks(clock::get, () -> date(clock.get()));
    final Map<String, MockNM> nodes = new LinkedHashMap<>();
    private final List<MockRM> gone = new ArrayList<>();
    MockRM rm;
    private int requests;

    MarketFixture(Path directory, String... properties) throws IOException {
        this(directory, null, properties);
    }

    MarketFixture(Path directory, @Nullable RMStateStore store, String... properties) throws IOException {
        this(directory, "", store, properties);
    }

    /** Containers begin at heartbeats only: for tests of what is charged from then on, or of the gaps until then. */
    static MarketFixture atHeartbeats(Path directory) throws IOException {
        return new MarketFixture(directory, "<allocation>heartbeat</allocation>", null, new String[0]);
    }

    private MarketFixture(Path directory, String settings, @Nullable RMStateStore store, String[] properties)
            throws IOException {
        Path file = directory.resolve("heddle-scheduler.xml");
        Files.writeString(
                file,
                "<heddle-scheduler version=\"1\">" + settings + "<queue name=\"root\"><queue name=\"default\"/></queue>"
                        + "<preemption><mode>on</mode></preemption>"
                        + "<scheduling-delays><node-locality>0s</node-locality><rack-locality>0s</rack-locality></scheduling-delays>"
                        + "</heddle-scheduler>");
        conf.set(YarnConfiguration.RM_SCHEDULER, DynamicPriorityScheduler.class.getName());
        conf.set("yarn.scheduler.heddle.configuration.file", file.toString());
        conf.setInt(YarnConfiguration.RM_SCHEDULER_MINIMUM_ALLOCATION_MB, 1);
        conf.setInt(YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_MB, 1_000_000);
        conf.setInt(YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_VCORES, 1_000);
        conf.setBoolean("yarn.resourcemanager.work-preserving-recovery.enabled", true);
        conf.setLong(YarnConfiguration.RM_WORK_PRESERVING_RECOVERY_SCHEDULING_WAIT_MS, 0);
        // Every ResourceManager of a user on one machine would write to the same files.
        conf.set(
                YarnConfiguration.FS_NODE_ATTRIBUTE_STORE_ROOT_DIR,
                directory.resolve("node-attributes").toUri().toString());
        conf.set(SchedulerKeys.UPDATE_INTERVAL_MS.name(), "0"); // tests call update()
        conf.set(MarketKeys.STORE_DIRECTORY.name(), directory.resolve("ledger").toString());
        conf.set(MarketKeys.TRIAL.name(), "true"); // most tests have no access lists
        conf.set(MarketKeys.STANDARD_SLOT.name(), "memory-mb=1000");
        conf.set(MarketKeys.INTERVAL_MS.name(), String.valueOf(INTERVAL));
        conf.set(MarketKeys.RATE_UNIT_MS.name(), "interval");
        for (int i = 0; i < properties.length; i += 2) {
            conf.set(properties[i], properties[i + 1]);
        }
        if (store != null) {
            store.init(conf);
        }
        rm = start(store);
    }

    /** For tests of what happens at dates: these are the times of the clock. */
    void setDatesByTheClock() {
        clocks = new Clocks(clock::get, clock::get);
        scheduler().useClocks(clocks);
    }

    /** A wall clock that is set forward and back by an hour all the time: whatever depends on dates fails under it. */
    private static long date(long millis) {
        return START + millis + (millis / 1_000 % 3 - 1) * HOUR;
    }

    private MockRM start(@Nullable RMStateStore store) {
        SharedProxyKey.install();
        MockRM started = store == null ? new MockRM(conf) : new MockRM(conf, store);
        MarketScheduler scheduler = (MarketScheduler) started.getResourceScheduler();
        scheduler.useClocks(clocks);
        started.start();
        return started;
    }

    /**
     * Another ResourceManager starts on the same store, after this one has gone for good; nodes and masters register
     * again.
     */
    void replace() {
        RMStateStore store = rm.getRMContext().getStateStore();
        rm.stop();
        stopWatchingNodes(rm);
        rm = start(store);
        nodes.values().forEach(node -> node.setResourceTrackerService(rm.getResourceTrackerService()));
    }

    /**
     * MockRM's service for nodes does not end its timer, which holds the whole ResourceManager; the real service does.
     */
    private static void stopWatchingNodes(MockRM stopped) {
        try {
            Field watcher = ResourceTrackerService.class.getDeclaredField("decommissioningWatcher");
            watcher.setAccessible(true);
            ((DecommissioningNodesWatcher) watcher.get(stopped.getResourceTrackerService())).stop();
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    /** The master of an application registers with the present ResourceManager. */
    App again(App before) throws Exception {
        RMApp app = Objects.requireNonNull(rm.getRMContext().getRMApps().get(before.app.getApplicationId()));
        rm.drainEvents();
        MockAM am = new MockAM(
                rm.getRMContext(),
                rm.getRMContext().getApplicationMasterService(),
                app.getCurrentAppAttempt().getAppAttemptId());
        am.registerAppAttempt(false);
        rm.drainEvents();
        return new App(app, am);
    }

    MarketScheduler scheduler() {
        return (MarketScheduler) rm.getResourceScheduler();
    }

    /** Stops the ResourceManager as a failover would, and starts another on the same stores. */
    void restart(RMStateStore store) throws Exception {
        scheduler().stop();
        gone.add(rm);
        rm = start(store);
        nodes.values().forEach(node -> node.setResourceTrackerService(rm.getResourceTrackerService()));
    }

    Market market() {
        return Objects.requireNonNull(scheduler().market(), "the market is not open");
    }

    Mutation by() {
        return new Mutation("tester", "test", "request-" + ++requests);
    }

    /** A queue with a rate and credit; it exists at once and counts from the next epoch on. */
    MarketFixture queue(String name, String rate, String budget) throws MarketException {
        if (market().queues().stream().noneMatch(queue -> queue.name().equals(name))) {
            market().addQueue(by(), name);
        }
        market().setSpending(by(), name, SpendingRate.parse(rate));
        if (!budget.equals("0")) {
            market().addBudget(by(), name, Credits.parse(budget), "");
        }
        return this;
    }

    QueueStatus status(String queue) throws MarketException {
        scheduler().tick();
        return market().queue(queue);
    }

    MockNM node(String host, int memory, int vcores) throws Exception {
        MockNM node = rm.registerNode(host + ":1234", memory, vcores);
        nodes.put(host, node);
        rm.drainEvents();
        return node;
    }

    MarketFixture after(long millis) {
        clock.addAndGet(millis);
        return this;
    }

    /** Lets the rest of the interval pass and the epoch end; its bills are in the ledger on return. */
    MarketFixture nextEpoch() throws MarketException {
        clock.addAndGet(INTERVAL);
        scheduler().tick();
        market().record(by(), "wait", "bills"); // changes are stored in order
        return this;
    }

    /** One heartbeat of every node, without time passing. */
    /** Until an application has so many containers, for ten minutes at most; the other one is told what it loses. */
    void preempt(App from, App to, int containers) throws Exception {
        for (int second = 0; second < 600 && to.holds() < containers; second++) {
            after(1_000).heartbeat();
            scheduler().update();
            from.holds();
        }
    }

    MarketFixture heartbeat() throws Exception {
        for (MockNM node : nodes.values()) {
            node.nodeHeartbeat(true);
            rm.drainEvents();
        }
        return this;
    }

    /** An application without a master container, registered and ready to ask. */
    App app(String user, String queue) throws Exception {
        RMApp app = MockRMAppSubmitter.submit(
                rm,
                MockRMAppSubmissionData.Builder.createWithMemory(100, rm)
                        .withAppName(user)
                        .withUser(user)
                        .withQueue(queue)
                        .withUnmanagedAM(true)
                        .build());
        MockAM am = MockRM.launchUAM(app, rm, nodes.values().iterator().next());
        am.registerAppAttempt();
        rm.drainEvents();
        return new App(app, am);
    }

    /** An application whose master is a container on a node, of so many MiB, registered and ready to ask. */
    App managedApp(String user, String queue, int masterMb, MockNM at) throws Exception {
        RMApp app = MockRMAppSubmitter.submit(
                rm,
                MockRMAppSubmissionData.Builder.createWithMemory(masterMb, rm)
                        .withAppName(user)
                        .withUser(user)
                        .withQueue(queue)
                        .withUnmanagedAM(false)
                        .withWaitForAppAcceptedState(false)
                        .build());
        MockAM am = launch(app, at);
        am.registerAppAttempt();
        rm.waitForState(app.getApplicationId(), RMAppState.RUNNING);
        rm.drainEvents();
        return new App(app, am);
    }

    /** Starts a master. Hadoop's {@link MockRM#launchAM} expects that nothing is allocated before the heartbeat. */
    private MockAM launch(RMApp app, MockNM at) throws Exception {
        GenericTestUtils.waitFor(() -> isScheduled(app.getCurrentAppAttempt()), 10, 40_000);
        ApplicationAttemptId attempt = app.getCurrentAppAttempt().getAppAttemptId();
        at.nodeHeartbeat(true);
        rm.drainEvents();
        rm.waitForState(attempt, RMAppAttemptState.ALLOCATED);
        MockAM am = rm.sendAMLaunched(attempt);
        rm.waitForState(attempt, RMAppAttemptState.LAUNCHED);
        return am;
    }

    private static boolean isScheduled(@Nullable RMAppAttempt attempt) {
        return attempt != null
                && EnumSet.of(RMAppAttemptState.SCHEDULED, RMAppAttemptState.ALLOCATED)
                        .contains(attempt.getAppAttemptState());
    }

    @Override
    public void close() {
        rm.stop();
        gone.forEach(MockRM::stop);
    }

    /** An application and what it has been given. */
    public final class App {
        public final RMApp app;
        public final MockAM am;
        public final List<Container> containers = new ArrayList<>();

        App(RMApp app, MockAM am) {
            this.app = app;
            this.am = am;
        }

        /** Asks for so many containers of one slot. */
        public App ask(int count) throws Exception {
            return ask(count, 1);
        }

        /** Asks for so many containers of some slots. */
        App ask(int count, int slots) throws Exception {
            heartbeat(
                    List.of(ResourceRequest.newInstance(
                            Priority.newInstance(10),
                            ResourceRequest.ANY,
                            Resource.newInstance(slots * 1_000, slots),
                            count)),
                    List.of());
            return this;
        }

        /** How many it holds, newly allocated ones included. */
        int holds() throws Exception {
            heartbeat(List.of(), List.of());
            return containers.size();
        }

        /** Ends so many of its containers. */
        public App end(int count) throws Exception {
            holds();
            for (int i = 0; i < count; i++) {
                Container container = containers.remove(containers.size() - 1);
                ContainerId id = container.getId();
                MockNM node =
                        Objects.requireNonNull(nodes.get(container.getNodeId().getHost()));
                node.nodeHeartbeat(id.getApplicationAttemptId(), id.getContainerId(), ContainerState.RUNNING);
                rm.drainEvents();
                node.nodeHeartbeat(id.getApplicationAttemptId(), id.getContainerId(), ContainerState.COMPLETE);
                rm.drainEvents();
            }
            return this;
        }

        public AllocateResponse heartbeat(List<ResourceRequest> asks, List<ContainerId> releases) throws Exception {
            AllocateResponse response =
                    am.allocate(AllocateRequest.newInstance(am.getResponseId(), 0f, asks, releases, null));
            containers.addAll(response.getAllocatedContainers());
            for (var ended : response.getCompletedContainersStatuses()) {
                containers.removeIf(held -> held.getId().equals(ended.getContainerId()));
            }
            rm.drainEvents();
            return response;
        }

        public App release(int count) throws Exception {
            holds();
            List<ContainerId> ids = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                ids.add(containers.remove(containers.size() - 1).getId());
            }
            heartbeat(List.of(), ids);
            return this;
        }
    }
}
