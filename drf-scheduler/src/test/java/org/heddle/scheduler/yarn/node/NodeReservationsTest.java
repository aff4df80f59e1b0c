// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceOption;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeResourceUpdateSchedulerEvent;
import org.heddle.scheduler.yarn.RmFixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes held for large asks that small ones would pass over for ever. */
class NodeReservationsTest {
    private static final String A = "127.1.0.1";
    private static final String B = "127.1.0.2";
    private static final String SPEC = "<heddle-scheduler version=\"1\"><queue name=\"root\">"
            + "<queue name=\"default\"/><queue name=\"other\"/></queue><scheduling-delays><reservation>5s</reservation>"
            + "<reservation-expiry>20s</reservation-expiry><max-reserved-nodes>50%</max-reserved-nodes></scheduling-delays>"
            + "</heddle-scheduler>";

    @TempDir
    Path directory;

    @Test
    void anAskThatFitsNoNodeGetsOneHeldThoughNobodyPassesItBy() throws Exception {
        try (RmFixture bed = new RmFixture(directory, SPEC)) {
            crowd(bed, 2);
            RmFixture.App large = bed.unmanaged("bob", "default").ask(1, 4_000, 4);
            for (int i = 0; i < 4; i++) {
                bed.heartbeat();
            }
            assertThat(bed.scheduler().takeSnapshot().reservedNodes())
                    .as("not yet 5 s")
                    .isZero();
            for (int i = 0; i < 26; i++) {
                bed.heartbeat();
            }
            assertThat(bed.scheduler().takeSnapshot().reservedNodes())
                    .as("nothing ended and nothing was placed, but whoever comes next is not to be served first")
                    .isEqualTo(1);
            assertThat(large.collect().containers).isEmpty();
        }
    }

    @Test
    void aLargeAskThatIsPassedOverGetsANodeHeldAndThenItsContainer() throws Exception {
        try (RmFixture bed = new RmFixture(directory, SPEC)) {
            RmFixture.App small = crowd(bed, 2);
            RmFixture.App large = bed.unmanaged("bob", "default").ask(1, 4_000, 4);
            passOver(bed, small, 4);
            assertThat(bed.scheduler().takeSnapshot().reservedNodes())
                    .as("not yet 5 s")
                    .isZero();
            passOver(bed, small, 6);
            assertThat(bed.scheduler().takeSnapshot().reservedNodes())
                    .as("one of two nodes")
                    .isEqualTo(1);
            assertThat(bed.scheduler().getRootQueueMetrics().getReservedMB()).isEqualTo(4_000);
            assertThat(bed.scheduler().getRootQueueMetrics().getReservedContainers())
                    .isEqualTo(1);
            String held = bed.seen(A).getReservedContainer() != null ? A : B;
            ContainerId reserved = bed.seen(held).getReservedContainer().getContainerId();
            releaseAllOn(held, small);
            bed.heartbeat();
            assertThat(large.collect().containers).singleElement().satisfies(container -> {
                assertThat(container.getNodeId().getHost()).isEqualTo(held);
                assertThat(container.getId()).isEqualTo(reserved);
            });
            assertThat(bed.scheduler().takeSnapshot().reservedNodes()).isZero();
            assertThat(bed.scheduler().getRootQueueMetrics().getReservedMB()).isZero();
            assertThat(bed.schedulable("default/bob").pendingContainers()).isZero();
            small.end();
            large.end();
            bed.assertNothingLeft();
        }
    }

    @Test
    void whoWaitsForRoomLikeEverybodyElseGetsNoMoreThanTheShare() throws Exception {
        String spec = SPEC.replace("<queue name=\"other\"/>", "<queue name=\"other\"><weight>3</weight></queue>");
        try (RmFixture bed = new RmFixture(directory, spec)) {
            bed.node(A, 10_000, 100);
            RmFixture.App rich = bed.unmanaged("alice", "other").ask(40, 1_000, 1);
            bed.heartbeat();
            RmFixture.App poor = bed.unmanaged("bob", "default").ask(20, 1_000, 1);
            for (int i = 0; i < 20; i++) {
                bed.clock.tick(1_000);
                bed.heartbeat();
            }
            rich.collect();
            for (int i = 0; i < 20; i++) {
                RmFixture.App ends = rich.containers.size() > 5 ? rich : poor;
                ends.release(ends.containers.remove(0).getId());
                bed.clock.tick(100);
                bed.heartbeat();
                rich.collect();
                poor.collect();
                assertThat(poor.containers).hasSizeLessThanOrEqualTo(3);
                assertThat(poor.containers.size() + rich.containers.size()).isEqualTo(10);
            }
            assertThat(poor.containers).hasSizeBetween(2, 3);
        }
    }

    @Test
    void nobodyElseGetsAHeldNodeUntilTheTimeIsOver() throws Exception {
        try (RmFixture bed = new RmFixture(directory, SPEC)) {
            RmFixture.App small = crowd(bed, 2);
            bed.unmanaged("bob", "default").ask(1, 4_000, 4);
            passOver(bed, small, 10);
            String held = bed.seen(A).getReservedContainer() != null ? A : B;
            List<ContainerId> there = on(held, small);
            small.release(there.get(0));
            int before = small.containers.size();
            for (int i = 0; i < 10; i++) {
                bed.clock.tick(1_000);
                bed.heartbeat(held);
            }
            assertThat(small.collect().containers).hasSize(before);
            bed.clock.tick(20_000);
            bed.heartbeat(held);
            assertThat(bed.seen(held).getReservedContainer()).isNull();
            assertThat(small.collect().containers).as("free for all again").hasSizeGreaterThan(before);
            assertThat(bed.scheduler().getRootQueueMetrics().getReservedMB()).isZero();
        }
    }

    @Test
    void aHeldNodeIsGivenBackWhenTheAskIsWithdrawn() throws Exception {
        try (RmFixture bed = new RmFixture(directory, SPEC)) {
            RmFixture.App small = crowd(bed, 2);
            RmFixture.App large = bed.unmanaged("bob", "default").ask(1, 4_000, 4);
            passOver(bed, small, 10);
            large.ask(0, 4_000, 4);
            bed.heartbeat();
            assertNothingHeld(bed);
        }
    }

    @Test
    void aHeldNodeIsGivenBackWhenTheApplicationEndsOrMoves() throws Exception {
        try (RmFixture bed = new RmFixture(directory, SPEC)) {
            RmFixture.App small = crowd(bed, 2);
            RmFixture.App large = bed.unmanaged("bob", "default").ask(1, 4_000, 4);
            passOver(bed, small, 10);
            bed.scheduler().moveApplication(large.id(), "other");
            assertNothingHeld(bed);
            passOver(bed, small, 10);
            assertThat(bed.scheduler().takeSnapshot().reservedNodes()).isEqualTo(1);
            assertThat(bed.queue("root.other").getMetrics().getReservedMB()).isEqualTo(4_000);
            large.end();
            assertNothingHeld(bed);
            small.end();
            bed.assertNothingLeft();
        }
    }

    @Test
    void aHeldNodeThatGoesOrShrinksIsForgotten() throws Exception {
        try (RmFixture bed = new RmFixture(directory, SPEC)) {
            RmFixture.App small = crowd(bed, 3);
            bed.unmanaged("bob", "default").ask(1, 4_000, 4);
            passOver(bed, small, 10);
            String held = heldHost(bed);
            bed.scheduler()
                    .handle(new NodeResourceUpdateSchedulerEvent(
                            bed.rm
                                    .getRMContext()
                                    .getRMNodes()
                                    .get(bed.node(held).getNodeId()),
                            ResourceOption.newInstance(Resource.newInstance(3_000, 3), -1)));
            assertNothingHeld(bed);
            passOver(bed, small, 10);
            String next = heldHost(bed);
            bed.rm.sendNodeLost(bed.node(next));
            bed.nodes.remove(next);
            assertNothingHeld(bed);
        }
    }

    @Test
    void aNodeWhereTheAskMayNotRunIsNotHeldForIt() throws Exception {
        try (RmFixture bed = new RmFixture(directory, SPEC)) {
            RmFixture.App small = crowd(bed, 2);
            RmFixture.App large = bed.unmanaged("bob", "default");
            Resource size = Resource.newInstance(4_000, 4);
            large.heartbeat(
                    List.of(
                            ResourceRequest.newInstance(Priority.newInstance(1), B, size, 1, true),
                            ResourceRequest.newInstance(Priority.newInstance(1), "/default-rack", size, 1, false),
                            ResourceRequest.newInstance(Priority.newInstance(1), ResourceRequest.ANY, size, 1, false)),
                    List.of());
            passOver(bed, small, 12);
            assertThat(heldHost(bed)).isEqualTo(B);
        }
    }

    @Test
    void zeroMeansNever() throws Exception {
        try (RmFixture bed = new RmFixture(directory, SPEC.replace("50%", "0"))) {
            RmFixture.App small = crowd(bed, 2);
            bed.unmanaged("bob", "default").ask(1, 4_000, 4);
            passOver(bed, small, 20);
            assertNothingHeld(bed);
        }
    }

    /** Fills so many nodes of 4000 MB with containers of 1000 MB, and asks for very many more. */
    private static RmFixture.App crowd(RmFixture bed, int nodes) throws Exception {
        for (int i = 1; i <= nodes; i++) {
            bed.node("127.1.0." + i, 4_000, 4);
        }
        RmFixture.App small = bed.unmanaged("alice", "default").ask(10_000, 1_000, 1);
        bed.heartbeat();
        small.collect();
        assertThat(small.containers).hasSize(4 * nodes);
        return small;
    }

    /** So many seconds in which on every node a small container ends and another takes its place. */
    private static void passOver(RmFixture bed, RmFixture.App small, int seconds) throws Exception {
        for (int i = 0; i < seconds; i++) {
            for (String host : bed.nodes.keySet()) {
                if (bed.seen(host).getReservedContainer() == null) {
                    List<ContainerId> there = on(host, small);
                    if (!there.isEmpty()) {
                        small.release(there.get(0));
                        small.containers.removeIf(container -> container.getId().equals(there.get(0)));
                    }
                }
            }
            bed.heartbeat();
            small.collect();
        }
    }

    private static List<ContainerId> on(String host, RmFixture.App app) {
        return app.containers.stream()
                .filter(container -> container.getNodeId().getHost().equals(host))
                .map(container -> container.getId())
                .toList();
    }

    private static void releaseAllOn(String host, RmFixture.App app) throws Exception {
        app.release(on(host, app).toArray(new ContainerId[0]));
    }

    private static String heldHost(RmFixture bed) {
        return bed.nodes.keySet().stream()
                .filter(host -> bed.seen(host).getReservedContainer() != null)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no node is held"));
    }

    private static void assertNothingHeld(RmFixture bed) {
        assertThat(bed.scheduler().takeSnapshot().reservedNodes()).isZero();
        assertThat(bed.nodes.keySet()).allMatch(host -> bed.seen(host).getReservedContainer() == null);
        assertThat(bed.scheduler().getRootQueueMetrics().getReservedMB()).isZero();
        assertThat(bed.scheduler().getRootQueueMetrics().getReservedContainers())
                .isZero();
    }
}
