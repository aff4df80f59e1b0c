// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.market;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.heddle.testkit.HeddleCluster;
import org.heddle.testkit.NodeSpec;

/** One run of the plan on a started cluster. */
final class MarketRun {
    private static final long SAMPLE_NANOS = 1_000_000_000;
    private static final Duration DEMAND_PATIENCE = Duration.ofMinutes(4);
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final HeddleCluster cluster;
    private final MarketScenario plan;
    private final Path home;
    private final Path secrets;
    private final PrintStream console;
    private final MarketCommand command;
    private final HttpClient client = HttpClient.newHttpClient();
    private final ObjectMapper json = new ObjectMapper();
    private final Screen screen;
    private final Streams streams;
    private final List<Sample> samples = new ArrayList<>();
    private long begin = System.nanoTime();
    private volatile boolean abandoned;

    /** @param secrets where keys are kept while it runs */
    MarketRun(HeddleCluster cluster, MarketScenario plan, Path home, Path secrets, PrintStream console) {
        this.cluster = cluster;
        this.plan = plan;
        this.home = home;
        this.secrets = secrets;
        this.console = console;
        this.command = new MarketCommand(cluster.webAddress(), secrets.toString());
        this.screen = new Screen(console, Boolean.getBoolean("heddle.demo.terminal"));
        this.streams = new Streams(cluster, home, this::seconds);
    }

    private double seconds() {
        return (System.nanoTime() - begin) / 1e9;
    }

    /** Returns whether all checks held. */
    boolean run(Path masterKey) throws Exception {
        // 1. Accounts, keys and bids, by signed requests
        BigDecimal minted = openAccounts(masterKey);
        // 2. Streams of jobs; half-way one user bids more
        streams.begin();
        console.println("Submitting jobs; waiting until everybody asks for tasks ..");
        awaitDemand();
        for (NodeSpec worker : MarketScenario.workers()) {
            cluster.addNode(worker);
        }
        console.println(MarketScenario.WORKERS + " nodes have joined for tasks.");
        begin = System.nanoTime();
        samples.add(sample());
        watchUntil(plan.raiseAt());
        double raisedAt = seconds();
        screen.say(() -> console.printf(Locale.ROOT, "%4.0f s  half-way%n", raisedAt));
        bid(MarketScenario.RAISER, MarketScenario.RAISED);
        watchUntil(plan.seconds());
        // 3. Report the result.
        streams.end();
        if (abandoned) {
            return false;
        }
        Timeline course = new Timeline(samples, raisedAt);
        MarketPlot.write(home, course, streams.finished());
        Report report = new Report(course, streams.finished(), streams.problems(), minted, books());
        report.print(console);
        List<Report.Check> checks = report.checks();
        checks.forEach(check ->
                console.println((check.holds() ? "ok      " : "FAILED  ") + check.what() + ": " + check.seen()));
        console.println();
        console.println("Plots: " + home.resolve("market.png"));
        return checks.stream().allMatch(Report.Check::holds);
    }

    private void awaitDemand() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + DEMAND_PATIENCE.toNanos();
        while (true) {
            Sample now = sample();
            boolean all = MarketScenario.USERS.stream()
                    .allMatch(user -> now.of(user).running() == MarketScenario.LANES
                            && now.of(user).pending() >= MarketScenario.LANES);
            if (all || abandoned) {
                return;
            }
            if (System.nanoTime() > deadline || !streams.problems().isEmpty()) {
                throw new IOException("not everybody asks for tasks after " + DEMAND_PATIENCE.toSeconds() + " s: "
                        + now.states() + " " + streams.problems());
            }
            LockSupport.parkNanos(SAMPLE_NANOS);
        }
    }

    private BigDecimal openAccounts(Path masterKey) throws IOException {
        String operator = key("operator");
        command.show(
                console,
                "keys",
                "operator",
                "--master-key-file",
                masterKey.toString(),
                "--cluster",
                MarketScenario.CLUSTER,
                "--save",
                operator);
        BigDecimal minted = BigDecimal.ZERO;
        for (String user : MarketScenario.USERS) {
            command.show(console, "keys", "create", "--owner", user, "--save", key(user), "--key-file", operator);
            double budget = plan.budgetOf(user);
            minted = minted.add(new BigDecimal(text(budget)));
            command.show(console, "pay", user, text(budget), "--key-file", operator);
            bid(user, MarketScenario.RATE);
        }
        return minted;
    }

    private void bid(String user, double rate) throws IOException {
        command.show(console, "bid", user, text(rate), "--key-file", key(user));
    }

    private String key(String user) {
        return secrets.resolve(user + ".key").toString();
    }

    private static String text(double amount) {
        return String.format(Locale.ROOT, "%.2f", amount);
    }

    private void watchUntil(double end) throws Exception {
        while (seconds() < end && streams.problems().isEmpty() && !abandoned) {
            LockSupport.parkNanos(SAMPLE_NANOS);
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            Sample now = sample();
            samples.add(now);
            screen.show(now, streams.finished());
        }
    }

    /** The market's status of all users. */
    private Sample sample() throws IOException, InterruptedException {
        JsonNode price = ask("price");
        double capacity = price.path("capacity").asDouble();
        Map<String, Integer> starting = starting();
        Map<String, UserState> states = new HashMap<>();
        for (JsonNode account : ask("accounts").path("accounts")) {
            states.put(
                    account.path("name").asText(),
                    new UserState(
                            account.path("share").asDouble(),
                            capacity == 0 ? 0 : account.path("used").asDouble() / capacity,
                            account.path("rate").asDouble(),
                            account.path("budget").asDouble(),
                            account.path("usedContainers").asInt(),
                            account.path("pendingContainers").asInt(),
                            starting.getOrDefault(account.path("name").asText(), 0),
                            account.path("state").asText()));
        }
        return new Sample(seconds(), price.path("price").asDouble(), states);
    }

    /** Applications of each user whose master does not run yet. */
    private Map<String, Integer> starting() throws IOException, InterruptedException {
        Map<String, Integer> starting = new HashMap<>();
        JsonNode apps = get("/ws/v1/cluster/apps?states=NEW,NEW_SAVING,SUBMITTED,ACCEPTED");
        for (JsonNode app : apps.path("apps").path("app")) {
            starting.merge(app.path("user").asText(), 1, Integer::sum);
        }
        return starting;
    }

    /** All credits there are and all that was charged. */
    private BigDecimal books() throws IOException, InterruptedException {
        JsonNode status = ask("status");
        return new BigDecimal(status.path("moneySupply").asText())
                .add(new BigDecimal(status.path("revenue").asText()));
    }

    /** Asks what everybody may see, unsigned. */
    private JsonNode ask(String what) throws IOException, InterruptedException {
        return get("/heddle/market/v1/" + what);
    }

    private JsonNode get(String path) throws IOException, InterruptedException {
        URI address = URI.create(cluster.webAddress() + path);
        HttpResponse<String> answer = client.send(
                HttpRequest.newBuilder(address).timeout(PATIENCE).build(), HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException(address + " answered " + answer.statusCode());
        }
        return json.readTree(answer.body());
    }

    /** The cluster is about to be closed from outside. */
    void abandon() {
        abandoned = true;
        streams.abandon();
    }
}
