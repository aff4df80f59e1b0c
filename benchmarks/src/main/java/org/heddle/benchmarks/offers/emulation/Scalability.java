// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.offers.emulation;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.heddle.benchmarks.experiment.Spread;
import org.heddle.benchmarks.program.PrintedTable;
import org.heddle.testkit.Await;

/**
 * Measures what single tasks of one more framework take beyond their length while other frameworks keep an emulated
 * cluster full, and prints a table of one line.
 */
public final class Scalability {
    static final String MEAN = "mean, ms";
    static final String MEDIAN = "median, ms";
    static final String MOST = "99 %, ms";
    static final String LONGEST = "longest, ms";
    static final String FIRST = "first task, ms";
    static final String LAUNCHES = "launches/s";
    static final String BUSY = "busy nodes, %";
    static final String LATE = "late launches";

    static final int FRAMEWORKS = 200;
    static final int SINGLE_TASKS = 200;

    /** The mean of the Mesos paper. */
    static final long TASK_MILLIS = 30_000;

    /** Single tasks before those that are measured, for Java's compilers. */
    private static final int WARM_UP = 50;

    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private Scalability() {}

    /** @param args a directory for the bridge's log, nodes, frameworks, and queues among which they are divided */
    public static void main(String[] args) throws Exception {
        int nodes = Integer.parseInt(args[1]);
        Scenario scenario =
                new Scenario(nodes, Integer.parseInt(args[2]), Integer.parseInt(args[3]), TASK_MILLIS, SINGLE_TASKS);
        Map<String, Double> figures = measure(scenario, Files.createTempDirectory(Path.of(args[0]), "log-"));
        System.out.println(PrintedTable.of("cluster", String.format(Locale.ROOT, "%,d nodes", nodes), figures));
    }

    /** @param directory for the bridge's log; empty */
    static Map<String, Double> measure(Scenario scenario, Path directory) throws Exception {
        try (EmulatedCluster cluster = new EmulatedCluster(scenario, directory)) {
            // 1. A task has been launched on each node, and one after it
            awaitLaunches(cluster, 2L * scenario.nodes());
            cluster.checkFailures();

            // 2. The first task of one more framework, from its registration on
            SingleTasks single = cluster.single();
            long begin = System.nanoTime();
            single.subscribe();
            double registered = (System.nanoTime() - begin) / 1e6;
            double first = registered + single.overhead();
            for (int i = 0; i < WARM_UP; i++) {
                single.overhead();
            }

            // 3. Its further tasks
            double[] overheads = new double[scenario.singleTasks()];
            long running = 0;
            long before = cluster.agents().launched();
            long from = System.nanoTime();
            for (int i = 0; i < overheads.length; i++) {
                running += cluster.agents().running(); // none of them are single tasks
                overheads[i] = single.overhead();
            }
            double seconds = (System.nanoTime() - from) / 1e9;
            double launches = (cluster.agents().launched() - before) / seconds;
            cluster.check();

            Map<String, Double> figures = new LinkedHashMap<>();
            figures.put(MEAN, Arrays.stream(overheads).average().orElseThrow());
            figures.put(MEDIAN, Spread.percentile(overheads, 0.5));
            figures.put(MOST, Spread.percentile(overheads, 0.99));
            figures.put(LONGEST, Spread.percentile(overheads, 1));
            figures.put(FIRST, first);
            figures.put(LAUNCHES, launches);
            figures.put(BUSY, 100.0 * running / overheads.length / scenario.nodes());
            figures.put(LATE, (double) cluster.lateLaunches());
            return figures;
        }
    }

    private static void awaitLaunches(EmulatedCluster cluster, long wanted) {
        Await.until(
                wanted + " launches",
                PATIENCE,
                () -> cluster.agents().launched() >= wanted || cluster.failure() != null,
                () -> cluster.agents().launched() + " were launched, "
                        + cluster.agents().running() + " tasks run, " + cluster.lateLaunches()
                        + " launches came too late");
    }
}
