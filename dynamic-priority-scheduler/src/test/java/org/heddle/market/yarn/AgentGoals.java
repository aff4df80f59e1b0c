// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;
import org.heddle.market.cli.HeddleMarket;
import org.heddle.market.http.MarketWebFixture;
import org.heddle.market.http.UnlimitedMarketScheduler;
import org.heddle.market.http.config.WebKeys;
import org.heddle.market.ledger.Market;
import org.heddle.market.model.amount.Credits;
import org.heddle.market.model.amount.SpendingRate;
import org.heddle.market.model.change.ApplicationCost;
import org.heddle.market.model.change.Mutation;
import org.heddle.testkit.Ask;
import org.heddle.testkit.Await;
import org.heddle.testkit.HeddleCluster;
import org.heddle.testkit.TestApplication;
import org.heddle.testkit.jobs.SleepyMaps;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * The agents beside real MapReduce jobs, as users run them: commands that know nothing but an address and a key file.
 * They read YARN's REST and the ApplicationMaster's. Somebody else holds the rest of the cluster at a constant rate.
 */
class AgentGoals {
    private static final int SLOTS = 10;
    private static final int MAPS = 16;
    private static final long MAP_MILLIS = 6_000;
    private static final int MANY = 10_000;
    private static final long CHURN_NANOS = 300_000_000;
    private static final String CLUSTER = "loom";

    @RegisterExtension
    static final HeddleCluster cluster = HeddleCluster.builder()
            .scheduler(UnlimitedMarketScheduler.class.getName())
            .nodes(1, Map.of("memory-mb", SLOTS * 512L, "vcores", 40L))
            .users("alice", "bob")
            .property("yarn.acl.enable", "true")
            .property(MarketKeys.TRIAL.name(), "true")
            .property(MarketKeys.CLUSTER_ID.name(), CLUSTER)
            .property(WebKeys.MASTER_KEY.name(), MarketWebFixture.MASTER)
            .property(MarketKeys.STANDARD_SLOT.name(), "memory-mb=512")
            .property(MarketKeys.INTERVAL_MS.name(), "2000")
            .property("yarn.scheduler.minimum-allocation-mb", "512")
            .property("yarn.app.mapreduce.am.resource.mb", "512")
            .property("mapreduce.map.memory.mb", "512")
            .addressesAsNames()
            .hdfs(1)
            .mapReduce()
            .build();

    @TempDir
    Path directory;

    private Path key = Path.of("");
    private String said = "";

    private int heddleMarket(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine line = HeddleMarket.commandLine();
        line.setOut(new PrintWriter(out));
        line.setErr(new PrintWriter(err, true));
        List<String> all = new ArrayList<>(Arrays.asList(arguments));
        all.addAll(List.of("--url", cluster.webAddress()));
        if (!all.contains("--master-key-file")) {
            all.addAll(List.of("--key-file", key.toString()));
        }
        int code = line.execute(all.toArray(new String[0]));
        said = out + err.toString();
        System.out.println("heddle market " + String.join(" ", arguments) + "\n" + said);
        return code;
    }

    private static Market market() {
        return Objects.requireNonNull(
                ((UnlimitedMarketScheduler) cluster.resourceManager().getResourceScheduler()).market());
    }

    private void open(String account, String rate) throws Exception {
        market().addQueue(new Mutation("admin", "test", "open " + account), account);
        market().addBudget(new Mutation("admin", "test", "pay " + account), account, Credits.of(1_000), "");
        market().setSpending(new Mutation("admin", "test", "rate " + account), account, SpendingRate.parse(rate));
    }

    private void signIn() throws IOException {
        Path master = Files.writeString(directory.resolve("master"), MarketWebFixture.MASTER + "\n");
        String of = master.toString();
        key = directory.resolve("operator.key");
        assertThat(heddleMarket(
                        "keys", "operator", "--master-key-file", of, "--cluster", CLUSTER, "--save", key.toString()))
                .isZero();
        Path alice = directory.resolve("alice.key");
        assertThat(heddleMarket("keys", "create", "--owner", "alice", "--save", alice.toString()))
                .isZero();
        key = alice;
    }

    private static Job submit(String name, int maps) throws Exception {
        return cluster.as("alice", () -> {
            Configuration conf = cluster.configuration();
            conf.set("mapreduce.job.queuename", "root.alice");
            conf.set("mapreduce.job.tags", name);
            Job job = SleepyMaps.job(conf, name, maps, MAP_MILLIS, "none", 1);
            job.setJarByClass(SleepyMaps.class);
            job.submit();
            return job;
        });
    }

    private static Credits charged(String application) throws Exception {
        for (ApplicationCost cost :
                market().applications("alice", Instant.EPOCH, Instant.MAX, ApplicationCost.By.APPLICATION, 100)) {
            if (cost.application().equals(application)) {
                return cost.charged();
            }
        }
        return Credits.ZERO;
    }

    /** The events of an agent's log. */
    private static List<JsonNode> events(Path log) throws IOException {
        ObjectMapper json = new ObjectMapper();
        List<JsonNode> events = new ArrayList<>();
        for (String line : Files.readAllLines(log)) {
            events.add(json.readTree(line));
        }
        return events;
    }

    private static void explained(List<JsonNode> events) {
        assertThat(events)
                .filteredOn(event -> event.get("event").asText().equals("set"))
                .isNotEmpty()
                .allSatisfy(event -> assertThat(event.get("reason").asText()).contains("left"))
                .anySatisfy(
                        event -> assertThat(event.get("reason").asText()).containsPattern("[0-9]+ maps .* are left"));
        assertThat(events.get(events.size() - 1).get("event").asText()).isEqualTo("ended");
    }

    @Test
    void agentsDriveRealJobsAndHistoryQuotesTheNextOne() throws Exception {
        open("alice", "0.5");
        open("bob", "6");
        signIn();
        try (TestApplication bob = TestApplication.start(cluster, "bob", "root.bob")) {
            bob.ask(Ask.of(MANY, Map.of("memory-mb", 512L, "vcores", 1L)));
            Await.until("bob pays", Duration.ofSeconds(60), () -> {
                bob.heartbeat();
                return market().status().price().nanos() > 0;
            });
            Thread churn = churn(bob);
            try {
                deadline();
                budget();
                quote();
            } finally {
                churn.interrupt();
                churn.join();
            }
        }
    }

    /** bob's containers end after some seconds each, so that rates are felt without preemption. */
    private static Thread churn(TestApplication bob) {
        Thread thread = new Thread(
                () -> {
                    while (!Thread.currentThread().isInterrupted()) {
                        try {
                            bob.heartbeat();
                        } catch (Exception e) {
                            throw new IllegalStateException(e);
                        }
                        bob.live().stream().findFirst().ifPresent(bob::release);
                        LockSupport.parkNanos(CHURN_NANOS);
                    }
                },
                "bob");
        thread.setUncaughtExceptionHandler((of, e) -> System.out.println("bob ended: " + e));
        thread.start();
        return thread;
    }

    private void deadline() throws Exception {
        Job job = submit("nightly", MAPS);
        Path log = directory.resolve("deadline.jsonl");
        long seconds = 180;
        Instant finish = Instant.now().plusSeconds(seconds).truncatedTo(ChronoUnit.SECONDS);
        assertThat(heddleMarket(
                        "agent",
                        "deadline",
                        "--tag",
                        "nightly",
                        "--finish",
                        finish.toString(),
                        "--log",
                        log.toString()))
                .isZero();
        assertThat(job.waitForCompletion(false)).isTrue();
        Instant end = Instant.ofEpochMilli(job.getFinishTime());
        List<JsonNode> events = events(log);
        System.out.println("deadline: ended " + Duration.between(end, finish).toMillis() / 1_000.0
                + " s before the time of " + seconds + " s, for "
                + charged(job.getJobID().toString().replace("job", "application")) + " credits, in "
                + events.size() + " events");
        assertThat(end).as("the job's end").isBefore(finish);
        explained(events);
        assertThat(market().queue("alice").rate()).as("the rate before").hasToString("0.5");
    }

    private void budget() throws Exception {
        long before = market().queue("alice").budget().nanos();
        Job job = submit("nightly", MAPS);
        Path log = directory.resolve("budget.jsonl");
        double spend = 0.2;
        assertThat(heddleMarket("agent", "budget", "--spend", "0.2", "--tag", "nightly", "--log", log.toString()))
                .isZero();
        job.killJob(); // the sum may be spent before its end, and without a rate it gets no more slots
        explained(events(log));
        Await.until(
                "the last bill is written",
                Duration.ofSeconds(30),
                () -> market().queue("alice").used().nanos() == 0
                        && market().queue("alice").accrued().nanos() == 0);
        long epoch = market().status().epoch() + 2;
        Await.until(
                "an epoch later",
                Duration.ofSeconds(30),
                () -> market().status().epoch() >= epoch);
        double spent = (before - market().queue("alice").budget().nanos()) / 1e9;
        System.out.println("budget: " + spent + " of " + spend + " credits were spent");
        assertThat(spent).isPositive().isLessThanOrEqualTo(spend);
    }

    private void quote() throws Exception {
        String history = "http://" + cluster.value("mapreduce.jobhistory.webapp.address");
        Await.until(
                "the job of the deadline is in the history",
                Duration.ofSeconds(60),
                () -> heddleMarket("quote", "alice", "1", "--like", "nightly", "--history-server", history, "--json")
                        == 0);
        JsonNode quote = new ObjectMapper().readTree(said);
        double work = MAPS * MAP_MILLIS / 1_000.0;
        // A slot-hour costs the rate; a map also takes a while to start.
        double slotSeconds = quote.get("cost").asDouble() * 3_600;
        System.out.println("quote: " + slotSeconds + " slot-seconds for " + work + " and the starts of the maps");
        assertThat(slotSeconds).isBetween(work, work * 2);
        assertThat(heddleMarket("quote", "alice", "1", "--like", "unknown", "--history-server", history))
                .isEqualTo(2);
        assertThat(said).contains("no job with the name 'unknown'");
    }
}
