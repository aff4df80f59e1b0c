// SPDX-License-Identifier: Apache-2.0
package org.heddle.demos.drf;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.heddle.demos.Logs;
import org.heddle.demos.Stage;
import org.heddle.testkit.ClusterBuilder;
import org.heddle.testkit.HeddleCluster;
import org.heddle.testkit.NodeSpec;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./demo drf}: cluster up, race, report, cluster down. */
@Command(
        name = "drf",
        mixinStandardHelpOptions = true,
        description = {
            "Three users with different weights and demands run MapReduce jobs under our DRF scheduler.",
            "Shares are read from the ResourceManager's REST and compared with the fair ones.",
            "Exit code 0: jobs succeeded, outputs are right, shares are within 5 points of fair."
        })
public final class DrfDemo implements Callable<Integer> {
    @Option(
            names = "--scheduler",
            defaultValue = "drf",
            description = "${COMPLETION-CANDIDATES}; other than drf: for comparison, shares are shown and not judged"
                    + " (default: ${DEFAULT-VALUE})")
    private Contender contender = Contender.DRF;

    @Option(
            names = "--seconds",
            defaultValue = "60",
            description = "how long to measure while all users are backlogged (default: ${DEFAULT-VALUE})")
    private int seconds;

    @Option(
            names = "--workers",
            defaultValue = "" + Scenario.STANDARD_WORKERS,
            description = "number of nodes for tasks; each runs 16 at once (default: ${DEFAULT-VALUE})")
    private int workers;

    @Option(names = "--seed", defaultValue = "1", description = "seed of the rows to sort (default: ${DEFAULT-VALUE})")
    private long seed;

    @Option(names = "--keep", description = "leave the cluster up at the end, until Ctrl-C")
    private boolean keep;

    @Option(names = "--out", description = "directory for plots and logs (default: a new one in demos/target/demo)")
    private Path out = Stage.target().resolve("demo").resolve(runName());

    private final PrintStream console = new PrintStream(System.out, true, StandardCharsets.UTF_8);

    private volatile boolean stopping;
    private volatile @Nullable Race running;

    private static String runName() {
        return LocalDateTime.now(ZoneId.systemDefault()).format(DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss")) + "-"
                + ProcessHandle.current().pid();
    }

    @Override
    public Integer call() throws Exception {
        if (seconds < 5 || seconds > 3600) {
            console.println("demo: --seconds " + seconds + ": give 5 to 3600");
            return 2;
        }
        if (workers < 2 || workers > 20) {
            console.println("demo: --workers " + workers + ": give 2 to 20");
            return 2;
        }
        Path jars = Stage.target().resolve("hadoop-sources");
        if (!Files.isDirectory(jars)) {
            console.println("demo: no directory " + jars + ": start the demo with ./demo, which builds it");
            return 2;
        }
        Files.createDirectories(out);
        Path home = out.toRealPath();
        Logs.toFile(home.resolve("cluster.log"));
        Scenario scenario = Scenario.standard(workers);
        ClusterBuilder plan = HeddleCluster.builder()
                .scheduler(contender.schedulerClass())
                .nodes(scenario.fronts(), scenario.front())
                .addressesAsNames()
                .users(scenario.users())
                .hdfsOn(scenario.workerNodes().stream().map(NodeSpec::host).toArray(String[]::new))
                .mapReduce()
                .properties(scenario.properties())
                .directory(home);
        contender.configure(plan, scenario);
        if (!keep) {
            plan.withoutHistoryServer();
        }
        HeddleCluster cluster = plan.build();
        Thread cleaner = new Thread(() -> stop(cluster), "demo-cleaner");
        Runtime.getRuntime().addShutdownHook(cleaner);
        try {
            long begin = System.nanoTime();
            console.println("Starting HDFS and YARN under " + contender.schedulerClass() + ", log in "
                    + home.resolve("cluster.log"));
            cluster.start();
            console.printf("Up in %d s: %s%n", (System.nanoTime() - begin) / 1_000_000_000L, cluster.webAddress());
            Race race = new Race(cluster, contender, scenario, seed, seconds, jars, home, console);
            running = race;
            boolean good = race.run();
            if (keep) {
                waitForInterrupt(cluster, home);
            }
            return good ? 0 : 1;
        } catch (Exception e) {
            if (stopping) {
                return 130; // what failed, failed because of Ctrl-C
            }
            throw e;
        } finally {
            cluster.close();
            Logs.closeAfter(cleaner);
        }
    }

    private void stop(HeddleCluster cluster) {
        stopping = true;
        Race race = running;
        if (race != null) {
            race.abandon();
        }
        console.println();
        console.println("Stopping the cluster ..");
        cluster.close();
    }

    private void waitForInterrupt(HeddleCluster cluster, Path home) throws IOException, InterruptedException {
        Path conf = home.resolve("conf");
        cluster.writeClientConfiguration(conf);
        Path arguments = home.resolve("client.args");
        Files.writeString(
                arguments,
                "-Dlog4j2.disable.jmx=true\n-cp\n\"" + conf + ":" + System.getProperty("java.class.path") + "\"\n");
        console.println();
        console.println("The cluster is still up; Ctrl-C ends it.");
        console.println("  ResourceManager  " + cluster.webAddress() + "/cluster");
        console.println("  scheduler        " + cluster.webAddress() + "/cluster/scheduler");
        console.println("  HDFS             " + cluster.hdfsWebAddress());
        console.println("  configuration    " + conf);
        console.println("Submit a job of your own:");
        console.println("  HADOOP_USER_NAME=alice "
                + ProcessHandle.current().info().command().orElse("java") + " @"
                + arguments + " org.heddle.demos.jobs.WordCount -Dmapreduce.job.queuename="
                + contender.queueOf(Scenario.standard(workers).tenants().get(0))
                + " /demo/text /user/alice/mine");
        new CountDownLatch(1).await();
    }
}
