// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.preemption;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptState;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.heddle.scheduler.model.PreemptionSettings;
import org.heddle.scheduler.model.PreemptionSettings.Mode;
import org.heddle.scheduler.model.WorkProtection;
import org.heddle.scheduler.snapshot.SchedulerSnapshot.Fate;
import org.heddle.scheduler.snapshot.SchedulerSnapshot.PreemptionReport;
import org.heddle.scheduler.yarn.PartsFixture;
import org.heddle.scheduler.yarn.app.HeddleAttempt;
import org.heddle.scheduler.yarn.node.HeddleNode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each decision of a round, and what ends a pending preemption. Queue a holds all, b starves after 2 s. */
@Tag("newer-line")
class PreemptorTest {
    private static final long PATIENCE = 2_000;
    private static final long GRACE = 3_000;
    private static final long DROPPED = 2 * GRACE + 15_000;
    private static final PreemptionSettings ON = rules(Mode.ON, 0);

    private PartsFixture fixture;
    private HeddleNode node;
    private HeddleAttempt a;
    private HeddleAttempt b;

    private static PreemptionSettings rules(Mode mode, double minUtilization) {
        return new PreemptionSettings(mode, GRACE, 1, 5_000, minUtilization, true);
    }

    /** Four cores, all a's. */
    @BeforeEach
    void fill() throws Exception {
        fixture = new PartsFixture(
                "<queue name=\"root\"><fair-share-preemption-timeout>2s</fair-share-preemption-timeout>"
                        + "<queue name=\"a\"/><queue name=\"b\"/><queue name=\"c\"><fair-share-preemption-timeout>1h"
                        + "</fair-share-preemption-timeout></queue></queue>");
        node = fixture.node("n1", 4);
        a = fixture.app("ann", "root.a");
        b = fixture.app("ben", "root.b");
        fixture.ask(a, 4, 1);
        fixture.offer(node);
        assertThat(a.getLiveContainers()).hasSize(4);
    }

    private boolean tick(long millis, PreemptionSettings rules) {
        fixture.clock.tick(millis);
        return fixture.preemptor.tick(rules);
    }

    /** b asks, and its preemption is announced. */
    private void announce(int count, int cores, PreemptionSettings rules) {
        fixture.ask(b, count, cores);
        tick(0, rules);
        assertThat(tick(PATIENCE, rules)).isFalse();
    }

    private long count(String what) {
        return fixture.preemptor.counters().getOrDefault("preemption-containers-" + what, -1L);
    }

    private PreemptionReport last() {
        List<PreemptionReport> shown = fixture.preemptor.shown();
        return shown.get(shown.size() - 1);
    }

    private void assertCalledOff(String why) {
        assertThat(last().outcome()).isEqualTo("called off, because " + why);
        assertThat(last().victims()).extracting(victim -> victim.fate()).containsOnly(Fate.STAYS);
        assertThat(a.preempting(true)).isNull();
        assertThat(node.promises()).isEmpty();
        assertThat(fixture.killed).isEmpty();
    }

    @Test
    void isAnnouncedWhenTheQueueHasStarvedForLongEnough() {
        fixture.ask(b, 1, 1);
        tick(0, ON);
        tick(PATIENCE - 1, ON);
        assertThat(fixture.preemptor.shown()).isEmpty();
        tick(1, ON);
        ContainerId youngest = PartsFixture.on(node, a).get(0).getContainerId();
        assertThat(a.preempting(true)).containsExactly(youngest);
        assertThat(node.promises()).singleElement().satisfies(promise -> {
            assertThat(promise.attempt()).isSameAs(b);
            assertThat(promise.left()).isEqualTo(1);
        });
        assertThat(count("announced")).isEqualTo(1);
        tick(1, ON);
        assertThat(count("announced")).as("one need preempts once").isEqualTo(1);
        assertThat(fixture.preemptor.counters().values().stream()
                        .mapToLong(n -> n)
                        .sum())
                .isEqualTo(1);
    }

    /** c has a time of its own: the nearest queue above an application decides. */
    @Test
    void theNearestQueueSaysHowLongItWaits() {
        HeddleAttempt c = fixture.app("cleo", "root.c");
        fixture.ask(c, 1, 1);
        tick(0, ON);
        tick(PATIENCE, ON);
        tick(3_600_000 - PATIENCE - 1, ON);
        assertThat(fixture.preemptor.shown()).isEmpty();
        tick(1, ON);
        assertThat(last().queue()).isEqualTo("root.c");
    }

    @Test
    void killsWhenTheGracePeriodIsOverAndServes() {
        announce(1, 1, ON);
        ContainerId victim = PartsFixture.on(node, a).get(0).getContainerId();
        tick(GRACE - 1, ON);
        assertThat(fixture.killed).isEmpty();
        tick(1, ON);
        assertThat(fixture.killed).containsExactly(victim);
        assertThat(count("killed")).isEqualTo(1);
        assertThat(count("given-back")).isZero();
        tick(1, ON);
        assertThat(fixture.killed).as("once").hasSize(1);
        int[] placed = {0};
        assertThat(fixture.preemptor.serve(node, 9, fixture.clock.getTime(), () -> placed[0]++))
                .isFalse();
        assertThat(placed[0]).isEqualTo(1);
        assertThat(b.getLiveContainers()).hasSize(1);
        assertThat(PartsFixture.schedulable(b).running()).isEqualTo(1);
        assertThat(last().outcome()).isEqualTo("served");
        assertThat(last().victims()).extracting(one -> one.fate()).containsExactly(Fate.KILLED);
        assertThat(node.promises()).isEmpty();
        assertThat(count("called-off")).isZero();
    }

    @Test
    void aNodeWithoutPromisesIsNotKept() {
        assertThat(fixture.preemptor.serve(node, 9, 0, () -> {})).isFalse();
    }

    /** One container in a call, and the node stays kept for the other. */
    @Test
    void servesAsManyAsItMayAndKeepsTheRest() {
        announce(2, 1, ON);
        assertThat(count("announced")).isEqualTo(2);
        Runnable nothing = () -> {};
        assertThat(fixture.preemptor.serve(node, 9, fixture.clock.getTime(), nothing))
                .as("nothing is free yet")
                .isTrue();
        tick(GRACE, ON);
        assertThat(fixture.killed).hasSize(2);
        assertThat(fixture.preemptor.serve(node, 1, fixture.clock.getTime(), nothing))
                .isTrue();
        assertThat(b.getLiveContainers()).hasSize(1);
        assertThat(fixture.preemptor.serve(node, 1, fixture.clock.getTime(), nothing))
                .isFalse();
        assertThat(b.getLiveContainers()).hasSize(2);
    }

    /** b's large container came first: what is free is not enough for it yet, and not c's. */
    @Test
    void whatEarlierOnesNeedIsNotGivenToLaterOnes() {
        announce(1, 2, ON);
        HeddleAttempt c = fixture.app("cleo", "root.b");
        fixture.ask(c, 1, 1);
        tick(0, ON);
        tick(PATIENCE, ON);
        fixture.end(PartsFixture.on(node, a).get(3));
        fixture.preemptor.serve(node, 9, fixture.clock.getTime(), () -> {});
        assertThat(c.getLiveContainers()).isEmpty();
        assertThat(b.getLiveContainers()).isEmpty();
    }

    @Test
    void whatIsRefusedIsCalledOffInsteadOfServed() {
        announce(1, 1, ON);
        b.updateBlacklist(List.of("n1"), List.of());
        fixture.end(PartsFixture.on(node, a).get(3));
        assertThat(fixture.preemptor.serve(node, 9, fixture.clock.getTime(), () -> {}))
                .isFalse();
        assertThat(b.getLiveContainers()).isEmpty();
        assertCalledOff("the ask is gone, or does not suit the node any more");
    }

    /** While the grace period runs, one core becomes free by itself: only one of two is killed. */
    @Test
    void whatHasBecomeFreeMeanwhileIsNotKilledFor() {
        announce(2, 1, ON);
        fixture.end(PartsFixture.on(node, a).get(3));
        tick(GRACE, ON);
        assertThat(fixture.killed).hasSize(1);
        assertThat(count("called-off")).isEqualTo(1);
        assertThat(a.preempting(true)).isNull();
        assertThat(fixture.preemptor.shown())
                .flatExtracting(PreemptionReport::victims)
                .extracting(one -> one.fate())
                .containsExactlyInAnyOrder(Fate.KILLED, Fate.STAYS);
    }

    @Test
    void oneThatEndsByItselfIsGivenBack() {
        announce(1, 1, ON);
        fixture.end(PartsFixture.on(node, a).get(1));
        assertThat(count("given-back")).as("not the marked one").isZero();
        fixture.end(PartsFixture.on(node, a).get(0));
        assertThat(count("given-back")).isEqualTo(1);
        tick(GRACE, ON);
        assertThat(fixture.killed).isEmpty();
        assertThat(last().victims()).extracting(one -> one.fate()).containsExactly(Fate.ENDED);
    }

    @Test
    void isCalledOffWhenTheResourcesDoNotComeInTime() {
        announce(1, 1, ON);
        tick(GRACE, ON);
        tick(DROPPED - GRACE - 1, ON);
        assertThat(last().outcome()).isEmpty();
        tick(1, ON);
        assertThat(fixture.preemptor.shown())
                .extracting(PreemptionReport::outcome)
                .contains("called off, because it took too long");
    }

    @Test
    void switchingItOffCallsOffWhatIsPending() {
        announce(1, 1, ON);
        assertThat(tick(0, rules(Mode.OFF, 0))).isFalse();
        assertCalledOff("preemption is switched off");
        assertThat(count("called-off")).isEqualTo(1);
        tick(PATIENCE, rules(Mode.OFF, 0));
        assertThat(fixture.preemptor.shown()).hasSize(1);
    }

    @Test
    void aDryRunMarksAndKillsNothing() {
        announce(1, 1, rules(Mode.DRY_RUN, 0));
        assertThat(count("proposed")).isEqualTo(1);
        assertThat(count("announced")).isZero();
        assertThat(a.preempting(true)).isNull();
        assertThat(a.preempting(false)).isNull();
        assertThat(fixture.preemptor.serve(node, 9, fixture.clock.getTime(), () -> {}))
                .isFalse();
        tick(GRACE - 1, rules(Mode.DRY_RUN, 0));
        assertThat(last().outcome()).isEmpty();
        tick(1, rules(Mode.DRY_RUN, 0));
        assertThat(fixture.preemptor.shown().get(0).outcome()).isEqualTo("dry run: nothing was preempted");
        assertThat(fixture.killed).isEmpty();
        assertThat(count("called-off")).isZero();
    }

    @ParameterizedTest
    @EnumSource(names = {"ON", "DRY_RUN"})
    void anotherModeCallsOffWhatIsPending(Mode before) {
        announce(1, 1, rules(before, 0));
        tick(0, rules(before == Mode.ON ? Mode.DRY_RUN : Mode.ON, 0));
        assertThat(fixture.preemptor.shown().get(0).outcome())
                .isEqualTo("called off, because the preemption mode has changed");
        assertThat(count("called-off")).isEqualTo(before == Mode.ON ? 1 : 0);
    }

    /** Three of four cores are in use; "more than this part" does not include it. */
    @Test
    void doesNotBeginWhereLittleIsInUse() {
        fixture.end(PartsFixture.on(node, a).get(0));
        announce(1, 2, rules(Mode.ON, 0.75));
        assertThat(fixture.preemptor.shown()).isEmpty();
        tick(0, rules(Mode.ON, 0.74));
        assertThat(fixture.preemptor.shown()).hasSize(1);
    }

    @Test
    void anAskThatIsGoneNeedsNoPreemption() {
        announce(1, 1, ON);
        fixture.ask(b, 0, 1);
        tick(0, ON);
        assertCalledOff("the ask is gone");
    }

    @Test
    void anAskOfAnotherSizeNeedsAnotherPreemption() {
        announce(1, 1, ON);
        fixture.ask(b, 1, 2);
        tick(0, ON);
        assertThat(fixture.preemptor.shown().get(0).outcome()).isEqualTo("called off, because the ask is gone");
    }

    @Test
    void anAttemptThatHasEndedNeedsNoPreemption() {
        announce(1, 1, ON);
        ApplicationAttemptId id = b.getApplicationAttemptId();
        fixture.lifecycle.removeAttempt(id, RMAppAttemptState.FAILED, false);
        tick(0, ON);
        assertCalledOff("the ask is gone");
    }

    @Test
    void anAskOverItsLimitNeedsNoPreemption() {
        announce(1, 1, ON);
        fixture.engine.setLimit(fixture.queue("root.b").schedulable(), new long[fixture.vectors.size()]);
        tick(0, ON);
        assertCalledOff("the ask is gone");
    }

    /** b got more than its share elsewhere during the grace period, so nothing may be killed for it. */
    @Test
    void whatHasBecomeUnfairIsCalledOff() {
        announce(1, 1, ON);
        String victim = PartsFixture.on(node, a).get(0).getContainerId().toString();
        fixture.engine.hold(PartsFixture.schedulable(b), fixture.vectors.of(PartsFixture.size(4)));
        tick(GRACE, ON);
        assertThat(last().outcome()).startsWith("called off, because by now this would be unfair: " + victim);
        assertThat(fixture.killed).isEmpty();
        assertThat(a.preempting(true)).isNull();
    }

    /** The same before the grace period is over: nothing needs to wait for its end. */
    @Test
    void whatIsNotNeededAnyMoreIsCalledOff() {
        announce(1, 1, ON);
        fixture.engine.hold(PartsFixture.schedulable(b), fixture.vectors.of(PartsFixture.size(4)));
        tick(1, ON);
        assertCalledOff("it is not needed any more");
    }

    @Test
    void aNodeThatIsGoneTakesItsPreemptionsAlong() {
        announce(1, 1, ON);
        fixture.preemptor.removed(fixture.node("n2", 4));
        assertThat(last().outcome()).isEmpty();
        fixture.preemptor.removed(node);
        assertCalledOff("the node is not there any more");
    }

    /** The loser may choose: it frees as much on another node, and the promise moves there. */
    @Test
    void asMuchOnAnotherNodeWillDo() {
        RMContainer freed = announceWithTwoNodes();
        fixture.end(freed);
        assertThat(count("given-back")).isEqualTo(1);
        assertThat(fixture.preemptor.shown().get(0).outcome())
                .isEqualTo("called off, because as much was freed on " + freed.getAllocatedNode());
        assertThat(a.preempting(true)).isNull();
        assertThat(last().node()).isEqualTo(freed.getAllocatedNode().toString());
        assertThat(last().outcome()).isEmpty();
        tick(GRACE, ON);
        assertThat(fixture.killed).isEmpty();
    }

    @Test
    void asMuchOnANodeThatDoesNotSuitWillNotDo() {
        RMContainer freed = announceWithTwoNodes();
        b.updateBlacklist(List.of(freed.getAllocatedNode().getHost()), List.of());
        fixture.end(freed);
        assertThat(count("given-back")).isZero();
        assertThat(last().outcome()).isEmpty();
        assertThat(a.preempting(true)).hasSize(1);
    }

    @Test
    void asMuchAfterTheKillingChangesNothing() {
        RMContainer freed = announceWithTwoNodes();
        tick(GRACE, ON);
        assertThat(fixture.killed).hasSize(1);
        fixture.end(freed);
        assertThat(count("given-back")).isZero();
        assertThat(fixture.preemptor.shown()).hasSize(1);
    }

    @Test
    void anEndWithoutANodeChangesNothing() {
        RMContainer freed = announceWithTwoNodes();
        fixture.preemptor.ended(freed, null, fixture.clock.getTime());
        assertThat(count("given-back")).isZero();
    }

    /** What another application frees, or too little, is not given in place of what is marked. */
    @Test
    void onlyTheLoserMayGiveOthersInstead() throws Exception {
        HeddleNode other = fixture.node("n2", 4);
        HeddleAttempt c = fixture.app("cleo", "root.c");
        fixture.ask(c, 1, 1);
        fixture.ask(a, 3, 1);
        fixture.offer(other);
        announce(1, 1, ON);
        fixture.end(c.getLiveContainers().iterator().next());
        assertThat(count("given-back")).isZero();
        assertThat(last().outcome()).isEmpty();
    }

    @Test
    void tooLittleIsNotGivenInstead() {
        HeddleNode other = fixture.node("n2", 4);
        fixture.ask(a, 4, 1);
        fixture.offer(other);
        announce(1, 2, ON);
        HeddleNode elsewhere = node.promises().isEmpty() ? node : other;
        fixture.end(PartsFixture.on(elsewhere, a).get(0));
        assertThat(count("given-back")).isZero();
        assertThat(fixture.preemptor.shown()).hasSize(1);
    }

    /** b's large ask fits nowhere, so the node was reserved for it; a's containers do not end. */
    @Test
    void aReservationThatWaitsForTooLongGetsItsNode() {
        reserve();
        PreemptionSettings stuck = new PreemptionSettings(Mode.ON, GRACE, 1, 1_500, 0, true);
        tick(1_499, stuck);
        assertThat(fixture.preemptor.shown()).isEmpty();
        tick(1, stuck);
        assertThat(last().reason()).isEqualTo("its reservation waits");
        assertThat(a.preempting(false)).hasSize(2);
        assertThat(node.reservedFor()).as("the reservation serves the ask").isSameAs(b);
        tick(0, stuck);
        assertThat(count("announced")).isEqualTo(2);
        fixture.reservations.release(node);
        tick(0, stuck);
        assertThat(fixture.preemptor.shown().get(0).outcome()).isEqualTo("called off, because the ask is gone");
    }

    @Test
    void whereWorkIsSparedAReservationWaits() {
        reserve();
        WorkProtection work = new WorkProtection(true, 1, 1_000_000);
        tick(1_500, new PreemptionSettings(Mode.ON, GRACE, 1, 1_500, 0, true, work));
        assertThat(fixture.preemptor.shown()).isEmpty();
    }

    /** It starves, too: from now on the preemption keeps the node instead of the reservation. */
    @Test
    void aPreemptionTakesTheReservationOver() {
        reserve();
        tick(0, ON);
        tick(PATIENCE, ON);
        assertThat(last().reason()).isEqualTo("below its share");
        assertThat(node.reservedFor()).isNull();
        assertThat(node.isKept()).isTrue();
    }

    private void reserve() {
        fixture.ask(b, 1, 2);
        fixture.reserve(node);
        assertThat(node.reservedFor()).isSameAs(b);
    }

    /** Two preemptions on two nodes. What ends for one of them does not count for the other. */
    @Test
    void oneContainerCountsForOnePreemption() {
        fixture.end(announceOnTwoNodes());
        assertThat(count("given-back")).isEqualTo(1);
        assertThat(fixture.preemptor.shown())
                .hasSize(2)
                .allSatisfy(shown -> assertThat(shown.outcome()).isEmpty());
    }

    @Test
    void whatIsKilledForOneIsNotGivenInsteadForTheOther() {
        announceOnTwoNodes();
        tick(GRACE - 1_000, ON);
        assertThat(fixture.killed).hasSize(1);
        assertThat(count("given-back")).isZero();
        assertThat(fixture.preemptor.shown()).hasSize(2);
    }

    /** Returns the container of the one that is announced first, a second before the other. */
    private RMContainer announceOnTwoNodes() {
        announceWithTwoNodes();
        ContainerId marked =
                Objects.requireNonNull(a.preempting(true)).iterator().next();
        RMContainer victim = a.getRMContainer(marked);
        b.updateBlacklist(List.of(victim.getAllocatedNode().getHost()), List.of());
        fixture.ask(b, 2, 1);
        tick(1_000, ON);
        assertThat(fixture.preemptor.shown())
                .extracting(PreemptionReport::node)
                .doesNotHaveDuplicates()
                .hasSize(2);
        return victim;
    }

    /** What is free on the node is kept for the other preemption there. */
    @Test
    void roomForAnotherPreemptionDoesNotSpareAContainer() {
        announce(1, 1, ON);
        fixture.ask(b, 2, 1);
        tick(1_000, ON);
        assertThat(node.promises()).hasSize(2);
        fixture.end(PartsFixture.on(node, a).get(3));
        tick(GRACE - 1_000, ON);
        tick(1_000, ON);
        assertThat(fixture.killed).hasSize(1);
    }

    @Test
    void anAskWithdrawnJustNowNeedsNoPreemption() {
        announce(1, 1, ON);
        b.updateResourceRequests(List.of(PartsFixture.request(0, 1)));
        tick(0, ON);
        assertCalledOff("the ask is gone");
    }

    @Test
    void aHeartbeatCallsOffWhatIsNotWanted() {
        announce(1, 1, ON);
        fixture.ask(b, 0, 1);
        assertThat(fixture.preemptor.serve(node, 9, fixture.clock.getTime(), () -> {}))
                .isFalse();
        assertCalledOff("the ask is gone, or does not suit the node any more");
    }

    /** The settings of a user are those of the queue. */
    @Test
    void aUserStarvesByTheTimeOfItsQueue() {
        HeddleAttempt ben = fixture.app("ben", "root.a");
        fixture.ask(ben, 1, 1);
        tick(0, ON);
        tick(PATIENCE, ON);
        assertThat(last().application()).isEqualTo(ben.getApplicationId().toString());
    }

    /** Two nodes of four cores, all a's; returns a container on the one where nothing is marked. */
    private RMContainer announceWithTwoNodes() {
        HeddleNode other = fixture.node("n2", 4);
        fixture.ask(a, 4, 1);
        fixture.offer(other);
        announce(1, 1, ON);
        return PartsFixture.on(node.promises().isEmpty() ? node : other, a).get(0);
    }

    /** A round begins at most 50; b is entitled to 54 of 60 nodes with one core. */
    @Test
    void aRoundThatBeginsAsManyAsItMaySaysSo() throws Exception {
        fixture = new PartsFixture(
                "<queue name=\"root\"><fair-share-preemption-timeout>2s</fair-share-preemption-timeout>"
                        + "<queue name=\"a\"/><queue name=\"b\"><weight>9</weight></queue></queue>");
        a = fixture.app("ann", "root.a");
        b = fixture.app("ben", "root.b");
        fixture.ask(a, 60, 1);
        for (int i = 0; i < 60; i++) {
            fixture.offer(fixture.node("n" + i, 1));
        }
        fixture.ask(b, 60, 1);
        tick(0, ON);
        assertThat(tick(PATIENCE, ON)).isTrue();
        assertThat(count("announced")).isEqualTo(50);
        assertThat(tick(1_000, ON)).isFalse();
        assertThat(count("announced")).isEqualTo(54);
    }

    @Test
    void whereItIsOffEverythingMayBeLost() {
        WorkProtection work = new WorkProtection(true, 0.5, 0);
        tick(0, new PreemptionSettings(Mode.ON, GRACE, 1, 1_500, 0, true, work));
        assertThat(fixture.preemptor.lostWorkCredit().maxLost()).isEqualTo(0.5);
        tick(0, rules(Mode.OFF, 0));
        assertThat(fixture.preemptor.lostWorkCredit()).isEqualTo(WorkProtection.Credit.UNLIMITED);
        assertThat(fixture.preemptor.waitsForCredit(b.getApplicationId())).isFalse();
    }
}
