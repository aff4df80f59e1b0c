// SPDX-License-Identifier: Apache-2.0
package org.heddle.engines;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.heddle.acceptance.Cluster;
import org.heddle.acceptance.Command;
import org.heddle.acceptance.Daemon;
import org.heddle.acceptance.KeepLogs;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A Spark job with the queue and the tag of docs/market-users.md, and with a voucher: alice's agent finds it by the tag
 * and counts its tasks, and alice pays for bob's job.
 */
@Tag("newer-line")
@ExtendWith(KeepLogs.class)
class SparkMarketIT {
    private static final int TASKS = 60;

    @Test
    void anAgentFindsATaggedJobAndTheAccountPaysForIt() throws Exception {
        try (Market market = Market.start()) {
            Cluster cluster = market.cluster();
            Spark spark = new Spark(cluster, "paid", "alice", "cluster")
                    .set("spark.yarn.tags", "nightly," + market.voucherForBob());
            Path logs = cluster.directory().resolve("logs");
            Command watching = market.command("agent", "deadline", "--tag", "nightly", "--finish", "2h")
                    .and("--dry-run", "--key-file", market.keyOfAlice());
            try (Daemon agent = watching.start("agent", logs.resolve("agent.log"));
                    Daemon client = spark.submit("bob", TASKS, 1_000, 0, "/tmp/paid")
                            .start("spark-submit", logs.resolve("paid.log"))) {
                Application ended = Application.await(cluster, spark.name(), "ends", Application::isOver);
                assertThat(ended.finalStatus()).as(ended.diagnostics()).isEqualTo("SUCCEEDED");
                assertThat(ended.queue()).isEqualTo("root.alice");
                assertThat(Application.tagged(cluster, "nightly").id()).isEqualTo(ended.id());
                market.awaitBill(ended.id());
                cluster.await("client and agent to end", () -> !client.isAlive() && !agent.isAlive());
                assertThat(agent.output())
                        .as("also where yarn.acl.enable hides the containers")
                        .containsPattern("[1-9][0-9]* slot-seconds are left \\([0-9]+ tasks of its stages are left\\)")
                        .contains("the job has ended");
            }
            assertThat(Engines.read(cluster, "/tmp/paid")).isEqualTo(Spark.result(TASKS));
        }
    }
}
