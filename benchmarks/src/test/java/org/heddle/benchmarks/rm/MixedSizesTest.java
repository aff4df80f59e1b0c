// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.rm;

import static org.assertj.core.api.Assertions.assertThat;

import org.heddle.benchmarks.experiment.Spread;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Users whose containers have different sizes share a full cluster evenly, hardly anything of it is idle, and a large
 * container waits for at most two median run times.
 */
@Tag("long-2")
class MixedSizesTest {
    private static final long CONTAINERS = 10_000;

    @ParameterizedTest
    @ValueSource(strings = {"small-shapes", "small-halves"})
    void thePoorestUserHasNearlyTheMean(String size) throws Exception {
        try (DrivenManager driven = new DrivenManager(Contestant.HEDDLE, Workload.named(size, 7))) {
            driven.warmUp(CONTAINERS);
            Standing standing = driven.standing();
            assertThat(standing.leastToMean()).isGreaterThan(0.95);
            assertThat(standing.coresInUse()).isGreaterThan(0.985);
        }
    }

    @Test
    void aLargeContainerDoesNotWaitForLong() throws Exception {
        try (DrivenManager driven = new DrivenManager(Contestant.HEDDLE, Workload.named("small-halves", 7))) {
            driven.warmUp(CONTAINERS);
            assertThat(Spread.of(driven.waitsOfVisitor(5)).most()).isLessThanOrEqualTo(2);
        }
    }
}
