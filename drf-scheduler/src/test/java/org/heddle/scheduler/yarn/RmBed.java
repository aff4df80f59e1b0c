// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmissionData;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmitter;
import org.apache.hadoop.yarn.server.resourcemanager.recovery.RMStateStore;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.heddle.drf.DrfScheduler;
import org.heddle.scheduler.model.SchedulerSnapshot;
import org.jspecify.annotations.Nullable;

/**
 * A ResourceManager under our scheduler, without network: nodes and ApplicationMasters are played by Hadoop's mocks, the
 * scheduler's clock by hand. Hosts are addresses, so that no name has to be resolved.
 */
final class RmBed implements AutoCloseable {
    static final String ONE_LEAF =
            "<heddle-scheduler version=\"1\"><queue name=\"root\"><queue name=\"default\"/></queue>"
                    + "<waits><node-locality>0s</node-locality><rack-locality>0s</rack-locality></waits></heddle-scheduler>";

    final YarnConfiguration conf;
    final HandClock clock = new HandClock(1_000_000);
    final Path file;
    final Map<String, MockNM> nodes = new LinkedHashMap<>();
    MockRM rm;

    RmBed(Path directory, String xml, String... properties) throws IOException {
        this(directory, xml, null, properties);
    }

    RmBed(Path directory, String xml, @Nullable RMStateStore store, String... properties) throws IOException {
        file = directory.resolve("heddle-scheduler.xml");
        Files.writeString(file, xml);
        conf = new YarnConfiguration();
        conf.set(YarnConfiguration.RM_SCHEDULER, DrfScheduler.class.getName());
        conf.set("yarn.scheduler.heddle.configuration.file", file.toString());
        conf.setInt(YarnConfiguration.RM_SCHEDULER_MINIMUM_ALLOCATION_MB, 1);
        conf.setInt(YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_MB, 1_000_000);
        conf.setInt(YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_VCORES, 1_000);
        conf.setBoolean("yarn.resourcemanager.work-preserving-recovery.enabled", true);
        conf.setLong(YarnConfiguration.RM_WORK_PRESERVING_RECOVERY_SCHEDULING_WAIT_MS, 0);
        for (int i = 0; i < properties.length; i += 2) {
            conf.set(properties[i], properties[i + 1]);
        }
        rm = start(store);
    }

    private MockRM start(@Nullable RMStateStore store) {
        MockRM started = store == null ? new MockRM(conf) : new MockRM(conf, store);
        ((DrfScheduler) started.getResourceScheduler()).setClock(clock);
        started.start();
        return started;
    }

    /** Stops the ResourceManager and starts another on the same store; nodes and masters have to register again. */
    void restart(RMStateStore store) {
        rm.stop();
        rm = start(store);
        nodes.values().forEach(node -> node.setResourceTrackerService(rm.getResourceTrackerService()));
    }

    DrfScheduler scheduler() {
        return (DrfScheduler) rm.getResourceScheduler();
    }

    MockNM node(String host, int memory, int vcores) throws Exception {
        MockNM node = rm.registerNode(host + ":1234", memory, vcores);
        nodes.put(host, node);
        rm.drainEvents();
        return node;
    }

    /** One heartbeat of every node, a second later. */
    void heartbeat() throws Exception {
        clock.tick(1_000);
        for (MockNM node : nodes.values()) {
            node.nodeHeartbeat(true);
            rm.drainEvents();
        }
    }

    /** An application without a master container, registered and ready to ask. */
    App unmanaged(String user, String queue) throws Exception {
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
    App managed(String user, String queue, int memory) throws Exception {
        RMApp app = submit(user, queue, memory);
        MockAM am =
                MockRM.launchAndRegisterAM(app, rm, nodes.values().iterator().next());
        return new App(app, am);
    }

    RMApp submit(String user, String queue, int memory) throws Exception {
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

    SchedulerSnapshot.Claim claim(String path) {
        SchedulerSnapshot.Claim at = scheduler().takeSnapshot().root();
        for (String name : path.isEmpty() ? new String[0] : path.split("/", -1)) {
            at = at.children().stream()
                    .filter(child -> child.name().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("no claim " + name + " in " + path));
        }
        return at;
    }

    long counter(String name) {
        return scheduler().takeSnapshot().counters().getOrDefault(name, 0L);
    }

    @Override
    public void close() {
        try {
            assertThat(counter("errors-contained"))
                    .as("errors contained, see the log")
                    .isZero();
        } finally {
            rm.stop();
        }
    }

    /** An application and what it has been given. */
    final class App {
        final RMApp app;
        final MockAM am;
        final List<Container> containers = new ArrayList<>();

        App(RMApp app, MockAM am) {
            this.app = app;
            this.am = am;
        }

        ApplicationId id() {
            return app.getApplicationId();
        }

        /** Asks for so many containers anywhere. */
        App ask(int count, int memory, int vcores) throws Exception {
            return ask(10, count, Resource.newInstance(memory, vcores), ResourceRequest.ANY);
        }

        /** Asks for so many containers in each of the places. */
        App ask(int priority, int count, Resource size, String... places) throws Exception {
            List<ResourceRequest> requests = new ArrayList<>();
            for (String place : places) {
                requests.add(ResourceRequest.newInstance(Priority.newInstance(priority), place, size, count));
            }
            heartbeat(requests, List.of());
            return this;
        }

        App release(ContainerId... ids) throws Exception {
            heartbeat(List.of(), List.of(ids));
            return this;
        }

        /** Collects what has been allocated meanwhile. */
        App collect() throws Exception {
            heartbeat(List.of(), List.of());
            return this;
        }

        AllocateResponse heartbeat(List<ResourceRequest> asks, List<ContainerId> releases) throws Exception {
            AllocateResponse response =
                    am.allocate(AllocateRequest.newInstance(am.getResponseId(), 0f, asks, releases, null));
            containers.addAll(response.getAllocatedContainers());
            rm.drainEvents();
            return response;
        }
    }
}
