// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.outcome;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.LongStream;
import org.heddle.whatif.model.Size;
import org.junit.jupiter.api.Test;

class MeasurementsTest {
    private static final Size CLUSTER = new Size(1_000, 10);

    @Test
    void percentilesAreTheNearestRanks() {
        assertThat(Percentiles.of(LongStream.rangeClosed(1, 200).toArray(), 200))
                .isEqualTo(new Percentiles(200, 100, 100, 198));
        assertThat(Percentiles.of(new long[] {7, 0}, 1)).isEqualTo(new Percentiles(1, 7, 7, 7));
        assertThat(Percentiles.of(new long[0], 0)).isEqualTo(new Percentiles(0, 0, 0, 0));
    }

    /** Half of the memory for 15 s of 20 s, and a tenth of the cores: memory is dominant. */
    @Test
    void sharesAreMeansOfTheLargerResourceInEachInterval() {
        Measurements measurements = new Measurements(0, 10_000, CLUSTER);
        Size half = new Size(500, 1);
        measurements.started("root.a", "alice", half, 5_000);
        measurements.ended("root.a", "alice", half, 20_000);
        measurements.jobEnded("job", "root.a", "alice", 20_000, 20_000);
        Outcome outcome = measurements.outcome("fair", List.of(), List.of(), 99_000);
        assertThat(outcome.makespanMillis()).isEqualTo(20_000);
        assertThat(outcome.utilisation()).containsExactly(0.25, 0.5);
        assertThat(outcome.memoryUsed()).isCloseTo(0.375, within(1e-12));
        assertThat(outcome.vcoresUsed()).isCloseTo(0.075, within(1e-12));
        assertThat(Objects.requireNonNull(outcome.queues().get("root.a")).share())
                .isCloseTo(0.375, within(1e-12));
        assertThat(outcome.shares().get("root.a")).containsExactly(0.25, 0.5);
        assertThat(outcome.jobMillis()).containsExactly(Map.entry("job", 20_000L));
    }

    @Test
    void jainCountsWhereTwoUsersWait() {
        Measurements measurements = new Measurements(0, 1_000, CLUSTER);
        Set<String> both = Set.of("alice", "bob");
        measurements.waited(both, 500); // nobody has anything
        measurements.started("root.a", "alice", new Size(300, 1), 500);
        measurements.waited(both, 1_000); // one of two has all: 0.5
        measurements.waited(Set.of("alice"), 7_000);
        measurements.started("root.a", "bob", new Size(100, 3), 1_500);
        measurements.waited(both, 3_000); // 0.3 of memory and 0.3 of cores: 1
        measurements.jobEnded("job", "root.a", "alice", 1, 9_000);
        assertThat(measurements.outcome("fair", List.of(), List.of(), 0).usersJain())
                .isCloseTo((0.5 * 1_000 + 3_000) / 4_000, within(1e-12));
    }

    @Test
    void manyIntervals() {
        Measurements measurements = new Measurements(0, 1_000, CLUSTER);
        measurements.started("root.a", "alice", CLUSTER, 0);
        measurements.ended("root.a", "alice", CLUSTER, 1_000_000);
        measurements.jobEnded("job", "root.a", "alice", 1, 2_000_000);
        Outcome outcome = measurements.outcome("fair", List.of(), List.of(), 0);
        assertThat(outcome.utilisation()).hasSize(2_000);
        assertThat(outcome.utilisation()[999]).isEqualTo(1);
        assertThat(outcome.utilisation()[1_000]).isZero();
        assertThat(outcome.memoryUsed()).isCloseTo(0.5, within(1e-12));
    }
}
