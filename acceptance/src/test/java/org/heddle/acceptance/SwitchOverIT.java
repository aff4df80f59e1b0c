// SPDX-License-Identifier: Apache-2.0
package org.heddle.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** From FairScheduler to ours on a pair of ResourceManagers, one at a time, while a job runs: docs/moving-in.md. */
@Order(10)
@ExtendWith({SharedCluster.Extension.class, KeepLogs.class})
@Tag("long-2")
class SwitchOverIT {
    @Test
    void aRunningJobOutlivesTheSwitchAndTheFileCountsOn(SharedCluster shared) throws Exception {
        Cluster cluster = shared.cluster();
        assertThat(cluster.rest("/ws/v1/cluster/scheduler")
                        .at("/scheduler/schedulerInfo/type")
                        .asText())
                .isEqualTo("fairScheduler");
        try (WaitingJob job = new WaitingJob(cluster, "moved-in", "root.alpha")) {
            JsonNode before = job.awaitRunning();
            // More than one where FairScheduler handed the first container out before the attempt could take it.
            int attempts = attempts(cluster, before);

            cluster.set("yarn.resourcemanager.scheduler.class", SharedCluster.HEDDLE);
            shared.restartStandby();
            shared.failOver();

            JsonNode after = job.awaitRunning();
            assertThat(after.path("id")).isEqualTo(before.path("id"));
            assertThat(after.path("queue").asText()).isEqualTo("root.alpha");
            assertThat(after.path("amHostHttpAddress")).isEqualTo(before.path("amHostHttpAddress"));
            assertThat(attempts(cluster, after)).isEqualTo(attempts);
            theFileStillCounts(cluster);

            // The one that is started next will read a file that says more; it takes over in the next class.
            cluster.rewrite("heddle-scheduler.xml", SharedCluster.HEDDLE_FILE);
            cluster.set(SharedCluster.EXPIRY, SharedCluster.LONG_EXPIRY);
            shared.restartStandby();
            assertThat(job.finish()).contains("completed successfully");
            assertThat(job.result()).contains("WARP").contains("WEFT");
        }
    }

    private static void theFileStillCounts(Cluster cluster) throws Exception {
        JsonNode info = cluster.rest("/ws/v1/cluster/scheduler").at("/scheduler/schedulerInfo");
        assertThat(info.path("type").asText()).isEqualTo("fairScheduler");
        JsonNode alpha = Queues.find(cluster, "root.alpha");
        assertThat(alpha.path("weight").asDouble()).isEqualTo(3.0);
        assertThat(cluster.client("yarn", "queue", "-status", "root.alpha")
                        .as("alice")
                        .run()
                        .orFail()
                        .out())
                .contains("Queue Name : root.alpha")
                .contains("RUNNING");
        assertThat(cluster.client("mapred", "queue", "-list")
                        .as("alice")
                        .run()
                        .orFail()
                        .out())
                .contains("root.alpha")
                .contains("root.beta");
    }

    private static int attempts(Cluster cluster, JsonNode app) throws Exception {
        return cluster.rest("/ws/v1/cluster/apps/" + app.path("id").asText() + "/appattempts")
                .at("/appAttempts/appAttempt")
                .size();
    }
}
