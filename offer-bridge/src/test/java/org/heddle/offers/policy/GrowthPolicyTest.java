// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.heddle.offers.model.Resources;
import org.heddle.offers.policy.GrowthPolicy.Verdict;
import org.heddle.offers.policy.GrowthPolicy.View;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A container of 1 core and 256 MiB, of a framework that wants 1 core and 256 MiB more. First containers have 2 and
 * 1024.
 */
class GrowthPolicyTest {
    private static final Resources SMALL = Resources.of(1000, 256);

    private static View view(Resources total, Resources step, Resources free) {
        return new View(true, true, false, false, total, step, Resources.of(2000, 1024), () -> free);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                //                    | support | running | resizing | leaves | verdict
                "it can grow          | true    | true    | false    | false  | GROW",
                "under FairScheduler  | false   | true    | false    | false  | UNSUPPORTED",
                "no agent             | true    | false   | false    | false  | NOT_RUNNING",
                "a request is out     | true    | true    | true     | false  | RESIZING",
                "it drains            | true    | true    | false    | true   | LEAVES",
            })
    void aContainerGrowsWhereItCan(
            String when, boolean supported, boolean running, boolean resizing, boolean leaves, Verdict verdict) {
        assertThat(GrowthPolicy.decide(new View(
                        supported,
                        running,
                        resizing,
                        leaves,
                        SMALL,
                        SMALL,
                        Resources.of(2000, 1024),
                        () -> Resources.of(8000, 4096))))
                .isEqualTo(verdict);
    }

    @ParameterizedTest(name = "{0} milli-cpus, {1} MiB; free {2}, {3}")
    @CsvSource({
        "1000, 256, 1000, 256, GROW",
        "1000, 256, 999, 256, NO_ROOM",
        "1000, 256, 1000, 255, NO_ROOM",
        "1000, 768, 8000, 4096, GROW",
        "1000, 769, 8000, 4096, LARGE",
        "2000, 256, 8000, 4096, LARGE",
    })
    void sizes(long cpus, long mem, long freeCpus, long freeMem, Verdict verdict) {
        assertThat(GrowthPolicy.decide(view(Resources.of(cpus, mem), SMALL, Resources.of(freeCpus, freeMem))))
                .isEqualTo(verdict);
    }

    @Test
    void gpusStayAsTheyAre() {
        Resources much = Resources.of(8000, 4096).withGpus(4);
        assertThat(GrowthPolicy.decide(view(SMALL, SMALL.withGpus(1), much))).isEqualTo(Verdict.GPUS);
        assertThat(GrowthPolicy.decide(view(SMALL.withGpus(1), SMALL, much))).isEqualTo(Verdict.GPUS);
    }

    @Test
    void coresAreWhole() {
        View view = view(SMALL, Resources.of(100, 100), Resources.of(8000, 4096));
        assertThat(GrowthPolicy.grown(view)).isEqualTo(Resources.of(2000, 356));
    }
}
