// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.sls;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.heddle.benchmarks.experiment.Run;
import org.heddle.benchmarks.experiment.Scale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hadoop's own simulator comes to its end with our scheduler, and all of its jobs have ended. */
@Tag("long-3")
class SlsIT {
    @TempDir
    private Path scratch;

    @Test
    void allJobsEnd() throws Exception {
        Run run = new Run(Scale.QUICK, List.of(1L), Path.of("..").toRealPath(), scratch, ignored -> {});
        SimulationFiles result =
                SlsExperiment.simulate(run, SimulatedScheduler.HEDDLE, new SyntheticTrace(20, 6, 20, 1, 1));
        assertThat(result.jobs()).isEqualTo(6);
        assertThat(result.lastSeconds()).isPositive();
    }
}
