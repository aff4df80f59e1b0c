// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A cluster of 100 units of each of two resources, and a half-life of an hour. */
@Tag("newer-line")
class UsageMemoryTest {
    private static final long HOUR = 3_600_000;
    private static final long[] CAPACITY = {100, 100};
    private static final List<String> PATHS = List.of("a", "b");

    private final UsageMemory memory = new UsageMemory(HOUR, 2, 0);

    private double[] factors(long nowMillis, double... weights) {
        return memory.factors(PATHS, weights, CAPACITY, nowMillis);
    }

    @Test
    void usageHalvesWithEachHalfLife() {
        memory.add("a", new long[] {50, 10}, 0, 1_000);
        assertThat(memory.usage("a", CAPACITY, 500))
                .as("half of the cluster for a second")
                .isCloseTo(500, within(1.0));
        assertThat(memory.usage("a", CAPACITY, 500 + HOUR)).isCloseTo(250, within(1.0));
        assertThat(memory.usage("a", CAPACITY, 500 + 3 * HOUR)).isCloseTo(62.5, within(0.5));
        assertThat(memory.usage("b", CAPACITY, 0)).isZero();
    }

    @Test
    void theDominantResourceCounts() {
        memory.add("a", new long[] {10, 40}, 0, 1_000);
        assertThat(memory.usage("a", CAPACITY, 500)).isCloseTo(400, within(1.0));
    }

    @Test
    void equalUseLeavesTheRatiosOfWeights() {
        assertThat(factors(0, 1, 3)).as("before anything was used").containsExactly(0.5, 0.5);
        memory.add("a", new long[] {10, 0}, 0, HOUR);
        memory.add("b", new long[] {30, 0}, 0, HOUR);
        double[] factors = factors(HOUR, 1, 3);
        assertThat(factors[0]).isCloseTo(0.5, within(1e-9));
        assertThat(factors[1]).isCloseTo(0.5, within(1e-9));
    }

    @Test
    void whoeverUsedAllHasAQuarterOfTheOther() {
        memory.add("a", new long[] {100, 0}, 0, 2 * HOUR);
        double[] factors = factors(2 * HOUR, 1, 1);
        assertThat(factors[0]).isCloseTo(0.25, within(0.01));
        assertThat(factors[1]).isCloseTo(1, within(0.01));
        assertThat(factors(40 * HOUR, 1, 1)[0]).as("it fades").isCloseTo(0.5, within(0.01));
    }

    @Test
    void nobodyStarvesAndAWeightOfZeroStaysZero() {
        for (long hour = 0; hour < 100; hour++) {
            memory.add("a", new long[] {100, 0}, hour * HOUR, (hour + 1) * HOUR);
        }
        assertThat(factors(100 * HOUR, 1, 99)[0]).isEqualTo(1.0 / 16);
        assertThat(factors(100 * HOUR, 0, 1)[0]).isEqualTo(1);
        assertThat(factors(100 * HOUR, 0, 0)).containsExactly(1, 1);
    }

    @Test
    void theFirstSecondsDecideNothing() {
        memory.add("a", new long[] {100, 0}, 0, 100);
        assertThat(factors(100, 1, 1)[0]).isCloseTo(0.5, within(0.02));
    }

    @Test
    void aMemoryOfEarlierTimesIsAdded() {
        UsageMemory earlier = new UsageMemory(HOUR, 2, -5 * HOUR);
        earlier.add("a", 1, 100.0 * HOUR, -HOUR);
        memory.addAll(earlier);
        assertThat(memory.usage("a", CAPACITY, 0)).isCloseTo(HOUR / 2.0, within(1.0));
    }

    @Test
    void yearsPassAndTheUnitsStaySmall() {
        for (long hour = 0; hour < 20_000; hour++) {
            memory.add("a", new long[] {60, 0}, hour * HOUR, (hour + 1) * HOUR);
            memory.tidy(CAPACITY, (hour + 1) * HOUR);
        }
        double steady = 0.6 * HOUR / Math.log(2); // the integral of 0.6 * 2^-t
        assertThat(memory.usage("a", CAPACITY, 20_000 * HOUR)).isCloseTo(steady, within(0.03 * steady));
        memory.tidy(CAPACITY, 20_100 * HOUR);
        assertThat(memory.usage("a", CAPACITY, 20_100 * HOUR)).as("forgotten").isZero();
    }
}
