// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.compat;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("pure")
class ResourceAmountsTest {
    @Test
    void isAMapInTheOrderOfNamesThatNoLaterChangeOfTheVectorChanges() {
        long[] vector = {4_096, 2, 1};
        Map<String, Long> amounts = new ResourceAmounts(
                new ResourceAmounts.Names(List.of("memory-mb", "vcores", "example.org/fpga")), vector);
        vector[0] = 0;
        assertThat(amounts)
                .isEqualTo(Map.of("memory-mb", 4_096L, "vcores", 2L, "example.org/fpga", 1L))
                .hasSize(3)
                .doesNotContainKey("memory");
        assertThat(amounts.keySet()).containsExactly("example.org/fpga", "memory-mb", "vcores");
        assertThat(amounts.get("vcores")).isEqualTo(2);
        assertThat(amounts.get("memory")).isNull();
    }
}
