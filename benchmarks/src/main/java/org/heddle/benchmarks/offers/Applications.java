// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.offers;

import static org.heddle.benchmarks.offers.Iterations.cells;
import static org.heddle.benchmarks.offers.Iterations.largeSplits;
import static org.heddle.benchmarks.offers.Iterations.mapReduce;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.heddle.offers.Bridge;

/**
 * Measures k-means and PageRank in Spark on offers and in MapReduce, with one task of one core at a time, and with two.
 * Both must come to the same result.
 */
public final class Applications {
    static final int[] TASKS = {1, 2};
    private static final String SPARK = "Spark on offers";
    private static final int CENTERS = 10;
    private static final double EQUAL = 1e-6;
    private static final SparkRun.Application K_MEANS =
            new SparkRun.Application("KMeans", "/points", "/centers", List.of(Integer.toString(CENTERS)));
    private static final SparkRun.Application PAGE_RANK =
            new SparkRun.Application("PageRank", "/links", "/ranks", List.of());

    /** A row of the table. */
    private record Row(String application, String framework) {}

    private final BridgedCluster cluster;
    private final int iterations;
    /** By tasks at a time. The first iteration of Spark includes its start, and its last one is not timed. */
    private final Map<Row, Map<Integer, IterationTimes>> times = new LinkedHashMap<>();

    private Applications(BridgedCluster cluster, int iterations) {
        this.cluster = cluster;
        this.iterations = iterations;
    }

    /**
     * @param args the directory of the source tree, a directory for files, points, links, iterations, and runs of Spark
     */
    public static void main(String[] args) throws Exception {
        try (BridgedCluster cluster = new BridgedCluster(Path.of(args[1]))) {
            cluster.writePoints(K_MEANS.input(), Integer.parseInt(args[2]), Iterations.DIMENSIONS);
            Links.write(cluster.files(), PAGE_RANK.input(), Integer.parseInt(args[3]));
            new Applications(cluster, Integer.parseInt(args[4])).measure(Path.of(args[0]), Integer.parseInt(args[5]));
        }
        System.exit(0); // threads of the cluster may live on
    }

    private void measure(Path tree, int runs) throws Exception {
        try (Bridge bridge = cluster.bridge()) {
            for (int tasks : TASKS) {
                SparkRun spark = cluster.spark(bridge, tree, tasks, "1g");
                for (int i = 0; i < runs; i++) {
                    times("k-means", SPARK, tasks).add(seconds(spark, K_MEANS, tasks));
                    times("PageRank", SPARK, tasks).add(seconds(spark, PAGE_RANK, tasks));
                }
            }
        }
        for (int tasks : TASKS) {
            kMeans("MapReduce", tasks, Map.of());
            kMeans("MapReduce with large splits", tasks, largeSplits(cluster.length(K_MEANS.input()), tasks));
            pageRank("MapReduce", tasks, Map.of());
            pageRank("MapReduce with large splits", tasks, largeSplits(cluster.length(PAGE_RANK.input()), tasks));
        }
        print();
    }

    private IterationTimes times(String application, String framework, int tasks) {
        return times.computeIfAbsent(new Row(application, framework), key -> new LinkedHashMap<>())
                .computeIfAbsent(tasks, key -> new IterationTimes());
    }

    private double[] seconds(SparkRun spark, SparkRun.Application application, int tasks) throws Exception {
        SparkRun.Times all = spark.run(application, 2 * tasks, iterations, begun -> {});
        double[] seconds = new double[iterations - 1];
        seconds[0] = all.until(1);
        for (int i = 2; i < iterations; i++) {
            seconds[i - 1] = all.iteration(i);
        }
        return seconds;
    }

    private void kMeans(String framework, int tasks, Map<String, String> settings) throws Exception {
        KMeansJob.Outcome outcome =
                KMeansJob.run(mapReduce(cluster, tasks, settings), K_MEANS.input(), CENTERS, iterations);
        times("k-means", framework, tasks).add(outcome.seconds());
        List<String> lines = TextFiles.lines(cluster.files(), K_MEANS.output());
        for (int i = 0; i < CENTERS; i++) {
            double[] spark = VectorSums.parse(lines.get(i));
            double[] center = outcome.centers().get(i);
            for (int d = 0; d < center.length; d++) {
                requireEqual("coordinate " + d + " of center " + i, spark[d], center[d]);
            }
        }
    }

    private void pageRank(String framework, int tasks, Map<String, String> settings) throws Exception {
        Configuration conf = mapReduce(cluster, tasks, settings);
        conf.setInt("mapreduce.job.running.reduce.limit", tasks);
        PageRankJob.Outcome outcome = PageRankJob.run(conf, PAGE_RANK.input(), tasks, iterations);
        times("PageRank", framework, tasks).add(outcome.seconds());
        List<String> lines = TextFiles.lines(cluster.files(), PAGE_RANK.output());
        requireEqual("number of pages", lines.size(), outcome.ranks().size());
        for (String line : lines) {
            String[] words = line.split(" ", 2);
            requireEqual(
                    "rank of " + words[0],
                    Double.parseDouble(words[1]),
                    outcome.ranks().getOrDefault(words[0], Double.NaN));
        }
    }

    private static void requireEqual(String what, double spark, double mapReduce) {
        if (!areEqual(spark, mapReduce)) {
            throw new IllegalStateException("Spark and MapReduce differ: the " + what + " is " + spark
                    + " in Spark and " + mapReduce + " in MapReduce");
        }
    }

    /** Whether two results are equal, but for rounding. */
    static boolean areEqual(double a, double b) {
        return Math.abs(a - b) <= EQUAL * Math.max(1, Math.abs(a)); // NaN is not equal
    }

    private void print() {
        StringBuilder head = new StringBuilder("| application | framework |");
        for (int tasks : TASKS) {
            String of = ApplicationsExperiment.column(tasks, "");
            head.append(' ').append(of).append("first iteration s | spread | ");
            head.append(of)
                    .append("later iteration s | spread | ")
                    .append(of)
                    .append("times Spark's later iteration |");
        }
        System.out.println(head);
        System.out.println("|---|---|" + "---|".repeat(5 * TASKS.length));
        times.forEach((name, sizes) -> {
            StringBuilder row = new StringBuilder("| " + name.application() + " | " + name.framework() + " |");
            sizes.forEach((tasks, found) -> row.append(cells(found.first()))
                    .append(cells(found.later()))
                    .append(String.format(
                            Locale.ROOT,
                            " %.2f |",
                            found.later().median()
                                    / times(name.application(), SPARK, tasks)
                                            .later()
                                            .median())));
            System.out.println(row);
        });
    }
}
