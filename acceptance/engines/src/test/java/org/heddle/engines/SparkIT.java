// SPDX-License-Identifier: Apache-2.0
package org.heddle.engines;

import static org.assertj.core.api.Assertions.assertThat;

import org.heddle.acceptance.Cluster;
import org.heddle.acceptance.Daemon;
import org.heddle.acceptance.KeepLogs;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Spark in both deploy modes, with executors of one and of two cores, takes executors and gives them back. */
@Tag("newer-line")
@ExtendWith(KeepLogs.class)
class SparkIT {
    private static final String QUEUES = "<heddle-scheduler version=\"1\"><queue name=\"root\">"
            + "<queue name=\"one\"/><queue name=\"two\"/></queue></heddle-scheduler>";
    private static final int CORES = Engines.NODES * Engines.NODE_CORES;
    private static final int TASKS = 200;
    private static final int IDLE_MILLIS = 20_000;

    @Test
    void executorsComeAndGo() throws Exception {
        try (Cluster cluster = Engines.start(QUEUES)) {
            // A master of one core and 11 executors of one, or 5 of two: one core of each node but one is left over.
            run(cluster, new Spark(cluster, "client", "one", "client"), CORES);
            Spark two = new Spark(cluster, "cluster", "two", "cluster").set("spark.executor.cores", "2");
            run(cluster, two, 1 + 2 * 5);
        }
    }

    private static void run(Cluster cluster, Spark spark, int most) throws Exception {
        String output = "/tmp/" + spark.name();
        try (Daemon client = spark.submit("alice", TASKS, 1_000, IDLE_MILLIS, output)
                .start("spark-submit", cluster.directory().resolve("logs/" + spark.name() + ".log"))) {
            Application.await(cluster, spark.name(), "has all that fits", app -> app.cores() == most);
            Application.await(cluster, spark.name(), "is its master alone while idle", app -> app.cores() == 1);
            Application.await(cluster, spark.name(), "takes executors again", app -> app.cores() > 1);
            Application ended = Application.await(cluster, spark.name(), "ends", Application::isOver);
            assertThat(ended.finalStatus()).as(ended.diagnostics()).isEqualTo("SUCCEEDED");
            cluster.await("the client to end", () -> !client.isAlive());
        }
        assertThat(Engines.read(cluster, output)).isEqualTo(Spark.result(TASKS));
    }
}
