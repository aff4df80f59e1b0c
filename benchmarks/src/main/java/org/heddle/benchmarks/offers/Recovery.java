// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.offers;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.heddle.benchmarks.experiment.Spread;
import org.heddle.offers.Bridge;

/** Measures Spark's iterations on offers when an executor is killed, and when not all points fit into memory. */
public final class Recovery {
    static final int ITERATIONS = 10;
    static final int KILLED_IN = 6;
    private static final int PARTITIONS = 16;
    private static final int EXECUTORS = 3;

    private Recovery() {}

    /**
     * @param args the directory of the source tree, a directory for files, points, and fractions of the heap for the
     *     points
     */
    public static void main(String[] args) throws Exception {
        try (BridgedCluster cluster = new BridgedCluster(Path.of(args[1]))) {
            cluster.writePoints(SparkRun.REGRESSION.input(), Integer.parseInt(args[2]), Iterations.DIMENSIONS);
            try (Bridge bridge = cluster.bridge()) {
                measure(cluster, bridge, Path.of(args[0]), List.of(args).subList(3, args.length));
            }
        }
        System.exit(0); // threads of the cluster may live on
    }

    private static void measure(BridgedCluster cluster, Bridge bridge, Path tree, List<String> fractions)
            throws Exception {
        SparkRun.Times whole = run(cluster, bridge, tree, "0.6", false);
        SparkRun.Times killed = run(cluster, bridge, tree, "0.6", true);
        System.out.println("| iteration | no failure s | an executor is killed in iteration 6 s |");
        System.out.println("|---|---|---|");
        for (int i = 1; i < ITERATIONS; i++) {
            System.out.printf(
                    Locale.ROOT, "| iteration %d | %.3f | %.3f |%n", i, whole.iteration(i), killed.iteration(i));
        }
        System.out.println("| heap for data | points in memory % | iteration s | spread |");
        System.out.println("|---|---|---|---|");
        for (String fraction : fractions) {
            SparkRun.Times times = run(cluster, bridge, tree, fraction, false);
            System.out.printf(
                    Locale.ROOT,
                    "| spark.memory.fraction %s | %.0f |%s%n",
                    fraction,
                    100.0 * times.cached() / PARTITIONS,
                    Iterations.cells(Spread.of(IntStream.range(2, ITERATIONS)
                            .mapToDouble(times::iteration)
                            .toArray())));
        }
    }

    private static SparkRun.Times run(BridgedCluster cluster, Bridge bridge, Path tree, String fraction, boolean kill)
            throws Exception {
        return cluster.spark(bridge, tree, EXECUTORS, "512m")
                .set("spark.memory.fraction", fraction)
                .run(SparkRun.REGRESSION, PARTITIONS, ITERATIONS, begun -> {
                    if (kill && begun == KILLED_IN) {
                        SparkRun.killExecutor();
                    }
                });
    }
}
