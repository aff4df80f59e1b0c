// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.late;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;
import org.heddle.market.cli.HeddleMarket;
import org.heddle.testkit.Await;
import org.heddle.testkit.HeddleCluster;
import org.heddle.testkit.jobs.SleepyMaps;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * LATE asks a running market what a slot costs: a ResourceManager under the dynamic-priority scheduler, jobs that pay,
 * one slow node. Neither plug-in knows the other, so this is the place that has both.
 */
class PricedBackupsIT {
    private static final String MARKET = "yarn.scheduler.heddle.market.";
    private static final String MASTER_KEY = "bmV2ZXIgdXNlIHRoaXMga2V5IG91dHNpZGUgb2YgdGVzdHMh";
    private static final String SLOW = "node2";
    private static final int SLOTS = 6;
    /** Her rate is her cost of a slot for the rate unit: a credit for a slot and a second. */
    private static final int RATE = 1;

    @TempDir
    Path directory;

    private HeddleCluster cluster = HeddleCluster.builder().build();
    private Path operator = Path.of("operator.key");

    @BeforeEach
    void openTheMarket() throws Exception {
        cluster = HeddleCluster.builder()
                .scheduler("org.heddle.market.DynamicPriorityScheduler")
                .nodes(3, Map.of("memory-mb", 1024L, "vcores", 8L))
                .users("alice")
                .property(MARKET + "cluster-id", "loom")
                .property(MARKET + "interval-ms", "1000")
                .property(MARKET + "rate-unit-ms", "1000")
                .property(MARKET + "standard-slot", "memory-mb=512")
                .property(MARKET + "store.directory", directory.resolve("books").toString())
                .property(MARKET + "http.master-key", MASTER_KEY)
                .queuesFile(
                        "yarn.scheduler.heddle.configuration.file",
                        "<?xml version=\"1.0\"?>\n<heddle-scheduler version=\"1\"><queue name=\"root\">"
                                + "<queue name=\"alice\"><max-am-share>100%</max-am-share></queue>"
                                + "</queue></heddle-scheduler>\n")
                .mapReduce()
                .withoutHistoryServer()
                .build();
        cluster.start();
        Path masterKey = Files.writeString(directory.resolve("master-key"), MASTER_KEY);
        operator = directory.resolve("operator.key");
        Path alice = directory.resolve("alice.key");
        market("keys", "operator", "--master-key-file", masterKey, "--cluster", "loom", "--save", operator);
        market("keys", "create", "--owner", "alice", "--save", alice, "--key-file", operator);
        market("pay", "alice", "1000000", "--key-file", operator);
        market("bid", "alice", RATE, "--key-file", alice);
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private void market(Object... words) {
        List<String> line = new ArrayList<>();
        for (Object word : words) {
            line.add(word.toString());
        }
        line.addAll(List.of("--url", cluster.webAddress()));
        StringWriter told = new StringWriter();
        CommandLine command = HeddleMarket.commandLine();
        command.setOut(new PrintWriter(told, true));
        command.setErr(new PrintWriter(told, true));
        assertThat(command.execute(line.toArray(String[]::new)))
                .as(told.toString())
                .isZero();
    }

    /** What LATE decided for a job with these keys, from its start to the first decision for this reason. */
    private List<JsonNode> decisionsUntil(String reason, Map<String, String> keys) throws Exception {
        Job job = cluster.as("alice", () -> {
            Configuration conf = cluster.configuration();
            conf.set("mapreduce.job.queuename", "root.alice");
            conf.set("yarn.app.mapreduce.am.job.speculator.class", "org.heddle.late.mr.LateSpeculator");
            conf.set("mapreduce.heddle.late.price.url", cluster.webAddress() + "/heddle/market/v1/accounts/alice");
            conf.setLong("mapreduce.task.progress-report.interval", 1_000);
            keys.forEach((key, value) -> conf.set("mapreduce.heddle.late.price." + key, value));
            Job sleeps = SleepyMaps.job(conf, reason, SLOTS - 1, 3_000, SLOW, 20);
            sleeps.submit();
            return sleeps;
        });
        String application = job.getJobID().toString().replace("job", "application");
        Await.until(
                reason + " in " + application,
                Duration.ofSeconds(90),
                () -> decisions(application).stream()
                        .anyMatch(line -> line.path("reason").asText().equals(reason)));
        List<JsonNode> decisions = decisions(application);
        cluster.as("alice", () -> {
            job.killJob();
            return job;
        });
        Await.until(application + " to be over", Duration.ofSeconds(30), job::isComplete);
        return decisions;
    }

    private List<JsonNode> decisions(String application) throws Exception {
        List<JsonNode> lines = new ArrayList<>();
        for (String line : cluster.logs().text(application, "late.jsonl").split("\n", -1)) {
            if (line.endsWith("}")) {
                lines.add(new ObjectMapper().readTree(line));
            }
        }
        return lines;
    }

    private static double spent(List<JsonNode> decisions) {
        return decisions.stream()
                .filter(line -> line.path("action").asText().equals("LAUNCH"))
                .mapToDouble(line -> line.path("cost").asDouble(Double.NaN))
                .sum();
    }

    @Test
    void aBackupIsLaunchedOnlyIfItIsWorthTheMarketsPriceAndWithinTheJobsBudget() throws Exception {
        // A second of the job is worth a hundred slot-seconds.
        List<JsonNode> worth = decisionsUntil("LONGEST_TIME_TO_END", Map.of("worth-per-second", "100"));
        double cost = worth.stream()
                .filter(line -> line.path("action").asText().equals("LAUNCH"))
                .mapToDouble(line -> line.path("cost").asDouble())
                .max()
                .orElseThrow();
        double fresh = worth.stream()
                .filter(line -> line.path("action").asText().equals("LAUNCH"))
                .mapToDouble(line -> line.path("freshMs").asDouble() / 1_000)
                .max()
                .orElseThrow();
        assertThat(cost).as("one credit for each second of a slot").isBetween(0.99 * fresh, 1.01 * fresh);

        // It is worth a hundredth of one.
        List<JsonNode> dear = decisionsUntil("TOO_EXPENSIVE", Map.of("worth-per-second", "0.01"));
        assertThat(spent(dear)).isZero();

        // It is worth it, but the job may spend half of what one backup costs.
        List<JsonNode> poor =
                decisionsUntil("BUDGET_SPENT", Map.of("worth-per-second", "100", "budget", String.valueOf(cost / 2)));
        assertThat(spent(poor)).isZero();
    }
}
