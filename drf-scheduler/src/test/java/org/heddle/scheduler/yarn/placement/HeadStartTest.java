// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.heddle.scheduler.yarn.RmFixture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A small ask is served at once; a large one leaves the others their shares. */
@Tag("newer-line")
class HeadStartTest {
    private static final int HEARTBEAT = 1_000;
    private static final String SPEC = "<heddle-scheduler version=\"1\"><queue name=\"root\">"
            + "<queue name=\"a\"/><queue name=\"b\"/></queue></heddle-scheduler>";

    @TempDir
    Path directory;

    @ParameterizedTest(name = "containers of {0} of a partition: {1} at once")
    @CsvSource({"0.001, 50", "0.005, 10", "0.02, 4", "0.05, 4", "0.0625, 4", "0.125, 2", "0.25, 1", "0.5, 1", "1, 1"})
    void aTwentiethOfThePartitionOrFourContainersAtOnce(double share, int containers) {
        HeadStart start = new HeadStart(HEARTBEAT, 0);
        assertThat(taken(start, share)).isEqualTo(containers);
        start.fill(10 * HEARTBEAT);
        assertThat(taken(start, share)).as("full again").isEqualTo(containers);
    }

    @Test
    void itFillsUpWhileAllNodesReport() {
        HeadStart start = new HeadStart(HEARTBEAT, 0);
        taken(start, 0.001);
        start.fill(HEARTBEAT / 2);
        assertThat(taken(start, 0.001)).isEqualTo(25);
        start.fill(HEARTBEAT / 2);
        assertThat(start.isOpen()).as("no time has passed").isFalse();
    }

    @Test
    void whatHasEndedMayBeTakenAgain() {
        HeadStart start = new HeadStart(HEARTBEAT, 0);
        taken(start, 0.01);
        start.giveBack(0.02);
        assertThat(taken(start, 0.01)).isEqualTo(2);
        start.giveBack(1);
        assertThat(taken(start, 0.01)).as("no more than a full bucket").isEqualTo(5);
    }

    private RmFixture fixture() throws Exception {
        return new RmFixture(directory, SPEC, "yarn.scheduler.heddle.update-interval-ms", "0");
    }

    private static int taken(HeadStart start, double share) {
        int taken = 0;
        while (start.isOpen()) {
            start.take(share);
            taken++;
        }
        return taken;
    }

    /** Those of the nodes whose turn is at a millisecond, at equal distances. */
    private static void heartbeats(RmFixture fixture, List<String> hosts, int millis) throws Exception {
        for (int i = 0; i < hosts.size(); i++) {
            if (millis == (2 * i + 1) * HEARTBEAT / (2 * hosts.size())) {
                fixture.heartbeat(hosts.get(i));
            }
        }
    }

    /** Decision 0027's reason against immediate allocation as the default, until there was a head start. */
    @ParameterizedTest(name = "{0} nodes of {1} cores, containers of {2}, {3} ms apart")
    @CsvSource({
        "40, 8, 1, 10",
        "40, 8, 1, 50",
        "40, 8, 8, 50",
        "12, 8, 4, 20",
        "4, 8, 8, 50",
        "4, 8, 1, 50",
        "2, 8, 2, 50",
        "1, 8, 1, 50"
    })
    void twoThatAskForTheWholeClusterHoldTheSameAfterASecond(int nodes, int cores, int size, int apart)
            throws Exception {
        try (RmFixture fixture = fixture()) {
            List<String> hosts = fixture.nodes(nodes, cores);
            RmFixture.App first = fixture.unmanaged("alice", "root.a");
            RmFixture.App second = fixture.unmanaged("bob", "root.b");
            int all = nodes * (cores / size);
            first.ask(all, 1_000 * size, size);
            assertThat(first.containers).as("at once").isNotEmpty();
            for (int millis = 1; millis <= HEARTBEAT; millis++) {
                fixture.clock.tick(1);
                if (millis == apart) {
                    second.ask(all, 1_000 * size, size);
                }
                heartbeats(fixture, hosts, millis);
            }
            int given = first.collect().containers.size();
            assertThat(given + second.collect().containers.size()).isEqualTo(all);
            assertThat(second.containers.size() - given).isBetween(-1, 1);
        }
    }

    /** More than twenty, so that a twentieth of the partition is more than the share of each. */
    @ParameterizedTest(name = "{0} users, {1} nodes of {2} cores, containers of {3}")
    @CsvSource({
        "25, 20, 8, 1",
        "40, 20, 8, 1",
        "40, 100, 8, 1",
        "50, 25, 8, 2",
        "40, 40, 8, 8",
        "8, 1, 8, 1",
        "24, 3, 8, 1"
    })
    void manyThatAskForTheWholeClusterHoldTheSameAfterASecond(int users, int nodes, int cores, int size)
            throws Exception {
        try (RmFixture fixture = fixture()) {
            List<String> hosts = fixture.nodes(nodes, cores);
            List<RmFixture.App> all = new ArrayList<>();
            for (int i = 0; i < users; i++) {
                all.add(fixture.unmanaged("user" + i, "root.a"));
            }
            int containers = nodes * (cores / size);
            for (int millis = 1; millis <= HEARTBEAT; millis++) {
                fixture.clock.tick(1);
                if (millis <= users) {
                    all.get(millis - 1).ask(containers, 1_000 * size, size);
                }
                heartbeats(fixture, hosts, millis);
            }
            List<Integer> held = new ArrayList<>();
            for (RmFixture.App app : all) {
                held.add(app.collect().containers.size());
            }
            assertThat(held.stream().mapToInt(Integer::intValue).sum()).isEqualTo(containers);
            assertThat(held)
                    .allSatisfy(one -> assertThat(one).isBetween(containers / users, (containers + users - 1) / users));
        }
    }

    @Test
    void whoAsksInSmallPortionsGetsNoMoreAhead() throws Exception {
        try (RmFixture fixture = fixture()) {
            fixture.nodes(40, 8);
            RmFixture.App app = fixture.unmanaged("alice", "root.a");
            assertThat(app.ask(4, 1_000, 1).containers)
                    .as("a small ask, at once")
                    .hasSize(4);
            app.ask(4, 1_000, 1);
            assertThat(app.containers).as("a fiftieth of 320 cores").hasSize(6);
            fixture.clock.tick(HEARTBEAT);
            app.ask(4, 1_000, 1);
            assertThat(app.containers).hasSize(10);
        }
    }

    @Test
    void whoHoldsMoreThanItShouldWaitsIfOneBeforeItWaitsForHeartbeats() throws Exception {
        try (RmFixture fixture = fixture()) {
            fixture.nodes(40, 8);
            RmFixture.App alice = fixture.unmanaged("alice", "root.a").ask(200, 1_000, 1);
            fixture.heartbeat();
            assertThat(alice.collect().containers).hasSize(200);
            fixture.clock.tick(HEARTBEAT);
            RmFixture.App bob = fixture.unmanaged("bob", "root.a").ask(40, 1_000, 1);
            assertThat(bob.containers).as("a fiftieth of 320 cores").hasSize(6);
            assertThat(alice.ask(4, 1_000, 1).containers).hasSize(200);
            fixture.heartbeat();
            assertThat(bob.collect().containers).hasSize(40);
            assertThat(alice.collect().containers).hasSize(204);
        }
    }

    @Test
    void whatAnApplicationGaveBackItMayTakeAgainAtOnce() throws Exception {
        try (RmFixture fixture = fixture()) {
            fixture.nodes(10, 8);
            RmFixture.App app = fixture.unmanaged("alice", "root.a").ask(20, 1_000, 1);
            fixture.heartbeat();
            fixture.heartbeat();
            assertThat(app.collect().containers).hasSize(20);
            for (int i = 0; i < 10; i++) {
                app.release(app.ids().get(i));
                assertThat(app.ask(1, 1_000, 1).containers).as("one for one").hasSize(21 + i);
            }
        }
    }

    @Test
    void aSmallJobIsServedInItsOwnCallWhileALargeOneWaits() throws Exception {
        try (RmFixture fixture = fixture()) {
            fixture.nodes(20, 8);
            fixture.unmanaged("alice", "root.a").ask(160, 1_000, 1);
            RmFixture.App small = fixture.unmanaged("bob", "root.b");
            fixture.clock.tick(HEARTBEAT / 4);
            assertThat(small.ask(2, 1_000, 1).containers).hasSize(2);
        }
    }
}
