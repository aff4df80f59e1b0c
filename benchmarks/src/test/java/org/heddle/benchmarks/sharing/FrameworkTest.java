// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.sharing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.heddle.benchmarks.sharing.Framework.MAP_REDUCE;
import static org.heddle.benchmarks.sharing.Framework.MPI;
import static org.heddle.benchmarks.sharing.Framework.SPARK;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FrameworkTest {
    private static final double THIRD = 1.0 / 3;

    private static void assertFair(Set<Framework> present, Map<Framework, Double> expected) {
        Map<Framework, Double> shares = Framework.fairShares(present);
        assertThat(shares).containsOnlyKeys(expected.keySet());
        expected.forEach((framework, share) ->
                assertThat(shares.get(framework)).as(framework.title()).isCloseTo(share, within(1e-9)));
    }

    @Test
    void frameworksHaveEqualPartsAndMpiUsesAThirdAtMost() {
        assertFair(Set.of(), Map.of());
        assertFair(Set.of(SPARK), Map.of(SPARK, 1.0));
        assertFair(Set.of(MPI), Map.of(MPI, THIRD));
        assertFair(Set.of(SPARK, MAP_REDUCE), Map.of(SPARK, 0.5, MAP_REDUCE, 0.5));
        assertFair(Set.of(MAP_REDUCE, MPI), Map.of(MAP_REDUCE, 2 * THIRD, MPI, THIRD));
        assertFair(Set.of(SPARK, MAP_REDUCE, MPI), Map.of(SPARK, THIRD, MAP_REDUCE, THIRD, MPI, THIRD));
    }
}
