// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.apache.hadoop.yarn.api.records.Resource;
import org.heddle.scheduler.snapshot.PendingAsks;
import org.heddle.scheduler.yarn.compat.ResourceVectors;
import org.junit.jupiter.api.Test;

class PendingByLabelTest {
    /** So that a series in a monitoring system ends at 0, and not at what waited last. */
    @Test
    void aLabelForWhichNothingIsAskedAnyMoreHasZeros() {
        PendingByLabel pending = new PendingByLabel(new ResourceVectors());
        pending.add("gpu", 3, Resource.newInstance(1_000, 1));
        pending.add("", 2, Resource.newInstance(500, 2));
        pending.add("gpu", -3, Resource.newInstance(1_000, 1));
        assertThat(pending.report())
                .isEqualTo(Map.of(
                        "gpu", new PendingAsks(0, Map.of("memory-mb", 0L, "vcores", 0L)),
                        "", new PendingAsks(2, Map.of("memory-mb", 1_000L, "vcores", 4L))));
    }
}
