// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmissionData;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmitter;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeEventType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;
import org.heddle.drf.DrfScheduler;
import org.heddle.scheduler.yarn.RmFixture;
import org.heddle.testkit.Await;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A NodeManager that comes back and reports the containers that run on. If its node was given up meanwhile, Hadoop
 * tells no scheduler of them ({@code RMNodeImpl.AddNodeTransition} passes on what a node reports only where it knows of
 * no earlier one): so for a while twice as much runs there as there is room for. That is so under Hadoop's own
 * schedulers too; a node that comes back in time keeps its books.
 */
class RejoinedNodeTest {
    private static final int CONTAINER_MB = 512;
    private static final int CONTAINERS = 5;
    private static final int NODE_MB = CONTAINERS * CONTAINER_MB;

    @TempDir
    Path directory;

    private MockRM start(Class<?> scheduler) {
        YarnConfiguration conf = new YarnConfiguration();
        conf.setClass(YarnConfiguration.RM_SCHEDULER, scheduler, ResourceScheduler.class);
        conf.setInt(YarnConfiguration.RM_SCHEDULER_MINIMUM_ALLOCATION_MB, CONTAINER_MB);
        conf.setBoolean("yarn.resourcemanager.work-preserving-recovery.enabled", true);
        conf.set(
                YarnConfiguration.FS_NODE_ATTRIBUTE_STORE_ROOT_DIR,
                directory.resolve("node-attributes").toUri().toString());
        conf.set("yarn.resource-types.memory-mb.increment-allocation", String.valueOf(CONTAINER_MB));
        conf.set("yarn.scheduler.capacity.root.queues", "default");
        conf.set("yarn.scheduler.capacity.root.default.capacity", "100");
        conf.set("yarn.scheduler.capacity.maximum-am-resource-percent", "1");
        MockRM rm = new MockRM(conf);
        rm.start();
        return rm;
    }

    private static MockAM application(MockRM rm, MockNM node) throws Exception {
        RMApp app = MockRMAppSubmitter.submit(
                rm,
                MockRMAppSubmissionData.Builder.createWithMemory(100, rm)
                        .withUser("alice")
                        .withQueue("default")
                        .withUnmanagedAM(true)
                        .build());
        MockAM am = MockRM.launchUAM(app, rm, node);
        am.registerAppAttempt();
        return am;
    }

    /** What an application gets that asks for as much as the node has. */
    private static List<Container> ask(MockRM rm, MockNM node, MockAM am) throws Exception {
        AllocateResponse answer = am.allocate("*", CONTAINER_MB, CONTAINERS, new ArrayList<>());
        List<Container> got = new ArrayList<>(answer.getAllocatedContainers());
        // FairScheduler works out twice a second who wants something.
        Await.until(
                "all that fits the node",
                Duration.ofSeconds(20),
                () -> {
                    node.nodeHeartbeat(true);
                    rm.drainEvents();
                    got.addAll(am.allocate(new ArrayList<>(), new ArrayList<>()).getAllocatedContainers());
                    return got.size() >= CONTAINERS;
                },
                got::toString);
        return got;
    }

    private static void run(MockRM rm, MockNM node, List<Container> containers) throws Exception {
        for (Container container : containers) {
            node.nodeHeartbeat(
                    container.getId().getApplicationAttemptId(),
                    container.getId().getContainerId(),
                    ContainerState.RUNNING);
        }
        rm.drainEvents();
    }

    /** Its daemon starts anew and finds its containers again. */
    private static void comeBack(MockRM rm, MockNM node, MockAM am, List<Container> containers) throws Exception {
        node.registerNode(
                RmFixture.running(containers),
                List.of(am.getApplicationAttemptId().getApplicationId()));
        rm.drainEvents();
    }

    private static long used(MockRM rm, MockNM node) {
        return rm.getResourceScheduler()
                .getNodeReport(node.getNodeId())
                .getUsedResource()
                .getMemorySize();
    }

    @ParameterizedTest
    @ValueSource(classes = {DrfScheduler.class, CapacityScheduler.class, FairScheduler.class})
    void inTimeItKeepsItsContainers(Class<?> scheduler) throws Exception {
        try (MockRM rm = start(scheduler)) {
            MockNM node = rm.registerNode("127.1.0.1:1234", NODE_MB, CONTAINERS);
            MockAM am = application(rm, node);
            List<Container> first = ask(rm, node, am);
            assertThat(first).hasSize(CONTAINERS);
            run(rm, node, first);

            comeBack(rm, node, am, first);
            assertThat(used(rm, node)).as("the node is full").isEqualTo(NODE_MB);
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {DrfScheduler.class, CapacityScheduler.class, FairScheduler.class})
    void onceItWasGivenUpNoSchedulerIsToldOfThem(Class<?> scheduler) throws Exception {
        try (MockRM rm = start(scheduler)) {
            MockNM node = rm.registerNode("127.1.0.1:1234", NODE_MB, CONTAINERS);
            MockAM am = application(rm, node);
            List<Container> first = ask(rm, node, am);
            assertThat(first).hasSize(CONTAINERS);
            run(rm, node, first);

            rm.getRMContext()
                    .getDispatcher()
                    .getEventHandler()
                    .handle(new RMNodeEvent(node.getNodeId(), RMNodeEventType.EXPIRE));
            rm.drainEvents();
            assertThat(am.allocate(new ArrayList<>(), new ArrayList<>()).getCompletedContainersStatuses())
                    .extracting(ContainerStatus::getDiagnostics)
                    .hasSize(CONTAINERS)
                    .allMatch(why -> why.contains("lost"));

            comeBack(rm, node, am, first);
            assertThat(used(rm, node)).as("as if nothing ran there").isZero();
            assertThat(ask(rm, node, am))
                    .as("beside the %d MB that run on", NODE_MB)
                    .hasSize(CONTAINERS)
                    .doesNotContainAnyElementsOf(first);
        }
    }
}
