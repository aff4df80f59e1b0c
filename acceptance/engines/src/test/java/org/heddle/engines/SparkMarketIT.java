// SPDX-License-Identifier: Apache-2.0
package org.heddle.engines;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.heddle.acceptance.Cluster;
import org.heddle.acceptance.Command;
import org.heddle.acceptance.Daemon;
import org.heddle.acceptance.KeepLogs;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A Spark job with the queue and the tag of docs/market-users.md, and with a voucher: alice's agent finds it by the tag and
 * counts its tasks, and alice pays for bob's job.
 */
@Tag("newer-line")
@ExtendWith(KeepLogs.class)
class SparkMarketIT {
    private static final int TASKS = 60;
    private static final String MASTER_KEY = "aGVkZGxlLXRlc3QtbWFzdGVyLWtleS0wMTIzNDU2Nzg=";

    @Test
    void anAgentFindsATaggedJobAndTheAccountPaysForIt() throws Exception {
        try (Cluster cluster = Engines.startMarket(MASTER_KEY)) {
            Path master = Files.writeString(cluster.directory().resolve("master-key"), MASTER_KEY);
            Path operator = cluster.directory().resolve("operator.key");
            Path alice = cluster.directory().resolve("alice.key");
            market(cluster, "keys", "operator", "--master-key-file", master, "--cluster", Engines.MARKET_ID)
                    .and("--save", operator)
                    .run()
                    .orFail();
            said(cluster, operator, "open", "alice");
            said(cluster, operator, "pay", "alice", "100");
            said(cluster, operator, "keys", "create", "--owner", "alice", "--save", alice);
            said(cluster, alice, "bid", "alice", "0.5");
            String voucher = said(cluster, alice, "voucher", "alice", "--for", "bob", "--minutes", "30")
                    .strip();

            Spark spark = new Spark(cluster, "paid", "alice", "cluster").set("spark.yarn.tags", "nightly," + voucher);
            Path logs = cluster.directory().resolve("logs");
            Command watching = market(cluster, "agent", "deadline", "--tag", "nightly", "--finish", "2h")
                    .and("--dry-run", "--key-file", alice);
            try (Daemon agent = watching.start("agent", logs.resolve("agent.log"));
                    Daemon client = spark.submit("bob", TASKS, 1_000, 0, "/tmp/paid")
                            .start("spark-submit", logs.resolve("paid.log"))) {
                Application ended = Application.await(cluster, spark.name(), "ends", Application::isOver);
                assertThat(ended.finalStatus()).as(ended.diagnostics()).isEqualTo("SUCCEEDED");
                assertThat(ended.queue()).isEqualTo("root.alice");
                assertThat(cluster.rest("/ws/v1/cluster/apps?applicationTags=nightly")
                                .at("/apps/app/0/id")
                                .asText())
                        .isEqualTo(ended.id());
                cluster.await(
                        "the bill of " + ended.id(),
                        () -> said(cluster, alice, "statement", "alice", "--applications")
                                .contains(ended.id()));
                cluster.await("client and agent to end", () -> !client.isAlive() && !agent.isAlive());
                assertThat(agent.output())
                        .as("also where yarn.acl.enable hides the containers")
                        .containsPattern("[1-9][0-9]* slot-seconds are left \\([0-9]+ tasks of its stages are left\\)")
                        .contains("the job has ended");
            }
            assertThat(Engines.read(cluster, "/tmp/paid")).isEqualTo(Spark.result(TASKS));
        }
    }

    private static Command market(Cluster cluster, Object... words) throws IOException {
        return cluster.command(Engines.command("heddle-market"))
                .and(words)
                .with("HEDDLE_MARKET_URL", cluster.manager(""));
    }

    private static String said(Cluster cluster, Path key, Object... words) throws IOException {
        return market(cluster, words).and("--key-file", key).run().orFail().out();
    }
}
