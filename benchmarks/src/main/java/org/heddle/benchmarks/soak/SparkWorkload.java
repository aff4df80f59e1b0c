// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.soak;

import java.nio.file.Files;
import java.nio.file.Path;
import org.heddle.benchmarks.offers.Points;
import org.heddle.benchmarks.offers.ProcessBridge;
import org.heddle.benchmarks.offers.SparkRun;
import org.heddle.testkit.ProcessCluster;

/** Spark with the master {@code offers://}: logistic regression on two executors, of which all iterations must end. */
final class SparkWorkload implements Workload {
    private static final String INPUT = "/soak/points";
    private static final int POINTS = 50_000;
    private static final int DIMENSIONS = 10;
    private static final int ITERATIONS = 5;
    private static final int EXECUTORS = 2;

    @Override
    public String name() {
        return "spark";
    }

    @Override
    public void begin(ProcessCluster cluster) throws Exception {
        cluster.writeClientConfiguration(Files.createDirectories(client(cluster)));
        Points.write(org.apache.hadoop.fs.FileSystem.newInstance(cluster.configuration()), INPUT, POINTS, DIMENSIONS);
    }

    private static Path client(ProcessCluster cluster) {
        return cluster.home().resolve("client");
    }

    @Override
    public void once(ProcessCluster cluster, int number) throws Exception {
        ProcessBridge.await(cluster);
        Path home = Files.createDirectories(cluster.home().resolve("spark-" + number));
        new SparkRun(home, client(cluster), ProcessBridge.uri(cluster), Path.of(""), EXECUTORS, "512m")
                .set("spark.task.maxFailures", "20") // nodes are killed often
                .set("spark.stage.maxConsecutiveAttempts", "20")
                .run(SparkRun.regression(INPUT), 2 * EXECUTORS, ITERATIONS, begun -> {});
    }
}
