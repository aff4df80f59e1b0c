// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.yarn.server.resourcemanager.recovery.MemoryRMStateStore;
import org.heddle.market.model.amount.Credits;
import org.heddle.market.model.amount.SpendingRate;
import org.heddle.market.model.change.ApplicationCost;
import org.heddle.market.model.change.MarketException;
import org.heddle.market.model.status.PreemptionLimit;
import org.heddle.market.model.status.PreemptionWaste;
import org.heddle.market.model.status.QueueState;
import org.heddle.scheduler.snapshot.Waiting;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    @Test
    void applicationsOfAQueueDivideItsBill() throws Exception {
        try (MarketFixture fixture = new MarketFixture(directory)) {
            fixture.node("127.0.0.1", 10_000, 100);
            fixture.queue("alice", "3", "1000").queue("sam", "2", "1000");
            MarketFixture.App first = fixture.app("alice", "alice");
            MarketFixture.App second = fixture.app("alice", "alice");
            fixture.nextEpoch();
            first.ask(6);
            fixture.heartbeat().nextEpoch();
            assertThat(first.holds()).isEqualTo(6);
            first.end(4);
            second.ask(1);
            fixture.heartbeat();
            assertThat(second.holds()).isEqualTo(1);
            fixture.nextEpoch();
            assertThat(costs(fixture, "alice", ApplicationCost.By.APPLICATION))
                    .containsExactly(first.app.getApplicationId() + " 6", second.app.getApplicationId() + " 3");
            assertThat(costs(fixture, "alice", ApplicationCost.By.NAME)).containsExactly(" 9");

            // From here on, sam pays for the second one.
            fixture.scheduler().moveApplication(second.app.getApplicationId(), "root.sam");
            first.end(2);
            fixture.nextEpoch().nextEpoch();
            assertThat(costs(fixture, "alice", ApplicationCost.By.NAME)).containsExactly(" 9");
            assertThat(costs(fixture, "sam", ApplicationCost.By.APPLICATION))
                    .containsExactly(second.app.getApplicationId() + " 2");
            assertThat(fixture.status("alice").budget()).hasToString("991");
            assertThat(fixture.status("sam").budget()).hasToString("998");
        }
    }

    private static List<String> costs(MarketFixture fixture, String account, ApplicationCost.By by) throws Exception {
        return fixture.market().applications(account, Instant.EPOCH, Instant.MAX, by, 10).stream()
                .map(cost -> cost.application() + " " + cost.charged())
                .toList();
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
        try (MarketFixture fixture = MarketFixture.atHeartbeats(directory)) {
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
                    .hasMessageContaining("There is no account 'nobody'");
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
        try (MarketFixture fixture = new MarketFixture(
                directory,
                MarketKeys.PREEMPTION_INTERVAL_MS.name(),
                "3000",
                MarketKeys.PREEMPTION_MAX_LOST_WORK.name(),
                "100%")) {
            fixture.node("127.0.0.1", 10_000, 100);
            fixture.queue("a", "0", "0").queue("b", "1", "1000");
            MarketFixture.App a = fixture.app("a", "a").ask(100);
            fixture.nextEpoch().heartbeat();
            assertThat(a.holds()).isEqualTo(10);
            MarketFixture.App b = fixture.app("b", "b").ask(4);
            fixture.nextEpoch().heartbeat();
            assertThat(b.holds()).isZero();
            fixture.preempt(a, b, 4);
            assertThat(b.holds()).isEqualTo(4);
            assertThat(a.holds()).isEqualTo(6);
            fixture.nextEpoch();
            PreemptionWaste waste = fixture.market().status().waste();
            assertThat(waste.containers()).isEqualTo(4);
            assertThat(waste.limit()).isEqualTo(PreemptionLimit.NONE);
            assertThat(waste.usedSlotMillis()).isGreaterThan(waste.lostSlotMillis());
            assertThat(metrics())
                    .containsEntry("PreemptedContainers", 4.0)
                    .doesNotContainKey("PreemptionAvailableSlotHours");
        }
    }

    /**
     * A full cluster of ten slots earns 0.075 slot-seconds a second: two containers of about 40 s at once, then none.
     */
    @Test
    void preemptionKeepsTheLimitOfLostWork() throws Exception {
        try (MarketFixture fixture = new MarketFixture(directory, MarketKeys.PREEMPTION_INTERVAL_MS.name(), "3000")) {
            fixture.node("127.0.0.1", 10_000, 100);
            fixture.queue("a", "0", "0").queue("b", "1", "1000");
            MarketFixture.App a = fixture.app("a", "a").ask(100);
            fixture.nextEpoch().heartbeat();
            assertThat(a.holds()).isEqualTo(10);
            MarketFixture.App b = fixture.app("b", "b").ask(4);
            fixture.nextEpoch().heartbeat();
            for (int second = 0; second < 300; second++) {
                fixture.after(1_000).heartbeat();
                fixture.scheduler().update();
                a.holds();
            }
            assertThat(b.holds()).isEqualTo(2);
            fixture.scheduler().tick();
            PreemptionLimit limit = fixture.market().status().waste().limit();
            assertThat(limit.maxLost()).isCloseTo(0.0075, within(1e-9));
            assertThat(limit.mostSlotMillis()).as("20 minutes of ten slots").isEqualTo(90_000);
            assertThat(limit.waiting()).as("b waits: %s", limit).isEqualTo(1);
            assertThat(limit.neededSlotMillis()).as("%s", limit).isGreaterThan(limit.availableSlotMillis());
            assertThat(metrics())
                    .containsEntry("PreemptionWaiting", 1.0)
                    .hasEntrySatisfying(
                            "PreemptionAvailableSlotHours",
                            hours -> assertThat(hours)
                                    .isCloseTo(limit.availableSlotMillis() / 3_600_000.0, within(1e-9)));
            assertThat(waitsForTheLimit(fixture, b)).isTrue();
            assertThat(waitsForTheLimit(fixture, a)).as("a starves of nothing").isFalse();

            MarketFixture.App second = fixture.app("b", "b").ask(1);
            fixture.after(1_000).heartbeat();
            fixture.scheduler().update();
            fixture.scheduler().tick();
            assertThat(fixture.market().status().waste().limit().waiting())
                    .as("all applications of a queue whose preemption is refused")
                    .isEqualTo(2);
            assertThat(waitsForTheLimit(fixture, b)).isTrue();
            assertThat(waitsForTheLimit(fixture, second)).isTrue();
        }
    }

    private static boolean waitsForTheLimit(MarketFixture fixture, MarketFixture.App app) {
        Waiting why = Objects.requireNonNull(
                fixture.scheduler().why(app.app.getApplicationId().toString()));
        return why.reasons().stream().anyMatch(reason -> reason.kind() == Waiting.Kind.LOST_WORK_LIMIT);
    }

    /**
     * Four tasks of 100 s end together. 55 s before that somebody comes who pays; the tasks would be killed 46 s later.
     * After two rounds it is known how long they run.
     */
    @Tag("newer-line")
    @Test
    void aQueueThatPaysWaitsForContainersThatEndSoon() throws Exception {
        try (MarketFixture fixture = new MarketFixture(
                directory,
                MarketKeys.PREEMPTION_INTERVAL_MS.name(),
                "30000",
                MarketKeys.PREEMPTION_MAX_LOST_WORK.name(),
                "100%")) {
            fixture.node("127.0.0.1", 4_000, 100);
            fixture.queue("a", "0", "0").queue("b", "1", "1000");
            MarketFixture.App a = fixture.app("a", "a").ask(100);
            MarketFixture.App b = fixture.app("b", "b");
            fixture.nextEpoch().heartbeat();
            for (int second = 1; second <= 300; second++) {
                fixture.after(1_000);
                a.holds();
                if (second % 100 == 0) {
                    a.release(a.holds());
                }
                if (second == 245) {
                    b.ask(2);
                }
                fixture.scheduler().tick();
                fixture.heartbeat();
                fixture.scheduler().update();
            }
            assertThat(b.holds()).isEqualTo(2);
            fixture.nextEpoch();
            assertThat(fixture.market().status().waste().containers()).isZero();
        }
    }

    /** 145 : 4 : 1 on 15 slots; masters release containers between heartbeats, so slots are empty for a while. */
    @Tag("newer-line")
    @Test
    void smallPayersAreServedInAClusterWithGaps() throws Exception {
        try (MarketFixture fixture = MarketFixture.atHeartbeats(directory)) {
            for (int node = 1; node <= 3; node++) {
                fixture.node("127.0.0." + node, 5_000, 100);
            }
            long credit = 100_000_000;
            int intervals = 25;
            GapsRun run = new GapsRun(fixture, credit, 19)
                    .payer("big", 145, 2_000, 7_000)
                    .payer("medium", 4, 2_000, 7_000)
                    .payer("small", 1, 2_000, 7_000);
            run.run(intervals);

            assertThat(run.all() / (15.0 * intervals * MarketFixture.INTERVAL))
                    .as("part of the cluster in use")
                    .isBetween(0.7, 0.97);
            for (GapsRun.Payer payer : run.payers()) {
                double used = run.got(payer);
                double part = run.part(payer);
                assertThat(used)
                        .as("slot-time of %s", payer.queue())
                        .isCloseTo(part, within(Math.max(0.02 * part, 8_000)));
                double spent = Credits.of(credit)
                                .minus(fixture.status(payer.queue()).budget())
                                .nanos()
                        / 1e9;
                double worth = payer.rate() * used / MarketFixture.INTERVAL;
                assertThat(spent)
                        .as("credits charged to %s for what it used", payer.queue())
                        .isCloseTo(worth, within(Math.max(0.02 * worth, payer.rate() * 0.8)));
            }
        }
    }

    /**
     * 145 : 4 : 1 on 15 slots; one of them asks first and takes the idle cluster. When its containers have ended, each
     * gets its part in the next 25 intervals: what displaced nobody is no debt.
     */
    @Tag("newer-line")
    @ParameterizedTest
    @CsvSource({"heartbeat, medium", "heartbeat, small", "immediate, medium", "immediate, small", "immediate, big"})
    void whatWasTakenBeforeOthersAskedIsNoDebt(String allocation, String first) throws Exception {
        try (MarketFixture fixture =
                allocation.equals("heartbeat") ? MarketFixture.atHeartbeats(directory) : new MarketFixture(directory)) {
            for (int node = 1; node <= 3; node++) {
                fixture.node("127.0.0." + node, 5_000, 100);
            }
            GapsRun run = new GapsRun(fixture, 100_000_000, 19)
                    .payer("big", 145, 2_000, 7_000)
                    .payer("medium", 4, 2_000, 7_000)
                    .payer("small", 1, 2_000, 7_000)
                    .takesFirst(first);
            run.run(2, 25);
            for (GapsRun.Payer payer : run.payers()) {
                double used = run.got(payer);
                double part = run.part(payer);
                System.out.printf(
                        Locale.ROOT,
                        "%s, %s first: %s got %.0f of %.0f%n",
                        allocation,
                        first,
                        payer.queue(),
                        used,
                        part);
                assertThat(used)
                        .as("slot-time of %s", payer.queue())
                        .isCloseTo(part, within(Math.max(0.02 * part, 8_000)));
            }
        }
    }

    /**
     * Nine accounts pay 99 % of the price for containers of 2, 3 and 4 slots. What these leave on a node fits the
     * long-lived containers of one slot of the tenth account, which would stay there. It counts from the start, when
     * nobody has anything.
     */
    @Tag("newer-line")
    @ParameterizedTest
    @CsvSource({"heartbeat, 0", "heartbeat, 1", "immediate, 0", "immediate, 1"})
    void whoPaysNextToNothingDoesNotTakeTheClusterBySmallContainers(String allocation, int rate) throws Exception {
        try (MarketFixture fixture =
                allocation.equals("heartbeat") ? MarketFixture.atHeartbeats(directory) : new MarketFixture(directory)) {
            int slots = 80;
            for (int node = 1; node <= 5; node++) {
                fixture.node("127.0.0." + node, slots * 1_000 / 5, 100);
            }
            int intervals = 60;
            GapsRun run = new GapsRun(fixture, 100_000_000, 7);
            for (int i = 0; i < 9; i++) {
                run.payer("payer" + i, 11, 2 + i % 3, 10_000, 30_000);
            }
            run.payer("rider", rate, 1, 100_000, 300_000);
            run.run(intervals);

            double whole = (double) intervals * MarketFixture.INTERVAL;
            double entitled = slots * rate / (99.0 + rate);
            double held = run.got(run.payers().get(9)) / whole;
            double least = run.payers().stream()
                    .limit(9)
                    .mapToDouble(payer -> run.got(payer) / whole / ((slots - entitled) / 9))
                    .min()
                    .orElseThrow();
            System.out.printf(
                    Locale.ROOT,
                    "%s, rider at rate %d: %.2f of %d slots, entitled to %.2f; least payer %.3f of its part; %.3f"
                            + " used%n",
                    allocation,
                    rate,
                    held,
                    slots,
                    entitled,
                    least,
                    run.all() / whole / slots);
            assertThat(held).as("slots of the rider").isLessThanOrEqualTo(rate > 0 ? entitled + 1.5 : 0.5);
        }
    }
}
