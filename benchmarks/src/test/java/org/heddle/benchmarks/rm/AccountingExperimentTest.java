// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.rm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.heddle.benchmarks.experiment.Row;
import org.junit.jupiter.api.Test;

class AccountingExperimentTest {
    @Test
    void whatAccountingCostPrintsIsRead() {
        Row row = AccountingExperiment.alone(
                List.of("accounting 80 ns, round 6.00 ms, longest 9.50 ms, 512 bytes of heap, 190 bytes of disk"), 16);
        assertThat(row.median("a container that ends, ns")).isEqualTo(80);
        assertThat(row.median("of a container, %")).isCloseTo(0.5, within(1e-9));
        assertThat(row.median("of a minute, %")).isCloseTo(0.01, within(1e-9));
        assertThat(row.median("heap, bytes an application")).isEqualTo(512);
    }

    @Test
    void aProgramThatPrintsSomethingElseIsAnError() {
        assertThatThrownBy(() -> AccountingExperiment.alone(List.of("nothing"), 16))
                .hasMessageContaining("[nothing]");
    }
}
