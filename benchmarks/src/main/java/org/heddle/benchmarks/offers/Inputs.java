// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.offers;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.heddle.offers.Bridge;

/**
 * Measures logistic regression in Spark on offers, on one executor of one core, by where its points are: in a file of
 * HDFS, in a local file or in the executor's memory, read from text or from binary records. All must come to the same
 * weights.
 */
public final class Inputs {
    static final List<String> FORMATS = List.of("text", "binary");
    private static final int PARTITIONS = 4;
    private static final String BLOCK_BYTES = Long.toString(1 << 28); // so large that all files have as many partitions
    private static final String FILE = "/points-";
    private static final String WEIGHTS = "/weights";

    /**
     * A row of the table.
     *
     * @param name of the row
     * @param place what stands before the names of its files
     * @param kept the application's word for where the points of a later iteration come from
     */
    private record Source(String name, String place, String kept) {}

    private final BridgedCluster cluster;
    private final SparkRun spark;
    private final int iterations;
    private final List<Source> sources;
    /** By format. */
    private final Map<Source, Map<String, IterationTimes>> times = new LinkedHashMap<>();
    /** Those of the first run. */
    private List<String> weights = List.of();

    private Inputs(BridgedCluster cluster, SparkRun spark, int iterations) {
        this.cluster = cluster;
        this.spark = spark.set("spark.hadoop.fs.local.block.size", BLOCK_BYTES);
        this.iterations = iterations;
        this.sources = List.of(
                new Source(InputsExperiment.HDFS, "", "file"),
                new Source(InputsExperiment.LOCAL, "file://" + cluster.home(), "file"),
                new Source(InputsExperiment.MEMORY, "", "memory"));
    }

    /** @param args the directory of the source tree, a directory for files, points, iterations, and runs */
    public static void main(String[] args) throws Exception {
        try (BridgedCluster cluster = new BridgedCluster(Path.of(args[1]));
                Bridge bridge = cluster.bridge()) {
            SparkRun spark = cluster.spark(bridge, Path.of(args[0]), 1, "2g");
            Inputs inputs = new Inputs(cluster, spark, Integer.parseInt(args[3]));
            inputs.write(Integer.parseInt(args[2]));
            inputs.measure(Integer.parseInt(args[4]));
            inputs.print();
        }
        System.exit(0); // threads of the cluster may live on
    }

    /**
     * Writes the same points in each format into HDFS and into local files, which are deleted at the end of this
     * process.
     */
    private void write(int points) throws IOException {
        Configuration conf = cluster.configuration();
        conf.set("dfs.blocksize", BLOCK_BYTES);
        FileSystem local = FileSystem.getLocal(conf).getRawFileSystem(); // without files of checksums
        try (FileSystem hdfs = FileSystem.newInstance(conf)) {
            Points.write(hdfs, FILE + "text", points, Iterations.DIMENSIONS);
            BinaryPoints.write(hdfs, path(FILE + "text"), path(FILE + "binary"));
            for (String format : FORMATS) {
                File copy = new File(cluster.home() + FILE + format);
                copy.deleteOnExit();
                FileUtil.copy(hdfs, path(FILE + format), local, path(copy.toString()), false, conf);
                System.out.printf(Locale.ROOT, "%d MB of %s%n", copy.length() / 1_000_000, format);
            }
        }
    }

    private static org.apache.hadoop.fs.Path path(String name) {
        return new org.apache.hadoop.fs.Path(name);
    }

    /** Sources take turns, so that a change of the machine's speed meets all of them. */
    private void measure(int runs) throws Exception {
        for (int run = 1; run <= runs; run++) {
            for (Source source : sources) {
                for (String format : FORMATS) {
                    double[] seconds = seconds(source, format);
                    times.computeIfAbsent(source, key -> new LinkedHashMap<>())
                            .computeIfAbsent(format, key -> new IterationTimes())
                            .add(seconds);
                    System.out.printf(
                            Locale.ROOT,
                            "run %d of %d, %s, %s: %.1f s, then %.1f s%n",
                            run,
                            runs,
                            source.name(),
                            format,
                            seconds[0],
                            seconds[seconds.length - 1]);
                }
            }
        }
    }

    /** Of all iterations but the last one, which is not timed. */
    private double[] seconds(Source source, String format) throws Exception {
        SparkRun.Application application = new SparkRun.Application(
                "RegressionInputs", source.place() + FILE + format, WEIGHTS, List.of(format, source.kept()));
        SparkRun.Times run = spark.run(application, PARTITIONS, iterations, begun -> {});
        if (source.kept().equals("memory") && run.cached() < PARTITIONS) {
            throw new IOException("the executor has memory for " + run.cached() + " of " + PARTITIONS
                    + " partitions of the points: measure fewer points");
        }
        checkWeights();
        return IntStream.range(1, iterations).mapToDouble(run::iteration).toArray();
    }

    private void checkWeights() throws IOException {
        List<String> found = TextFiles.lines(cluster.files(), WEIGHTS);
        weights = weights.isEmpty() ? found : weights;
        for (int i = 0; i < weights.size(); i++) {
            double first = Double.parseDouble(weights.get(i));
            double now = Double.parseDouble(found.get(i));
            if (!Applications.areEqual(first, now)) {
                throw new IllegalStateException(
                        "two sources of the same points differ: weight " + i + " is " + first + " and " + now);
            }
        }
    }

    private void print() {
        StringBuilder head = new StringBuilder("| source |");
        FORMATS.forEach(format -> head.append(' ')
                .append(InputsExperiment.column(format, "first"))
                .append(" | spread | ")
                .append(InputsExperiment.column(format, "later"))
                .append(" | spread |"));
        System.out.println(head);
        System.out.println("|---|" + "---|".repeat(4 * FORMATS.size()));
        times.forEach((source, formats) -> {
            StringBuilder row = new StringBuilder("| " + source.name() + " |");
            formats.values()
                    .forEach(found ->
                            row.append(Iterations.cells(found.first())).append(Iterations.cells(found.later())));
            System.out.println(row);
        });
    }
}
