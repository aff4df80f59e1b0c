// SPDX-License-Identifier: Apache-2.0
package org.heddle.market.http;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.yarn.api.records.Container;
import org.heddle.market.TestTerms;
import org.heddle.market.http.auth.MarketKeyStore;
import org.heddle.market.http.config.WebKeys;
import org.heddle.market.ledger.Market;
import org.heddle.market.ledger.MemoryMarket;
import org.heddle.market.ledger.journal.JournalStore;
import org.heddle.market.model.amount.Credits;
import org.heddle.market.model.change.Mutation;
import org.heddle.market.security.ApiKey;
import org.heddle.market.security.KeyRing;
import org.heddle.market.security.MasterKeys;
import org.heddle.market.security.RequestParts;
import org.heddle.market.security.RequestSigner;
import org.heddle.market.security.Role;
import org.heddle.testkit.Ask;
import org.heddle.testkit.HeddleCluster;
import org.heddle.testkit.TestApplication;

/**
 * Measures how long signed requests take at a fixed rate while containers come and go, and what that costs the
 * scheduler. A whole YARN in this process, with its ledger in a synced journal; four of five requests read an account,
 * one sets a rate. Latencies are counted from when a request was due, so a stall is not hidden. Arguments: requests a
 * second, seconds.
 */
public final class RequestRate {
    private static final int ACCOUNTS = 50;
    private static final int SENDERS = 16;
    private static final long HEARTBEAT_MILLIS = 50;
    private static final double NANOS = 1e9;

    private RequestRate() {}

    public static void main(String[] arguments) throws Exception {
        int perSecond = Integer.parseInt(arguments[0]);
        int seconds = Integer.parseInt(arguments[1]);
        Path directory = Files.createTempDirectory("request-rate");
        HeddleCluster cluster = HeddleCluster.builder()
                .scheduler(FixedMarketScheduler.class.getName())
                .nodes(2, Map.of("memory-mb", 65_536L, "vcores", 64L))
                .users("alice")
                .property("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", "20")
                .property(WebKeys.MASTER_KEY.name(), MarketWebFixture.MASTER)
                .build();
        cluster.start();
        try (Market market = open(directory)) {
            ((FixedMarketScheduler) cluster.resourceManager().getResourceScheduler())
                    .show(market, System.currentTimeMillis() - 60_000);
            List<RequestSigner> signers = signers(market);
            try (TestApplication application = TestApplication.start(cluster, "alice", "root.default")) {
                measure(URI.create(cluster.webAddress()), signers, application, perSecond, seconds);
            }
        } finally {
            cluster.close();
        }
        System.exit(0);
    }

    private static Market open(Path directory) throws Exception {
        Market market = new Market(
                TestTerms.paper(MemoryMarket.CLUSTER, 20_000),
                new JournalStore(directory, MemoryMarket.CLUSTER),
                System::currentTimeMillis,
                Duration.ofSeconds(10));
        market.open();
        for (int i = 0; i < ACCOUNTS; i++) {
            market.addQueue(new Mutation("setup", "setup", "queue " + i), "user" + i);
            market.addBudget(new Mutation("setup", "setup", "budget " + i), "user" + i, Credits.of(1_000), "");
        }
        return market;
    }

    private static List<RequestSigner> signers(Market market) throws Exception {
        MasterKeys masters = new MasterKeys(MemoryMarket.CLUSTER, MarketWebFixture.MASTER, List.of());
        SecureRandom random = new SecureRandom();
        KeyRing ring = new KeyRing(masters, new MarketKeyStore(market), random, Duration.ofDays(90));
        List<RequestSigner> signers = new ArrayList<>();
        for (int i = 0; i < ACCOUNTS; i++) {
            ApiKey key = ring.issue(
                            "user" + i,
                            Role.USER,
                            Long.MAX_VALUE,
                            new Mutation("setup", "setup", "key " + i),
                            System.currentTimeMillis())
                    .key();
            byte[] secret = Objects.requireNonNull(masters.secret(key));
            signers.add(new RequestSigner(MemoryMarket.CLUSTER, key.id(), secret, random));
        }
        return signers;
    }

    private static void measure(
            URI web, List<RequestSigner> signers, TestApplication application, int perSecond, int seconds)
            throws Exception {
        AtomicBoolean ends = new AtomicBoolean();
        AtomicLong granted = new AtomicLong();
        Thread churn = new Thread(() -> churn(application, granted, ends), "churn");
        churn.start();
        send(web, signers, perSecond, 10);
        double alone = rate(granted, seconds);
        long before = granted.get();
        long begun = System.nanoTime();
        Result result = send(web, signers, perSecond, seconds);
        double together = (granted.get() - before) / ((System.nanoTime() - begun) / NANOS);
        double aloneAgain = rate(granted, seconds);
        ends.set(true);
        churn.join();
        long[] nanos = result.nanos();
        Arrays.sort(nanos);
        System.out.printf(
                Locale.ROOT,
                "%d requests at %d/s; answers %s%n"
                        + "ms: p50 %.2f  p90 %.2f  p99 %.2f  p99.9 %.2f  most %.2f%n"
                        + "containers/s: %.0f without requests before, %.0f with them, %.0f without after%n",
                nanos.length,
                perSecond,
                result.statuses(),
                at(nanos, 0.5),
                at(nanos, 0.9),
                at(nanos, 0.99),
                at(nanos, 0.999),
                at(nanos, 1),
                alone,
                together,
                aloneAgain);
    }

    private static double at(long[] sorted, double part) {
        return sorted[Math.min(sorted.length - 1, (int) (sorted.length * part))] / 1e6;
    }

    private static double rate(AtomicLong granted, int seconds) throws InterruptedException {
        long before = granted.get();
        long begun = System.nanoTime();
        TimeUnit.SECONDS.sleep(seconds);
        return (granted.get() - before) / ((System.nanoTime() - begun) / NANOS);
    }

    private static void churn(TestApplication application, AtomicLong granted, AtomicBoolean ends) {
        try {
            Ask ask = application.ask(Ask.of(60, Map.of("memory-mb", 1_024L, "vcores", 1L)));
            int seen = 0;
            while (!ends.get()) {
                application.heartbeat();
                TimeUnit.MILLISECONDS.sleep(HEARTBEAT_MILLIS);
                List<Container> all = ask.granted();
                for (Container container : all.subList(seen, all.size())) {
                    application.release(container);
                    application.change(ask, 1);
                    granted.incrementAndGet();
                }
                seen = all.size();
            }
        } catch (Exception e) {
            throw new IllegalStateException("the application broke down", e);
        }
    }

    private record Result(long[] nanos, Map<Integer, AtomicLong> statuses) {}

    private static Result send(URI web, List<RequestSigner> signers, int perSecond, int seconds) throws Exception {
        int all = perSecond * seconds;
        long[] nanos = new long[all];
        Map<Integer, AtomicLong> statuses = new ConcurrentHashMap<>();
        AtomicLong next = new AtomicLong();
        long begun = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(100);
        ExecutorService senders = Executors.newFixedThreadPool(SENDERS);
        HttpClient client = HttpClient.newHttpClient();
        for (int sender = 0; sender < SENDERS; sender++) {
            senders.execute(() -> {
                for (int i = (int) next.getAndIncrement(); i < all; i = (int) next.getAndIncrement()) {
                    long due = begun + (long) (i * NANOS / perSecond);
                    for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                        LockSupport.parkNanos(left);
                    }
                    int status = request(client, web, signers, i);
                    nanos[i] = System.nanoTime() - due;
                    statuses.computeIfAbsent(status, any -> new AtomicLong()).incrementAndGet();
                }
            });
        }
        senders.shutdown();
        if (!senders.awaitTermination(seconds + 60L, TimeUnit.SECONDS)) {
            throw new IllegalStateException("requests did not end");
        }
        return new Result(nanos, statuses);
    }

    private static int request(HttpClient client, URI web, List<RequestSigner> signers, int i) {
        int account = i % signers.size();
        boolean change = i % 5 == 0;
        String path = "/heddle/market/v1/accounts/user" + account + (change ? "/rate" : "");
        String method = change ? "PUT" : "GET";
        byte[] body = (change ? "{\"rate\":\"" + i % 97 + ".5\"}" : "").getBytes(StandardCharsets.UTF_8);
        Map<String, List<String>> fields = change ? Map.of("Content-Type", List.of("application/json")) : Map.of();
        try {
            RequestParts parts = new RequestParts(method, "http", "", path, null, fields, body);
            HttpRequest.Builder request = HttpRequest.newBuilder(web.resolve(path))
                    .method(method, change ? BodyPublishers.ofByteArray(body) : BodyPublishers.noBody());
            fields.forEach((name, values) -> request.header(name, values.get(0)));
            signers.get(account).sign(parts, System.currentTimeMillis() / 1_000).forEach(request::header);
            HttpResponse<String> answer = client.send(request.build(), BodyHandlers.ofString());
            return answer.statusCode();
        } catch (Exception e) {
            return -1;
        }
    }
}
