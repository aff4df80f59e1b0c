// SPDX-License-Identifier: Apache-2.0
package org.heddle.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * From an older archive to this one, by its install command and a restart, while a job runs; and back. {@code
 * -Dheddle.upgrade.from=ARCHIVE} names the older one. Without it this one replaces itself, which shows the steps only.
 */
@Order(94)
@ExtendWith(KeepLogs.class)
@Tag("long-1")
class UpgradeIT {
    private static final String FILE = "<heddle-scheduler version=\"1\"><queue name=\"root\"><queue name=\"default\"/>"
            + "<queue name=\"etl\"><weight>2</weight></queue></queue></heddle-scheduler>";

    @Test
    void aRunningJobItsQueueAndTheUsageOutliveTheUpgradeAndTheWayBack() throws Exception {
        Path older = Path.of(
                System.getProperty("heddle.upgrade.from", Distribution.archive().toString()));
        Distribution before = Distribution.unpack(older, SourceTree.newDirectory("older"));
        Distribution now = Distribution.unpack();
        HadoopHome home = HadoopHome.assemble(HadoopHome.Line.HADOOP_3_5);
        List<String> without = SourceTree.list(home.path());
        before.install(home, "drf");
        try (Cluster cluster = Cluster.builder(home)
                        .withoutHistoryServer()
                        .scheduler(SharedCluster.HEDDLE)
                        .property("yarn.resourcemanager.recovery.enabled", "true")
                        .property("yarn.resourcemanager.fs.state-store.uri", "/rmstore")
                        .property("yarn.scheduler.heddle.usage.directory", "hdfs:///heddle/usage")
                        .file("heddle-scheduler.xml", FILE)
                        .nodes(1, 4096, 8)
                        .start();
                WaitingJob job = new WaitingJob(cluster, "upgraded", "root.etl")) {
            JsonNode first = job.awaitRunning();
            for (Distribution next : List.of(now, before, now)) {
                cluster.daemon("rm1").stop();
                next.install(home, "drf");
                cluster.daemon("rm1").start();
                cluster.awaitReady();
                JsonNode after = job.awaitRunning();
                for (String field : List.of("id", "queue", "amHostHttpAddress", "startedTime")) {
                    assertThat(after.path(field)).as(field).isEqualTo(first.path(field));
                }
                assertThat(Queues.find(cluster, "root.etl").path("weight").asDouble())
                        .isEqualTo(2.0);
            }
            assertThat(job.finish()).contains("completed successfully");
            CommandResult usage = cluster.command(now.command("heddle"), "report", "usage", "--by", "queue", "--csv")
                    .run()
                    .orFail();
            assertThat(usage.out()).contains("root.etl");
        }
        now.uninstall(home);
        assertThat(SourceTree.list(home.path())).isEqualTo(without);
    }
}
