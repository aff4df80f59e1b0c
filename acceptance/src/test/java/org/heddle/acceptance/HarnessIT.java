// SPDX-License-Identifier: Apache-2.0
package org.heddle.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The harness by itself, under the stock scheduler. */
@ExtendWith(KeepLogs.class)
class HarnessIT {
    @Test
    void aStockClusterRunsAStockJob() throws Exception {
        Instant t0 = Instant.now();
        HadoopHome home = HadoopHome.assemble(HadoopHome.Line.HADOOP_3_5);
        System.out.println("assembled " + Duration.between(t0, Instant.now()));
        try (Cluster cluster = Cluster.builder(home)
                .pair()
                .scheduler("org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler")
                .nodes(1, 4096, 8)
                .node(Map.of("memory-mb", 4096L, "vcores", 8L, "yarn.io/gpu", 2L))
                .start()) {
            System.out.println("up " + Duration.between(t0, Instant.now()));
            Result pi = cluster.client("hadoop", "jar", home.examples(), "pi", 2, 10)
                    .as("alice")
                    .run()
                    .orFail();
            System.out.println("pi " + Duration.between(t0, Instant.now()));
            assertThat(pi.out()).contains("Estimated value of Pi is");
            Result list = cluster.client("yarn", "application", "-list", "-appStates", "ALL")
                    .as("alice")
                    .run();
            assertThat(list.out()).contains("SUCCEEDED");
            System.out.println("list " + Duration.between(t0, Instant.now()) + list);
        }
        System.out.println("down " + Duration.between(t0, Instant.now()));
    }
}
