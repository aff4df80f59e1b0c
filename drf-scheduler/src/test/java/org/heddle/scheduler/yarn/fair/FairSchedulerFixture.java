// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.fair;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.security.Groups;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.PreemptionMessage;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.security.YarnAuthorizationProvider;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmissionData;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmitter;
import org.apache.hadoop.yarn.server.resourcemanager.recovery.RMStateStore;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.QueueMetrics;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;
import org.heddle.drf.DrfScheduler;
import org.heddle.scheduler.yarn.FakeClock;
import org.heddle.scheduler.yarn.HeddleScheduler;
import org.heddle.testkit.Await;
import org.heddle.testkit.SharedProxyKey;
import org.jspecify.annotations.Nullable;

/**
 * A ResourceManager under FairScheduler or under ours, with the same {@code fair-scheduler.xml} and the same events, so
 * that what comes of them can be compared. Only one at a time: metrics and groups belong to the process.
 */
public final class FairSchedulerFixture implements AutoCloseable {
    public static final Class<?> FAIR = FairScheduler.class;
    public static final Class<?> OURS = DrfScheduler.class;

    private static final String GROUPS = "alice=physics,staff;bob=chemistry;carol=students,guests;dean=faculty;"
            + "etl=batch;oozie=batch;hadoop=hadoop;operator=operators,root;releaser=release;larry=engineering;"
            + "first.last=people,physics;root=root,staff;intern=;nobody=";

    public final FakeClock clock = new FakeClock();
    public final MockRM rm;
    public final Map<String, MockNM> nodes = new LinkedHashMap<>();

    public FairSchedulerFixture(Class<?> scheduler, Path file, String... properties) {
        this(scheduler, file, null, properties);
    }

    public FairSchedulerFixture(Class<?> scheduler, Path file, @Nullable RMStateStore store, String... properties) {
        SharedProxyKey.install();
        DefaultMetricsSystem.setMiniClusterMode(true);
        QueueMetrics.clearQueueMetrics();
        YarnAuthorizationProvider.destroy();
        YarnConfiguration conf = new YarnConfiguration();
        conf.set(YarnConfiguration.RM_SCHEDULER, scheduler.getName());
        conf.set("yarn.scheduler.fair.allocation.file", file.toString());
        conf.set(
                "yarn.node-attribute.fs-store.root-dir",
                file.resolveSibling("attributes").toString());
        conf.set("hadoop.user.group.static.mapping.overrides", GROUPS);
        conf.setBoolean("yarn.resourcemanager.work-preserving-recovery.enabled", true);
        conf.setLong(YarnConfiguration.RM_WORK_PRESERVING_RECOVERY_SCHEDULING_WAIT_MS, 0);
        conf.setInt(YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_MB, 65_536);
        conf.setInt(YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_VCORES, 64);
        for (int i = 0; i < properties.length; i += 2) {
            conf.set(properties[i], properties[i + 1]);
        }
        UserGroupInformation.setConfiguration(conf);
        Groups.getUserToGroupsMappingServiceWithLoadedConfiguration(conf);
        rm = store == null ? new MockRM(conf) : new MockRM(conf, store);
        if (scheduler() instanceof HeddleScheduler heddle) {
            heddle.setClocks(clock.withDatesThatStep());
        } else {
            scheduler().setClock(clock);
        }
        rm.start();
    }

    /** A file of the tests' resources, copied to a place of its own. */
    static Path resource(Path directory, String name) throws IOException {
        try (InputStream in =
                Objects.requireNonNull(FairSchedulerFixture.class.getResourceAsStream("/fair/" + name), name)) {
            return Files.write(directory.resolve(name), in.readAllBytes());
        }
    }

    public static Path file(Path directory, String xml) throws IOException {
        return Files.writeString(directory.resolve("fair-scheduler.xml"), xml);
    }

    /** What both schedulers make of the same. */
    static <T> Map<Class<?>, T> both(Path file, Script<T> script, String... properties) throws Exception {
        Map<Class<?>, T> results = new LinkedHashMap<>();
        for (Class<?> scheduler : List.of(FAIR, OURS)) {
            try (FairSchedulerFixture fixture = new FairSchedulerFixture(scheduler, file, properties)) {
                results.put(scheduler, script.run(fixture));
            }
        }
        return results;
    }

    /** Events and what is to be compared of their outcome. */
    interface Script<T> {
        T run(FairSchedulerFixture fixture) throws Exception;
    }

    public AbstractYarnScheduler<?, ?> scheduler() {
        return (AbstractYarnScheduler<?, ?>) rm.getResourceScheduler();
    }

    boolean isOurs() {
        return scheduler() instanceof DrfScheduler;
    }

    FairScheduler fair() {
        return (FairScheduler) rm.getResourceScheduler();
    }

    public FairSchedulerFixture node(String host, int memory, int vcores) throws Exception {
        nodes.put(host, rm.registerNode(host + ":1234", memory, vcores));
        rm.drainEvents();
        if (scheduler() instanceof FairScheduler) {
            awaitUpdate();
        }
        settle();
        return this;
    }

    /** A new node wakes the thread that works shares out. It must not come later, between the steps of a test. */
    private void awaitUpdate() throws ReflectiveOperationException {
        Field field = AbstractYarnScheduler.class.getDeclaredField("updateThread");
        field.setAccessible(true);
        Thread updates = (Thread) Objects.requireNonNull(field.get(scheduler()));
        Await.until(
                "FairScheduler has worked out the shares with the new node",
                Duration.ofSeconds(20),
                () -> updates.getState() == Thread.State.TIMED_WAITING);
    }

    /** FairScheduler works shares out at intervals: do it now. */
    void settle() {
        if (scheduler() instanceof FairScheduler fair) {
            fair.update();
        }
    }

    /** One heartbeat of every node, a second later. */
    public void heartbeat() throws Exception {
        clock.tick(1_000);
        for (MockNM node : nodes.values()) {
            settle();
            node.nodeHeartbeat(true);
            rm.drainEvents();
        }
    }

    public void heartbeats(int times) throws Exception {
        for (int i = 0; i < times; i++) {
            heartbeat();
        }
    }

    /**
     * Queues that were made without being configured go when they are empty; each scheduler has its own time for it.
     */
    private void tidy() {
        if (isOurs()) {
            scheduler().update();
        } else {
            fair().getQueueManager().removeEmptyDynamicQueues();
        }
    }

    public RMApp submit(String user, String queue, boolean unmanaged, int memory) throws Exception {
        RMApp app = MockRMAppSubmitter.submit(
                rm,
                MockRMAppSubmissionData.Builder.createWithMemory(memory, rm)
                        .withAppName(user)
                        .withUser(user)
                        .withQueue(queue)
                        .withUnmanagedAM(unmanaged)
                        .withWaitForAppAcceptedState(false)
                        .build());
        rm.drainEvents();
        return app;
    }

    /** The queue that an application ends up in, or "refused". */
    String placed(String user, String queue) {
        try {
            RMApp app = submit(user, queue, true, 1024);
            String result = app.getState() == RMAppState.FAILED ? "refused" : app.getQueue();
            rm.killApp(app.getApplicationId());
            rm.waitForAppRemovedFromScheduler(app.getApplicationId());
            rm.drainEvents();
            tidy();
            return result.startsWith("root") ? result : result.equals("refused") ? result : "root." + result;
        } catch (Exception e) {
            return "refused";
        }
    }

    /** An application without a container for its master, ready to ask. */
    public App app(String user, String queue) throws Exception {
        RMApp app = submit(user, queue, true, 1024);
        MockAM am = MockRM.launchUAM(app, rm, nodes.values().iterator().next());
        am.registerAppAttempt();
        rm.drainEvents();
        settle();
        return new App(app, am);
    }

    /** By name, what each application holds by now. */
    public static Map<String, Integer> counts(Map<String, App> apps) throws Exception {
        Map<String, Integer> counts = new TreeMap<>();
        for (Map.Entry<String, App> app : apps.entrySet()) {
            counts.put(app.getKey(), app.getValue().collect().size());
        }
        return counts;
    }

    /** For each queue of the scheduler's, by path. */
    public Map<String, String> queues(Function<String, String> describe) {
        Map<String, String> all = new TreeMap<>();
        if (isOurs()) {
            ((HeddleScheduler) rm.getResourceScheduler())
                    .queues()
                    .forEach(queue -> all.put(queue.getQueueName(), describe.apply(queue.getQueueName())));
        } else {
            fair().getQueueManager()
                    .getQueues()
                    .forEach(queue -> all.put(queue.getName(), describe.apply(queue.getName())));
        }
        return all;
    }

    @Override
    public void close() {
        rm.stop();
    }

    /** An application and what it holds. */
    public final class App {
        public final RMApp app;
        public final MockAM am;
        public final List<Container> containers = new ArrayList<>();
        /** Whether it was told, when it asked last, that some of them will go. */
        boolean isToLose;

        public App(RMApp app, MockAM am) {
            this.app = app;
            this.am = am;
        }

        public App ask(int count, int memory, int vcores) throws Exception {
            return ask(10, count, memory, vcores, ResourceRequest.ANY);
        }

        public App ask(int priority, int count, int memory, int vcores, String... places) throws Exception {
            List<ResourceRequest> requests = new ArrayList<>();
            for (String place : places) {
                requests.add(ResourceRequest.newInstance(
                        Priority.newInstance(priority), place, Resource.newInstance(memory, vcores), count));
            }
            heartbeat(requests);
            settle();
            return this;
        }

        public List<Container> collect() throws Exception {
            heartbeat(List.of());
            return containers;
        }

        private void heartbeat(List<ResourceRequest> asks) throws Exception {
            AllocateResponse response =
                    am.allocate(AllocateRequest.newInstance(am.getResponseId(), 0f, asks, List.of(), null));
            PreemptionMessage message = response.getPreemptionMessage();
            isToLose = message != null
                    && message.getStrictContract() != null
                    && !message.getStrictContract().getContainers().isEmpty();
            containers.addAll(response.getAllocatedContainers());
            response.getCompletedContainersStatuses()
                    .forEach(ended ->
                            containers.removeIf(container -> container.getId().equals(ended.getContainerId())));
            rm.drainEvents();
        }
    }
}
