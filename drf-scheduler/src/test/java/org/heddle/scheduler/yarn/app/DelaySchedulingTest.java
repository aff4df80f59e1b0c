// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceBlacklistRequest;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.heddle.scheduler.yarn.RmFixture;
import org.heddle.scheduler.yarn.ThirdByteIsTheRack;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Near to the data if that can be had soon, anywhere else if not; never where the application does not want to be. */
@Tag("newer-line")
class DelaySchedulingTest {
    private static final Resource SIZE = Resource.newInstance(1_000, 1);
    private static final int FIT_ON_A_NODE = 4;
    private static final String NEAR = "127.1.1.1";
    private static final String SAME_RACK = "127.1.1.2";
    private static final String FAR = "127.1.2.1";
    private static final String MISSING = "127.1.1.9";
    /** At heartbeats only: that of which node serves an ask is what these tests are about. */
    private static final String SPEC =
            "<heddle-scheduler version=\"1\"><allocation>heartbeat</allocation><queue name=\"root\">"
                    + "<queue name=\"default\"/></queue></heddle-scheduler>";

    /** Delays that are set hold even while the nodes that an ask waits for are full. */
    private static final String SET = SPEC.replace(
            "<queue name=\"root\">",
            "<scheduling-delays><node-locality>1s</node-locality></scheduling-delays><queue name=\"root\">");

    private static final String TWO_QUEUES =
            SPEC.replace("<queue name=\"default\"/>", "<queue name=\"default\"/><queue name=\"poor\"/>");

    @TempDir
    Path directory;

    @BeforeEach
    @AfterEach
    void forgetTopology() throws ReflectiveOperationException {
        ThirdByteIsTheRack.forgetTopology();
    }

    @Test
    void anAskWaitsOneSecondForItsNodeAndFiveMoreForItsRack() throws Exception {
        try (RmFixture fixture = cluster()) {
            RmFixture.App app = asking(fixture, 2, NEAR, "/rack1");
            fixture.heartbeat(SAME_RACK);
            assertThat(app.collect().containers).as("0 s").isEmpty();
            fixture.clock.tick(999);
            fixture.heartbeat(SAME_RACK);
            fixture.heartbeat(FAR);
            assertThat(app.collect().containers).as("0.999 s").isEmpty();
            fixture.clock.tick(1);
            fixture.heartbeat(FAR);
            assertThat(app.collect().containers).as("another rack after 1 s").isEmpty();
            fixture.heartbeat(SAME_RACK);
            assertThat(hosts(app)).containsExactly(SAME_RACK, SAME_RACK);
        }
    }

    @Test
    void afterSixSecondsAnyNodeWillDo() throws Exception {
        try (RmFixture fixture = cluster()) {
            RmFixture.App app = asking(fixture, 1, NEAR, "/rack1");
            fixture.heartbeat(FAR);
            fixture.clock.tick(5_999);
            fixture.heartbeat(FAR);
            assertThat(app.collect().containers).isEmpty();
            fixture.clock.tick(1);
            fixture.heartbeat(FAR);
            assertThat(hosts(app)).containsExactly(FAR);
        }
    }

    @Test
    void whoIsServedAtItsNodeStartsToWaitAnew() throws Exception {
        try (RmFixture fixture = cluster(SET)) {
            RmFixture.App app = asking(fixture, FIT_ON_A_NODE + 1, NEAR, "/rack1");
            fixture.heartbeat(SAME_RACK);
            fixture.clock.tick(900);
            fixture.heartbeat(NEAR);
            assertThat(hosts(app)).hasSize(FIT_ON_A_NODE).containsOnly(NEAR);
            fixture.clock.tick(900);
            fixture.heartbeat(SAME_RACK);
            assertThat(app.collect().containers).hasSize(FIT_ON_A_NODE);
            fixture.clock.tick(1_000);
            fixture.heartbeat(SAME_RACK);
            assertThat(hosts(app)).hasSize(FIT_ON_A_NODE + 1).endsWith(SAME_RACK);
        }
    }

    @Test
    void whoHasNoNodeLeftToWaitForTakesItsRack() throws Exception {
        try (RmFixture fixture = cluster()) {
            RmFixture.App app = fixture.unmanaged("alice", "default");
            List<ResourceRequest> twoThereOneInTheRack = List.of(
                    ResourceRequest.newInstance(Priority.newInstance(1), NEAR, SIZE, 2),
                    ResourceRequest.newInstance(Priority.newInstance(1), "/rack1", SIZE, 3),
                    ResourceRequest.newInstance(Priority.newInstance(1), ResourceRequest.ANY, SIZE, 3));
            app.heartbeat(twoThereOneInTheRack, List.of());
            fixture.heartbeat(SAME_RACK);
            assertThat(app.collect().containers).isEmpty();
            fixture.heartbeat(NEAR);
            assertThat(hosts(app)).containsExactly(NEAR, NEAR, NEAR);
        }
    }

    @Test
    void anAskWithoutPlacesDoesNotWait() throws Exception {
        try (RmFixture fixture = cluster()) {
            RmFixture.App app = fixture.unmanaged("alice", "default").ask(1, 1_000, 1);
            fixture.heartbeat(FAR);
            assertThat(hosts(app)).containsExactly(FAR);
        }
    }

    /** As of data in a store outside of the cluster. */
    @Test
    void nothingWaitsForANodeAndARackThatTheClusterLacks() throws Exception {
        try (RmFixture fixture = cluster()) {
            RmFixture.App app = asking(fixture, 1, "localhost", "/default-rack");
            fixture.heartbeat(FAR);
            assertThat(hosts(app)).containsExactly(FAR);
        }
    }

    /** As of a client that does not know the topology: no container can be local to a node for YARN. */
    @Test
    void nothingWaitsForANodeWhoseRackTheClusterLacks() throws Exception {
        try (RmFixture fixture = cluster()) {
            RmFixture.App app = asking(fixture, 1, NEAR, "/default-rack");
            fixture.heartbeat(FAR);
            assertThat(hosts(app)).containsExactly(FAR);
        }
    }

    @Test
    void whoseNodeIsMissingWaitsForItsRackOnly() throws Exception {
        try (RmFixture fixture = cluster()) {
            RmFixture.App app = asking(fixture, 2, MISSING, "/rack1");
            fixture.heartbeat(FAR);
            fixture.clock.tick(4_999);
            fixture.heartbeat(FAR);
            assertThat(app.collect().containers).as("another rack, 4.999 s").isEmpty();
            fixture.heartbeat(SAME_RACK);
            assertThat(hosts(app)).containsExactly(SAME_RACK, SAME_RACK);
        }
    }

    @Test
    void aNodeThatComesIsWaitedFor() throws Exception {
        try (RmFixture fixture = cluster()) {
            RmFixture.App app = asking(fixture, 1, MISSING, "/rack1");
            fixture.heartbeat(FAR);
            fixture.node(MISSING, 4_000, 4);
            fixture.clock.tick(999);
            fixture.heartbeat(SAME_RACK);
            assertThat(app.collect().containers).as("0.999 s").isEmpty();
            fixture.heartbeat(MISSING);
            assertThat(hosts(app)).containsExactly(MISSING);
        }
    }

    @Test
    void aNodeThatGoesIsNotWaitedForAnyLonger() throws Exception {
        try (RmFixture fixture = cluster()) {
            RmFixture.App app = asking(fixture, 1, NEAR, "/rack1");
            fixture.heartbeat(SAME_RACK);
            assertThat(app.collect().containers).isEmpty();
            Objects.requireNonNull(fixture.nodes.get(NEAR)).nodeHeartbeat(false);
            fixture.rm.drainEvents();
            fixture.heartbeat(FAR);
            assertThat(app.collect().containers).as("of another rack").isEmpty();
            fixture.heartbeat(SAME_RACK);
            assertThat(hosts(app)).containsExactly(SAME_RACK);
        }
    }

    @Test
    void anAskThatNamesANodeOfTheClusterLaterWaitsForIt() throws Exception {
        try (RmFixture fixture = cluster()) {
            RmFixture.App app = asking(fixture, 1, MISSING, "/rack1");
            fixture.heartbeat(FAR);
            app.heartbeat(List.of(at(NEAR, true)), List.of());
            fixture.heartbeat(SAME_RACK);
            assertThat(app.collect().containers).isEmpty();
            fixture.heartbeat(NEAR);
            assertThat(hosts(app)).containsExactly(NEAR);
        }
    }

    @Test
    void aStrictNodeIsWaitedForForEver() throws Exception {
        try (RmFixture fixture = cluster()) {
            RmFixture.App app = fixture.unmanaged("alice", "default");
            app.heartbeat(List.of(at(NEAR, true), at("/rack1", false), at(ResourceRequest.ANY, false)), List.of());
            for (int i = 0; i < 20; i++) {
                fixture.clock.tick(1_000);
                fixture.heartbeat(SAME_RACK);
                fixture.heartbeat(FAR);
            }
            assertThat(app.collect().containers).isEmpty();
            fixture.heartbeat(NEAR);
            assertThat(hosts(app)).containsExactly(NEAR);
            app.end();
            fixture.assertNothingLeft();
        }
    }

    @Test
    void aStrictRackTakesAnyNodeOfIts() throws Exception {
        try (RmFixture fixture = cluster()) {
            RmFixture.App app = fixture.unmanaged("alice", "default");
            app.heartbeat(List.of(at("/rack1", true), at(ResourceRequest.ANY, false)), List.of());
            for (int i = 0; i < 20; i++) {
                fixture.clock.tick(1_000);
                fixture.heartbeat(FAR);
            }
            assertThat(app.collect().containers).isEmpty();
            fixture.heartbeat(SAME_RACK);
            fixture.clock.tick(1_000);
            fixture.heartbeat(SAME_RACK);
            assertThat(hosts(app)).containsExactly(SAME_RACK);
        }
    }

    @Test
    void blacklistedHostsAndRacksAreLeftAloneUntilTakenOffTheList() throws Exception {
        try (RmFixture fixture = cluster()) {
            RmFixture.App app = fixture.unmanaged("alice", "default").ask(100, 1_000, 1);
            blacklist(app, List.of(NEAR, "/rack2"), List.of());
            fixture.heartbeat();
            assertThat(hosts(app)).hasSize(4).containsOnly(SAME_RACK);
            blacklist(app, List.of(), List.of("/rack2"));
            fixture.heartbeat();
            assertThat(hosts(app)).hasSize(8).containsOnly(SAME_RACK, FAR);
            blacklist(app, List.of(), List.of(NEAR));
            fixture.heartbeat();
            assertThat(hosts(app)).hasSize(12).contains(NEAR);
            app.end();
            fixture.assertNothingLeft();
        }
    }

    /** Three nodes are passed over for the rack, and three for any place. */
    @Test
    void looksCountNoNodes() throws Exception {
        String counted = SPEC.replace(
                "<queue name=\"root\">",
                "<scheduling-delays><node-locality-threshold>100%</node-locality-threshold><rack-locality-threshold>100%"
                        + "</rack-locality-threshold></scheduling-delays><queue name=\"root\">");
        try (RmFixture fixture = cluster(counted)) {
            RmFixture.App app = asking(fixture, 1, NEAR, "/rack1");
            for (int passed = 0; passed < 7; passed++) {
                fixture.heartbeat(FAR);
                for (int look = 0; look < 10; look++) {
                    assertThat(fixture.scheduler()
                                    .why(app.app.getApplicationId().toString()))
                            .isNotNull();
                }
                assertThat(app.collect().containers)
                        .as("after %s nodes", passed)
                        .isEmpty();
            }
            fixture.heartbeat(FAR);
            assertThat(hosts(app)).containsExactly(FAR);
        }
    }

    @Test
    void anAskWhoseNodeIsFullTakesWhatOthersLeave() throws Exception {
        try (RmFixture fixture = cluster()) {
            fillNear(fixture);
            RmFixture.App app = asking(fixture, 2, NEAR, "/rack1");
            fixture.heartbeat(FAR);
            assertThat(app.collect().containers).as("its rack has room").isEmpty();
            fixture.heartbeat(SAME_RACK);
            assertThat(hosts(app)).containsExactly(SAME_RACK, SAME_RACK);
        }
    }

    @Test
    void anAskWhoseRackIsFullTakesWhatOthersLeaveOfAnyNode() throws Exception {
        try (RmFixture fixture = cluster()) {
            fillNear(fixture);
            asking(fixture, FIT_ON_A_NODE, SAME_RACK, "/rack1");
            fixture.heartbeat(SAME_RACK);
            RmFixture.App app = asking(fixture, 2, NEAR, "/rack1");
            fixture.heartbeat(FAR);
            assertThat(hosts(app)).containsExactly(FAR, FAR);
        }
    }

    @Test
    void othersThatAreOnTheirNodesComeFirst() throws Exception {
        try (RmFixture fixture = cluster(TWO_QUEUES)) {
            RmFixture.App rich = fillNear(fixture);
            RmFixture.App poor =
                    fixture.unmanaged("bob", "poor").ask(1, FIT_ON_A_NODE, SIZE, NEAR, "/rack1", ResourceRequest.ANY);
            rich.ask(2, 3, SIZE, SAME_RACK, "/rack1", ResourceRequest.ANY);
            fixture.heartbeat(SAME_RACK);
            assertThat(rich.collect().containers).hasSize(FIT_ON_A_NODE + 3);
            assertThat(hosts(poor)).as("the rest").containsExactly(SAME_RACK);
        }
    }

    /** It has waited as long as the delay says: from now on it stands where its share says, not behind others. */
    @Test
    void afterItsDelayAnAskComesBeforeOthersThatAreOnTheirNodes() throws Exception {
        try (RmFixture fixture = cluster(TWO_QUEUES)) {
            RmFixture.App rich = fillNear(fixture);
            RmFixture.App poor =
                    fixture.unmanaged("bob", "poor").ask(1, FIT_ON_A_NODE, SIZE, NEAR, "/rack1", ResourceRequest.ANY);
            rich.ask(2, 8, SIZE, SAME_RACK, "/rack1", ResourceRequest.ANY);
            fixture.heartbeat(NEAR);
            fixture.heartbeat(SAME_RACK);
            assertThat(rich.collect().containers).as("on their nodes").hasSize(2 * FIT_ON_A_NODE);
            fixture.clock.tick(1_000);
            fixture.run(rich.containers);
            fixture.finish(rich.containers.subList(FIT_ON_A_NODE, 2 * FIT_ON_A_NODE));
            assertThat(hosts(poor)).containsExactly(SAME_RACK, SAME_RACK, SAME_RACK, SAME_RACK);
        }
    }

    @Test
    void aDelayThatIsSetHoldsEvenIfTheNodeIsFull() throws Exception {
        try (RmFixture fixture = cluster(SET)) {
            fillNear(fixture);
            RmFixture.App app = asking(fixture, 2, NEAR, "/rack1");
            fixture.heartbeat(SAME_RACK);
            fixture.clock.tick(999);
            fixture.heartbeat(SAME_RACK);
            assertThat(app.collect().containers).isEmpty();
            fixture.clock.tick(1);
            fixture.heartbeat(SAME_RACK);
            assertThat(hosts(app)).containsExactly(SAME_RACK, SAME_RACK);
        }
    }

    @Test
    void whoseContainersTakeLongerElsewhereWaitsForItsNodeEvenIfThatIsFull() throws Exception {
        try (RmFixture fixture = cluster()) {
            RmFixture.App app = fixture.unmanaged("alice", "default");
            haveRun(fixture, app, 1_000, 1_250);
            fillNear(fixture);
            asking(fixture, FIT_ON_A_NODE, SAME_RACK, "/rack1");
            fixture.heartbeat(SAME_RACK);
            app.ask(1, 2, SIZE, NEAR, "/rack1", ResourceRequest.ANY);
            fixture.heartbeat(FAR);
            fixture.clock.tick(999);
            fixture.heartbeat(FAR);
            assertThat(app.collect().containers).as("0.999 s").isEmpty();
            fixture.clock.tick(1);
            fixture.heartbeat(FAR);
            assertThat(hosts(app)).as("but not for its rack").containsExactly(FAR, FAR);
        }
    }

    @Test
    void whoseContainersTakeNoLongerElsewhereDoesNotStandBackWithItsLastAsks() throws Exception {
        assertThat(onAnotherNode(1_000, 1_100, 6)).as("the last fifth").isEqualTo(4);
        assertThat(onAnotherNode(1_000, 1_100, 7)).as("more").isZero();
        assertThat(onAnotherNode(1_000, 1_200, 6)).as("too little is known").isZero();
    }

    /**
     * How many of some asks of an application that has had 24 containers a node serves, where others could be on their
     * node; theirs is full.
     */
    private int onAnotherNode(long onNodeMillis, long elsewhereMillis, int asks) throws Exception {
        try (RmFixture fixture = cluster(TWO_QUEUES)) {
            RmFixture.App poor = fixture.unmanaged("bob", "poor");
            haveRun(fixture, poor, onNodeMillis, elsewhereMillis);
            RmFixture.App rich = fillNear(fixture);
            poor.ask(1, asks, SIZE, NEAR, "/rack1", ResourceRequest.ANY);
            rich.ask(2, FIT_ON_A_NODE, SIZE, SAME_RACK, "/rack1", ResourceRequest.ANY);
            fixture.heartbeat(SAME_RACK);
            return poor.collect().containers.size();
        }
    }

    /**
     * Eight containers on their node and sixteen elsewhere, which then have ended; none is left in the application's
     * list.
     */
    private static void haveRun(RmFixture fixture, RmFixture.App app, long onNodeMillis, long elsewhereMillis)
            throws Exception {
        for (int i = 0; i < 2; i++) {
            app.ask(1, 3 * FIT_ON_A_NODE, SIZE, NEAR, "/rack1", ResourceRequest.ANY);
            fixture.heartbeat(NEAR);
            fixture.heartbeat(SAME_RACK);
            fixture.heartbeat(FAR);
            assertThat(hosts(app)).hasSize(3 * FIT_ON_A_NODE);
            fixture.run(app.containers);
            fixture.clock.tick(onNodeMillis);
            fixture.finish(app.containers.subList(0, FIT_ON_A_NODE));
            fixture.clock.tick(elsewhereMillis - onNodeMillis);
            fixture.finish(app.containers.subList(FIT_ON_A_NODE, 3 * FIT_ON_A_NODE));
            app.containers.clear();
        }
    }

    private static RmFixture.App fillNear(RmFixture fixture) throws Exception {
        RmFixture.App app = asking(fixture, FIT_ON_A_NODE, NEAR, "/rack1");
        fixture.heartbeat(NEAR);
        assertThat(app.collect().containers).hasSize(FIT_ON_A_NODE);
        return app;
    }

    private RmFixture cluster() throws Exception {
        return cluster(SPEC);
    }

    private RmFixture cluster(String spec) throws Exception {
        RmFixture fixture = new RmFixture(directory, spec, ThirdByteIsTheRack.property());
        for (String host : List.of(NEAR, SAME_RACK, FAR)) {
            fixture.node(host, 4_000, 4);
        }
        return fixture;
    }

    private static RmFixture.App asking(RmFixture fixture, int count, String node, String rack) throws Exception {
        return fixture.unmanaged("alice", "default").ask(1, count, SIZE, node, rack, ResourceRequest.ANY);
    }

    private static List<String> hosts(RmFixture.App app) throws Exception {
        List<String> hosts = new ArrayList<>();
        for (Container container : app.collect().containers) {
            hosts.add(container.getNodeId().getHost());
        }
        return hosts;
    }

    private static ResourceRequest at(String place, boolean relax) {
        return ResourceRequest.newInstance(Priority.newInstance(1), place, SIZE, 1, relax);
    }

    private static void blacklist(RmFixture.App app, List<String> more, List<String> less) throws Exception {
        AllocateRequest request = AllocateRequest.newInstance(
                app.am.getResponseId(), 0, List.of(), List.of(), ResourceBlacklistRequest.newInstance(more, less));
        app.containers.addAll(app.am.allocate(request).getAllocatedContainers());
    }
}
