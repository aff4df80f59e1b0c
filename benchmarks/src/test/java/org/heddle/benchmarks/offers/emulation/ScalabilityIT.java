// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.offers.emulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The experiment with 1,000 nodes and shorter tasks: the frameworks keep the nodes busy. */
@Tag("long-2")
class ScalabilityIT {
    private static final int NODES = 1_000;
    private static final int FRAMEWORKS = 200;
    private static final long TASK_MILLIS = 5_000;
    private static final int SINGLE_TASKS = 50;

    /**
     * Where launches stop, the nodes become idle one after the other. A busy machine keeps more than this part of them
     * busy.
     */
    private static final double LEAST_BUSY = 50;

    /**
     * With one queue the bridge divides it; with a queue for each framework, containers are returned when their leases
     * are over, and YARN divides.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, FRAMEWORKS})
    void launchesGoOn(int queues, @TempDir Path directory) throws Exception {
        Scenario scenario = new Scenario(NODES, FRAMEWORKS, queues, TASK_MILLIS, SINGLE_TASKS);
        assertThat(Scalability.measure(scenario, directory).get(Scalability.BUSY))
                .isGreaterThan(LEAST_BUSY);
    }
}
