// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.drf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import org.heddle.demos.drf.Scenario.Tenant;
import org.junit.jupiter.api.Test;

class ScenarioTest {
    private final Scenario scenario = Scenario.standard(Scenario.STANDARD_WORKERS);

    @Test
    void fairSharesFollowWeights() {
        Map<String, Double> fair = scenario.fairShares();
        double alice = fair.getOrDefault("alice", 0.0);
        double bob = fair.getOrDefault("bob", 0.0);
        assertThat(alice).isCloseTo(2 * bob, within(1e-6));
        // Memory is what runs out; all of it is held.
        double memory = scenario.tenants().stream()
                .mapToDouble(tenant -> fair.getOrDefault(tenant.user(), 0.0) * memoryPerShare(tenant))
                .sum();
        assertThat(memory).isCloseTo(1, within(1e-6));
    }

    @Test
    void oneTaskIsSmallAgainstWhatIsJudged() {
        for (Tenant tenant : scenario.tenants()) {
            assertThat((double) tenant.taskMemoryMb() / scenario.memoryMb()).isLessThan(0.03);
            assertThat((double) tenant.taskVcores() / scenario.vcores()).isLessThan(0.03);
            assertThat(scenario.workerMemoryMb() % tenant.taskMemoryMb()).isZero();
            assertThat(tenant.taskMemoryMb()).isGreaterThan(scenario.mastersPerFront() * scenario.masterMemoryMb());
        }
    }

    private double memoryPerShare(Tenant tenant) {
        double memory = (double) tenant.taskMemoryMb() / scenario.memoryMb();
        double vcores = (double) tenant.taskVcores() / scenario.vcores();
        return memory / Math.max(memory, vcores);
    }
}
