// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceBlacklistRequest;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.heddle.scheduler.model.Waiting;
import org.heddle.scheduler.model.Waiting.Kind;
import org.heddle.scheduler.yarn.RmFixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every kind of reason for which an application waits, with its numbers. */
class ExplainerTest {
    private static final String A = "127.1.0.1";
    private static final String B = "127.1.0.2";

    @TempDir
    Path directory;

    private static String leaf(String inside, String more) {
        return "<heddle-scheduler version=\"1\">" + more + "<queue name=\"root\"><queue name=\"default\">" + inside
                + "</queue><queue name=\"other\"/></queue></heddle-scheduler>";
    }

    private static Waiting why(RmFixture bed, RMApp app) {
        return Objects.requireNonNull(bed.scheduler().why(app.getApplicationId().toString()));
    }

    private static List<Kind> kinds(Waiting waiting) {
        return waiting.reasons().stream().map(Waiting.Reason::kind).toList();
    }

    @Test
    void noRoomOfThisShape() throws Exception {
        try (RmFixture bed = new RmFixture(directory, leaf("", ""))) {
            bed.node(A, 4_000, 4);
            bed.node(B, 2_000, 4);
            bed.unmanaged("bob", "other").ask(3, 1_500, 1);
            bed.heartbeat();
            RmFixture.App app = bed.unmanaged("alice", "default").ask(5, 3_000, 1);
            Waiting waiting = why(bed, app.app);
            assertThat(kinds(waiting)).containsExactlyInAnyOrder(Kind.NO_ROOM, Kind.TOO_LARGE);
            assertThat(waiting.reasons())
                    .extracting(Waiting.Reason::text)
                    .anyMatch(text -> text.contains(
                            "5 x 3000 memory-mb, 1 vcores: no room for a container of this size on 1 of 2 nodes;"
                                    + " the most that is free on one is 1000 memory-mb, 2 vcores"))
                    .anyMatch(text -> text.contains("1 of 2 nodes are too small for it even when empty"));
            assertThat(waiting.pendingContainers()).isEqualTo(5);
        }
    }

    @Test
    void overTheLimitOfAQueueOrAUser() throws Exception {
        String spec = leaf(
                "<max-resources><resource name=\"memory-mb\">2000</resource></max-resources>"
                        + "<max-resources-per-user><resource name=\"vcores\">1</resource></max-resources-per-user>",
                "");
        try (RmFixture bed = new RmFixture(directory, spec)) {
            bed.node(A, 9_000, 9);
            RmFixture.App alice = bed.unmanaged("alice", "default").ask(3, 1_000, 1);
            bed.heartbeat();
            assertThat(why(bed, alice.app).summary())
                    .contains("over the limit of user alice, which holds 1000 memory-mb, 1 vcores of at most any"
                            + " memory-mb, 1 vcores");
            bed.unmanaged("bob", "default").ask(1, 1_000, 1);
            bed.heartbeat();
            RmFixture.App eve = bed.unmanaged("eve", "default").ask(1, 1_000, 1);
            assertThat(why(bed, eve.app).summary())
                    .contains("over the limit of queue root.default, which holds 2000 memory-mb");
        }
    }

    @Test
    void tooManyRunAndMastersHoldTheirShare() throws Exception {
        try (RmFixture bed = new RmFixture(directory, leaf("<max-running-apps>1</max-running-apps>", ""))) {
            bed.node(A, 9_000, 9);
            bed.managed("alice", "default", 1_000);
            RMApp second = bed.submit("bob", "default", 1_000);
            MockRM.waitForAttemptScheduled(second, bed.rm);
            assertThat(why(bed, second).summary()).contains("queue root.default runs 1 applications, the most");
            assertThat(kinds(why(bed, second))).containsExactly(Kind.NOT_ADMITTED);
        }
        try (RmFixture bed = new RmFixture(directory, leaf("<max-am-share>10%</max-am-share>", ""))) {
            bed.node(A, 9_000, 9);
            bed.managed("alice", "default", 1_000);
            RMApp second = bed.submit("bob", "default", 1_000);
            MockRM.waitForAttemptScheduled(second, bed.rm);
            assertThat(kinds(why(bed, second))).containsExactly(Kind.MASTERS_SHARE);
            assertThat(why(bed, second).summary()).contains("at most 0.1 of what the queue is entitled to");
        }
    }

    @Test
    void delaySchedulingSaysUntilWhen() throws Exception {
        String spec = leaf(
                "",
                "<scheduling-delays><node-locality>4s</node-locality><rack-locality>6s</rack-locality></scheduling-delays>");
        try (RmFixture bed = new RmFixture(directory, spec)) {
            bed.node(A, 9_000, 9);
            RmFixture.App app = bed.unmanaged("alice", "default");
            app.ask(10, 1, Resource.newInstance(1_000, 1), "elsewhere", "/other-rack", ResourceRequest.ANY);
            bed.heartbeat();
            bed.clock.tick(3_000);
            Waiting waiting = why(bed, app.app);
            assertThat(kinds(waiting)).containsExactly(Kind.LOCALITY);
            assertThat(waiting.summary())
                    .contains("1 of 1 nodes have room but are not where it wants to be")
                    .contains("for 7000 ms more");
            assertThat(why(bed, app.app)).as("asking changes nothing").isEqualTo(waiting);
            bed.clock.tick(6_000);
            bed.heartbeat();
            assertThat(app.collect().containers).hasSize(1);
        }
    }

    @Test
    void blacklistedAndWrongLabel() throws Exception {
        try (RmFixture bed = new RmFixture(directory, leaf("", ""))) {
            bed.node(A, 9_000, 9);
            RmFixture.App app = bed.unmanaged("alice", "default");
            app.am.allocate(AllocateRequest.newInstance(
                    app.am.getResponseId(),
                    0f,
                    List.of(ResourceRequest.newInstance(
                            Priority.newInstance(1), "*", Resource.newInstance(1_000, 1), 2)),
                    List.of(),
                    ResourceBlacklistRequest.newInstance(List.of(A), List.of())));
            bed.rm.drainEvents();
            assertThat(kinds(why(bed, app.app))).containsExactly(Kind.BLACKLISTED);
            assertThat(why(bed, app.app).summary()).contains("1 of 1 nodes are on its blacklist");
        }
    }

    @Test
    void reservedForAnother() throws Exception {
        String spec = leaf(
                "",
                "<scheduling-delays><reservation>0s</reservation><max-reserved-nodes>100%</max-reserved-nodes></scheduling-delays>");
        try (RmFixture bed = new RmFixture(directory, spec)) {
            bed.node(A, 4_000, 4);
            RmFixture.App first = bed.unmanaged("bob", "other").ask(4, 1_000, 1);
            bed.heartbeat();
            RmFixture.App large = bed.unmanaged("alice", "default").ask(1, 4_000, 1);
            for (int i = 0; i < 6 && bed.seen(A).getReservedContainer() == null; i++) {
                first.collect().release(first.ids().get(first.ids().size() - 1));
                first.ask(9, 1_000, 1);
                bed.heartbeat();
            }
            assertThat(bed.seen(A).getReservedContainer()).isNotNull();
            Waiting waiting = why(bed, first.app);
            assertThat(kinds(waiting)).contains(Kind.RESERVED);
            assertThat(waiting.reasons().toString()).contains("1 of 1 nodes are reserved for other applications");
            assertThat(kinds(why(bed, large.app))).containsExactly(Kind.NO_ROOM);
        }
    }

    @Test
    void behindOthersOrNextOrContent() throws Exception {
        try (RmFixture bed = new RmFixture(directory, leaf("", ""))) {
            bed.node(A, 9_000, 9);
            RmFixture.App first = bed.unmanaged("bob", "other").ask(2, 1_000, 1);
            RmFixture.App poor = bed.unmanaged("alice", "default");
            bed.heartbeat();
            first.ask(5, 1_000, 1);
            poor.ask(1, 1_000, 1);
            Waiting waiting = why(bed, first.app);
            assertThat(kinds(waiting)).containsExactly(Kind.BEHIND);
            assertThat(waiting.summary())
                    .contains("1 of 1 nodes have room, and others come first: other stands behind 1 of its siblings in"
                            + " root (order drf), default first");
            assertThat(kinds(why(bed, poor.app))).containsExactly(Kind.NEXT_HEARTBEAT);
            bed.heartbeat();
            bed.heartbeat();
            assertThat(kinds(why(bed, poor.app))).containsExactly(Kind.ASKS_FOR_NOTHING);
            assertThat(bed.scheduler().why("application_1_0001")).isNull();
            assertThat(bed.scheduler().why("nonsense")).isNull();
        }
    }

    @Test
    void minimumOfferKeepsRoomTogetherForALargeAsk() throws Exception {
        String spec = leaf("", "<minimum-offer mode=\"automatic\" largest-part=\"50%\"/>");
        try (RmFixture bed = new RmFixture(directory, spec)) {
            bed.node(A, 8_000, 8);
            RmFixture.App small = bed.unmanaged("bob", "other").ask(8, 1_000, 1);
            bed.heartbeat();
            assertThat(small.collect().containers).hasSize(8);
            RmFixture.App large = bed.unmanaged("alice", "default").ask(1, 4_000, 4);
            small.ask(20, 1_000, 1);
            for (int freed = 1; freed <= 3; freed++) {
                small.release(small.ids().get(freed));
                bed.heartbeat();
                assertThat(small.collect().containers).as("room grows").hasSize(8);
            }
            assertThat(kinds(why(bed, small.app))).contains(Kind.MINIMUM_OFFER);
            small.release(small.ids().get(4));
            bed.heartbeat();
            assertThat(large.collect().containers).as("the large ask is served").hasSize(1);
            small.release(small.ids().get(5));
            bed.heartbeat();
            assertThat(small.collect().containers)
                    .as("nobody asks for more any longer")
                    .hasSizeGreaterThan(8);
        }
    }

    @Test
    void minimumOfferCanBeSet() throws Exception {
        String spec = leaf("", "<minimum-offer><resource name=\"memory-mb\">3000</resource></minimum-offer>");
        try (RmFixture bed = new RmFixture(directory, spec)) {
            bed.node(A, 4_000, 8);
            RmFixture.App app = bed.unmanaged("bob", "other").ask(4, 1_000, 1);
            bed.heartbeat();
            assertThat(app.collect().containers)
                    .as("an empty node is always offered")
                    .hasSize(4);
            app.ask(9, 1_000, 1);
            app.release(app.ids().get(0), app.ids().get(1));
            bed.heartbeat();
            assertThat(app.collect().containers).hasSize(4);
            app.release(app.ids().get(2));
            bed.heartbeat();
            assertThat(app.collect().containers).hasSize(7);
        }
    }
}
