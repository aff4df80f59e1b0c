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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes held for large asks that small ones would pass over for ever. */
@Tag("newer-line")
class NodeReservationsTest {
    private static final String A = "127.1.0.1";
    private static final String B = "127.1.0.2";
    private static final String SPEC = "<heddle-scheduler version=\"1\"><queue name=\"root\">"
            + "<queue name=\"default\"/><queue name=\"other\"/></queue><scheduling-delays><reservation>5s</reservation>"
            + "<max-reserved-nodes>50%</max-reserved-nodes></scheduling-delays>"
            + "</heddle-scheduler>";

    @TempDir
    Path directory;

    @Test
    void anAskThatFitsNoNodeGetsOneHeldThoughNobodyPassesItBy() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, SPEC)) {
            crowd(fixture, 2);
            RmFixture.App large = fixture.unmanaged("bob", "default").ask(1, 4_000, 4);
            for (int i = 0; i < 4; i++) {
                fixture.heartbeat();
            }
            assertThat(fixture.scheduler().takeSnapshot().reservedNodes())
                    .as("not yet 5 s")
                    .isZero();
            for (int i = 0; i < 26; i++) {
                fixture.heartbeat();
            }
            assertThat(fixture.scheduler().takeSnapshot().reservedNodes())
                    .as("nothing ended and nothing was placed, but whoever comes next is not to be served first")
                    .isEqualTo(1);
            assertThat(large.collect().containers).isEmpty();
        }
    }

    @Test
    void aLargeAskThatIsPassedOverGetsANodeHeldAndThenItsContainer() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, SPEC)) {
            RmFixture.App small = crowd(fixture, 2);
            RmFixture.App large = fixture.unmanaged("bob", "default").ask(1, 4_000, 4);
            passOver(fixture, small, 4);
            assertThat(fixture.scheduler().takeSnapshot().reservedNodes())
                    .as("not yet 5 s")
                    .isZero();
            passOver(fixture, small, 6);
            assertThat(fixture.scheduler().takeSnapshot().reservedNodes())
                    .as("one of two nodes")
                    .isEqualTo(1);
            assertThat(fixture.scheduler().getRootQueueMetrics().getReservedMB())
                    .isEqualTo(4_000);
            assertThat(fixture.scheduler().getRootQueueMetrics().getReservedContainers())
                    .isEqualTo(1);
            String held = fixture.seen(A).getReservedContainer() != null ? A : B;
            ContainerId reserved = fixture.seen(held).getReservedContainer().getContainerId();
            releaseAllOn(held, small);
            fixture.heartbeat();
            assertThat(large.collect().containers).singleElement().satisfies(container -> {
                assertThat(container.getNodeId().getHost()).isEqualTo(held);
                assertThat(container.getId()).isEqualTo(reserved);
            });
            assertThat(fixture.scheduler().takeSnapshot().reservedNodes()).isZero();
            assertThat(fixture.scheduler().getRootQueueMetrics().getReservedMB())
                    .isZero();
            assertThat(fixture.schedulable("default/bob").pendingContainers()).isZero();
            small.end();
            large.end();
            fixture.assertNothingLeft();
        }
    }

    @Test
    void whoWaitsForRoomLikeEverybodyElseGetsNoMoreThanTheShare() throws Exception {
        String spec = SPEC.replace("<queue name=\"other\"/>", "<queue name=\"other\"><weight>3</weight></queue>");
        try (RmFixture fixture = new RmFixture(directory, spec)) {
            fixture.node(A, 10_000, 100);
            RmFixture.App rich = fixture.unmanaged("alice", "other").ask(40, 1_000, 1);
            fixture.heartbeat();
            RmFixture.App poor = fixture.unmanaged("bob", "default").ask(20, 1_000, 1);
            for (int i = 0; i < 20; i++) {
                fixture.clock.tick(1_000);
                fixture.heartbeat();
            }
            rich.collect();
            for (int i = 0; i < 20; i++) {
                RmFixture.App ends = rich.containers.size() > 5 ? rich : poor;
                ends.release(ends.containers.remove(0).getId());
                fixture.clock.tick(100);
                fixture.heartbeat();
                rich.collect();
                poor.collect();
                assertThat(poor.containers).hasSizeLessThanOrEqualTo(3);
                assertThat(poor.containers.size() + rich.containers.size()).isEqualTo(10);
            }
            assertThat(poor.containers).hasSizeBetween(2, 3);
        }
    }

    @Test
    void nobodyElseGetsAHeldNodeUntilNothingEndsThereAnyMore() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, SPEC)) {
            RmFixture.App small = crowd(fixture, 2);
            fixture.unmanaged("bob", "default").ask(1, 4_000, 4);
            passOver(fixture, small, 10);
            String held = heldHost(fixture);
            RmFixture.App unknown = fixture.unmanaged("carol", "other").ask(100, 1_000, 1);
            for (int ended = 0; ended < 2; ended++) {
                small.release(on(held, small).get(ended));
                for (int i = 0; i < 50; i++) {
                    fixture.clock.tick(1_000);
                    fixture.heartbeat(held);
                }
                assertThat(unknown.collect().containers)
                        .as("none has ended yet, so it is not known how long they run")
                        .isEmpty();
                assertThat(fixture.seen(held).getReservedContainer())
                        .as("held though for more than a minute")
                        .isNotNull();
            }
            fixture.clock.tick(200_000);
            fixture.heartbeat(held);
            assertThat(fixture.seen(held).getReservedContainer()).isNull();
            small.release(on(held, small).get(2));
            fixture.heartbeat(held);
            assertThat(unknown.collect().containers).as("free for all again").isNotEmpty();
            assertThat(fixture.scheduler().getRootQueueMetrics().getReservedMB())
                    .isZero();
        }
    }

    @Test
    void aNodeWithContainersThatDoNotEndIsNotHeldAgainForAnAskThatNeedsTheirRoom() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, SPEC)) {
            fixture.node(A, 4_000, 4);
            RmFixture.App service = fixture.unmanaged("carol", "other").ask(1, 1_000, 1);
            fixture.heartbeat();
            service.collect();
            RmFixture.App small = fixture.unmanaged("alice", "default").ask(10_000, 1_000, 1);
            fixture.heartbeat();
            small.collect();
            RmFixture.App whole = fixture.unmanaged("bob", "other").ask(1, 4_000, 4);
            int held = 0;
            for (int i = 0; i < 300; i++) {
                passOver(fixture, small, 1);
                held += fixture.seen(A).getReservedContainer() != null ? 1 : 0;
            }
            assertThat(held).as("seconds with the node held").isBetween(60, 80);
            assertThat(on(A, small)).as("the node serves others again").hasSize(3);
            service.release(service.containers.get(0).getId());
            for (int i = 0; i < 20 && whole.containers.isEmpty(); i++) {
                for (ContainerId id : on(A, small)) {
                    small.release(id);
                    small.containers.removeIf(container -> container.getId().equals(id));
                    fixture.heartbeat();
                    small.collect();
                }
                whole.collect();
            }
            assertThat(whole.containers).as("when the service has ended").hasSize(1);
        }
    }

    @Test
    void aHeldNodeIsGivenBackWhenTheAskIsWithdrawn() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, SPEC)) {
            RmFixture.App small = crowd(fixture, 2);
            RmFixture.App large = fixture.unmanaged("bob", "default").ask(1, 4_000, 4);
            passOver(fixture, small, 10);
            large.ask(0, 4_000, 4);
            fixture.heartbeat();
            assertNothingHeld(fixture);
        }
    }

    @Test
    void aHeldNodeIsGivenBackWhenTheApplicationEndsOrMoves() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, SPEC)) {
            RmFixture.App small = crowd(fixture, 2);
            RmFixture.App large = fixture.unmanaged("bob", "default").ask(1, 4_000, 4);
            passOver(fixture, small, 10);
            fixture.scheduler().moveApplication(large.id(), "other");
            assertNothingHeld(fixture);
            passOver(fixture, small, 10);
            assertThat(fixture.scheduler().takeSnapshot().reservedNodes()).isEqualTo(1);
            assertThat(fixture.queue("root.other").getMetrics().getReservedMB()).isEqualTo(4_000);
            large.end();
            assertNothingHeld(fixture);
            small.end();
            fixture.assertNothingLeft();
        }
    }

    @Test
    void aHeldNodeThatGoesOrShrinksIsForgotten() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, SPEC)) {
            RmFixture.App small = crowd(fixture, 3);
            fixture.unmanaged("bob", "default").ask(1, 4_000, 4);
            passOver(fixture, small, 10);
            String held = heldHost(fixture);
            fixture.scheduler()
                    .handle(new NodeResourceUpdateSchedulerEvent(
                            fixture.rm
                                    .getRMContext()
                                    .getRMNodes()
                                    .get(fixture.node(held).getNodeId()),
                            ResourceOption.newInstance(Resource.newInstance(3_000, 3), -1)));
            assertNothingHeld(fixture);
            passOver(fixture, small, 10);
            String next = heldHost(fixture);
            fixture.rm.sendNodeLost(fixture.node(next));
            fixture.nodes.remove(next);
            assertNothingHeld(fixture);
        }
    }

    @Test
    void aNodeWhereTheAskMayNotRunIsNotHeldForIt() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, SPEC)) {
            RmFixture.App small = crowd(fixture, 2);
            RmFixture.App large = fixture.unmanaged("bob", "default");
            Resource size = Resource.newInstance(4_000, 4);
            large.heartbeat(
                    List.of(
                            ResourceRequest.newInstance(Priority.newInstance(1), B, size, 1, true),
                            ResourceRequest.newInstance(Priority.newInstance(1), "/default-rack", size, 1, false),
                            ResourceRequest.newInstance(Priority.newInstance(1), ResourceRequest.ANY, size, 1, false)),
                    List.of());
            passOver(fixture, small, 12);
            assertThat(heldHost(fixture)).isEqualTo(B);
        }
    }

    @Test
    void zeroMeansNever() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, SPEC.replace("50%", "0"))) {
            RmFixture.App small = crowd(fixture, 2);
            fixture.unmanaged("bob", "default").ask(1, 4_000, 4);
            passOver(fixture, small, 20);
            assertNothingHeld(fixture);
        }
    }

    /** Fills so many nodes of 4000 MB with containers of 1000 MB, and asks for very many more. */
    private static RmFixture.App crowd(RmFixture fixture, int nodes) throws Exception {
        for (int i = 1; i <= nodes; i++) {
            fixture.node("127.1.0." + i, 4_000, 4);
        }
        RmFixture.App small = fixture.unmanaged("alice", "default").ask(10_000, 1_000, 1);
        fixture.heartbeat();
        small.collect();
        assertThat(small.containers).hasSize(4 * nodes);
        return small;
    }

    /** So many seconds in which on every node a small container ends and another takes its place. */
    private static void passOver(RmFixture fixture, RmFixture.App small, int seconds) throws Exception {
        for (int i = 0; i < seconds; i++) {
            for (String host : fixture.nodes.keySet()) {
                if (fixture.seen(host).getReservedContainer() == null) {
                    List<ContainerId> there = on(host, small);
                    if (!there.isEmpty()) {
                        small.release(there.get(0));
                        small.containers.removeIf(container -> container.getId().equals(there.get(0)));
                    }
                }
            }
            fixture.heartbeat();
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

    private static String heldHost(RmFixture fixture) {
        return fixture.nodes.keySet().stream()
                .filter(host -> fixture.seen(host).getReservedContainer() != null)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no node is held"));
    }

    private static void assertNothingHeld(RmFixture fixture) {
        assertThat(fixture.scheduler().takeSnapshot().reservedNodes()).isZero();
        assertThat(fixture.nodes.keySet()).allMatch(host -> fixture.seen(host).getReservedContainer() == null);
        assertThat(fixture.scheduler().getRootQueueMetrics().getReservedMB()).isZero();
        assertThat(fixture.scheduler().getRootQueueMetrics().getReservedContainers())
                .isZero();
    }
}
