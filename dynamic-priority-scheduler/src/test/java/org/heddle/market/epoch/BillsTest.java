// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.epoch;

import static org.assertj.core.api.Assertions.assertThat;

import org.heddle.market.TestTerms;
import org.heddle.market.model.status.PreemptionLimit;
import org.heddle.market.model.status.PreemptionWaste;
import org.heddle.market.model.terms.ChargePolicy;
import org.junit.jupiter.api.Test;

/**
 * A bill is rate x use, up to the entitlement of the whole interval and what the queue is owed from earlier ones; exact
 * to the nano-credit. Intervals are ten seconds, rates are for one slot and interval.
 */
class BillsTest {
    private static final TestTerms PAPER = TestTerms.PAPER;

    /** Ten slots, of which queue a is entitled to as many as its rate divided by ten; both always ask for more. */
    private static EpochFixture tenSlots(TestTerms terms, String rateOfA, String rateOfB) {
        EpochFixture fixture = new EpochFixture(terms.get(), 10)
                .queue("a", rateOfA, "1000")
                .queue("b", rateOfB, "100000")
                .uses("a", 9, 0)
                .uses("b", 9, 9);
        fixture.turn();
        return fixture;
    }

    /** The bill of queue a for an interval in which it holds one container for so long. */
    private static String interval(EpochFixture fixture, long heldMillis) {
        if (heldMillis > 0) {
            fixture.uses("a", 9, 1).after(heldMillis).uses("a", 9, 0);
        }
        return EpochFixture.charged(fixture.after(10_000 - heldMillis).turn(), "a");
    }

    @Test
    void oneContainerForFourTenthsOfAnIntervalIsAllOfFourTenthsOfASlot() {
        EpochFixture fixture = tenSlots(PAPER, "4", "96");
        assertThat(fixture.entitled("a")).isEqualTo("0.4");
        assertThat(interval(fixture, 4_000)).isEqualTo("1.6");
        assertThat(interval(fixture, 3_999)).isEqualTo("1.5996");
        // Owed since then: one slot-millisecond. The other 999 are excess.
        assertThat(interval(fixture, 5_000)).isEqualTo("1.6004");
    }

    @Test
    void aTenthOfASlotPaysForAContainerInEachTenthInterval() {
        EpochFixture fixture = tenSlots(PAPER, "1", "99");
        assertThat(fixture.entitled("a")).isEqualTo("0.1");
        for (int round = 0; round < 5; round++) {
            for (int k = 0; k < 9; k++) {
                assertThat(interval(fixture, 0)).isEqualTo("0");
            }
            assertThat(interval(fixture, 10_000)).as("round %d", round).isEqualTo("1");
        }
        assertThat(fixture.balance("a")).isEqualTo("995");
    }

    @Test
    void aContainerBeforeItsTimeIsExcessOnceAndIsPaidForFromThenOn() {
        EpochFixture fixture = tenSlots(PAPER, "1", "99");
        assertThat(interval(fixture, 10_000)).isEqualTo("0.1");
        for (int k = 0; k < 9; k++) {
            interval(fixture, 0);
        }
        assertThat(interval(fixture, 10_000)).isEqualTo("1");
    }

    @Test
    void useAboveAndBelowTheEntitlementOfAnIntervalIsAveraged() {
        EpochFixture fixture = tenSlots(PAPER, "50", "50");
        fixture.uses("a", 9, 10)
                .uses("b", 9, 0)
                .after(5_000)
                .uses("a", 9, 0)
                .uses("b", 9, 10)
                .after(5_000);
        ClosedEpoch closed = fixture.turn();
        assertThat(EpochFixture.charged(closed, "a")).isEqualTo("250");
        assertThat(EpochFixture.charged(closed, "b")).isEqualTo("250");
    }

    @Test
    void whoAsksForNothingIsOwedNothing() {
        EpochFixture fixture = tenSlots(PAPER, "1", "99");
        for (int k = 0; k < 5; k++) {
            interval(fixture, 0);
        }
        fixture.uses("a", 0, 0);
        interval0(fixture);
        fixture.uses("a", 9, 0);
        interval0(fixture); // from here on it pays again
        assertThat(interval(fixture, 10_000)).isEqualTo("0.1");
    }

    private static void interval0(EpochFixture fixture) {
        fixture.after(10_000).turn();
    }

    @Test
    void aContainerInFlightIsPaidForInAllItsIntervals() {
        EpochFixture fixture = tenSlots(PAPER, "1", "99");
        for (int k = 0; k < 9; k++) {
            interval(fixture, 0);
        }
        // Its last ask is served; the container spans two intervals.
        fixture.after(5_000).uses("a", 0, 1).after(5_000);
        assertThat(EpochFixture.charged(fixture.turn(), "a")).isEqualTo("0.5");
        fixture.after(5_000).uses("a", 0, 0).after(5_000);
        assertThat(EpochFixture.charged(fixture.turn(), "a")).isEqualTo("0.5");
    }

    @Test
    void whatIsOwedIsLimited() {
        EpochFixture fixture = tenSlots(PAPER.withDeficit(2), "1", "99");
        for (int k = 0; k < 100; k++) {
            interval(fixture, 0);
        }
        // Two intervals of one slot, and the entitlement of this one.
        fixture.uses("a", 9, 5).after(10_000);
        assertThat(EpochFixture.charged(fixture.turn(), "a")).isEqualTo("2.1");

        EpochFixture none = tenSlots(PAPER.withDeficit(0), "1", "99");
        interval(none, 0);
        assertThat(interval(none, 10_000)).isEqualTo("0.1");
    }

    @Test
    void excessBeyondWhatIsOwedHasThePriceOfItsPolicy() {
        EpochFixture all = tenSlots(PAPER.charging(ChargePolicy.ALL), "1", "99");
        assertThat(interval(all, 10_000)).isEqualTo("1");

        EpochFixture market = tenSlots(PAPER.charging(ChargePolicy.MARKET), "1", "99");
        interval(market, 0);
        // Two tenths are due, b's nine slots too: eight tenths of excess cost 9.2 / 10 of the rate.
        assertThat(interval(market, 10_000)).isEqualTo("0.936");
    }

    @Test
    void whatPreemptedContainersHadUsedIsLost() {
        EpochFixture fixture = tenSlots(PAPER, "50", "50");
        fixture.uses("a", 9, 10).after(10_000).turn();
        fixture.meter.preempted(new long[] {2}, 1_500);
        fixture.meter.preempted(new long[] {1}, -5);
        assertThat(fixture.meter.waste()).isEqualTo(new PreemptionWaste(2, 3_000, 190_000, PreemptionLimit.NONE));
        assertThat(fixture.meter.waste().part()).isEqualTo(3.0 / 190);
    }
}
