// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.server.resourcemanager.recovery.MemoryRMStateStore;
import org.heddle.market.model.amount.Credits;
import org.heddle.market.model.amount.SpendingRate;
import org.heddle.market.model.change.MarketException;
import org.heddle.market.model.status.QueueState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The market in a real ResourceManager: containers follow what queues spend. */
class MarketInRmTest {
    @TempDir
    Path directory;

    @Test
    void containersAreDividedAsInFigureOneAndChargedExactly() throws Exception {
        try (MarketFixture fixture = new MarketFixture(directory)) {
            fixture.node("127.0.0.1", 15_000, 100);
            fixture.queue("alice", "4", "1000").queue("bob", "1.5", "1000").queue("sam", "2", "1000");
            MarketFixture.App alice = fixture.app("alice", "alice");
            MarketFixture.App bob = fixture.app("bob", "bob");
            MarketFixture.App sam = fixture.app("sam", "sam");
            alice.ask(100);
            bob.ask(100);
            sam.ask(100);
            fixture.nextEpoch().heartbeat();

            assertThat(alice.holds()).isEqualTo(8);
            assertThat(bob.holds()).isEqualTo(3);
            assertThat(sam.holds()).isEqualTo(4);
            assertThat(fixture.market().status().price()).hasToString("7.5");
            assertThat(fixture.status("alice").wholeSlots()).isEqualTo(8);
            assertThat(fixture.status("alice").share().toFraction()).isEqualTo("8/15");
            assertThat(fixture.status("bob").used()).hasToString("3");
            assertThat(fixture.status("sam").pendingContainers()).isEqualTo(96);

            fixture.nextEpoch();
            fixture.market().setSpending(fixture.by(), "sam", SpendingRate.parse("3"));
            assertThat(fixture.status("alice").budget()).hasToString("968");
            assertThat(fixture.status("bob").budget()).hasToString("995.5");
            assertThat(fixture.status("sam").budget()).hasToString("992");
            assertThat(fixture.market().status().revenue()).hasToString("44.5");
            assertThat(metrics())
                    .containsEntry("Open", 1.0)
                    .containsEntry("StoreWorking", 1.0)
                    .containsEntry("Price", 7.5)
                    .containsEntry("UsedSlots", 15.0)
                    .containsEntry("ChargedCredits", 44.5)
                    .containsEntry("WaivedCredits", 0.0)
                    .containsEntry("EpochLateMillis", 0.0);
            assertThat(fixture.status("sam").effectiveRate()).hasToString("2");
            fixture.nextEpoch();
            assertThat(fixture.status("sam").effectiveRate()).hasToString("3");
        }
    }

    /** As JMX shows them. */
    private static Map<String, Double> metrics() {
        MetricsCollectorImpl collector = new MetricsCollectorImpl();
        DefaultMetricsSystem.instance().getSource(MarketMetrics.NAME).getMetrics(collector, true);
        Map<String, Double> values = new HashMap<>();
        collector
                .getRecords()
                .get(0)
                .metrics()
                .forEach(each -> values.put(each.name(), each.value().doubleValue()));
        return values;
    }

    @Test
    void withoutCreditApplicationsAreServedAsTheyCame() throws Exception {
        try (MarketFixture fixture = new MarketFixture(directory)) {
            fixture.node("127.0.0.1", 4_000, 100);
            fixture.queue("a", "9", "0").queue("b", "1", "0");
            MarketFixture.App a1 = fixture.app("a", "a").ask(6);
            MarketFixture.App b1 = fixture.app("b", "b").ask(6);
            MarketFixture.App a2 = fixture.app("a", "a").ask(6);
            fixture.nextEpoch().heartbeat();
            assertThat(a1.holds()).isEqualTo(4);
            a1.end(4);
            fixture.heartbeat();
            assertThat(a1.holds()).isEqualTo(2);
            assertThat(b1.holds()).isEqualTo(2);
            assertThat(a2.holds()).isZero();
            a1.end(2);
            b1.end(2);
            fixture.heartbeat();
            assertThat(b1.holds()).isEqualTo(4);
            assertThat(a2.holds()).isZero();

            fixture.market().addBudget(fixture.by(), "a", org.heddle.market.model.amount.Credits.of(100), "");
            assertThat(fixture.status("a").state()).isEqualTo(QueueState.NEWCOMER);
            fixture.nextEpoch();
            b1.end(4);
            fixture.heartbeat();
            assertThat(a2.holds()).isEqualTo(4);
        }
    }

    @Test
    void whoCannotPayGivesWayAndNothingIsLeftIdle() throws Exception {
        try (MarketFixture fixture = new MarketFixture(directory)) {
            fixture.node("127.0.0.1", 30_000, 100);
            fixture.queue("a", "2", "40").queue("b", "1", "10000");
            MarketFixture.App a = fixture.app("a", "a");
            MarketFixture.App b = fixture.app("b", "b");
            a.ask(1_000);
            b.ask(1_000);
            fixture.nextEpoch().heartbeat();
            assertThat(a.holds()).isEqualTo(20);
            assertThat(b.holds()).isEqualTo(10);
            fixture.nextEpoch();
            assertThat(fixture.market().queue("a").budget()).hasToString("0");
            assertThat(fixture.status("a").state()).isEqualTo(QueueState.UNAFFORDABLE);
            assertThat(fixture.market().status().price()).hasToString("1");
            a.end(20);
            fixture.heartbeat();
            assertThat(a.holds()).isZero();
            assertThat(b.holds()).isEqualTo(30);

            // Work conserving: what the paying queue does not want, the other gets.
            b.ask(0).end(12);
            fixture.heartbeat();
            assertThat(a.holds()).isEqualTo(12);
        }
    }

    @Test
    void aContainerIsChargedFromItsBeginningToItsEnd() throws Exception {
        try (MarketFixture fixture = new MarketFixture(directory)) {
            fixture.node("127.0.0.1", 10_000, 100);
            fixture.queue("a", "1", "100");
            MarketFixture.App a = fixture.app("a", "a").ask(10);
            fixture.nextEpoch();
            fixture.after(2_500).heartbeat();
            assertThat(a.holds()).isEqualTo(10);
            fixture.after(2_500);
            a.ask(0).release(6);
            assertThat(fixture.status("a").accrued()).hasToString("2.5");
            fixture.after(5_000).scheduler().tick();
            fixture.market().setSpending(fixture.by(), "a", SpendingRate.parse("2"));
            // 10 slots for a quarter of the interval, 4 for half of it.
            assertThat(fixture.status("a").budget()).hasToString("95.5");
        }
    }

    @Test
    void booksAndQueuesSurviveAFailover() throws Exception {
        MemoryRMStateStore store = new MemoryRMStateStore();
        try (MarketFixture fixture = new MarketFixture(
                directory, store, "yarn.resourcemanager.recovery.enabled", "true", "yarn.resourcemanager.ha.id", "x")) {
            fixture.node("127.0.0.1", 10_000, 100);
            fixture.queue("a", "1", "100").queue("b", "3", "100");
            MarketFixture.App a = fixture.app("a", "a").ask(100);
            fixture.nextEpoch().heartbeat();
            assertThat(a.holds()).isEqualTo(10);
            fixture.nextEpoch();
            fixture.after(5_000);
            fixture.restart(store);
            // Half an interval more was charged when it stopped.
            assertThat(fixture.market().queue("a").budget()).hasToString("85");
            assertThat(fixture.market().queue("b").rate()).hasToString("3");
            assertThat(fixture.scheduler().getQueueInfo("root.b", false, false).getQueueName())
                    .endsWith("b");
            assertThat(fixture.rm.getRMContext().getRMApps().get(a.app.getApplicationId()))
                    .isNotNull()
                    .extracting("queue")
                    .isEqualTo("root.a");
            assertThat(fixture.market().status().epoch()).isEqualTo(4);
        }
    }

    @Test
    void queuesComeAndGo() throws Exception {
        try (MarketFixture fixture = new MarketFixture(directory)) {
            fixture.node("127.0.0.1", 10_000, 100);
            fixture.queue("a", "1", "100");
            MarketFixture.App a = fixture.app("a", "a").ask(2);
            assertThatThrownBy(() -> fixture.market().removeQueue(fixture.by(), "a"))
                    .isInstanceOfSatisfying(
                            MarketException.class,
                            e -> assertThat(e.reason()).isEqualTo(MarketException.Reason.QUEUE_IN_USE))
                    .hasMessageContaining("has 1 applications");
            assertThatThrownBy(() -> fixture.market().removeQueue(fixture.by(), "default"))
                    .hasMessageContaining("configured in the scheduler's file");
            assertThatThrownBy(() -> fixture.market().removeQueue(fixture.by(), "nobody"))
                    .hasMessageContaining("There is no queue 'nobody'");
            a.am.unregisterAppAttempt();
            fixture.rm.waitForAppRemovedFromScheduler(a.app.getApplicationId());
            assertThat(fixture.market().removeQueue(fixture.by(), "a").balance())
                    .hasToString("100");
            assertThat(fixture.market().queues()).extracting("name").containsExactly("default");
            assertThat(fixture.scheduler()
                            .checkAccess(
                                    org.apache.hadoop.security.UserGroupInformation.createRemoteUser("a"),
                                    org.apache.hadoop.yarn.api.records.QueueACL.SUBMIT_APPLICATIONS,
                                    "root.a"))
                    .isFalse();
        }
    }

    @Test
    void unpaidContainersAreRevokedForWhoPays() throws Exception {
        try (MarketFixture fixture = new MarketFixture(directory, MarketKeys.PREEMPTION_INTERVAL_MS.name(), "3000")) {
            fixture.node("127.0.0.1", 10_000, 100);
            fixture.queue("a", "0", "0").queue("b", "1", "1000");
            MarketFixture.App a = fixture.app("a", "a").ask(100);
            fixture.nextEpoch().heartbeat();
            assertThat(a.holds()).isEqualTo(10);
            MarketFixture.App b = fixture.app("b", "b").ask(4);
            fixture.nextEpoch().heartbeat();
            assertThat(b.holds()).isZero();
            for (int second = 0; second < 600 && b.holds() < 4; second++) {
                fixture.after(1_000).heartbeat();
                fixture.scheduler().update();
                a.holds();
            }
            assertThat(b.holds()).isEqualTo(4);
            assertThat(a.holds()).isEqualTo(6);
        }
    }

    /** 145 : 4 : 1 on 15 slots; masters release containers between heartbeats, so slots are empty for a while. */
    @Test
    void smallPayersAreServedInAClusterWithGaps() throws Exception {
        try (MarketFixture fixture = new MarketFixture(directory)) {
            for (int node = 1; node <= 3; node++) {
                fixture.node("127.0.0." + node, 5_000, 100);
            }
            Map<String, Integer> rates = Map.of("big", 145, "medium", 4, "small", 1);
            Map<String, MarketFixture.App> apps = new TreeMap<>();
            for (String queue : List.of("big", "medium", "small")) {
                fixture.queue(queue, String.valueOf(rates.get(queue)), "100000000");
                apps.put(queue, fixture.app(queue, queue).ask(5_000));
            }
            fixture.nextEpoch();
            Random random = new Random(19);
            Map<String, Long> got = new TreeMap<>();
            Map<ContainerId, Long> ends = new HashMap<>();
            long step = 1_000;
            int intervals = 25;
            for (long at = 0; at < intervals * MarketFixture.INTERVAL; at += step) {
                fixture.heartbeat();
                fixture.scheduler().tick();
                for (Map.Entry<String, MarketFixture.App> each : apps.entrySet()) {
                    MarketFixture.App app = each.getValue();
                    app.holds();
                    long now = at;
                    for (Container container : app.containers) {
                        ends.computeIfAbsent(container.getId(), id -> now + 2_000 + random.nextInt(5_000));
                    }
                    List<ContainerId> over = app.containers.stream()
                            .map(Container::getId)
                            .filter(id -> ends.getOrDefault(id, Long.MAX_VALUE) <= now)
                            .toList();
                    app.containers.removeIf(container -> over.contains(container.getId()));
                    if (!over.isEmpty()) {
                        app.heartbeat(List.of(), over);
                    }
                    got.merge(each.getKey(), app.containers.size() * step, Long::sum);
                }
                fixture.after(step);
            }
            fixture.scheduler().tick();
            fixture.market().record(fixture.by(), "wait", "bills"); // changes are stored in order

            double all = got.values().stream().mapToLong(Long::longValue).sum();
            assertThat(all / (15.0 * intervals * MarketFixture.INTERVAL))
                    .as("part of the cluster in use")
                    .isBetween(0.7, 0.97);
            for (String queue : apps.keySet()) {
                int rate = rates.getOrDefault(queue, 0);
                double used = got.getOrDefault(queue, 0L);
                double part = all * rate / 150;
                assertThat(used)
                        .as("slot-time of %s of %s", queue, got)
                        .isCloseTo(part, within(Math.max(0.02 * part, 8_000)));
                double spent = Credits.of(100_000_000)
                                .minus(fixture.status(queue).budget())
                                .nanos()
                        / 1e9;
                double worth = rate * used / MarketFixture.INTERVAL;
                assertThat(spent)
                        .as("credits charged to %s for what it used", queue)
                        .isCloseTo(worth, within(Math.max(0.02 * worth, rate * 0.8)));
            }
        }
    }
}
