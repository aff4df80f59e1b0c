// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.epoch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.heddle.market.TestTerms;
import org.heddle.market.model.amount.Credits;
import org.heddle.market.model.amount.SpendingRate;
import org.heddle.market.model.terms.ChargePolicy;
import org.heddle.market.model.terms.MarketTerms;
import org.heddle.market.policy.Bid;
import org.heddle.market.policy.Bill;
import org.heddle.market.policy.Division;
import org.heddle.market.policy.Entitlements;
import org.heddle.market.policy.IncomeSplit;
import org.heddle.market.policy.SlotTime;
import org.heddle.market.policy.WholeSlots;
import org.junit.jupiter.api.Test;

/** Numbers of the paper and numbers computed by hand from its rules, exact to the nano-credit. */
class WorkedExamplesTest {
    private static final TestTerms PAPER = TestTerms.PAPER;

    /** Whole slots of queues q001, q002, ... with these rates and plenty of money. */
    private static List<Long> wholeSlots(long slots, String... rates) {
        List<String> names = names(rates.length);
        return Arrays.stream(WholeSlots.of(names, divide(slots, rates), slots * 1_000_000_000L))
                .boxed()
                .toList();
    }

    private static Division divide(long slots, String... rates) {
        List<Bid> bids = new ArrayList<>();
        for (String name : names(rates.length)) {
            long rate = SpendingRate.parse(rates[bids.size()]).nanos();
            bids.add(new Bid(name, rate, Credits.of(1_000_000).nanos(), true, 0));
        }
        return Entitlements.divide(bids, slots * 1_000_000_000L, PAPER.get());
    }

    private static List<String> names(int count) {
        List<String> names = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            names.add("q%03d".formatted(i));
        }
        return names;
    }

    /** Rates 1, 2, 3, ... of a unit in thousandths. */
    private static String[] ladder(int count, int thousandths) {
        String[] rates = new String[count];
        Arrays.setAll(rates, i -> new SpendingRate((i + 1L) * thousandths * 1_000_000L).toString());
        return rates;
    }

    @Test
    void figureOneOfThePaper() {
        Division division = divide(15, "4", "1.5", "2");
        assertThat(division.priceRate()).hasToString("7.5");
        assertThat(wholeSlots(15, "4", "1.5", "2")).containsExactly(8L, 3L, 4L);
        assertThat(division.share(0).toFraction()).isEqualTo("8/15");

        EpochFixture fixture = new EpochFixture(PAPER.get(), 15)
                .queue("alice", "4", "100")
                .queue("bob", "1.5", "100")
                .queue("sam", "2", "100")
                .uses("alice", 99, 0)
                .uses("bob", 99, 0)
                .uses("sam", 99, 0);
        fixture.turn();
        fixture.uses("alice", 99, 8).uses("bob", 99, 3).uses("sam", 99, 4).after(10_000);
        ClosedEpoch closed = fixture.turn();
        assertThat(EpochFixture.charged(closed, "alice")).isEqualTo("32");
        assertThat(EpochFixture.charged(closed, "bob")).isEqualTo("4.5");
        assertThat(EpochFixture.charged(closed, "sam")).isEqualTo("8");
    }

    @Test
    void twiceTheRateCostsFourTimesAsMuch() {
        EpochFixture fixture = new EpochFixture(PAPER.get(), 30)
                .queue("a", "2", "1000")
                .queue("b", "1", "1000")
                .uses("a", 99, 0)
                .uses("b", 99, 0);
        fixture.turn();
        assertThat(fixture.entitled("a")).isEqualTo("20");
        assertThat(fixture.entitled("b")).isEqualTo("10");
        fixture.uses("a", 99, 20).uses("b", 99, 10).after(10_000);
        ClosedEpoch closed = fixture.turn();
        assertThat(EpochFixture.charged(closed, "a")).isEqualTo("40");
        assertThat(EpochFixture.charged(closed, "b")).isEqualTo("10");
    }

    @Test
    void tenQueuesAreNFiftyFifths() {
        Division division = divide(55, ladder(10, 1_000));
        for (int n = 1; n <= 10; n++) {
            assertThat(division.share(n - 1).amount() * 55)
                    .isEqualTo(n * division.share(n - 1).whole());
        }
        assertThat(wholeSlots(55, ladder(10, 1_000))).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L);
        assertThat(wholeSlots(120, ladder(10, 1_000))).containsExactly(2L, 4L, 7L, 9L, 11L, 13L, 15L, 17L, 20L, 22L);
    }

    @Test
    void eightyQueuesAreNOutOf3240WithTheDigitsOfFigureTwo() {
        Division division = divide(423, ladder(80, 1));
        assertThat(division.priceRate()).hasToString("3.24");
        for (int n = 1; n <= 80; n++) {
            assertThat(division.share(n - 1).amount() * 3_240)
                    .isEqualTo(n * division.share(n - 1).whole());
        }
        assertThat(division.share(0)).hasToString("0.0003086419753");
        assertThat(division.share(9)).hasToString("0.003086419753");
        assertThat(division.share(10)).hasToString("0.003395061728");

        List<Long> of423 = wholeSlots(423, ladder(80, 1));
        assertThat(of423.stream().mapToLong(Long::longValue).sum()).isEqualTo(423);
        assertThat(of423.stream().distinct()).hasSize(11);
        assertThat(of423.stream().filter(slots -> slots == 0)).hasSize(3);
        List<Long> of120 = wholeSlots(120, ladder(80, 1));
        assertThat(of120.stream().distinct()).hasSize(4);
        assertThat(of120.stream().filter(slots -> slots == 0)).hasSize(13);
    }

    @Test
    void aBoostByFourAmongTenIsFourThirteenths() {
        Division division = divide(13, "4", "1", "1", "1", "1", "1", "1", "1", "1", "1");
        assertThat(division.share(0).toFraction()).isEqualTo("4/13");
        assertThat(division.share(1).toFraction()).isEqualTo("1/13");
    }

    @Test
    void twoResourcesAreChargedByTheDominantOne() {
        // Both saturated: 80 tasks of (1 cpu, 1 GB), 20 of (1 cpu, 16 GB).
        EpochFixture fixture = new EpochFixture(PAPER.get(), new long[] {1, 4}, 100, 400)
                .queue("x", "1", "10000")
                .queue("y", "1", "10000")
                .uses("x", 9, 0, 0)
                .uses("y", 9, 0, 0);
        fixture.turn();
        fixture.uses("x", 9, 80, 80).uses("y", 9, 20, 320);
        assertThat(fixture.meter.queue("x", 0).usedNanos()).isEqualTo(80_000_000_000L);
        assertThat(fixture.meter.queue("y", 0).usedNanos()).isEqualTo(80_000_000_000L);
        ClosedEpoch closed = fixture.after(10_000).turn();
        assertThat(EpochFixture.charged(closed, "x")).isEqualTo("50");
        assertThat(EpochFixture.charged(closed, "y")).isEqualTo("50");
        assertThat(closed.bills().get(0).slotMillis()).isEqualTo(500_000);

        EpochFixture all = new EpochFixture(PAPER.charging(ChargePolicy.ALL).get(), new long[] {1, 4}, 100, 400)
                .queue("x", "1", "10000")
                .queue("y", "1", "10000")
                .uses("x", 9, 80, 80)
                .uses("y", 9, 20, 320);
        all.turn();
        closed = all.after(10_000).turn();
        assertThat(EpochFixture.charged(closed, "x")).isEqualTo("80");
        assertThat(EpochFixture.charged(closed, "y")).isEqualTo("80");
    }

    @Test
    void threeToOneOnTwoResourcesPaysWhatItIsEntitledTo() {
        // y = 100 / 13 tasks, x = 12 y, in thirteenths so that they are whole: C = (1300 cpu, 5200 GB), c = 100.
        EpochFixture fixture = new EpochFixture(PAPER.get(), new long[] {13, 52}, 1_300, 5_200)
                .queue("x", "3", "10000")
                .queue("y", "1", "10000")
                .uses("x", 0, 1_200, 1_200)
                .uses("y", 0, 100, 1_600);
        fixture.turn();
        assertThat(fixture.meter.queue("x", 0).usedNanos()).isEqualTo(92_307_692_307L);
        assertThat(fixture.meter.queue("y", 0).usedNanos()).isEqualTo(30_769_230_769L);
        ClosedEpoch closed = fixture.after(10_000).turn();
        assertThat(closed.bills().get(0).slotMillis()).isEqualTo(750_000);
        assertThat(closed.bills().get(1).slotMillis()).isEqualTo(250_000);
        assertThat(EpochFixture.charged(closed, "x")).isEqualTo("225");
        assertThat(EpochFixture.charged(closed, "y")).isEqualTo("25");
    }

    @Test
    void aLateTickIsChargedAsLongAsItTook() {
        EpochFixture fixture =
                new EpochFixture(PAPER.get(), 3).queue("a", "0.5", "100").uses("a", 0, 3);
        fixture.turn();
        ClosedEpoch closed = fixture.after(37_000).turn();
        assertThat(EpochFixture.charged(closed, "a")).isEqualTo("5.55");
        assertThat(fixture.balance("a")).isEqualTo("94.45");
    }

    @Test
    void aNewRateCountsFromTheNextIntervalOn() {
        EpochFixture fixture = new EpochFixture(PAPER.get(), 10)
                .queue("a", "2", "1000")
                .queue("b", "2", "1000")
                .uses("a", 9, 5)
                .uses("b", 9, 5);
        fixture.turn();
        fixture.after(3_000).rate("a", "5");
        assertThat(fixture.entitled("a")).isEqualTo("5");
        ClosedEpoch k = fixture.after(7_000).turn();
        assertThat(EpochFixture.charged(k, "a")).isEqualTo("10");
        assertThat(fixture.meter.division().share(0).toFraction()).isEqualTo("5/7");
        ClosedEpoch next = fixture.after(10_000).turn();
        assertThat(EpochFixture.charged(next, "a")).isEqualTo("25");
    }

    @Test
    void excessIsChargedOrNot() {
        assertThat(excess(ChargePolicy.NONE)).isEqualTo("5 2");
        assertThat(excess(ChargePolicy.ALL)).isEqualTo("8 2");
        // Seven of ten slots were used within entitlements: three slots of excess cost seven tenths of the rate.
        assertThat(excess(ChargePolicy.MARKET)).isEqualTo("7.1 2");
    }

    private static String excess(ChargePolicy policy) {
        EpochFixture fixture = new EpochFixture(PAPER.charging(policy).get(), 10)
                .queue("a", "1", "100")
                .queue("b", "1", "100")
                .uses("a", 9, 8)
                .uses("b", 0, 2);
        fixture.turn();
        ClosedEpoch closed = fixture.after(10_000).turn();
        return EpochFixture.charged(closed, "a") + " " + EpochFixture.charged(closed, "b");
    }

    @Test
    void aMillionSmallChargesAreExact() {
        long balance = Credits.of(10_000).nanos();
        long rate = SpendingRate.parse("0.0003").nanos();
        SlotTime slotForAnInterval = new SlotTime();
        slotForAnInterval.add(1_000_000_000L, 20_000);
        long carried = 0;
        for (int i = 0; i < 1_000_000; i++) {
            Bill bill = Bill.of(rate, slotForAnInterval, 20_000, carried);
            balance -= bill.nanos();
            carried = bill.remainder();
        }
        assertThat(new Credits(balance)).hasToString("9700");
    }

    @Test
    void incomeIsDividedWithoutLoss() {
        Map<String, Long> weights = Map.of("a", 3L, "b", 3L, "c", 1L);
        long hourly = Credits.of(200).nanos();
        for (int hours : new int[] {23, 24, 25}) {
            long paid = 0;
            for (int hour = 0; hour < hours; hour++) {
                paid += IncomeSplit.divide(hourly, weights).values().stream()
                        .mapToLong(Long::longValue)
                        .sum();
            }
            assertThat(new Credits(paid)).isEqualTo(Credits.of(200L * hours));
        }
        assertThat(IncomeSplit.divide(10, weights)).isEqualTo(Map.of("a", 4L, "b", 4L, "c", 2L));
    }

    @Test
    void nobodyWithCreditMeansNoPriceAndNoCharge() {
        EpochFixture fixture = new EpochFixture(PAPER.get(), 10)
                .queue("a", "5", "0")
                .queue("b", "0", "100")
                .uses("a", 9, 5)
                .uses("b", 9, 5);
        fixture.turn();
        assertThat(fixture.meter.division().price()).isZero();
        ClosedEpoch closed = fixture.after(10_000).turn();
        assertThat(closed.bills()).isEmpty();
        assertThat(closed.price()).isZero();
        fixture.pay("a", "1").after(10_000).turn();
        assertThat(fixture.meter.division().priceRate()).hasToString("5");
    }

    // ---- the tests of the code of 2009, whose tolerance was a tenth of a credit ----

    private static final MarketTerms LEGACY = TestTerms.paper("test", 20_000);

    @Test
    void legacyAllocation() {
        EpochFixture fixture = new EpochFixture(LEGACY, 30)
                .queue("a", "1", "100")
                .queue("b", "2", "100")
                .uses("a", 9, 2)
                .uses("b", 9, 3);
        fixture.turn();
        fixture.after(20_000).turn();
        assertThat(fixture.balance("a")).isEqualTo("98");
        assertThat(fixture.balance("b")).isEqualTo("94");
        assertThat(fixture.meter.division().share(0).toFraction()).isEqualTo("1/3");
        assertThat(fixture.meter.division().share(1).toFraction()).isEqualTo("2/3");
    }

    @Test
    void legacyUsageAboveTheQuotaIsFree() {
        EpochFixture fixture = new EpochFixture(LEGACY, 99)
                .queue("a", "1", "1000")
                .queue("b", "1", "1000")
                .rate("b", "2")
                .uses("a", 9, 10)
                .uses("b", 9, 89);
        fixture.turn();
        ClosedEpoch closed = fixture.after(20_000).turn();
        assertThat(EpochFixture.charged(closed, "a")).isEqualTo("10");
        assertThat(EpochFixture.charged(closed, "b")).isEqualTo("132");
        // The old test's figures: 67 of 90 slots, at rate 2.
        assertThat(Credits.of(1_000).minus(Credits.of(67 * 2))).hasToString("866");
        assertThat(wholeSlots(100, "1", "2")).containsExactly(33L, 67L);
        assertThat(wholeSlots(10, "1", "2")).containsExactly(3L, 7L);
    }

    @Test
    void legacyBudgetsAreAddedAndSpendingChanges() {
        EpochFixture fixture = new EpochFixture(LEGACY, 10)
                .queue("a", "1", "100")
                .queue("b", "2", "200")
                .uses("a", 0, 0)
                .uses("b", 0, 0);
        fixture.turn();
        fixture.after(20_000).turn();
        assertThat(fixture.balance("a")).isEqualTo("100");
        assertThat(fixture.balance("b")).isEqualTo("200");
        fixture.pay("a", "200").pay("b", "300");
        assertThat(fixture.balance("a")).isEqualTo("300");
        assertThat(fixture.balance("b")).isEqualTo("500");
        fixture.uses("a", 1, 1).uses("b", 1, 1).turn();
        assertThat(fixture.meter.division().share(0).toFraction()).isEqualTo("1/3");
        fixture.rate("a", "5").rate("b", "1").turn();
        assertThat(fixture.meter.division().share(0).toFraction()).isEqualTo("5/6");
        assertThat(fixture.meter.division().share(1).toFraction()).isEqualTo("1/6");
    }

    @Test
    void theLastCreditsBuyAPartOfTheSlots() {
        EpochFixture fractional = exhausted();
        assertThat(fractional.balance("a")).isEqualTo("10");
        assertThat(fractional.entitled("a")).isEqualTo("5");
        assertThat(fractional.entitled("b")).isEqualTo("25");
        fractional.uses("a", 9, 5).uses("b", 9, 25).after(10_000).turn();
        assertThat(fractional.balance("a")).isEqualTo("0");
        assertThat(fractional.entitled("a")).isEqualTo("0");
        assertThat(fractional.entitled("b")).isEqualTo("30");
    }

    private static EpochFixture exhausted() {
        EpochFixture fixture = new EpochFixture(PAPER.get(), 30)
                .queue("a", "2", "1010")
                .queue("b", "1", "10000")
                .uses("a", 9, 20)
                .uses("b", 9, 10);
        fixture.turn();
        for (int i = 0; i < 25; i++) {
            fixture.after(10_000).turn();
        }
        return fixture;
    }

    @Test
    void whatCannotBePaidIsWaived() {
        EpochFixture fixture = new EpochFixture(PAPER.charging(ChargePolicy.ALL).get(), 10)
                .queue("a", "1", "7")
                .uses("a", 9, 0);
        fixture.turn();
        fixture.uses("a", 9, 10).after(10_000);
        ClosedEpoch closed = fixture.turn();
        assertThat(closed.bills().get(0).chargeNanos()).isEqualTo(Credits.of(7).nanos());
        assertThat(closed.bills().get(0).waiverNanos()).isEqualTo(Credits.of(3).nanos());
        assertThat(fixture.balance("a")).isEqualTo("0");
    }
}
