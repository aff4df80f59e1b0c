// SPDX-License-Identifier: Apache-2.0
package org.heddle.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Out again: FairScheduler comes back while a job runs, with its file as it was: docs/moving-in.md. */
@Order(50)
@ExtendWith({SharedCluster.Extension.class, KeepLogs.class})
@Tag("long-2")
class SwitchBackIT {
    @Test
    void aRunningJobOutlivesTheWayBack(SharedCluster shared) throws Exception {
        Cluster cluster = shared.cluster();
        try (WaitingJob job = new WaitingJob(cluster, "moved-out", "root.alpha")) {
            JsonNode before = job.awaitRunning();

            cluster.remove("heddle-scheduler.xml");
            cluster.set("yarn.resourcemanager.scheduler.class", SharedCluster.FAIR);
            cluster.set(SharedCluster.EXPIRY, SharedCluster.FAIR_EXPIRY);
            shared.restartStandby();
            shared.failOver();

            JsonNode after = job.awaitRunning();
            assertThat(after.path("id")).isEqualTo(before.path("id"));
            assertThat(after.path("amHostHttpAddress")).isEqualTo(before.path("amHostHttpAddress"));
            assertThat(cluster.rest("/ws/v1/cluster/scheduler")
                            .at("/scheduler/schedulerInfo/type")
                            .asText())
                    .isEqualTo("fairScheduler");
            assertThat(job.finish()).contains("completed successfully");
            assertThat(job.result()).contains("WARP").contains("WEFT");
        }
    }
}
