// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.heddle.scheduler.config.SchedulerKeys;
import org.heddle.scheduler.snapshot.LimitExceeded;
import org.heddle.scheduler.yarn.RmFixture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shadow mode: no limit holds anybody back, each is reported with its numbers, and nothing is preempted. */
@Tag("newer-line")
class ShadowLimitsTest {
    private static final String A = "127.1.0.1";

    @TempDir
    Path directory;

    private RmFixture shadowed(String more, String insideAlpha) throws Exception {
        RmFixture fixture = new RmFixture(directory, file(more, insideAlpha), SchedulerKeys.SHADOW.name(), "true");
        fixture.node(A, 9_000, 9);
        return fixture;
    }

    private static String file(String more, String insideAlpha) {
        return "<heddle-scheduler version=\"1\">" + more + "<queue name=\"root\"><queue name=\"alpha\">" + insideAlpha
                + "</queue><queue name=\"beta\"/></queue></heddle-scheduler>";
    }

    private static List<LimitExceeded> exceeded(RmFixture fixture) {
        fixture.scheduler().update();
        return Objects.requireNonNull(fixture.scheduler().shadowLimits());
    }

    private static List<String> texts(RmFixture fixture) {
        return exceeded(fixture).stream()
                .map(each -> each.limit() + ": " + each.text())
                .toList();
    }

    @Test
    void limitsOfResourcesAreReportedFromTheirBeginningToTheirEnd() throws Exception {
        String limits = "<max-resources><resource name=\"vcores\">2</resource></max-resources>"
                + "<max-resources-per-user><resource name=\"vcores\">1</resource></max-resources-per-user>"
                + "<max-resources-per-application><resource name=\"memory-mb\">2500</resource></max-resources-per-application>";
        try (RmFixture fixture = shadowed("<allocation>heartbeat</allocation>", limits)) {
            fixture.setDatesByTheClock();
            RmFixture.App alice = fixture.unmanaged("alice", "alpha").ask(3, 1_000, 1);
            assertThat(exceeded(fixture)).isEmpty();
            fixture.heartbeat();
            alice.collect();
            assertThat(alice.containers).hasSize(3);
            assertThat(texts(fixture))
                    .containsExactlyInAnyOrder(
                            "max-resources: queue root.alpha holds 3000 memory-mb, 3 vcores, more than any memory-mb, 2 vcores",
                            "max-resources-per-user: user alice in queue root.alpha holds 3000 memory-mb, 3 vcores,"
                                    + " more than any memory-mb, 1 vcores",
                            "max-resources-per-application: " + alice.id()
                                    + " holds 3000 memory-mb, 3 vcores, more than 2500 memory-mb, any vcores");
            long since = exceeded(fixture).get(0).sinceMillis();

            fixture.clock.tick(5_000);
            fixture.finish(alice.containers.subList(0, 2));

            assertThat(exceeded(fixture))
                    .hasSize(3)
                    .allSatisfy(each -> assertThat(each.sinceMillis()).isEqualTo(since))
                    .allSatisfy(each -> assertThat(each.untilMillis()).isEqualTo(since + 5_000));
        }
    }

    @Test
    void limitsOfApplicationsAreReported() throws Exception {
        String limits = "<max-running-apps>1</max-running-apps><max-running-apps-per-user>1</max-running-apps-per-user>"
                + "<max-applications>1</max-applications>";
        try (RmFixture fixture = shadowed("<user-limits><default>1</default></user-limits>", limits)) {
            RmFixture.App first = fixture.unmanaged("alice", "alpha").ask(1, 100, 1);
            RmFixture.App second = fixture.unmanaged("alice", "alpha").ask(1, 100, 1);
            fixture.heartbeat();
            first.collect();
            second.collect();
            assertThat(second.containers).hasSize(1);
            assertThat(texts(fixture))
                    .containsExactlyInAnyOrder(
                            "max-running-apps: queue root.alpha runs 2 applications, more than 1",
                            "max-running-apps-per-user: user alice in queue root.alpha runs 2 applications, more than 1",
                            "max-applications: queue root.alpha has 2 applications, more than 1",
                            "max-running-apps: user alice in all queues together runs 2 applications, more than 1");
        }
    }

    @Test
    void theShareOfApplicationMastersIsReported() throws Exception {
        try (RmFixture fixture = shadowed("", "<max-am-share>10%</max-am-share>")) {
            fixture.managed("alice", "alpha", 700);
            assertThat(exceeded(fixture)).as("the first one always runs").isEmpty();
            fixture.managed("bob", "alpha", 800);
            assertThat(texts(fixture))
                    .singleElement()
                    .asString()
                    .startsWith(
                            "max-am-share: queue root.alpha gives its ApplicationMasters 1500 memory-mb, 2 vcores, more than ");
        }
    }

    @Test
    void nothingIsPreempted() throws Exception {
        String preemption = "<preemption><mode>on</mode><grace-period>1s</grace-period></preemption>";
        String starving = "<fair-share-preemption-timeout>1s</fair-share-preemption-timeout>";
        try (RmFixture fixture = shadowed(preemption, starving)) {
            RmFixture.App bob = fixture.unmanaged("bob", "beta").ask(9, 1_000, 1);
            RmFixture.App alice = fixture.unmanaged("alice", "alpha");
            fixture.second(bob, alice);
            alice.ask(4, 1_000, 1);
            for (int second = 0; second < 20; second++) {
                fixture.second(bob, alice);
            }
            assertThat(alice.containers).isEmpty();
            assertThat(bob.containers).hasSize(9);
            assertThat(fixture.counter("preemption-containers-proposed")).isPositive();
        }
    }

    @Test
    void aNewFileIsComparedFromThenOn() throws Exception {
        try (RmFixture fixture = shadowed("", "")) {
            fixture.unmanaged("alice", "alpha").ask(3, 1_000, 1);
            fixture.heartbeat();
            assertThat(exceeded(fixture)).isEmpty();
            fixture.write(file("", "<max-resources><resource name=\"vcores\">2</resource></max-resources>"));
            fixture.scheduler().reinitialize(fixture.conf, fixture.rm.getRMContext());
            assertThat(exceeded(fixture)).hasSize(1);
        }
    }

    @Test
    void otherwiseLimitsAreInForceAndNothingIsReported() throws Exception {
        String limits = "<max-resources><resource name=\"vcores\">2</resource></max-resources>";
        try (RmFixture fixture = new RmFixture(directory, file("", limits))) {
            fixture.node(A, 9_000, 9);
            RmFixture.App alice = fixture.unmanaged("alice", "alpha").ask(3, 1_000, 1);
            fixture.heartbeat();
            alice.collect();
            assertThat(alice.containers).hasSize(2);
            fixture.scheduler().update();
            assertThat(fixture.scheduler().shadowLimits()).isNull();
        }
    }
}
