// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.log4j.Level;
import org.apache.log4j.LogManager;
import org.heddle.testkit.Await;
import org.heddle.testkit.ProcessCluster;
import picocli.CommandLine;

/** {@code benchmarks/bin/soak}: a cluster of processes with the market, all workloads, and daemons that are killed. */
@CommandLine.Command(
        name = "soak",
        mixinStandardHelpOptions = true,
        description = {
            "Runs a cluster of processes with the market, and all workloads, for some minutes.",
            "A daemon at random is killed (kill -9) and started again, over and over.",
            "Exit status 1: a workload lost something, a daemon leaks, or a share does not hold."
        })
public final class Soak implements Callable<Integer> {
    private static final int NODES = 3;

    /** From accounts, which are queues, to their rates. */
    private static final Map<String, Double> RATES = Map.of("etl", 3.0, "adhoc", 1.0, "batch", 1.0, Offers.QUEUE, 2.0);

    /** What runs at the same time. */
    static final List<Workload> WORKLOADS = List.of(
            new MapReduceWorkload("etl"),
            new MapReduceWorkload("adhoc"),
            new PackedBatchWorkload("batch", NODES),
            new SparkWorkload(),
            new MpiWorkload(),
            new WebFarmWorkload());

    private static final int SHARES_SECONDS = 2;
    private static final int READINGS_SECONDS = 15;
    private static final int PROGRESS_SECONDS = 60;
    private static final int NODE_MB = 3_072;
    private static final int DATA_NODES = 3;
    private static final int MASTER_KEY_BYTES = 32;

    @CommandLine.Option(
            names = "--minutes",
            defaultValue = "30",
            paramLabel = "N",
            description = "How long; 1 to 1440, default ${DEFAULT-VALUE}.")
    private int minutes;

    @CommandLine.Option(
            names = "--kill-seconds",
            defaultValue = "30",
            paramLabel = "N",
            description = "From a kill to the restart, and to the next kill; 5 to 3600, default ${DEFAULT-VALUE}.")
    private int killSeconds;

    @CommandLine.Option(
            names = "--seed",
            defaultValue = "1",
            paramLabel = "N",
            description = "Which daemons are killed, default ${DEFAULT-VALUE}.")
    private long seed;

    @CommandLine.Option(
            names = "--out",
            defaultValue = "target/soak",
            paramLabel = "DIR",
            description = "For summary.md and the pictures, default ${DEFAULT-VALUE}.")
    private Path out = Path.of("target/soak");

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec = CommandLine.Model.CommandSpec.create();

    private Soak() {}

    public static void main(String[] arguments) {
        LogManager.getRootLogger().setLevel(Level.OFF);
        int status = new CommandLine(new Soak())
                .setExecutionExceptionHandler((e, line, parsed) -> {
                    System.err.println("soak: " + e.getMessage());
                    return 1;
                })
                .execute(arguments);
        System.exit(status); // clients of Hadoop leave threads
    }

    private int within(String option, int value, int least, int most) {
        if (value < least || value > most) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(), option + " = " + value + ": must be from " + least + " to " + most);
        }
        return value;
    }

    @Override
    public Integer call() throws Exception {
        Duration length = Duration.ofMinutes(within("--minutes", minutes, 1, 1_440));
        within("--kill-seconds", killSeconds, 5, 3_600);
        Files.createDirectories(out);
        byte[] key = new byte[MASTER_KEY_BYTES];
        new SecureRandom().nextBytes(key);
        String masterKey = Base64.getEncoder().encodeToString(key);
        try (ProcessCluster cluster = cluster(masterKey)) {
            MarketAccounts.open(cluster, masterKey, RATES);
            Offers.start(cluster);
            List<Lane> lanes = new ArrayList<>();
            for (Workload workload : WORKLOADS) {
                workload.begin(cluster);
                lanes.add(new Lane(workload, cluster));
            }
            Killer killer = new Killer(cluster, seed);
            Probe probe = new Probe(cluster);
            watch(length, lanes, killer, probe);
            System.out.println("soak: the time is over; waiting for what runs");
            lanes.forEach(Lane::stop);
            for (Lane lane : lanes) {
                lane.await();
            }
            Await.until("an active ResourceManager", Duration.ofMinutes(2), () -> cluster.activeManager() != null);
            for (Workload workload : WORKLOADS) {
                workload.end();
            }
            probe.sample((double) length.toSeconds());
            Summary summary = new Summary(
                    length, lanes, killer.kills(), probe, new ShareJudge(probe.shares(), killer.outages(), RATES));
            summary.write(out);
            if (!summary.problems().isEmpty()) {
                keepLogs(cluster.home());
            }
            System.out.println(summary.text());
            return summary.problems().isEmpty() ? 0 : 1;
        }
    }

    /** The cluster's directory is deleted when it is closed. */
    private void keepLogs(Path home) throws IOException {
        Path logs = Files.createDirectories(out.resolve("logs"));
        try (Stream<Path> all =
                Files.find(home, 2, (path, any) -> path.toString().endsWith(".log"))) {
            for (Path log : (Iterable<Path>) all::iterator) {
                Path kept = logs.resolve(home.relativize(log));
                Files.createDirectories(kept.getParent());
                Files.copy(log, kept, StandardCopyOption.REPLACE_EXISTING);
            }
        }
        System.out.println("soak: logs are in " + logs);
    }

    private static ProcessCluster cluster(String masterKey) throws IOException {
        String market = "yarn.scheduler.heddle.market.";
        Path store = Files.createTempDirectory("heddle-soak-ledger");
        System.out.println("soak: starts two ResourceManagers, " + NODES + " nodes and HDFS");
        return ProcessCluster.builder()
                .scheduler("org.heddle.market.DynamicPriorityScheduler")
                .nodes(NODES, NODE_MB, 16)
                .dataNodes(DATA_NODES)
                .property("dfs.client.block.write.replace-datanode-on-failure.best-effort", "true")
                .property(market + "trial", "true")
                .property(market + "cluster-id", MarketAccounts.CLUSTER)
                .property(market + "interval-ms", "2000")
                .property(market + "rate-unit-ms", "interval")
                .property(market + "standard-slot", "memory-mb=512")
                .property(market + "store.directory", store.toString())
                .property(market + "http.master-key", masterKey)
                .property("yarn.nm.liveness-monitor.expiry-interval-ms", "60000")
                // a master that was being started when the ResourceManager was killed is given up after this time
                .property("yarn.am.liveness-monitor.expiry-interval-ms", "60000")
                .property("yarn.resourcemanager.am.max-attempts", "20")
                .property("dfs.client.retry.policy.enabled", "true") // there is one NameNode, which is killed, too
                .property("yarn.scheduler.heddle.usage.directory", "none")
                .start();
    }

    private void watch(Duration length, List<Lane> lanes, Killer killer, Probe probe) throws Exception {
        long began = System.nanoTime();
        ScheduledExecutorService often = Executors.newSingleThreadScheduledExecutor();
        Future<?> looks = often.scheduleWithFixedDelay(
                () -> probe.sampleShares(secondsSince(began)), 0, SHARES_SECONDS, TimeUnit.SECONDS);
        try {
            double nextKill = killSeconds;
            double nextReadings = 0;
            double nextProgress = PROGRESS_SECONDS;
            for (double second = 0; second < length.toSeconds(); second = secondsSince(began)) {
                if (second >= nextKill) {
                    nextKill += killSeconds;
                    killer.step(second);
                }
                if (second >= nextReadings) {
                    nextReadings = second + READINGS_SECONDS;
                    probe.sample(second);
                }
                if (second >= nextProgress) {
                    nextProgress += PROGRESS_SECONDS;
                    System.out.println(progress(second, lanes, killer));
                }
                TimeUnit.SECONDS.sleep(1); // the interval of looks, not a condition
            }
            killer.end(secondsSince(began));
        } finally {
            looks.cancel(false);
            often.shutdown();
        }
    }

    private static String progress(double second, List<Lane> lanes, Killer killer) {
        String done =
                lanes.stream().map(lane -> lane.name() + " " + lane.done()).collect(Collectors.joining(", "));
        int problems = lanes.stream().mapToInt(lane -> lane.problems().size()).sum();
        int kills = killer.kills().values().stream().mapToInt(Integer::intValue).sum();
        return String.format(
                Locale.ROOT,
                "soak: %.0f min: done: %s; %d kills, %d problems",
                second / PROGRESS_SECONDS,
                done,
                kills,
                problems);
    }

    private static double secondsSince(long nanos) {
        return (System.nanoTime() - nanos) / 1e9;
    }
}
