// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A cluster of processes with one ResourceManager, which is killed and started again. */
class OneManagerIT {
    @Test
    void itFindsItsNodeAgain() throws Exception {
        try (ProcessCluster cluster =
                ProcessCluster.builder().oneManager().nodes(1, 1024, 1).start()) {
            assertThat(cluster.daemons()).contains("rm1").doesNotContain("rm2");
            cluster.daemon("rm1").kill();
            assertThat(cluster.activeManager()).isNull();
            cluster.startStopped();
            Await.until(
                    "the node to be back",
                    Duration.ofMinutes(1),
                    () -> cluster.metric("activeNodes") == 1,
                    cluster::tails);
        }
    }
}
