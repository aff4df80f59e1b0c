// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProcessorTimeTest {
    @Test
    void endedChildrenCount() {
        String stat = "4711 (a (strange) name) S 1 4711 4711 0 -1 4194304 100 200 0 0 150 50 3000 800 20 0 30 0 12345";
        assertThat(ProcessorTime.parse(stat)).isEqualTo(40);
    }
}
