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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.TaskCompletionEvent;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.heddle.market.cli.HeddleMarket;
import org.heddle.testkit.Await;
import org.heddle.testkit.HeddleCluster;
import org.heddle.testkit.jobs.SleepyMaps;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * LATE asks a running market what a slot costs: a ResourceManager under the dynamic-priority scheduler, jobs that pay,
 * one slow node. Neither plug-in knows the other, so this is the place that has both.
 */
@Tag("long-2")
class PricedBackupsIT {
    private static final String MARKET = "yarn.scheduler.heddle.market.";
    private static final String MASTER_KEY = "bmV2ZXIgdXNlIHRoaXMga2V5IG91dHNpZGUgb2YgdGVzdHMh";
    private static final String SLOW = "node2";
    private static final int SLOTS = 6;
    private static final int SLOT_MEGABYTES = 512;
    /** Her rate is her cost of a slot for the rate unit: credits for a slot and a second. */
    private static final int RATE = 6;

    @TempDir
    Path directory;

    private HeddleCluster cluster = HeddleCluster.builder().build();
    private Path operator = Path.of("operator.key");
    private Path alice = Path.of("alice.key");

    @BeforeEach
    void openTheMarket() throws Exception {
        cluster = HeddleCluster.builder()
                .scheduler("org.heddle.market.DynamicPriorityScheduler")
                .nodes(3, Map.of("memory-mb", 1024L, "vcores", 8L))
                .users("alice")
                .property(MARKET + "cluster-id", "loom")
                .property(MARKET + "interval-ms", "1000")
                .property(MARKET + "rate-unit-ms", "1000")
                .property(MARKET + "standard-slot", "memory-mb=" + SLOT_MEGABYTES)
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
        alice = directory.resolve("alice.key");
        market("keys", "operator", "--master-key-file", masterKey, "--cluster", "loom", "--save", operator);
        market("keys", "create", "--owner", "alice", "--save", alice, "--key-file", operator);
        market("pay", "alice", "1000000", "--key-file", operator);
        market("bid", "alice", RATE, "--key-file", alice);
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private String market(Object... words) {
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
        return told.toString();
    }

    private Job submit(String name, Map<String, String> keys) throws Exception {
        return cluster.as("alice", () -> {
            Configuration conf = cluster.configuration();
            conf.set("mapreduce.job.queuename", "root.alice");
            conf.set("yarn.app.mapreduce.am.job.speculator.class", "org.heddle.late.mr.LateSpeculator");
            conf.set("mapreduce.heddle.late.price.url", cluster.webAddress() + "/heddle/market/v1/accounts/alice");
            conf.setLong("mapreduce.task.progress-report.interval", 1_000);
            keys.forEach((key, value) -> conf.set("mapreduce.heddle.late.price." + key, value));
            Job sleeps = SleepyMaps.job(conf, name, SLOTS - 1, 3_000, SLOW, 20);
            sleeps.submit();
            return sleeps;
        });
    }

    private static String application(Job job) {
        return job.getJobID().toString().replace("job", "application");
    }

    /** What LATE decided for a job with these keys, from its start to the first decision for this reason. */
    private List<JsonNode> decisionsUntil(String reason, Map<String, String> keys) throws Exception {
        Job job = submit(reason, keys);
        String application = application(job);
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

    private static Stream<JsonNode> launches(List<JsonNode> decisions) {
        return decisions.stream().filter(line -> line.path("action").asText().equals("LAUNCH"));
    }

    private static double spent(List<JsonNode> decisions) {
        return launches(decisions)
                .mapToDouble(line -> line.path("cost").asDouble(Double.NaN))
                .sum();
    }

    /** When each attempt was seen to have succeeded; the ApplicationMaster answers for some seconds after the last one. */
    private static Map<String, Long> successes(Job job) {
        Map<String, Long> seen = new LinkedHashMap<>();
        Await.until(job.getJobName() + " to end", Duration.ofSeconds(90), () -> {
            for (TaskCompletionEvent event : job.getTaskCompletionEvents(0, 100)) {
                if (event.getStatus() == TaskCompletionEvent.Status.SUCCEEDED) {
                    seen.putIfAbsent(event.getTaskAttemptId().toString(), System.currentTimeMillis());
                }
            }
            return seen.size() == SLOTS - 1;
        });
        return seen;
    }

    /** The slot-seconds that YARN counted for an application that has ended. */
    private double slotSeconds(Job job) throws Exception {
        try (YarnClient yarn = YarnClient.createYarnClient()) {
            yarn.init(cluster.configuration());
            yarn.start();
            ApplicationId id = ApplicationId.fromString(application(job));
            // The master holds its slot for some seconds after it has told the final status.
            Await.until(id + " to be over", Duration.ofSeconds(60), () -> {
                RMApp app = cluster.resourceManager().getRMContext().getRMApps().get(id);
                return app != null && app.getState() == RMAppState.FINISHED;
            });
            assertThat(yarn.getApplicationReport(id).getFinalApplicationStatus())
                    .isEqualTo(FinalApplicationStatus.SUCCEEDED);
            return (double) yarn.getApplicationReport(id)
                            .getApplicationResourceUsageReport()
                            .getMemorySeconds()
                    / SLOT_MEGABYTES;
        }
    }

    /** The charges in alice's statement: credits and slot-seconds. */
    private record Charged(double credits, double slotSeconds) {}

    private Charged charged() {
        double credits = 0;
        double slotMillis = 0;
        for (String line :
                market("statement", "alice", "--csv", "--key-file", alice).split("\\R", -1)) {
            // sequence,at,kind,epoch,amount,balance,rate,slotMillis,text
            String[] cells = line.split(",", -1);
            if (cells.length >= 9 && cells[7].matches("[1-9][0-9]*")) {
                credits += Math.abs(Double.parseDouble(cells[4]));
                slotMillis += Double.parseDouble(cells[7]);
            }
        }
        return new Charged(credits, slotMillis / 1_000);
    }

    /** What LATE takes for the cost of a slot-second is what the job's slot-seconds cost in the statement. */
    private void assertThatLoggedCostsAreThoseOfTheStatement() throws Exception {
        // A second of the job is worth many slot-seconds.
        Job job = submit("worth", Map.of("worth-per-second", "1000"));
        Map<String, Long> successes = successes(job);
        List<JsonNode> decisions = decisions(application(job));
        double slotSeconds = slotSeconds(job);
        Await.until(
                "the charges for the last containers",
                Duration.ofSeconds(30),
                () -> charged().slotSeconds() >= slotSeconds - 1);
        Charged charged = charged();

        assertThat(launches(decisions)).isNotEmpty();
        double expectedSeconds = launches(decisions)
                .mapToDouble(line -> line.path("freshMs").asDouble() / 1_000)
                .sum();
        double perSlotSecond = spent(decisions) / expectedSeconds;
        assertThat(perSlotSecond).isBetween(0.99 * RATE, 1.01 * RATE);
        assertThat(perSlotSecond * slotSeconds)
                .as("the statement's difference")
                .isBetween(0.95 * charged.credits(), 1.05 * charged.credits());

        // The backups that won: what LATE expected them to cost, and what their time cost.
        double backupSeconds = decisions.stream()
                .filter(line -> line.path("reason").asText().equals("PLACED_WELL"))
                .filter(line -> successes.containsKey(line.path("attempt").asText()))
                .mapToDouble(
                        line -> (successes.getOrDefault(line.path("attempt").asText(), 0L)
                                        - line.path("t").asLong())
                                / 1_000.0)
                .sum();
        double billed = charged.credits() / charged.slotSeconds() * backupSeconds;
        assertThat(spent(decisions)).as("expected cost of backups").isBetween(0.3 * billed, 4 * billed);
    }

    @Test
    void aBackupIsLaunchedOnlyIfItIsWorthTheMarketsPriceAndWithinTheJobsBudget() throws Exception {
        assertThatLoggedCostsAreThoseOfTheStatement();

        // A second of the job is worth less than a hundredth of a slot-second.
        List<JsonNode> dear = decisionsUntil("TOO_EXPENSIVE", Map.of("worth-per-second", "0.01"));
        assertThat(spent(dear)).isZero();

        // It is worth it, but the job may spend less than what one backup costs.
        List<JsonNode> poor = decisionsUntil("BUDGET_SPENT", Map.of("worth-per-second", "1000", "budget", "1"));
        assertThat(spent(poor)).isZero();
    }
}
