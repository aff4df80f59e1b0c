// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.preemption;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmissionData;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmitter;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.heddle.scheduler.yarn.ClusterInvariants;
import org.heddle.scheduler.yarn.RmFixture;
import org.heddle.scheduler.yarn.fair.FairSchedulerFixture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An attempt ends with its ApplicationMaster, and all that it holds: so a master is the last of it to go. */
@Tag("newer-line")
class PreemptionOfMastersTest {
    private static final String ONE = "127.1.0.1";
    private static final String TWO = "127.1.0.2";
    private static final int PLENTY_OF_MEMORY = 100_000;

    @TempDir
    Path directory;

    private RmFixture fixture(String waits, String queues) throws Exception {
        return new RmFixture(
                directory,
                "<heddle-scheduler version=\"1\">" + waits
                        + "<preemption><mode>on</mode><grace-period>3s</grace-period>"
                        + "<max-per-second>100%</max-per-second><reservation-timeout>never</reservation-timeout></preemption>"
                        + "<queue name=\"root\"><fair-share-preemption-timeout>2s</fair-share-preemption-timeout>"
                        + queues
                        + "</queue></heddle-scheduler>",
                "yarn.scheduler.heddle.update-interval-ms",
                "0");
    }

    private static final String NO_WAITS =
            "<scheduling-delays><node-locality>0s</node-locality><rack-locality>0s</rack-locality></scheduling-delays>";
    private static final String TWO_TO_ONE =
            "<queue name=\"b\"><weight>2</weight><max-am-share>100%</max-am-share></queue><queue name=\"c\"/>";

    /**
     * Nine cores, of which b is due six: a master of one and four maps of two. A map goes for c; another would leave b
     * with five, and its master alone with six, were it not for the maps that end with it.
     */
    @Test
    void isNotTakenForACoreWhileItsApplicationHoldsMore() throws Exception {
        try (RmFixture fixture = fixture(NO_WAITS, TWO_TO_ONE)) {
            fixture.node(ONE, PLENTY_OF_MEMORY, 9);
            RmFixture.App b = fixture.managed("ben", "b", 1_000).ask(4, 1_000, 2);
            fixture.second(b);
            assertThat(b.containers).hasSize(4);
            RmFixture.App c = fixture.unmanaged("cleo", "c").ask(9, 1_000, 1);
            for (int i = 0; i < 60; i++) {
                fixture.second(b, c);
            }
            assertThat(attempts(b)).as("attempts of b").isEqualTo(1);
            assertThat(b.containers).hasSize(3);
            assertThat(c.containers).hasSize(2);
            ClusterInvariants.balance(fixture.shell());
        }
    }

    /** The same with FairScheduler's file, where FairScheduler leaves the master alone. */
    @Test
    void isNotTakenUnderFairSchedulersFileEither() throws Exception {
        Path file = FairSchedulerFixture.file(
                directory,
                "<allocations><queueMaxAMShareDefault>-1.0</queueMaxAMShareDefault>"
                        + "<defaultQueueSchedulingPolicy>drf</defaultQueueSchedulingPolicy>"
                        + "<defaultFairSharePreemptionTimeout>2</defaultFairSharePreemptionTimeout>"
                        + "<defaultFairSharePreemptionThreshold>1</defaultFairSharePreemptionThreshold>"
                        + "<queue name=\"b\"><weight>2</weight></queue><queue name=\"c\"/></allocations>");
        try (FairSchedulerFixture fair = new FairSchedulerFixture(
                FairSchedulerFixture.OURS,
                file,
                "yarn.scheduler.fair.preemption",
                "true",
                "yarn.scheduler.fair.waitTimeBeforeKill",
                "3000",
                "yarn.scheduler.fair.assignmultiple",
                "true",
                "yarn.scheduler.fair.dynamic.max.assign",
                "false",
                "yarn.scheduler.heddle.update-interval-ms",
                "0")) {
            fair.node(ONE, PLENTY_OF_MEMORY, 9);
            RMApp submitted = fair.submit("ben", "b", false, 1_024);
            MockAM master = MockRM.launchAndRegisterAM(
                    submitted, fair.rm, fair.nodes.values().iterator().next());
            FairSchedulerFixture.App b = fair.new App(submitted, master).ask(4, 1_024, 2);
            fair.heartbeats(2);
            assertThat(b.collect()).hasSize(4);
            FairSchedulerFixture.App c = fair.app("cleo", "c").ask(9, 1_024, 1);
            Map<String, FairSchedulerFixture.App> apps = new LinkedHashMap<>(Map.of("b", b, "c", c));
            for (int i = 0; i < 60; i++) {
                fair.scheduler().update();
                fair.rm.drainEvents();
                fair.heartbeat();
                assertThat(submitted.getAppAttempts()).as("attempts of b").hasSize(1);
                FairSchedulerFixture.counts(apps);
            }
            assertThat(FairSchedulerFixture.counts(apps)).isEqualTo(Map.of("b", 3, "c", 2));
        }
    }

    /** The same where containers outlive their attempt, as Flink's do: then the master is one container and no more. */
    @Test
    void goesAloneWhereContainersAreKept() throws Exception {
        try (RmFixture fixture = fixture(NO_WAITS, TWO_TO_ONE)) {
            fixture.node(ONE, PLENTY_OF_MEMORY, 9);
            RMApp submitted = MockRMAppSubmitter.submit(
                    fixture.rm,
                    MockRMAppSubmissionData.Builder.createWithMemory(1_000, fixture.rm)
                            .withUser("ben")
                            .withQueue("b")
                            .withUnmanagedAM(false)
                            .withKeepContainers(true)
                            .withWaitForAppAcceptedState(false)
                            .build());
            RmFixture.App b = fixture.new App(submitted, fixture.launchAndRegister(submitted, fixture.node(ONE)));
            b.ask(4, 1_000, 2);
            fixture.second(b);
            assertThat(b.containers).hasSize(4);
            RmFixture.App c = fixture.unmanaged("cleo", "c").ask(9, 1_000, 1);
            for (int i = 0; i < 20; i++) {
                second(fixture, List.of(b), c);
            }
            assertThat(attempts(b)).as("attempts of b").isEqualTo(2);
            assertThat(c.containers).hasSize(3);
            assertThat(cores("ben", fixture)).as("cores that b kept").isEqualTo(6);
        }
    }

    /** All that somebody above its share has are masters and what they run: executors go first, then a master alone. */
    @Test
    void goesWhenItIsAllThatIsLeft() throws Exception {
        try (RmFixture fixture = fixture(
                NO_WAITS,
                // first come, first served: the younger one is further above its share
                "<queue name=\"b\"><user-order>fifo</user-order><max-am-share>100%</max-am-share></queue>"
                        + "<queue name=\"c\"><weight>3</weight></queue>")) {
            fixture.node(ONE, PLENTY_OF_MEMORY, 4);
            RmFixture.App first = fixture.managed("ben", "b", 1_000).ask(1, 1_000, 1);
            fixture.second(first);
            RmFixture.App second = fixture.managed("ben", "b", 1_000).ask(1, 1_000, 1);
            fixture.second(first, second);
            RmFixture.App c = fixture.unmanaged("cleo", "c").ask(9, 1_000, 1);
            for (int i = 0; i < 20; i++) {
                second(fixture, List.of(first, second), c);
            }
            assertThat(c.containers).as("three of four").hasSize(3);
            assertThat(List.of(attempts(first), attempts(second)))
                    .as("the younger one goes")
                    .containsExactly(1, 2);
        }
    }

    /** A node is reserved for somebody above its share; what runs there goes before masters elsewhere. */
    @Test
    void staysWhereAReservedNodeHasOthersToTake() throws Exception {
        String waits =
                "<scheduling-delays><reservation>0s</reservation><max-reserved-nodes>50%</max-reserved-nodes></scheduling-delays>";
        try (RmFixture fixture = fixture(waits, TWO_TO_ONE)) {
            fixture.node(ONE, PLENTY_OF_MEMORY, 4);
            RmFixture.App[] masters = new RmFixture.App[4];
            for (int i = 0; i < masters.length; i++) {
                masters[i] = fixture.managed("ben", "b", 1_000);
            }
            fixture.node(TWO, PLENTY_OF_MEMORY, 4);
            RmFixture.App large = fixture.unmanaged("ben", "b").ask(4, 1_000, 1);
            fixture.second(large);
            assertThat(large.containers).hasSize(4);
            large.ask(5, 1, Resource.newInstance(1_000, 4), ResourceRequest.ANY);
            for (int i = 0; i < 8 && fixture.seen(TWO).getReservedContainer() == null; i++) {
                fixture.clock.tick(1_000);
                fixture.heartbeat(TWO);
            }
            assertThat(fixture.seen(TWO).getReservedContainer())
                    .as("reservation of one above its share")
                    .isNotNull();
            RmFixture.App c = fixture.unmanaged("cleo", "c").ask(1, 1_000, 1);
            for (int i = 0; i < 20; i++) {
                fixture.second(large, c);
            }
            assertThat(c.containers).hasSize(1);
            assertThat(c.containers.get(0).getNodeId().getHost()).isEqualTo(TWO);
            for (RmFixture.App app : masters) {
                assertThat(attempts(app)).isEqualTo(1);
            }
            ClusterInvariants.balance(fixture.shell());
        }
    }

    /** A second in which masters may be killed: those that live go on. */
    private static void second(RmFixture fixture, List<RmFixture.App> managed, RmFixture.App other) throws Exception {
        fixture.shell().update();
        fixture.rm.drainEvents();
        List<RmFixture.App> alive = new ArrayList<>(managed);
        alive.removeIf(app -> attempts(app) > 1);
        alive.add(other);
        fixture.second(alive.toArray(new RmFixture.App[0]));
        fixture.finishKilled();
    }

    private static int attempts(RmFixture.App app) {
        return app.app.getAppAttempts().size();
    }

    /** Cores in containers that are no masters. */
    private static long cores(String user, RmFixture fixture) {
        return fixture.shell().getSchedulerApplications().values().stream()
                .filter(application -> application.getUser().equals(user))
                .flatMap(application -> application.getCurrentAppAttempt().getLiveContainers().stream())
                .filter(container -> !container.isAMContainer())
                .mapToLong(container -> container.getContainer().getResource().getVirtualCores())
                .sum();
    }
}
