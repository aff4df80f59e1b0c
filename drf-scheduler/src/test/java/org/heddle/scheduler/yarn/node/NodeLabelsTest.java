// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeLabel;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.resourcemanager.nodelabels.RMNodeLabelsManager;
import org.heddle.scheduler.snapshot.PendingAsks;
import org.heddle.scheduler.snapshot.Waiting;
import org.heddle.scheduler.yarn.ClusterInvariants;
import org.heddle.scheduler.yarn.RmFixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Partitions: who may use labelled nodes, and what of them is lent. */
class NodeLabelsTest {
    private static final String PLAIN = "127.1.0.1";
    private static final String GPU = "127.1.0.2";
    private static final String LENT = "127.1.0.3";

    @TempDir
    Path directory;

    /** A plain node, one of the exclusive partition gpu, one of the shared partition lent; four containers each. */
    private RmFixture fixture(String queues) throws Exception {
        return fixture(
                queues,
                "<scheduling-delays><node-locality>0s</node-locality><rack-locality>0s</rack-locality></scheduling-delays>");
    }

    /** Allocation waits for heartbeats, so that an ask still waits when the test looks. */
    private RmFixture waitingForHeartbeats(String queues) throws Exception {
        return fixture(queues, "<allocation>heartbeat</allocation>");
    }

    private RmFixture fixture(String queues, String rules) throws Exception {
        RmFixture fixture = new RmFixture(
                directory,
                "<heddle-scheduler version=\"1\">" + rules + "<queue name=\"root\">" + queues
                        + "</queue></heddle-scheduler>",
                YarnConfiguration.NODE_LABELS_ENABLED,
                "true");
        RMNodeLabelsManager labels = fixture.rm.getRMContext().getNodeLabelManager();
        labels.addToCluserNodeLabels(List.of(NodeLabel.newInstance("gpu", true), NodeLabel.newInstance("lent", false)));
        labels.addLabelsToNode(
                Map.of(NodeId.newInstance(GPU, 0), Set.of("gpu"), NodeId.newInstance(LENT, 0), Set.of("lent")));
        for (String host : List.of(PLAIN, GPU, LENT)) {
            fixture.node(host, 4_000, 4);
        }
        return fixture;
    }

    private static void ask(RmFixture.App app, int count, String label) throws Exception {
        app.heartbeat(List.of(request(count, label)), List.of());
    }

    private static ResourceRequest request(int count, String label) {
        return ResourceRequest.newBuilder()
                .priority(Priority.newInstance(1))
                .resourceName(ResourceRequest.ANY)
                .capability(Resource.newInstance(1_000, 1))
                .numContainers(count)
                .nodeLabelExpression(label)
                .build();
    }

    private static Map<String, Long> hosts(RmFixture.App app) throws Exception {
        app.collect();
        return app.containers.stream()
                .collect(
                        Collectors.groupingBy(container -> container.getNodeId().getHost(), Collectors.counting()));
    }

    @Test
    void whoWaitsForALabelIsToldSo() throws Exception {
        try (RmFixture fixture = fixture("<queue name=\"default\"/>")) {
            RmFixture.App gpu = fixture.unmanaged("bob", "default");
            ask(gpu, 5, "gpu");
            fixture.heartbeat();
            Waiting waiting = Objects.requireNonNull(
                    fixture.scheduler().why(gpu.app.getApplicationId().toString()));
            assertThat(waiting.reasons())
                    .extracting(Waiting.Reason::kind, Waiting.Reason::nodes)
                    .containsExactlyInAnyOrder(
                            tuple(Waiting.Kind.LABEL, 2), tuple(Waiting.Kind.INSUFFICIENT_RESOURCES, 1));
            assertThat(waiting.reasons())
                    .filteredOn(reason -> reason.kind() == Waiting.Kind.LABEL)
                    .singleElement()
                    .extracting(Waiting.Reason::text)
                    .asString()
                    .contains("2 of 3 nodes", "label");
        }
    }

    /** What machines with a label are needed for. */
    @Test
    void whatWaitsIsCountedByLabel() throws Exception {
        try (RmFixture fixture = fixture("<queue name=\"default\"/>")) {
            RmFixture.App gpu = fixture.unmanaged("bob", "default");
            ask(gpu, 7, "gpu");
            fixture.heartbeat();
            assertThat(fixture.scheduler().snapshot().pending())
                    .containsEntry("gpu", new PendingAsks(3, Map.of("memory-mb", 3_000L, "vcores", 3L)));
        }
    }

    @Test
    void asksGoToTheirPartitionAndTheRestOfSharedOnesIsLent() throws Exception {
        try (RmFixture fixture = fixture("<queue name=\"default\"/>")) {
            RmFixture.App plain = fixture.unmanaged("alice", "default");
            ask(plain, 20, "");
            RmFixture.App gpu = fixture.unmanaged("bob", "default");
            ask(gpu, 20, "gpu");
            RmFixture.App lent = fixture.unmanaged("carol", "default");
            ask(lent, 2, "lent");
            fixture.heartbeat();
            assertThat(hosts(gpu)).isEqualTo(Map.of(GPU, 4L));
            assertThat(hosts(lent)).isEqualTo(Map.of(LENT, 2L));
            assertThat(hosts(plain)).isEqualTo(Map.of(PLAIN, 4L, LENT, 2L));
            assertThat(RmFixture.busy(fixture.queue("root").getMetrics().getPartitionQueueMetrics("gpu")))
                    .as("the queue above has what those below have on these nodes")
                    .contains("allocated 4000 MB 4 cores 4 containers, pending 16000 MB 16 cores 16 containers");
            ClusterInvariants.balance(fixture.shell());
            for (RmFixture.App app : List.of(plain, gpu, lent)) {
                app.end();
            }
            ClusterInvariants.empty(fixture.shell());
        }
    }

    /** Hadoop keeps the object that it is given, and would subtract later what that says then. */
    @Test
    void aRequestThatIsGivenAgainWithAnotherLabelIsPendingThereOnly() throws Exception {
        try (RmFixture fixture = waitingForHeartbeats("<queue name=\"default\"/>")) {
            RmFixture.App app = fixture.unmanaged("alice", "default");
            ResourceRequest request = request(3, "gpu");
            app.heartbeat(List.of(request), List.of());
            assertThat(pending(fixture, "gpu")).isEqualTo(3);
            request.setNumContainers(2);
            request.setNodeLabelExpression("lent");
            app.heartbeat(List.of(request), List.of());
            assertThat(pending(fixture, "gpu")).isZero();
            assertThat(pending(fixture, "lent")).isEqualTo(2);
            fixture.heartbeat(LENT);
            assertThat(pending(fixture, "lent")).isZero();
            ClusterInvariants.balance(fixture.shell());
            app.end();
            ClusterInvariants.empty(fixture.shell());
        }
    }

    private static int pending(RmFixture fixture, String label) {
        return fixture.queue("root")
                .getMetrics()
                .getPartitionQueueMetrics(label)
                .getPendingContainers();
    }

    /** Half of the room and one container more, then half of the rest, as on every other node. */
    @Test
    void oneHeartbeatFillsHalfOfTheRoomOfASharedNode() throws Exception {
        String rules = "<dynamic-max-assign>true</dynamic-max-assign>"
                + "<scheduling-delays><node-locality>0s</node-locality><rack-locality>0s</rack-locality></scheduling-delays>";
        try (RmFixture fixture = fixture("<queue name=\"default\"/>", rules)) {
            RmFixture.App plain = fixture.unmanaged("alice", "default");
            ask(plain, 20, "");
            fixture.heartbeat(PLAIN);
            fixture.heartbeat(LENT);
            assertThat(hosts(plain)).isEqualTo(Map.of(PLAIN, 3L, LENT, 3L));
        }
    }

    /** Three nodes are passed over for the rack, and three for any place: the shared node counts as every other one. */
    @Test
    void asksPassOverTheRestOfASharedNode() throws Exception {
        String rules =
                "<scheduling-delays><node-locality-threshold>100%</node-locality-threshold><rack-locality-threshold>100%</rack-locality-threshold></scheduling-delays>";
        try (RmFixture fixture = fixture("<queue name=\"default\"/>", rules)) {
            RmFixture.App plain = fixture.unmanaged("alice", "default");
            plain.ask(1, 1, Resource.newInstance(1_000, 1), "elsewhere", "/other-rack", ResourceRequest.ANY);
            for (int passed = 0; passed < 7; passed++) {
                fixture.heartbeat(LENT);
                assertThat(hosts(plain)).as("after %s nodes", passed).isEmpty();
            }
            fixture.heartbeat(LENT);
            assertThat(hosts(plain)).isEqualTo(Map.of(LENT, 1L));
        }
    }

    /** Nodes that lend their rest are not told as excluded by their label. */
    @Test
    void theRestOfASharedNodeIsNoReasonToWait() throws Exception {
        try (RmFixture fixture = waitingForHeartbeats("<queue name=\"default\"/>")) {
            RmFixture.App plain = fixture.unmanaged("alice", "default");
            ask(plain, 1, "");
            Waiting waiting = Objects.requireNonNull(
                    fixture.scheduler().why(plain.app.getApplicationId().toString()));
            assertThat(waiting.reasons())
                    .extracting(Waiting.Reason::kind, Waiting.Reason::nodes)
                    .containsExactlyInAnyOrder(tuple(Waiting.Kind.NEXT_HEARTBEAT, 2), tuple(Waiting.Kind.LABEL, 1));
        }
    }

    @Test
    void queueMayUseOnlyItsLabelsAndHasADefault() throws Exception {
        String queues = "<queue name=\"any\"/><queue name=\"gpus\"><node-labels>gpu</node-labels>"
                + "<default-node-label>gpu</default-node-label></queue><queue name=\"none\"><node-labels/></queue>";
        try (RmFixture fixture = fixture(queues)) {
            RmFixture.App app = fixture.unmanaged("alice", "gpus").ask(10, 1_000, 1);
            fixture.heartbeat();
            assertThat(hosts(app)).isEqualTo(Map.of(GPU, 4L));
            assertThat(fixture.scheduler().getQueueInfo("gpus", false, false).getDefaultNodeLabelExpression())
                    .isEqualTo("gpu");
            RmFixture.App poor = fixture.unmanaged("bob", "none");
            assertThatThrownBy(() -> ask(poor, 1, "gpu"))
                    .isInstanceOf(YarnException.class)
                    .hasMessageContaining("gpu");
        }
    }

    private static String gpu(String queue, String inside) {
        return "<queue name=\"" + queue + "\"><node-label name=\"gpu\">" + inside + "</node-label></queue>";
    }

    private static String cores(String element, String amount) {
        return "<" + element + "><resource name=\"vcores\">" + amount + "</resource></" + element + ">";
    }

    @Test
    void limitOfALabelLeavesTheOtherNodesOpen() throws Exception {
        String queues = gpu("few", cores("max-resources", "50%")) + "<queue name=\"other\"/>";
        try (RmFixture fixture = fixture(queues)) {
            RmFixture.App few = fixture.unmanaged("alice", "few");
            ask(few, 20, "gpu");
            fixture.heartbeat();
            fixture.heartbeat();
            assertThat(hosts(few)).isEqualTo(Map.of(GPU, 2L));
            assertThat(few.heartbeat(List.of(), List.of())
                            .getAvailableResources()
                            .getVirtualCores())
                    .isZero();
            Waiting waiting = Objects.requireNonNull(
                    fixture.scheduler().why(few.app.getApplicationId().toString()));
            assertThat(waiting.reasons())
                    .filteredOn(reason -> reason.kind() == Waiting.Kind.LABEL_LIMIT)
                    .singleElement()
                    .extracting(Waiting.Reason::text)
                    .asString()
                    .contains("1 of 3 nodes have the label gpu", "queue root.few holds", "2 vcores of at most");
            RmFixture.App plain = fixture.unmanaged("alice", "few");
            ask(plain, 20, "");
            fixture.heartbeat();
            assertThat(hosts(plain)).isEqualTo(Map.of(PLAIN, 4L, LENT, 4L));
            fixture.scheduler().moveApplication(few.app.getApplicationId(), "other");
            fixture.heartbeat();
            assertThat(hosts(few)).as("without the limit").isEqualTo(Map.of(GPU, 4L));
            assertThat(fixture.scheduler().snapshot().root().queues())
                    .filteredOn(queue -> queue.name().equals("other"))
                    .singleElement()
                    .satisfies(other -> assertThat(
                                    Objects.requireNonNull(other.labels().get("gpu"))
                                            .used())
                            .containsEntry("vcores", 4L));
            ClusterInvariants.balance(fixture.shell());
        }
    }

    /** With half of the partition each, both get it, although one of them already holds much of the cluster. */
    @Test
    void guaranteeOfALabelComesBeforeTheShareOfTheCluster() throws Exception {
        String queues = gpu("early", cores("guaranteed-resources", "50%"))
                + gpu("late", cores("guaranteed-resources", "50%")) + "<queue name=\"none\"/>";
        try (RmFixture fixture = fixture(queues)) {
            RmFixture.App plain = fixture.unmanaged("alice", "early");
            ask(plain, 8, "");
            fixture.heartbeat();
            assertThat(hosts(plain)).isEqualTo(Map.of(PLAIN, 4L, LENT, 4L));
            RmFixture.App early = fixture.unmanaged("alice", "early");
            RmFixture.App late = fixture.unmanaged("bob", "late");
            RmFixture.App none = fixture.unmanaged("carol", "none");
            for (RmFixture.App app : List.of(early, late, none)) {
                ask(app, 20, "gpu");
            }
            fixture.heartbeat();
            assertThat(List.of(hosts(early), hosts(late), hosts(none)))
                    .isEqualTo(List.of(Map.of(GPU, 2L), Map.of(GPU, 2L), Map.of()));
        }
    }

    /** Inside a guaranteed queue the one with a guarantee of its own comes first, and outside both come first. */
    @Test
    void guaranteesOfALabelLieInsideEachOther() throws Exception {
        String queues = "<queue name=\"lab\"><node-label name=\"gpu\">" + cores("guaranteed-resources", "3")
                + "</node-label>" + gpu("first", cores("guaranteed-resources", "2"))
                + "<queue name=\"second\"/></queue><queue name=\"none\"/>";
        try (RmFixture fixture = fixture(queues)) {
            RmFixture.App second = fixture.unmanaged("alice", "lab.second");
            RmFixture.App first = fixture.unmanaged("bob", "lab.first");
            RmFixture.App none = fixture.unmanaged("carol", "none");
            for (RmFixture.App app : List.of(second, first, none)) {
                ask(app, 20, "gpu");
            }
            fixture.heartbeat();
            assertThat(List.of(hosts(first), hosts(second), hosts(none)))
                    .isEqualTo(List.of(Map.of(GPU, 2L), Map.of(GPU, 1L), Map.of(GPU, 1L)));
        }
    }

    /** The nodes of a partition become more, and with them the limit that is a part of them. */
    @Test
    void limitOfALabelFollowsItsNodes() throws Exception {
        try (RmFixture fixture = fixture(gpu("default", cores("max-resources", "50%")))) {
            RmFixture.App app = fixture.unmanaged("alice", "default");
            ask(app, 20, "gpu");
            fixture.heartbeat();
            assertThat(hosts(app)).isEqualTo(Map.of(GPU, 2L));
            fixture.rm
                    .getRMContext()
                    .getNodeLabelManager()
                    .replaceLabelsOnNode(Map.of(NodeId.newInstance(PLAIN, 0), Set.of("gpu")));
            fixture.rm.drainEvents();
            fixture.heartbeat();
            assertThat(hosts(app).values().stream().mapToLong(Long::longValue).sum())
                    .isEqualTo(4);
        }
    }

    @Test
    void relabelledNodeServesItsNewPartition() throws Exception {
        try (RmFixture fixture = fixture("<queue name=\"default\"/>")) {
            RmFixture.App gpu = fixture.unmanaged("bob", "default");
            ask(gpu, 20, "gpu");
            fixture.heartbeat();
            assertThat(hosts(gpu)).isEqualTo(Map.of(GPU, 4L));
            fixture.rm
                    .getRMContext()
                    .getNodeLabelManager()
                    .replaceLabelsOnNode(Map.of(NodeId.newInstance(PLAIN, 0), Set.of("gpu")));
            fixture.rm.drainEvents();
            fixture.heartbeat();
            assertThat(hosts(gpu)).isEqualTo(Map.of(GPU, 4L, PLAIN, 4L));
            fixture.rm
                    .getRMContext()
                    .getNodeLabelManager()
                    .replaceLabelsOnNode(Map.of(NodeId.newInstance(GPU, 0), Set.of()));
            fixture.rm.drainEvents();
            ClusterInvariants.balance(fixture.shell());
            gpu.end();
            ClusterInvariants.empty(fixture.shell());
        }
    }
}
