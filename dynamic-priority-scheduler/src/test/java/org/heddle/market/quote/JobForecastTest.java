// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.quote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Quotes that can be computed by hand. */
@Tag("pure")
class JobForecastTest {
    private static final double HOUR = 3_600_000;
    private static final double MINUTE = 60_000;

    private static MarketConditions steady(double others, double idle, boolean free) {
        PriceSample now = new PriceSample(MINUTE, others, 100, idle);
        return new MarketConditions(now, List.of(now, now, now), HOUR, MINUTE, free);
    }

    @Test
    void theTwoFormulas() {
        // Rate 2 of a price of 10, on 100 slots.
        assertThat(SlotPrice.slots(2, 8, 100)).isEqualTo(20);
        assertThat(SlotPrice.rateFor(20, 8, 100)).isEqualTo(2);
        assertThat(SlotPrice.cost(2, 20, HOUR, HOUR)).isEqualTo(40);
        assertThat(SlotPrice.slots(0, 0, 100)).isZero();
        assertThat(SlotPrice.rateFor(100, 8, 100)).isInfinite();
        // One more slot at 20 slots costs 8 (1/0.8^2 - 1).
        assertThat(SlotPrice.rateAtMarginalCost(8 * (1 / 0.64 - 1), 8)).isCloseTo(2, within(1e-9));
    }

    @Test
    void atSteadyPricesAJobCostsItsWork() {
        // 400 tasks of 90 s: 10 slot-hours, on 20 slots half an hour, and up to one task and one epoch more.
        JobEstimate estimate = JobForecast.at(2, List.of(new Stage(400, 90_000, 0, 1)), 0, steady(8, 0, true));
        assertThat(estimate.cost().least()).isCloseTo(20, within(1e-6));
        assertThat(estimate.cost().most()).isCloseTo(20, within(1e-6));
        assertThat(estimate.millis().least()).isCloseTo(30 * MINUTE, within(1.0));
        assertThat(estimate.millis().most()).isCloseTo(32.5 * MINUTE, within(1.0));
    }

    @Test
    void stagesFollowEachOtherAndIdleSlotsAreFree() {
        List<Stage> stages = List.of(new Stage(10, 60_000, 0, 2), new Stage(1, 600_000, 0, 1));
        JobEstimate paid = JobForecast.at(2, stages, 0, steady(8, 0, true));
        assertThat(paid.millis().least()).isCloseTo(11 * MINUTE, within(1.0));
        // Entitled to 1 of 100 slots, 21 are idle: the first stage pays for one of its 20.
        double rate = SlotPrice.rateFor(1, 8, 100);
        JobEstimate idle = JobForecast.at(rate, stages, 0, steady(8, 21, true));
        assertThat(idle.millis().least()).isCloseTo(11 * MINUTE, within(1.0));
        assertThat(idle.cost().middle()).isCloseTo(rate * 11 / 60, within(1e-9));
        assertThat(JobForecast.at(rate, stages, 0, steady(8, 21, false)).cost().middle())
                .isCloseTo(rate * 30 / 60, within(1e-9));
    }

    @Test
    void theRateForAFinishIsTheSmallestThatIsEnough() {
        List<Stage> stages = List.of(new Stage(400, 90_000, 0.2, 1));
        MarketConditions conditions = steady(8, 0, true);
        double rate = JobForecast.rateFor(HOUR, stages, 0, conditions, 1e6);
        assertThat(JobForecast.at(rate, stages, 0, conditions).millis().most()).isLessThanOrEqualTo(HOUR);
        assertThat(JobForecast.at(rate * 0.98, stages, 0, conditions).millis().most())
                .isGreaterThan(HOUR);
        assertThat(JobForecast.rateFor(80_000, stages, 0, conditions, 1e6)).isInfinite();
    }

    @Test
    void withoutSlotsAJobDoesNotEnd() {
        List<Stage> stages = List.of(new Stage(1, 1_000, 0, 1));
        assertThat(JobForecast.at(0, stages, 0, steady(8, 0, true)).millis().middle())
                .isInfinite();
        // A billionth of a slot would take more than a year.
        assertThat(JobForecast.at(1e-9, List.of(new Stage(1_000, HOUR, 0, 1)), 0, steady(8, 0, true))
                        .millis()
                        .middle())
                .isInfinite();
    }

    @Test
    void pricesThatChangeMakeWideRanges() {
        List<PriceSample> history = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            history.add(new PriceSample(10 * MINUTE, i / 10 % 2 == 0 ? 4 : 16, 100, 0));
        }
        MarketConditions conditions = new MarketConditions(history.get(0), history, HOUR, MINUTE, true);
        JobEstimate estimate = JobForecast.at(2, List.of(new Stage(4_000, 90_000, 0, 1)), 0, conditions);
        assertThat(estimate.millis().least())
                .isLessThan(0.85 * estimate.millis().most());
        assertThat(estimate.cost().least()).isCloseTo(estimate.cost().most(), within(1e-6));
    }

    @Test
    void stagesAreWrittenAndRead() {
        assertThat(Stage.parse("400x90s")).isEqualTo(new Stage(400, 90_000, 0.2, 1));
        assertThat(Stage.parse("20x1.5s~35%@0.25")).isEqualTo(new Stage(20, 1_500, 0.35, 0.25));
        Stage stage = new Stage(7, 1_234, 0.125, 0.333333);
        assertThat(Stage.parse(stage.toString())).isEqualTo(stage);
        assertThatThrownBy(() -> Stage.parse("many")).hasMessageContaining("write TASKSxDURATION, for example 400x90s");
        assertThatThrownBy(() -> Stage.parse("0x90s")).hasMessageContaining("must be more than 0");
    }
}
