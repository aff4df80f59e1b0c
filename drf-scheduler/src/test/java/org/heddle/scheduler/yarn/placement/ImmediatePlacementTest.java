// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceOption;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptState;
import org.heddle.scheduler.yarn.RmFixture;
import org.heddle.scheduler.yarn.ThirdByteIsTheRack;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * With immediate allocation a small ask waits for no heartbeat of a node that has room. No node sends one unless a test
 * says so. Nodes are large where a test is not about the part of a large ask that waits.
 */
@Tag("newer-line")
class ImmediatePlacementTest {
    private static final Resource SIZE = Resource.newInstance(1_000, 1);
    private static final String FIRST = "127.1.1.1";
    private static final String SECOND = "127.1.1.2";
    private static final String FAR = "127.1.2.1";

    @TempDir
    Path directory;

    @BeforeEach
    @AfterEach
    void forgetTopology() throws ReflectiveOperationException {
        ThirdByteIsTheRack.forgetTopology();
    }

    /** Set delays hold even while the nodes that an ask waits for are full. */
    private static final String DELAY = "<scheduling-delays><node-locality>1s</node-locality></scheduling-delays>";

    private static String spec(String settings) {
        return "<heddle-scheduler version=\"1\">" + settings
                + "<queue name=\"root\"><queue name=\"a\"/><queue name=\"b\"/></queue></heddle-scheduler>";
    }

    private static String immediate(String settings) {
        return spec("<allocation>immediate</allocation>" + settings);
    }

    private RmFixture open(String settings) throws Exception {
        return new RmFixture(
                directory,
                immediate(settings),
                "yarn.scheduler.heddle.update-interval-ms",
                "0",
                "net.topology.node.switch.mapping.impl",
                ThirdByteIsTheRack.class.getName());
    }

    private static List<String> hosts(RmFixture.App app) {
        return app.containers.stream()
                .map(container -> container.getNodeId().getHost())
                .toList();
    }

    private static Map<String, Long> perHost(RmFixture.App app) {
        return hosts(app).stream()
                .collect(Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting()));
    }

    @Test
    void theAnswerToAnAskHasItsContainers() throws Exception {
        try (RmFixture fixture = open("")) {
            fixture.node(FIRST, 130_000, 130);
            fixture.node(SECOND, 130_000, 130);
            RmFixture.App app = fixture.unmanaged("alice", "root.a").ask(5, 1_000, 1);
            assertThat(app.containers).hasSize(5);
            assertThat(app.containers).allMatch(container -> container.getContainerToken() != null);
        }
    }

    @Test
    void theMasterOfAnApplicationWaitsForNoHeartbeat() throws Exception {
        try (RmFixture fixture = open("")) {
            fixture.node(FIRST, 8_000, 8);
            RMApp app = fixture.submit("alice", "root.a", 1_000);
            fixture.rm.drainEvents();
            fixture.rm.waitForState(app.getCurrentAppAttempt().getAppAttemptId(), RMAppAttemptState.ALLOCATED);
        }
    }

    @Test
    void roomThatIsFreedServesAsksThatWait() throws Exception {
        try (RmFixture fixture = open("")) {
            fixture.node(FIRST, 4_000, 4);
            RmFixture.App holder = fixture.unmanaged("alice", "root.a").ask(4, 1_000, 1);
            fixture.heartbeat(FIRST);
            assertThat(holder.collect().containers)
                    .as("the rest of a large ask")
                    .hasSize(4);
            RmFixture.App waiting = fixture.unmanaged("bob", "root.b").ask(4, 1_000, 1);
            assertThat(waiting.containers).isEmpty();

            holder.release(holder.containers.get(0).getId());
            assertThat(waiting.collect().containers)
                    .as("released before its start")
                    .hasSize(1);

            fixture.run(holder.containers.subList(1, 2));
            fixture.finish(holder.containers.subList(1, 2));
            assertThat(waiting.collect().containers).as("ended").hasSize(2);

            fixture.node(SECOND, 2_000, 2);
            assertThat(waiting.collect().containers).as("new node").hasSize(4);

            fixture.clock.tick(1_000);
            waiting.ask(1, 1_000, 1);
            assertThat(waiting.containers).as("full").hasSize(4);
            fixture.scheduler()
                    .updateNodeResource(
                            fixture.seen(SECOND).getRMNode(),
                            ResourceOption.newInstance(Resource.newInstance(3_000, 3), -1));
            fixture.scheduler().update();
            assertThat(waiting.collect().containers).as("larger node").hasSize(5);
        }
    }

    /** The engine's order holds: of what a new node has, the one who has nothing gets as much as the other has. */
    @Test
    void thePoorestIsServedFirst() throws Exception {
        try (RmFixture fixture = open("")) {
            fixture.node(FIRST, 4_000, 4);
            RmFixture.App rich = fixture.unmanaged("alice", "root.a").ask(20, 1_000, 1);
            RmFixture.App poor = fixture.unmanaged("bob", "root.b").ask(20, 1_000, 1);
            fixture.heartbeat(FIRST);
            assertThat(rich.collect().containers).hasSize(4);
            fixture.node(SECOND, 6_000, 6);
            fixture.heartbeat(SECOND);
            assertThat(poor.collect().containers).hasSize(5);
            assertThat(rich.collect().containers).hasSize(5);
        }
    }

    @Test
    void anAskGoesToItsNodeThenToItsRackThenAnywhere() throws Exception {
        try (RmFixture fixture = open(DELAY)) {
            fixture.node(FIRST, 4_000, 4);
            fixture.node(SECOND, 8_000, 8);
            fixture.node(FAR, 400_000, 400);
            RmFixture.App app = fixture.unmanaged("alice", "root.a");
            app.ask(1, 9, SIZE, FIRST, "/rack1", ResourceRequest.ANY);
            assertThat(hosts(app)).as("room on the node").containsOnly(FIRST).hasSize(4);

            fixture.scheduler().update();
            assertThat(app.collect().containers).as("waits for its node").hasSize(4);
            fixture.clock.tick(1_000);
            fixture.scheduler().update();
            app.collect();
            assertThat(perHost(app))
                    .as("after a second")
                    .containsEntry(SECOND, 5L)
                    .doesNotContainKey(FAR);
        }
    }

    @Test
    void anAskWhoseNodesAreFullGoesToItsRackAtOnceAndThenAnywhere() throws Exception {
        try (RmFixture fixture = open("")) {
            fixture.node(FIRST, 4_000, 4);
            fixture.node(SECOND, 2_000, 2);
            fixture.node(FAR, 450_000, 450);
            RmFixture.App app = fixture.unmanaged("alice", "root.a");
            app.ask(1, 9, SIZE, FIRST, "/rack1", ResourceRequest.ANY);
            assertThat(perHost(app)).containsExactlyInAnyOrderEntriesOf(Map.of(FIRST, 4L, SECOND, 2L, FAR, 3L));
        }
    }

    @Test
    void anAskThatNamesManyNodesGetsOnesWithRoom() throws Exception {
        try (RmFixture fixture = open(DELAY)) {
            fixture.node(FIRST, 2_000, 2);
            fixture.node(FAR, 16_000, 16);
            RmFixture.App app = fixture.unmanaged("alice", "root.a");
            String[] places = new String[42];
            for (int i = 0; i < 40; i++) {
                places[i] = "127.1.1." + (1 + i);
            }
            places[40] = "/rack1";
            places[41] = ResourceRequest.ANY;
            app.ask(1, 3, SIZE, places);
            assertThat(hosts(app)).containsExactly(FIRST, FIRST);
        }
    }

    @Test
    void nodesAreChosenAsConfigured() throws Exception {
        try (RmFixture fixture = open("")) {
            String[] hosts = {"127.1.1.1", "127.1.1.2", "127.1.1.3", "127.1.1.4"};
            for (String host : hosts) {
                fixture.node(host, 8_000, 8);
            }
            RmFixture.App spread = inPortions(fixture, 8);
            assertThat(perHost(spread).values()).as("spread").containsExactly(2L, 2L, 2L, 2L);

            reconfigure(fixture, immediate("<node-choice>pack</node-choice>"));
            RmFixture.App packed = inPortions(fixture, 8);
            assertThat(perHost(packed).values()).as("pack").containsExactlyInAnyOrder(6L, 2L);

            reconfigure(fixture, immediate("<node-choice>random</node-choice>"));
            RmFixture.App random = inPortions(fixture, 16);
            assertThat(random.containers).as("random").hasSize(16);
        }
    }

    /** An application that asks for as many containers as are served at once, again and again. */
    private static RmFixture.App inPortions(RmFixture fixture, int count) throws Exception {
        RmFixture.App app = fixture.unmanaged("alice", "root.a");
        for (int i = 0; i < count; i += 4) {
            fixture.heartbeat();
            app.ask(4, 1_000, 1);
            assertThat(app.containers).hasSize(i + 4);
        }
        return app;
    }

    private static void reconfigure(RmFixture fixture, String xml) throws Exception {
        fixture.write(xml);
        fixture.scheduler().reinitialize(fixture.conf, fixture.rm.getRMContext());
    }

    @Test
    void aChangeOfTheFileSwitchesItOnAndOff() throws Exception {
        try (RmFixture fixture = open("")) {
            fixture.node(FIRST, 250_000, 250);
            RmFixture.App app = fixture.unmanaged("alice", "root.a");
            reconfigure(fixture, spec("<allocation>heartbeat</allocation>"));
            app.ask(2, 1_000, 1).collect();
            assertThat(app.containers).as("switched off").isEmpty();
            reconfigure(fixture, immediate(""));
            assertThat(app.collect().containers).as("switched on").hasSize(2);
            app.ask(3, 1_000, 1);
            assertThat(app.containers).hasSize(5);
        }
    }

    /** The node may be dead; the ResourceManager declares it lost only after ten minutes. */
    @Test
    void aNodeThatHasMissedTwoHeartbeatsGetsNothingUntilTheNextOne() throws Exception {
        try (RmFixture fixture = open("")) {
            fixture.node(FIRST, 8_000, 8);
            fixture.node(SECOND, 8_000, 8);
            RmFixture.App app = fixture.unmanaged("alice", "root.a");
            fixture.clock.tick(2_001);
            fixture.heartbeat(SECOND);
            app.ask(10, 1_000, 1);
            assertThat(perHost(app)).containsOnlyKeys(SECOND);
            fixture.heartbeat(SECOND);
            assertThat(perHost(app.collect())).hasSize(1).containsEntry(SECOND, 8L);
            fixture.heartbeat(FIRST);
            assertThat(app.collect().containers).hasSize(10);
        }
    }

    @Test
    void maxAssignHoldsBetweenTwoHeartbeats() throws Exception {
        try (RmFixture fixture = open("<max-assign>3</max-assign>")) {
            fixture.node(FIRST, 160_000, 160);
            RmFixture.App app = fixture.unmanaged("alice", "root.a").ask(12, 1_000, 1);
            assertThat(app.containers).hasSize(3);
            fixture.scheduler().update();
            assertThat(app.collect().containers).as("no heartbeat").hasSize(3);
            fixture.heartbeat(FIRST);
            assertThat(app.collect().containers).as("one heartbeat").hasSize(6);
        }
    }

    /** A pass is bounded; what is left is placed by the next ones, without a heartbeat. */
    @Test
    void manyAsksTakeSeveralPasses() throws Exception {
        int many = 2 * ImmediatePlacement.MOST_PLACED + 1;
        try (RmFixture fixture = open("")) {
            fixture.node(FIRST, 25_000_000, 25_000);
            RmFixture.App app = fixture.unmanaged("alice", "root.a");
            app.heartbeat(
                    List.of(ResourceRequest.newInstance(Priority.newInstance(1), ResourceRequest.ANY, SIZE, many)),
                    List.of());
            fixture.rm.drainEvents();
            assertThat(app.collect().containers).hasSize(many);
        }
    }

    /** The master's call is not held up: it is answered, and the scheduler places the ask by itself. */
    @Test
    void anAskThatFindsTheSchedulerBusyIsServedSoon() throws Exception {
        try (RmFixture fixture = open("")) {
            fixture.node(FIRST, 8_000, 8);
            RmFixture.App app = fixture.unmanaged("alice", "root.a");
            AllocateRequest request = AllocateRequest.newInstance(
                    app.am.getResponseId(),
                    0f,
                    List.of(ResourceRequest.newInstance(Priority.newInstance(1), ResourceRequest.ANY, SIZE, 2)),
                    List.of(),
                    null);
            AllocateResponse answer = fixture.locked(() -> CompletableFuture.supplyAsync(() -> {
                        try {
                            return app.am.allocate(request);
                        } catch (Exception e) {
                            throw new CompletionException(e);
                        }
                    })
                    .join());
            assertThat(answer.getAllocatedContainers()).isEmpty();
            fixture.rm.drainEvents();
            assertThat(app.collect().containers).hasSize(2);
        }
    }
}
