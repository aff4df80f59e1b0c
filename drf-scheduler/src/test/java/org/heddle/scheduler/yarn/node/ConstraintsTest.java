// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.ExecutionTypeRequest;
import org.apache.hadoop.yarn.api.records.NodeAttribute;
import org.apache.hadoop.yarn.api.records.NodeAttributeOpCode;
import org.apache.hadoop.yarn.api.records.NodeAttributeType;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceSizing;
import org.apache.hadoop.yarn.api.records.SchedulingRequest;
import org.apache.hadoop.yarn.api.resource.PlacementConstraint;
import org.apache.hadoop.yarn.api.resource.PlacementConstraint.AbstractConstraint;
import org.apache.hadoop.yarn.api.resource.PlacementConstraints;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeAttributesUpdateSchedulerEvent;
import org.heddle.scheduler.yarn.ClusterInvariants;
import org.heddle.scheduler.yarn.RmFixture;
import org.heddle.testkit.Await;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests with placement constraints, under both of Hadoop's handlers for them. */
class ConstraintsTest {
    private static final String QUEUES =
            "<heddle-scheduler version=\"1\"><queue name=\"root\"><queue name=\"default\"/><queue"
                    + " name=\"small\"><max-resources><resource name=\"memory-mb\">2000</resource></max-resources></queue>"
                    + "</queue></heddle-scheduler>";

    @TempDir
    Path directory;

    private RmFixture fixture(String handler) throws Exception {
        RmFixture fixture = new RmFixture(
                directory,
                QUEUES,
                YarnConfiguration.RM_PLACEMENT_CONSTRAINTS_HANDLER,
                handler,
                YarnConfiguration.RM_PLACEMENT_CONSTRAINTS_RETRY_ATTEMPTS,
                "100");
        for (int i = 1; i <= 3; i++) {
            fixture.node("127.1.0." + i, 4_000, 4);
        }
        return fixture;
    }

    private static SchedulingRequest request(long id, int count, String tag, @Nullable AbstractConstraint constraint) {
        return SchedulingRequest.newInstance(
                id,
                Priority.newInstance(1),
                ExecutionTypeRequest.newInstance(ExecutionType.GUARANTEED),
                Set.of(tag),
                ResourceSizing.newInstance(count, Resource.newInstance(1_000, 1)),
                constraint == null ? null : new PlacementConstraint(constraint));
    }

    private static void send(RmFixture.App app, SchedulingRequest... requests) throws Exception {
        AllocateRequest heartbeat = AllocateRequest.newInstance(app.am.getResponseId(), 0f, List.of(), List.of(), null);
        heartbeat.setSchedulingRequests(List.of(requests));
        app.containers.addAll(app.am.allocate(heartbeat).getAllocatedContainers());
    }

    /** Heartbeats until so many containers are there; the placement processor works in threads of its own. */
    private static Map<String, Long> settle(RmFixture fixture, RmFixture.App app, int containers) throws Exception {
        long deadline =
                System.nanoTime() + Await.stretched(Duration.ofSeconds(20)).toNanos();
        int quiet = 0;
        while (quiet < 5 && System.nanoTime() < deadline) {
            fixture.heartbeat();
            app.collect();
            quiet = app.containers.size() >= containers ? quiet + 1 : 0;
        }
        return app.containers.stream()
                .collect(
                        Collectors.groupingBy(container -> container.getNodeId().getHost(), Collectors.counting()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"scheduler", "placement-processor"})
    void antiAffinitySpreads(String handler) throws Exception {
        try (RmFixture fixture = fixture(handler)) {
            RmFixture.App app = fixture.unmanaged("alice", "default");
            send(
                    app,
                    request(
                            1,
                            3,
                            "web",
                            PlacementConstraints.targetNotIn(
                                    PlacementConstraints.NODE,
                                    PlacementConstraints.PlacementTargets.allocationTag("web"))));
            assertThat(settle(fixture, app, 3)).hasSize(3).containsValue(1L);
            assertThat(app.containers)
                    .allSatisfy(container ->
                            assertThat(container.getAllocationTags()).containsExactly("web"));
            ClusterInvariants.balance(fixture.shell());
            fixture.finish(app.containers);
            app.end();
            ClusterInvariants.empty(fixture.shell());
        }
    }

    @Test
    void tagsGoWhenTheNodeSaysThatTheReleasedContainerHasEnded() throws Exception {
        try (RmFixture fixture = fixture("scheduler")) {
            RmFixture.App app = fixture.unmanaged("alice", "default");
            send(app, request(1, 1, "web", null));
            settle(fixture, app, 1);
            Container web = app.containers.get(0);
            fixture.run(app.containers);
            assertThat(tags(fixture, web)).containsEntry("web", 1L);
            app.release(web.getId());
            assertThat(tags(fixture, web)).as("it may still be running").containsEntry("web", 1L);
            fixture.heartbeat(); // tells the node to end it
            fixture.finish(app.containers);
            assertThat(tags(fixture, web)).doesNotContainKey("web");
            app.end();
        }
    }

    private static Map<String, Long> tags(RmFixture fixture, Container container) {
        Map<String, Long> tags =
                fixture.rm.getRMContext().getAllocationTagsManager().getAllocationTagsWithCount(container.getNodeId());
        return tags == null ? Map.of() : tags;
    }

    @ParameterizedTest
    @ValueSource(strings = {"scheduler", "placement-processor"})
    void affinityGathersAndLimitsHold(String handler) throws Exception {
        try (RmFixture fixture = fixture(handler)) {
            RmFixture.App app = fixture.unmanaged("alice", "small");
            send(app, request(1, 1, "db", null));
            settle(fixture, app, 1);
            Container db = app.containers.get(0);
            send(
                    app,
                    request(
                            2,
                            3,
                            "cache",
                            PlacementConstraints.targetIn(
                                    PlacementConstraints.NODE,
                                    PlacementConstraints.PlacementTargets.allocationTag("db"))));
            assertThat(settle(fixture, app, 2))
                    .as("with the database, and no more than the queue may hold")
                    .isEqualTo(Map.of(db.getNodeId().getHost(), 2L));
            ClusterInvariants.balance(fixture.shell());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"scheduler", "placement-processor"})
    void attributesOfNodesAreLookedAt(String handler) throws Exception {
        try (RmFixture fixture = fixture(handler)) {
            NodeAttribute attribute =
                    NodeAttribute.newInstance("rm.yarn.io", "os", NodeAttributeType.STRING, "bookworm");
            fixture.scheduler().handle(new NodeAttributesUpdateSchedulerEvent(Map.of("127.1.0.2", Set.of(attribute))));
            RmFixture.App app = fixture.unmanaged("alice", "default");
            send(
                    app,
                    request(
                            1,
                            2,
                            "x",
                            PlacementConstraints.targetNodeAttribute(
                                    PlacementConstraints.NODE,
                                    NodeAttributeOpCode.EQ,
                                    PlacementConstraints.PlacementTargets.nodeAttribute("rm.yarn.io/os", "bookworm"))));
            assertThat(settle(fixture, app, 2)).isEqualTo(Map.of("127.1.0.2", 2L));
        }
    }
}
