// SPDX-License-Identifier: Apache-2.0
package org.heddle.engines;

import static org.assertj.core.api.Assertions.assertThat;

import org.heddle.acceptance.Cluster;
import org.heddle.acceptance.CommandResult;
import org.heddle.acceptance.Daemon;
import org.heddle.acceptance.KeepLogs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Spark fills the cluster, DistributedShell comes and gets its half by preemption, and Spark's result is right. */
@ExtendWith(KeepLogs.class)
class PreemptionIT {
    private static final String QUEUES = """
            <heddle-scheduler version="1">
              <preemption><mode>on</mode><grace-period>2s</grace-period><max-per-second>100%</max-per-second></preemption>
              <queue name="root">
                <fair-share-preemption-timeout>2s</fair-share-preemption-timeout>
                <queue name="spark"/>
                <queue name="shell"/>
              </queue>
            </heddle-scheduler>
            """;
    private static final int TASKS = 150;

    @Test
    void sparkLosesExecutorsButNoResult() throws Exception {
        try (Cluster cluster = Engines.start(QUEUES)) {
            Spark spark = new Spark(cluster, "spark", "spark", "cluster");
            try (Daemon client = spark.submit("alice", TASKS, 1_500, 0, "/tmp/sum")
                    .start("spark-submit", cluster.directory().resolve("logs/spark-submit.log"))) {
                Application.await(cluster, "spark", "holds the whole cluster", app -> app.cores() >= 11);

                CommandResult shell = new DistributedShell(cluster)
                        .run("bob", "shell", "shell", "sleep 3", "-num_containers", 4, "-container_vcores", 1)
                        .run()
                        .orFail();

                assertThat(shell.text()).contains("Application completed successfully");
                assertThat(Application.named(cluster, "spark"))
                        .as("Spark still runs, so that bob's room was taken from it")
                        .singleElement()
                        .satisfies(app -> assertThat(app.state()).isEqualTo("RUNNING"))
                        .satisfies(app -> assertThat(app.preempted()).isPositive());
                Application.await(cluster, "spark", "ends", Application::isOver);
                cluster.await("the client to end", () -> !client.isAlive());
                assertThat(Application.named(cluster, "spark"))
                        .singleElement()
                        .satisfies(app -> assertThat(app.finalStatus())
                                .as(app.diagnostics())
                                .isEqualTo("SUCCEEDED"))
                        .satisfies(app -> assertThat(app.preemptedMasters()).isZero());
            }
            assertThat(Engines.read(cluster, "/tmp/sum")).isEqualTo(Spark.result(TASKS));
        }
    }
}
