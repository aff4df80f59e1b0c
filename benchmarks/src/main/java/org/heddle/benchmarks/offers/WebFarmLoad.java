// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.offers;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.heddle.benchmarks.experiment.Spread;
import org.heddle.frameworks.Main;
import org.heddle.offers.Bridge;
import org.heddle.testkit.Await;
import org.heddle.testkit.jobs.CpuHog;
import org.heddle.testkit.jobs.SmallJvm;
import org.heddle.testkit.jobs.WebClients;
import org.heddle.testkit.jobs.WebPage;

/** Measures the web farm without and beside a hog on its nodes, and how it follows the load. */
public final class WebFarmLoad {
    /** More than half of a node's memory, so a node has one hog. */
    private static final int HOG_MB = 3_500;

    private static final int PAGE_BYTES = 3_000_000;
    /** Half of what the servers can do: with more they would use what the hog is entitled to. */
    private static final int CLIENTS = 2;

    private static final Duration PAUSE = Duration.ofMillis(100);
    /** About 450 pages, so that one page in a hundred is several of them. */
    private static final int LOAD_SECONDS = 60;
    /** Clients, one number after the other. */
    private static final int[] RAMP = {1, 3, 6, 12, 12, 6, 3, 1, 1, 1};

    private static final int STEP_SECONDS = 6;
    private static final int ROW_SECONDS = 3;
    private static final int LOOK_MILLIS = 100;
    /** So that a request takes about a second. */
    private static final int SLOW_PAGE_BYTES = 20_000;

    private final BridgedCluster cluster;

    private WebFarmLoad(BridgedCluster cluster) {
        this.cluster = cluster;
    }

    /** @param args a directory for files, and repetitions */
    public static void main(String[] args) throws Exception {
        try (BridgedCluster cluster = new BridgedCluster(Path.of(args[0]))) {
            WebFarmLoad load = new WebFarmLoad(cluster);
            System.out.println("| tasks | alone: 99 % within ms | spread | beside the hog: 99 % within ms | spread"
                    + " | slower by % | spread | alone: median ms | beside the hog: median ms | dropped |");
            System.out.println("|---|---|---|---|---|---|---|---|---|---|");
            load.compare("limited by cgroups", "auto", Integer.parseInt(args[1]));
            load.compare("not limited", "off", Integer.parseInt(args[1]));
            load.follow();
        }
        System.exit(0); // threads of the cluster may live on
    }

    // ---- without and beside the hog ----

    private record Load(double p99, double median, int dropped) {}

    private void compare(String name, String limits, int repetitions) throws Exception {
        List<Load> alone = new ArrayList<>();
        List<Load> beside = new ArrayList<>();
        List<Double> slower = new ArrayList<>();
        String location = WebPage.write(cluster.home(), PAGE_BYTES);
        try (Bridge bridge = cluster.bridge(limits);
                WebFarmProcess farm = farm(bridge, "--least=2", "--most=2", "--cpus=1", "--location=" + location)) {
            if (limits.equals("auto") && !hasCgroups(bridge)) {
                System.out.println("Skipped: agents cannot make cgroups on this machine.");
                return;
            }
            load(farm); // fills caches
            for (int i = 0; i < repetitions; i++) {
                alone.add(load(farm));
                try (Hog hog = hog(bridge)) {
                    beside.add(load(farm));
                    hog.requireAlive();
                }
                slower.add(100 * (beside.get(i).p99() / alone.get(i).p99() - 1));
            }
        }
        System.out.println("| " + name + " |" + cells(alone) + cells(beside) + Iterations.cells(Spread.of(slower))
                + String.format(
                        Locale.ROOT,
                        " %.1f | %.1f | %d |",
                        median(alone, Load::median),
                        median(beside, Load::median),
                        dropped(alone) + dropped(beside)));
    }

    private static String cells(List<Load> loads) {
        return Iterations.cells(Spread.of(loads.stream().map(Load::p99).toList()));
    }

    private static double median(List<Load> loads, ToDoubleFunction<Load> figure) {
        return Spread.of(loads.stream().mapToDouble(figure).toArray()).median();
    }

    private static int dropped(List<Load> loads) {
        return loads.stream().mapToInt(Load::dropped).sum();
    }

    private static Load load(WebFarmProcess farm) throws InterruptedException {
        WebClients clients = farm.clients(WebPage.PATH, CLIENTS, PAUSE);
        try (clients) {
            TimeUnit.SECONDS.sleep(LOAD_SECONDS); // the load, not a condition
        }
        double[] millis = clients.requests().stream()
                .mapToDouble(WebClients.Request::millis)
                .toArray();
        return new Load(
                Spread.percentile(millis, 0.99),
                Spread.percentile(millis, 0.5),
                clients.dropped().size());
    }

    private WebFarmProcess farm(Bridge bridge, String... options) throws IOException {
        return new WebFarmProcess(cluster.home(), BridgedCluster.address(bridge), options);
    }

    private static boolean hasCgroups(Bridge bridge) throws IOException, InterruptedException {
        URI page = BridgedCluster.address(bridge).resolve("/console/data");
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(page).build(), HttpResponse.BodyHandlers.ofString())
                .body()
                .contains("\"limits\":\"cgroups\"");
    }

    /** A hog on each node as long as it is open. */
    private record Hog(Process process, Path log) implements AutoCloseable {
        void requireAlive() throws IOException {
            if (!process.isAlive()) {
                throw new IOException("the hog has ended: see " + log);
            }
        }

        boolean runs() throws IOException {
            requireAlive();
            return Files.readString(log).split(CpuHog.UP, -1).length > BridgedCluster.NODES;
        }

        @Override
        public void close() {
            process.destroy();
            process.onExit().join();
        }
    }

    private Hog hog(Bridge bridge) throws IOException {
        Path log = Files.createTempFile(cluster.home(), "hog", ".log");
        List<String> words = new ArrayList<>(
                List.of("mpiexec", "--bridge", BridgedCluster.address(bridge).toString()));
        words.addAll(CpuHog.options(BridgedCluster.NODES, "0.1", HOG_MB));
        Hog hog = new Hog(SmallJvm.start(cluster.home(), Main.class, cluster.home(), log, words), log);
        Await.until("the hog to run", Duration.ofMinutes(2), hog::runs);
        return hog;
    }

    // ---- how it follows the load ----

    private void follow() throws Exception {
        Files.writeString(cluster.home().resolve("slow"), "x".repeat(SLOW_PAGE_BYTES));
        String location = "--location=limit_rate " + SLOW_PAGE_BYTES + "; root " + cluster.home() + ";";
        System.out.println("| time | sessions | servers | sessions of a server |");
        System.out.println("|---|---|---|---|");
        try (Bridge bridge = cluster.bridge();
                WebFarmProcess farm = farm(bridge, "--most=6", "--per-node=3", "--sessions=2", "--calm=3", location);
                Hog hog = hog(bridge)) {
            int seconds = 0;
            for (int count : RAMP) {
                WebClients clients = farm.clients("/slow", count, PAUSE);
                try (clients) {
                    for (int row = 0; row < STEP_SECONDS / ROW_SECONDS; row++) {
                        seconds += ROW_SECONDS;
                        System.out.println(row(seconds, clients, farm));
                    }
                }
                if (!clients.dropped().isEmpty()) {
                    throw new IOException(clients.dropped().size() + " connections were dropped while the farm followed"
                            + " the load: " + clients.dropped().get(0).problem());
                }
            }
            hog.requireAlive();
        }
    }

    /** Means of some seconds. */
    private static String row(int seconds, WebClients clients, WebFarmProcess farm) throws Exception {
        int looks = ROW_SECONDS * 1000 / LOOK_MILLIS;
        double sessions = 0;
        double servers = 0;
        for (int i = 0; i < looks; i++) {
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS); // the interval of looks
            sessions += clients.open();
            servers += farm.servers();
        }
        return String.format(
                Locale.ROOT,
                "| at %d s | %.2f | %.2f | %.2f |",
                seconds,
                sessions / looks,
                servers / looks,
                sessions / Math.max(1, servers));
    }
}
