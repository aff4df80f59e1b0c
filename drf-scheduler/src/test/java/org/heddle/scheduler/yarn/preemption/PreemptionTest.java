// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.preemption;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.PreemptionContainer;
import org.apache.hadoop.yarn.api.records.PreemptionMessage;
import org.heddle.scheduler.snapshot.SchedulerSnapshot;
import org.heddle.scheduler.yarn.ClusterInvariants;
import org.heddle.scheduler.yarn.RmFixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Preemption as masters, nodes and admins see it. */
class PreemptionTest {
    /** After 5 s below its share somebody is helped; masters have 10 s. */
    private static final String RULES = "<preemption><mode>on</mode><grace-period>10s</grace-period>"
            + "<max-per-second>100%</max-per-second><reservation-timeout>5s</reservation-timeout></preemption>";

    private static final String NO_WAITS =
            "<scheduling-delays><node-locality>0s</node-locality><rack-locality>0s</rack-locality></scheduling-delays>";

    @TempDir
    Path directory;

    private RmFixture fixture(String rules, String queues) throws Exception {
        return new RmFixture(
                directory,
                "<heddle-scheduler version=\"1\">" + NO_WAITS + rules + "<queue name=\"root\">"
                        + "<fair-share-preemption-timeout>5s</fair-share-preemption-timeout><guarantee-preemption-timeout>2s</guarantee-preemption-timeout>"
                        + queues
                        + "</queue></heddle-scheduler>",
                "yarn.scheduler.heddle.update-interval-ms",
                "0");
    }

    /** Two nodes of four containers, all of them alice's, who asks for many more. */
    private static RmFixture.App fill(RmFixture fixture, String queue) throws Exception {
        fixture.node("127.1.0.1", 4_000, 4);
        fixture.node("127.1.0.2", 4_000, 4);
        RmFixture.App alice = fixture.unmanaged("alice", queue).ask(100, 1_000, 1);
        fixture.second();
        alice.collect();
        assertThat(alice.containers).hasSize(8);
        fixture.run(alice.containers);
        return alice;
    }

    private static PreemptionMessage message(RmFixture.App app) throws Exception {
        return app.heartbeat(List.of(), List.of()).getPreemptionMessage();
    }

    @Test
    void newcomerGetsItsShareAfterThoseAboveTheirsWereTold() throws Exception {
        try (RmFixture fixture = fixture(RULES, "<queue name=\"default\"/>")) {
            RmFixture.App alice = fill(fixture, "default");
            RmFixture.App bob = fixture.unmanaged("bob", "default").ask(100, 1_000, 1);
            for (int i = 0; i < 5; i++) {
                fixture.second(bob);
                assertThat(message(alice)).as("after %s s", i).isNull();
            }
            fixture.second(bob);
            PreemptionMessage told = message(alice);
            assertThat(told).isNotNull();
            assertThat(told.getContract().getContainers())
                    .as("one loser, free to choose")
                    .hasSize(4);
            assertThat(told.getContract().getResourceRequest().get(0).getResourceRequest())
                    .satisfies(request -> {
                        assertThat(request.getNumContainers()).isEqualTo(4);
                        assertThat(request.getCapability().getMemorySize()).isEqualTo(1_000);
                    });
            assertThat(told.getStrictContract()).isNull();
            for (int i = 0; i < 9; i++) {
                fixture.second(alice, bob);
                assertThat(alice.containers).as("within the grace period").hasSize(8);
            }
            for (int i = 0; i < 4; i++) {
                fixture.second(alice, bob);
            }
            assertThat(bob.containers).hasSize(4);
            assertThat(alice.containers).hasSize(4);
            assertThat(message(alice)).isNull();
            assertThat(fixture.counter("preemption-containers-killed")).isEqualTo(4);
            for (int i = 0; i < 50; i++) {
                fixture.second(alice, bob);
            }
            assertThat(fixture.counter("preemption-containers-announced"))
                    .as("nothing more is to be revoked")
                    .isEqualTo(4);
            ClusterInvariants.balance(fixture.shell());
        }
    }

    @Test
    void masterMayGiveOthersBackThanThoseNamed() throws Exception {
        try (RmFixture fixture = fixture(RULES, "<queue name=\"default\"/>")) {
            RmFixture.App alice = fill(fixture, "default");
            RmFixture.App bob = fixture.unmanaged("bob", "default").ask(100, 1_000, 1);
            for (int i = 0; i < 7; i++) {
                fixture.second(bob);
            }
            Set<ContainerId> named = message(alice).getContract().getContainers().stream()
                    .map(PreemptionContainer::getId)
                    .collect(Collectors.toSet());
            List<ContainerId> others =
                    alice.ids().stream().filter(id -> !named.contains(id)).toList();
            List<org.apache.hadoop.yarn.api.records.Container> given = alice.containers.stream()
                    .filter(container -> others.contains(container.getId()))
                    .toList();
            alice.release(others.toArray(new ContainerId[0]));
            fixture.finish(given);
            alice.containers.removeAll(given);
            for (int i = 0; i < 15; i++) {
                fixture.second(alice, bob);
            }
            assertThat(bob.containers).hasSize(4);
            assertThat(alice.ids()).containsExactlyInAnyOrderElementsOf(named);
            assertThat(fixture.counter("preemption-containers-killed")).isZero();
            ClusterInvariants.balance(fixture.shell());
        }
    }

    @Test
    void guaranteedSharesAreGivenFirstAndNeverRevoked() throws Exception {
        String queues = "<queue name=\"a\"><guaranteed-resources><resource name=\"memory-mb\">6000</resource>"
                + "</guaranteed-resources></queue><queue name=\"b\"/>";
        try (RmFixture fixture = fixture(RULES, queues)) {
            RmFixture.App alice = fill(fixture, "a");
            RmFixture.App bob = fixture.unmanaged("bob", "b").ask(100, 1_000, 1);
            for (int i = 0; i < 60; i++) {
                fixture.second(alice, bob);
            }
            assertThat(alice.containers).hasSize(6);
            assertThat(bob.containers).hasSize(2);
        }
    }

    @Test
    void whoIsBelowItsGuaranteeIsHelpedSooner() throws Exception {
        String queues = "<queue name=\"a\"/><queue name=\"b\"><guaranteed-resources>"
                + "<resource name=\"memory-mb\">6000</resource></guaranteed-resources></queue>";
        try (RmFixture fixture = fixture(RULES, queues)) {
            RmFixture.App alice = fill(fixture, "a");
            RmFixture.App bob = fixture.unmanaged("bob", "b").ask(100, 1_000, 1);
            for (int i = 0; i < 4; i++) {
                fixture.second(bob);
            }
            assertThat(message(alice)).isNotNull();
            for (int i = 0; i < 16; i++) {
                fixture.second(alice, bob);
            }
            assertThat(alice.containers).hasSize(2);
            assertThat(bob.containers).hasSize(6);
        }
    }

    @ParameterizedTest
    @CsvSource({"last,2", "never,0"})
    void mastersGoLastOrNever(String masters, int expected) throws Exception {
        String rules = RULES.replace(
                "</preemption>", "<application-masters>" + masters + "</application-masters></preemption>");
        try (RmFixture fixture = fixture(rules, "<queue name=\"default\"><max-am-share>100%</max-am-share></queue>")) {
            fixture.node("127.1.0.1", 4_000, 4);
            for (int i = 0; i < 4; i++) {
                fixture.managed("alice", "default", 1_000);
            }
            RmFixture.App bob = fixture.unmanaged("bob", "default").ask(100, 1_000, 1);
            for (int i = 0; i < 40; i++) {
                fixture.second(bob);
            }
            assertThat(bob.containers).hasSize(expected);
        }
    }

    @Test
    void whoHoldsTheOnlyNodeByReservationIsHelpedAllTheSame() throws Exception {
        String rules = RULES.replace(">5s</reservation-timeout>", ">never</reservation-timeout>");
        try (RmFixture fixture = new RmFixture(
                directory,
                "<heddle-scheduler version=\"1\"><scheduling-delays><reservation>0s</reservation><max-reserved-nodes>100%"
                        + "</max-reserved-nodes></scheduling-delays>" + rules
                        + "<queue name=\"root\"><fair-share-preemption-timeout>5s</fair-share-preemption-timeout><queue name=\"default\"/></queue>"
                        + "</heddle-scheduler>",
                "yarn.scheduler.heddle.update-interval-ms",
                "0")) {
            fixture.node("127.1.0.1", 4_000, 4);
            RmFixture.App alice = fixture.unmanaged("alice", "default").ask(100, 1_000, 1);
            fixture.second(alice);
            assertThat(alice.containers).hasSize(4);
            RmFixture.App bob = fixture.unmanaged("bob", "default").ask(1, 2_000, 1);
            fixture.second(alice, bob);
            assertThat(fixture.scheduler()
                            .getSchedulerNode(fixture.node("127.1.0.1").getNodeId())
                            .getReservedContainer())
                    .isNotNull();
            for (int i = 0; i < 20; i++) {
                fixture.second(alice, bob);
            }
            assertThat(bob.containers).hasSize(1);
            assertThat(alice.containers).hasSize(2);
        }
    }

    @Test
    void helpEndsWhereItIsToldTo() throws Exception {
        try (RmFixture fixture = fixture(
                RULES.replace(">5s</reservation-timeout>", ">never</reservation-timeout>"),
                "<queue name=\"a\"/><queue name=\"b\"><fair-share-preemption-threshold>50%</fair-share-preemption-threshold>"
                        + "<fair-share-preemption-target>75%</fair-share-preemption-target></queue>")) {
            RmFixture.App alice = fill(fixture, "a");
            RmFixture.App bob = fixture.unmanaged("bob", "b").ask(100, 1_000, 1);
            for (int i = 0; i < 60; i++) {
                fixture.second(alice, bob);
            }
            assertThat(bob.containers).as("three quarters of its four").hasSize(3);
        }
    }

    @Test
    void dryRunReportsAndRevokesNothing() throws Exception {
        try (RmFixture fixture = fixture(RULES.replace("on<", "dry-run<"), "<queue name=\"default\"/>")) {
            RmFixture.App alice = fill(fixture, "default");
            RmFixture.App bob = fixture.unmanaged("bob", "default").ask(100, 1_000, 1);
            for (int i = 0; i < 8; i++) {
                fixture.second(alice, bob);
            }
            assertThat(message(alice)).isNull();
            List<SchedulerSnapshot.PreemptionReport> shown =
                    fixture.scheduler().takeSnapshot().preemptions();
            assertThat(shown).isNotEmpty().allSatisfy(preemption -> {
                assertThat(preemption.beneficiary()).isEqualTo("root.default.bob");
                assertThat(preemption.terms()).isEqualTo("dry run");
            });
            assertThat(fixture.counter("preemption-containers-proposed")).isEqualTo(4);
            for (int i = 0; i < 20; i++) {
                fixture.second(alice, bob);
            }
            assertThat(alice.containers).hasSize(8);
            assertThat(fixture.counter("preemption-containers-killed")).isZero();
        }
    }

    @Test
    void whatIsNotRevocableStays() throws Exception {
        String queues =
                "<queue name=\"a\"><allow-preemption-from>false</allow-preemption-from></queue><queue name=\"b\"/>";
        try (RmFixture fixture = fixture(RULES, queues)) {
            RmFixture.App alice = fill(fixture, "a");
            RmFixture.App bob = fixture.unmanaged("bob", "b").ask(100, 1_000, 1);
            for (int i = 0; i < 30; i++) {
                fixture.second(alice, bob);
            }
            assertThat(alice.containers).hasSize(8);
            assertThat(bob.containers).isEmpty();
        }
    }

    @Test
    void onlySoMuchIsRevokedPerSecond() throws Exception {
        String slow = RULES.replace("100%", "5%"); // a container is an eighth of the cluster: one in 2.5 s
        try (RmFixture fixture = fixture(slow, "<queue name=\"default\"/>")) {
            RmFixture.App alice = fill(fixture, "default");
            RmFixture.App bob = fixture.unmanaged("bob", "default").ask(100, 1_000, 1);
            List<Long> announced = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                fixture.second(alice, bob);
                announced.add(fixture.counter("preemption-containers-announced"));
            }
            long last = 0;
            for (int i = 0; i < announced.size(); i++) {
                assertThat(announced.get(i) - last).isLessThanOrEqualTo(1);
                last = announced.get(i);
                assertThat(last / 8.0).isLessThanOrEqualTo(0.05 * Math.max(0, i - 3) + 1 / 8.0);
            }
            assertThat(last).isEqualTo(4);
        }
    }

    @Test
    void largeAskThatWaitsOnAHeldNodeIsMadeRoomFor() throws Exception {
        try (RmFixture fixture = fixture(RULES, "<queue name=\"default\"/>")) {
            RmFixture.App alice = fill(fixture, "default");
            RmFixture.App bob = fixture.unmanaged("bob", "default").ask(1, 4_000, 4);
            for (int i = 0; i < 25; i++) {
                fixture.second(alice, bob);
            }
            assertThat(bob.containers).hasSize(1);
            assertThat(alice.containers).hasSize(4);
            ClusterInvariants.balance(fixture.shell());
        }
    }
}
