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
import org.heddle.scheduler.snapshot.Waiting;
import org.heddle.scheduler.snapshot.Waiting.Kind;
import org.heddle.scheduler.yarn.RmFixture;
import org.heddle.scheduler.yarn.ThirdByteIsTheRack;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every kind of reason for which an application waits, with its numbers. */
@Tag("newer-line")
class ExplainerTest {
    private static final String A = "127.1.0.1";
    private static final String B = "127.1.0.2";

    private static final String NEAR = "127.1.1.1";
    private static final String FAR = "127.1.2.1";

    @TempDir
    Path directory;

    private static String leaf(String inside, String more) {
        return "<heddle-scheduler version=\"1\">" + more + "<queue name=\"root\"><queue name=\"default\">" + inside
                + "</queue><queue name=\"other\"/></queue></heddle-scheduler>";
    }

    private static Waiting why(RmFixture fixture, RMApp app) {
        return Objects.requireNonNull(
                fixture.scheduler().why(app.getApplicationId().toString()));
    }

    private static List<Kind> kinds(Waiting waiting) {
        return waiting.reasons().stream().map(Waiting.Reason::kind).toList();
    }

    @Test
    void noRoomOfThisShape() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, leaf("", ""))) {
            fixture.node(A, 4_000, 4);
            fixture.node(B, 2_000, 4);
            fixture.unmanaged("bob", "other").ask(3, 1_500, 1);
            fixture.heartbeat();
            RmFixture.App app = fixture.unmanaged("alice", "default").ask(5, 3_000, 1);
            Waiting waiting = why(fixture, app.app);
            assertThat(kinds(waiting)).containsExactlyInAnyOrder(Kind.INSUFFICIENT_RESOURCES, Kind.TOO_LARGE);
            assertThat(waiting.reasons())
                    .extracting(Waiting.Reason::text)
                    .anyMatch(text -> text.contains(
                            "5 x 3000 memory-mb, 1 vcores: not enough free resources for a container of this size on 1 of 2 nodes;"
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
        try (RmFixture fixture = new RmFixture(directory, spec)) {
            fixture.node(A, 9_000, 9);
            RmFixture.App alice = fixture.unmanaged("alice", "default").ask(3, 1_000, 1);
            fixture.heartbeat();
            assertThat(why(fixture, alice.app).summary())
                    .contains("over the limit of user alice, which holds 1000 memory-mb, 1 vcores of at most any"
                            + " memory-mb, 1 vcores");
            fixture.unmanaged("bob", "default").ask(1, 1_000, 1);
            fixture.heartbeat();
            RmFixture.App eve = fixture.unmanaged("eve", "default").ask(1, 1_000, 1);
            assertThat(why(fixture, eve.app).summary())
                    .contains("over the limit of queue root.default, which holds 2000 memory-mb");
        }
    }

    @Test
    void overTheLimitOfAnApplication() throws Exception {
        String spec = leaf(
                "<max-resources-per-application><resource name=\"vcores\">1</resource></max-resources-per-application>",
                "");
        try (RmFixture fixture = new RmFixture(directory, spec)) {
            fixture.node(A, 9_000, 9);
            RmFixture.App alice = fixture.unmanaged("alice", "default").ask(3, 1_000, 1);
            fixture.heartbeat();
            assertThat(why(fixture, alice.app).summary())
                    .contains("over the limit of application " + alice.app.getApplicationId()
                            + ", which holds 1000 memory-mb, 1 vcores of at most any memory-mb, 1 vcores");
        }
    }

    @Test
    void tooManyRunAndMastersHoldTheirShare() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, leaf("<max-running-apps>1</max-running-apps>", ""))) {
            fixture.node(A, 9_000, 9);
            fixture.managed("alice", "default", 1_000);
            RMApp second = fixture.submit("bob", "default", 1_000);
            MockRM.waitForAttemptScheduled(second, fixture.rm);
            assertThat(why(fixture, second).summary()).contains("queue root.default runs 1 applications, the most");
            assertThat(kinds(why(fixture, second))).containsExactly(Kind.NOT_ADMITTED);
        }
        try (RmFixture fixture = new RmFixture(directory, leaf("<max-am-share>10%</max-am-share>", ""))) {
            fixture.node(A, 9_000, 9);
            fixture.managed("alice", "default", 1_000);
            RMApp second = fixture.submit("bob", "default", 1_000);
            MockRM.waitForAttemptScheduled(second, fixture.rm);
            assertThat(kinds(why(fixture, second))).containsExactly(Kind.MASTERS_SHARE);
            assertThat(why(fixture, second).summary()).contains("at most 0.1 of what the queue is entitled to");
        }
    }

    @Test
    void delaySchedulingSaysUntilWhen() throws Exception {
        String spec = leaf(
                "",
                "<scheduling-delays><node-locality>4s</node-locality><rack-locality>6s</rack-locality></scheduling-delays>");
        ThirdByteIsTheRack.forgetTopology();
        try (RmFixture fixture = new RmFixture(
                directory,
                RmFixture.atHeartbeats(spec), // the wait begins at the first one
                ThirdByteIsTheRack.property())) {
            fixture.node(NEAR, 1, 1);
            fixture.node(FAR, 9_000, 9);
            RmFixture.App app = fixture.unmanaged("alice", "default");
            app.ask(10, 1, Resource.newInstance(1_000, 1), NEAR, "/rack1", ResourceRequest.ANY);
            fixture.heartbeat();
            fixture.clock.tick(3_000);
            Waiting waiting = why(fixture, app.app);
            assertThat(kinds(waiting)).contains(Kind.LOCALITY);
            assertThat(waiting.summary())
                    .contains("1 of 2 nodes have room but are not where it wants to be")
                    .contains("for 7000 ms more");
            assertThat(why(fixture, app.app)).as("asking changes nothing").isEqualTo(waiting);
            fixture.clock.tick(6_000);
            fixture.heartbeat();
            assertThat(app.collect().containers).hasSize(1);
        } finally {
            ThirdByteIsTheRack.forgetTopology();
        }
    }

    @Test
    void blacklistedAndWrongLabel() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, leaf("", ""))) {
            fixture.node(A, 9_000, 9);
            RmFixture.App app = fixture.unmanaged("alice", "default");
            app.am.allocate(AllocateRequest.newInstance(
                    app.am.getResponseId(),
                    0f,
                    List.of(ResourceRequest.newInstance(
                            Priority.newInstance(1), "*", Resource.newInstance(1_000, 1), 2)),
                    List.of(),
                    ResourceBlacklistRequest.newInstance(List.of(A), List.of())));
            fixture.rm.drainEvents();
            assertThat(kinds(why(fixture, app.app))).containsExactly(Kind.BLACKLISTED);
            assertThat(why(fixture, app.app).summary()).contains("1 of 1 nodes are on its blacklist");
        }
    }

    @Test
    void reservedForAnother() throws Exception {
        String spec = leaf(
                "",
                "<scheduling-delays><reservation>0s</reservation><max-reserved-nodes>100%</max-reserved-nodes></scheduling-delays>");
        try (RmFixture fixture = new RmFixture(directory, spec)) {
            fixture.node(A, 4_000, 4);
            RmFixture.App first = fixture.unmanaged("bob", "other").ask(4, 1_000, 1);
            fixture.heartbeat();
            RmFixture.App large = fixture.unmanaged("alice", "default").ask(1, 4_000, 1);
            for (int i = 0; i < 6 && fixture.seen(A).getReservedContainer() == null; i++) {
                first.collect().release(first.ids().get(first.ids().size() - 1));
                first.ask(9, 1_000, 1);
                fixture.heartbeat();
            }
            assertThat(fixture.seen(A).getReservedContainer()).isNotNull();
            Waiting waiting = why(fixture, first.app);
            assertThat(kinds(waiting)).contains(Kind.RESERVED);
            assertThat(waiting.reasons().toString()).contains("1 of 1 nodes are reserved for other applications");
            assertThat(kinds(why(fixture, large.app))).containsExactly(Kind.INSUFFICIENT_RESOURCES);
        }
    }

    @Test
    void thePlaceAmongTheApplicationsOfAUserAndTheExpectedTime() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, leaf("", ""))) {
            fixture.node(A, 4_000, 4);
            RmFixture.App first = fixture.unmanaged("alice", "default").ask(9, 1_000, 1);
            RmFixture.App second = fixture.unmanaged("alice", "default").ask(20, 1_000, 1);
            fixture.heartbeat();
            assertThat(why(fixture, first.app).reasons().toString())
                    .contains(
                            "it is number 1 of the 2 applications that wait in alice (order sojourn), and is expected to end in");
            assertThat(why(fixture, second.app).reasons().toString())
                    .contains(
                            "it is number 2 of the 2 applications that wait in alice (order sojourn), and is expected to end in");
        }
    }

    @Test
    void behindOthersOrNextOrContent() throws Exception {
        try (RmFixture fixture = new RmFixture(directory, leaf("", ""))) {
            fixture.node(A, 9_000, 9);
            RmFixture.App first = fixture.unmanaged("bob", "other").ask(2, 1_000, 1);
            RmFixture.App poor = fixture.unmanaged("alice", "default");
            fixture.heartbeat();
            first.ask(5, 1_000, 1);
            poor.ask(3, 1_000, 1);
            Waiting waiting = why(fixture, first.app);
            assertThat(kinds(waiting)).containsExactly(Kind.BEHIND);
            assertThat(waiting.summary())
                    .contains("1 of 1 nodes have room, and others come first: other stands behind 1 of its siblings in"
                            + " root (order drf), default first");
            assertThat(kinds(why(fixture, poor.app))).containsExactly(Kind.NEXT_HEARTBEAT);
            fixture.heartbeat();
            fixture.heartbeat();
            assertThat(kinds(why(fixture, poor.app))).containsExactly(Kind.ASKS_FOR_NOTHING);
            assertThat(fixture.scheduler().why("application_1_0001")).isNull();
            assertThat(fixture.scheduler().why("nonsense")).isNull();
        }
    }

    @Test
    void minimumOfferKeepsRoomTogetherForALargeAsk() throws Exception {
        String spec = leaf("", "<minimum-offer mode=\"automatic\" largest-part=\"50%\"/>");
        try (RmFixture fixture = new RmFixture(directory, spec)) {
            fixture.node(A, 8_000, 8);
            RmFixture.App small = fixture.unmanaged("bob", "other").ask(8, 1_000, 1);
            fixture.heartbeat();
            assertThat(small.collect().containers).hasSize(8);
            RmFixture.App large = fixture.unmanaged("alice", "default").ask(1, 4_000, 4);
            small.ask(20, 1_000, 1);
            for (int freed = 1; freed <= 3; freed++) {
                small.release(small.ids().get(freed));
                fixture.heartbeat();
                assertThat(small.collect().containers).as("room grows").hasSize(8);
            }
            assertThat(kinds(why(fixture, small.app))).contains(Kind.MINIMUM_OFFER);
            small.release(small.ids().get(4));
            fixture.heartbeat();
            assertThat(large.collect().containers).as("the large ask is served").hasSize(1);
            small.release(small.ids().get(5));
            fixture.heartbeat();
            assertThat(small.collect().containers)
                    .as("nobody asks for more any longer")
                    .hasSizeGreaterThan(8);
        }
    }

    @Test
    void minimumOfferCanBeSet() throws Exception {
        String spec = leaf("", "<minimum-offer><resource name=\"memory-mb\">3000</resource></minimum-offer>");
        try (RmFixture fixture = new RmFixture(directory, spec)) {
            fixture.node(A, 4_000, 8);
            RmFixture.App app = fixture.unmanaged("bob", "other").ask(4, 1_000, 1);
            fixture.heartbeat();
            assertThat(app.collect().containers)
                    .as("an empty node is always offered")
                    .hasSize(4);
            app.ask(9, 1_000, 1);
            app.release(app.ids().get(0), app.ids().get(1));
            fixture.heartbeat();
            assertThat(app.collect().containers).hasSize(4);
            app.release(app.ids().get(2));
            fixture.heartbeat();
            assertThat(app.collect().containers).hasSize(7);
        }
    }
}
