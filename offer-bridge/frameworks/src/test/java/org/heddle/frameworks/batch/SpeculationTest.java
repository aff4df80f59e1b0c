// SPDX-License-Identifier: Apache-2.0
package org.heddle.frameworks.batch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SpeculationTest {
    private final Job job = Job.of("1", new JobSpec("n", "true", 4, 1, 256, 600, true, "", true), 0);
    private final Speculation speculation = new Speculation();

    @Test
    void theElementThatTakesLongerThanTheOthersRunsTwiceOnce() {
        for (int i = 0; i < 4; i++) {
            speculation.started(job, i, "t" + i, "agent" + i, 0);
        }
        assertThat(speculation.late(job, 5_000)).isEmpty();
        for (int i = 0; i < 3; i++) {
            speculation.ended("1", "t" + i, true, 10_000);
        }
        assertThat(speculation.late(job, 11_000))
                .as("not much later than the others")
                .isEmpty();
        assertThat(speculation.late(job, 30_000)).containsExactly(3);
        assertThat(speculation.late(job, 31_000)).as("once").isEmpty();
        speculation.started(job, 3, "backup", "agent0", 31_000);
        speculation.ended("1", "backup", true, 41_000);
        assertThat(speculation.late(job, 60_000)).isEmpty();
    }

    @Test
    void anUnknownJobHasNoLateElements() {
        assertThat(speculation.late(job, 1)).isEmpty();
    }
}
