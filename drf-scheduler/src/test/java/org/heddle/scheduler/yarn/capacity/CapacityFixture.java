// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.capacity;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.security.Groups;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.QueueACL;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.security.YarnAuthorizationProvider;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmissionData;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmitter;
import org.apache.hadoop.yarn.server.resourcemanager.recovery.MemoryRMStateStore;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.QueueMetrics;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.heddle.drf.DrfScheduler;
import org.heddle.scheduler.yarn.FakeClock;
import org.heddle.scheduler.yarn.HeddleScheduler;
import org.heddle.scheduler.yarn.RmFixture;
import org.heddle.testkit.SharedProxyKey;
import org.jspecify.annotations.Nullable;

/**
 * A ResourceManager under CapacityScheduler or under ours, with the same {@code capacity-scheduler.xml} and the same
 * events, so that what comes of them can be compared. Only one at a time: metrics and groups belong to the process.
 */
final class CapacityFixture implements AutoCloseable {
    static final Class<?> CAPACITY = CapacityScheduler.class;
    static final Class<?> OURS = DrfScheduler.class;
    static final List<Class<?>> BOTH = List.of(CAPACITY, OURS);

    private static final String GROUPS = "alice=physics,staff;bob=chemistry,b;carol=students,guests;a=staff;nobody=";
    private static final int NODES = 4;

    final MockRM rm;
    private final FakeClock clock = new FakeClock();
    private final Map<String, MockNM> nodes = new LinkedHashMap<>();

    /** A class path with this file in place of the one among Hadoop's tests. */
    static final class OneFile extends ClassLoader {
        private final Path file;

        OneFile(Path file) {
            super(CapacityFixture.class.getClassLoader());
            this.file = file;
        }

        @Override
        public @Nullable URL getResource(String name) {
            try {
                return name.equals(YarnConfiguration.CS_CONFIGURATION_FILE)
                        ? file.toUri().toURL()
                        : super.getResource(name);
            } catch (MalformedURLException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** What is done with a ResourceManager, and what came of it by its name. */
    @FunctionalInterface
    interface Steps {
        void run(CapacityFixture fixture, Map<String, Object> outcome) throws Exception;
    }

    /** What comes of a file: that it is refused, or that it is loaded, and what the steps add. */
    static Map<String, Object> outcome(Class<?> scheduler, Path file, Steps steps, String... properties)
            throws Exception {
        CapacityFixture opened;
        try {
            opened = new CapacityFixture(scheduler, file, properties);
        } catch (RuntimeException refused) {
            return Map.of("the file", "is refused");
        }
        Map<String, Object> outcome = new TreeMap<>(Map.of("the file", "is loaded"));
        try (CapacityFixture fixture = opened) {
            steps.run(fixture, outcome);
        }
        return outcome;
    }

    CapacityFixture(Class<?> scheduler, Path file, String... properties) {
        this(scheduler, file, (MemoryRMStateStore) null, properties);
    }

    /** With a store from which it recovers, where the properties say so. */
    CapacityFixture(Class<?> scheduler, Path file, @Nullable MemoryRMStateStore store, String... properties) {
        SharedProxyKey.install();
        DefaultMetricsSystem.setMiniClusterMode(true);
        QueueMetrics.clearQueueMetrics();
        YarnAuthorizationProvider.destroy();
        YarnConfiguration conf = new YarnConfiguration();
        conf.set(YarnConfiguration.RM_SCHEDULER, scheduler.getName());
        conf.setClassLoader(new OneFile(file));
        conf.set(
                "yarn.node-attribute.fs-store.root-dir",
                file.resolveSibling("attributes").toString());
        conf.set("hadoop.user.group.static.mapping.overrides", GROUPS);
        conf.setBoolean(YarnConfiguration.YARN_ACL_ENABLE, true);
        conf.setInt(YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_MB, 25_600);
        conf.setInt(YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_VCORES, 64);
        for (int i = 0; i < properties.length; i += 2) {
            conf.set(properties[i], properties[i + 1]);
        }
        UserGroupInformation.setConfiguration(conf);
        Groups.getUserToGroupsMappingServiceWithLoadedConfiguration(conf);
        rm = store == null ? new MockRM(conf) : new MockRM(conf, store);
        if (scheduler() instanceof HeddleScheduler heddle) {
            heddle.setClocks(clock.withDatesThatStep());
        }
        rm.start();
    }

    /** Four nodes of 25 GiB, with these vcores each. */
    CapacityFixture nodes(int vcores) throws Exception {
        for (int i = 1; i <= NODES; i++) {
            String host = "127.3.0." + i;
            nodes.put(host, rm.registerNode(host + ":1234", 25_600, vcores));
        }
        rm.drainEvents();
        return this;
    }

    /** One node of 25 GiB, which reports what runs on it. */
    CapacityFixture node(List<Container> running, List<ApplicationId> applications) throws Exception {
        String host = "127.3.0.1";
        MockNM node = new MockNM(host + ":1234", 25_600, 64, rm.getResourceTrackerService());
        node.registerNode(RmFixture.running(running), applications);
        nodes.put(host, node);
        rm.drainEvents();
        return this;
    }

    /**
     * Why the scheduler refuses the present file at {@code yarn rmadmin -refreshQueues}; empty if it does not. That
     * calls the scheduler with a configuration of its own, which does not know this class path.
     */
    String refreshQueues() {
        try {
            scheduler().reinitialize(rm.getConfig(), rm.getRMContext());
            return "";
        } catch (IOException refused) {
            return String.valueOf(refused.getMessage());
        }
    }

    MockNM anyNode() {
        return nodes.values().iterator().next();
    }

    AbstractYarnScheduler<?, ?> scheduler() {
        return (AbstractYarnScheduler<?, ?>) rm.getResourceScheduler();
    }

    /** One heartbeat of every node, a second later. */
    void heartbeat() throws Exception {
        clock.tick(1_000);
        for (MockNM node : nodes.values()) {
            node.nodeHeartbeat(true);
            rm.drainEvents();
        }
    }

    void heartbeats(int times) throws Exception {
        for (int i = 0; i < times; i++) {
            heartbeat();
        }
    }

    RMApp submit(String user, String queue, boolean unmanaged) throws Exception {
        RMApp app = MockRMAppSubmitter.submit(
                rm,
                MockRMAppSubmissionData.Builder.createWithMemory(1024, rm)
                        .withAppName("report")
                        .withUser(user)
                        .withQueue(queue)
                        .withUnmanagedAM(unmanaged)
                        .withWaitForAppAcceptedState(false)
                        .build());
        rm.drainEvents();
        return app;
    }

    /** Whether the scheduler has not refused an application. */
    static boolean isIn(RMApp app) {
        return app.getState() != RMAppState.FAILED && app.getState() != RMAppState.FINAL_SAVING;
    }

    /** The queue that an application ends up in, or "refused". */
    String placed(String user, String queue) {
        try {
            RMApp app = submit(user, queue, true);
            if (!isIn(app)) {
                return "refused";
            }
            String name = app.getQueue();
            end(app);
            // CapacityScheduler has the last name only
            return name.substring(name.lastIndexOf('.') + 1);
        } catch (Exception e) {
            return "refused";
        }
    }

    void end(RMApp app) throws Exception {
        rm.killApp(app.getApplicationId());
        rm.waitForAppRemovedFromScheduler(app.getApplicationId());
        rm.drainEvents();
    }

    /** An application without a container for its master, ready to ask; nodes are not needed. */
    App app(String user, String queue) throws Exception {
        RMApp app = submit(user, queue, true);
        MockAM am = new MockAM(
                rm.getRMContext(),
                rm.getApplicationMasterService(),
                app.getCurrentAppAttempt().getAppAttemptId());
        am.registerAppAttempt();
        rm.drainEvents();
        return new App(app, am);
    }

    boolean mayUse(String user, QueueACL acl, String path) {
        String[] groups = groupsOf(user);
        return scheduler().checkAccess(UserGroupInformation.createUserForTesting(user, groups), acl, path);
    }

    private static String[] groupsOf(String user) {
        for (String one : GROUPS.split(";", -1)) {
            if (one.startsWith(user + "=")) {
                String groups = one.substring(user.length() + 1);
                return groups.isEmpty() ? new String[0] : groups.split(",", -1);
            }
        }
        return new String[0];
    }

    /** How many of a queue's applications have a container for their ApplicationMaster. */
    long masters(Collection<RMApp> apps) {
        return apps.stream()
                .map(app -> scheduler()
                        .getSchedulerAppInfo(app.getCurrentAppAttempt().getAppAttemptId()))
                .filter(info -> info != null && !info.getLiveContainers().isEmpty())
                .count();
    }

    @Override
    public void close() {
        rm.stop();
    }

    /** An application and what it holds. */
    final class App {
        final RMApp app;
        private final MockAM am;
        private int holds;

        App(RMApp app, MockAM am) {
            this.app = app;
            this.am = am;
        }

        App ask(int count, int memory, int vcores) throws Exception {
            return heartbeat(List.of(ResourceRequest.newBuilder()
                    .resourceName(ResourceRequest.ANY)
                    .capability(Resource.newInstance(memory, vcores))
                    .numContainers(count)
                    .build()));
        }

        int holds() throws Exception {
            heartbeat(List.of());
            return holds;
        }

        private App heartbeat(List<ResourceRequest> asks) throws Exception {
            holds += am.allocate(new ArrayList<>(asks), new ArrayList<>())
                    .getAllocatedContainers()
                    .size();
            rm.drainEvents();
            return this;
        }
    }
}
