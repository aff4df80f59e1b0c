// SPDX-License-Identifier: Apache-2.0
package org.heddle.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The same archive on Hadoop 3.4: install, start with the one property, run a job with LATE, uninstall. */
@Order(95)
@ExtendWith(KeepLogs.class)
class OlderLineIT {
    @Test
    void oneArchiveServesTheOlderLineToo() throws Exception {
        Distribution distribution = Distribution.unpack();
        HadoopHome home = HadoopHome.assemble(HadoopHome.Line.HADOOP_3_4);
        List<String> before = SourceTree.list(home.path());
        distribution.install(home, "drf", "late");
        try (Cluster cluster = Cluster.builder(home)
                .withoutHistoryServer()
                .scheduler(SharedCluster.HEDDLE)
                .property("yarn.app.mapreduce.am.job.speculator.class", "org.heddle.late.mr.LateSpeculator")
                .nodes(1, 4096, 8)
                .start()) {
            assertThat(cluster.rest("/ws/v1/cluster/info")
                            .at("/clusterInfo/resourceManagerVersion")
                            .asText())
                    .startsWith("3.4.");
            CommandResult pi = cluster.client("hadoop", "jar", home.examples(), "pi", "1", "10")
                    .as("alice")
                    .run()
                    .orFail();
            assertThat(pi.out()).contains("Estimated value of Pi is");
            JsonNode app = cluster.rest("/ws/v1/cluster/apps").at("/apps/app/0");
            assertThat(app.path("finalStatus").asText()).isEqualTo("SUCCEEDED");
            assertThat(app.path("queue").asText()).isEqualTo("root.default");
        }
        distribution.uninstall(home);
        assertThat(SourceTree.list(home.path())).isEqualTo(before);
    }
}
