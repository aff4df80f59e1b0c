// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.offers;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.apache.hadoop.conf.Configuration;
import org.heddle.benchmarks.experiment.Spread;
import org.heddle.offers.Bridge;

/**
 * Measures logistic regression in Spark on offers and in MapReduce, with two tasks of one core and equal memory each.
 */
public final class Iterations {
    static final int DIMENSIONS = 10;
    private static final int SLOTS = 2;
    private static final int TASK_MB = 1408; // as a Spark executor with a heap of 1 GiB: 384 MiB more
    private static final long MEGABYTE = 1 << 20;
    private static final String INPUT = SparkRun.REGRESSION.input();

    /** Seconds after 1, 5, 10 .. iterations, and of each iteration after the first. */
    private record Outcome(double[] until, double[] later) {}

    private final BridgedCluster cluster;
    private final int iterations;
    private final long bytes;

    private Iterations(BridgedCluster cluster, int points, int iterations) throws Exception {
        this.cluster = cluster;
        this.iterations = iterations;
        cluster.writePoints(INPUT, points, DIMENSIONS);
        this.bytes = cluster.length(INPUT);
    }

    /** @param args the directory of the source tree, a directory for files, points, iterations, and runs of Spark */
    public static void main(String[] args) throws Exception {
        try (BridgedCluster cluster = new BridgedCluster(Path.of(args[1]))) {
            new Iterations(cluster, Integer.parseInt(args[2]), Integer.parseInt(args[3]))
                    .measure(Path.of(args[0]), Integer.parseInt(args[4]));
        }
        System.exit(0); // threads of the cluster may live on
    }

    private void measure(Path tree, int runs) throws Exception {
        System.out.printf(Locale.ROOT, "%d MB of text, %d iterations%n", bytes / MEGABYTE, iterations);
        Map<String, List<Outcome>> outcomes = new LinkedHashMap<>();
        List<Outcome> spark = new ArrayList<>();
        outcomes.put("Spark on offers", spark);
        try (Bridge bridge = cluster.bridge()) {
            SparkRun run = cluster.spark(bridge, tree, SLOTS, "1g");
            for (int i = 0; i < runs; i++) {
                spark.add(outcome(run.run(SparkRun.REGRESSION, 2 * SLOTS, iterations, begun -> {})));
            }
        }
        outcomes.put("MapReduce", List.of(mapReduce(Map.of())));
        Map<String, String> large = largeSplits(bytes, SLOTS);
        outcomes.put("MapReduce, one wave of large splits", List.of(mapReduce(large)));
        Map<String, String> uber = new LinkedHashMap<>(large);
        uber.put("mapreduce.job.ubertask.enable", "true");
        uber.put("mapreduce.job.ubertask.maxbytes", Long.toString(bytes + MEGABYTE));
        uber.put("yarn.app.mapreduce.am.resource.mb", Integer.toString(SLOTS * TASK_MB));
        uber.put("yarn.app.mapreduce.am.command-opts", "-Xmx1g -XX:+UseSerialGC");
        try {
            outcomes.put("MapReduce, uber: all in its master", List.of(mapReduce(uber)));
        } catch (IOException e) {
            // Seen twice on a quiet machine: the reduce of one job in 20 failed, and an uber job has no second attempt.
            System.out.println("No figures of uber jobs: " + e.getMessage());
        }
        print(outcomes);
    }

    /** Settings of a job with so many maps at a time, each as large as an executor with a heap of 1 GiB. */
    static Configuration mapReduce(BridgedCluster cluster, int maps, Map<String, String> settings) {
        Configuration conf = cluster.configuration();
        conf.setInt("mapreduce.job.running.map.limit", maps);
        conf.setInt("mapreduce.map.memory.mb", TASK_MB);
        conf.set("mapreduce.map.java.opts", "-Xmx1g -XX:+UseSerialGC");
        conf.setBoolean("mapreduce.map.speculative", false);
        settings.forEach(conf::set);
        return conf;
    }

    /** As many maps as there may be at a time; reduces start beside them. */
    static Map<String, String> largeSplits(long bytes, int maps) {
        String part = Long.toString(bytes / maps + 1);
        return Map.of(
                "mapreduce.input.fileinputformat.split.minsize", part,
                "mapreduce.input.fileinputformat.split.maxsize", part,
                "mapreduce.job.reduce.slowstart.completedmaps", "0");
    }

    private Outcome mapReduce(Map<String, String> settings) throws Exception {
        Configuration conf = mapReduce(cluster, SLOTS, settings);
        double[] seconds = RegressionJob.run(conf, INPUT, DIMENSIONS, iterations);
        double[] until = new double[seconds.length];
        double sum = 0;
        for (int i = 0; i < seconds.length; i++) {
            sum += seconds[i];
            until[i] = sum;
        }
        return new Outcome(until, Arrays.copyOfRange(seconds, 1, seconds.length));
    }

    private Outcome outcome(SparkRun.Times times) {
        double[] until = new double[iterations];
        double[] later = new double[iterations - 2];
        for (int i = 1; i <= iterations; i++) {
            until[i - 1] = times.until(i);
        }
        for (int i = 2; i < iterations; i++) {
            later[i - 2] = times.iteration(i);
        }
        return new Outcome(until, later);
    }

    private void print(Map<String, List<Outcome>> outcomes) {
        List<Integer> counts =
                List.of(1, 5, 10, 20).stream().filter(k -> k <= iterations).toList();
        StringBuilder head = new StringBuilder("| framework |");
        counts.forEach(k -> head.append(k == 1 ? " 1 iteration s |" : " " + k + " iterations s |")
                .append(" spread |"));
        System.out.println(head + " later iteration s | spread | times Spark's | times Spark's later iteration |");
        System.out.println("|---|" + "---|---|".repeat(counts.size()) + "---|---|---|---|");
        Spread sparkAll = spread(outcomes.values().iterator().next(), iterations);
        Spread sparkLater = later(outcomes.values().iterator().next());
        outcomes.forEach((name, runs) -> {
            StringBuilder row = new StringBuilder("| " + name + " |");
            counts.forEach(k -> row.append(cells(spread(runs, k))));
            row.append(cells(later(runs)));
            System.out.printf(
                    Locale.ROOT,
                    "%s %.2f | %.2f |%n",
                    row,
                    spread(runs, iterations).median() / sparkAll.median(),
                    later(runs).median() / sparkLater.median());
        });
    }

    private static Spread spread(List<Outcome> runs, int count) {
        return spread(runs, outcome -> outcome.until()[count - 1]);
    }

    private static Spread spread(List<Outcome> runs, ToDoubleFunction<Outcome> figure) {
        return Spread.of(runs.stream().mapToDouble(figure).toArray());
    }

    private static Spread later(List<Outcome> runs) {
        return Spread.of(
                runs.stream().flatMapToDouble(one -> Arrays.stream(one.later())).toArray());
    }

    static String cells(Spread spread) {
        return String.format(Locale.ROOT, " %.3f | %.3f to %.3f |", spread.median(), spread.least(), spread.most());
    }
}
