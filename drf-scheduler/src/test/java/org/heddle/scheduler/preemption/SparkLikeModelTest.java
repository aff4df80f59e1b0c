// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.preemption;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * No sequence of preemptions brings anybody below its entitlement, what ends with a master included; in either order of
 * victims.
 */
@Tag("pure")
class SparkLikeModelTest {
    private static final int CLUSTERS = 50;
    private static final int ROUNDS_EACH = 200;

    @Test
    void tenThousandRoundsTakeFromNobodyWhatItIsEntitledTo() {
        long preempted = 0;
        long masters = 0;
        for (long seed = 0; seed < CLUSTERS; seed++) {
            SparkLikeModel model = new SparkLikeModel(seed, seed % 2 == 1);
            for (int round = 0; round < ROUNDS_EACH; round++) {
                model.round();
            }
            preempted += model.preempted;
            masters += model.masters;
        }
        assertThat(preempted).as("containers preempted").isGreaterThan(2_000);
        assertThat(masters).as("masters among them").isGreaterThan(10);
    }
}
