// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.late;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;

/**
 * Hadoop's Sort over a cluster with one slow node (paper, sections 5.2 to 5.4): without speculation, with the stock
 * speculator and with ours, in turns. Maps and reduces run in two waves.
 */
public final class SlowNodeSort {
    private static final int MAP_WAVES = 2;
    private static final int REDUCE_WAVES = 2;
    private static final int SKEW_EVERY = 10;
    private static final int SKEW_FACTOR = 4;
    private static final long MEGABYTE = 1 << 20;

    /** What is sorted. In the skewed input every tenth file is four times as large as the others. */
    enum Input {
        EVEN("/even") {
            @Override
            void write(SortCluster cluster, int files, long bytes) throws Exception {
                cluster.write("/even", files, bytes / files);
            }
        },
        SKEWED("/skewed-small,/skewed-large") {
            @Override
            void write(SortCluster cluster, int files, long bytes) throws Exception {
                int large = Math.max(1, files / SKEW_EVERY);
                long small = bytes / (files - large + (long) SKEW_FACTOR * large);
                cluster.write("/skewed-small", files - large, small);
                cluster.write("/skewed-large", large, SKEW_FACTOR * small);
            }
        };

        private final String directories;

        Input(String directories) {
            this.directories = directories;
        }

        abstract void write(SortCluster cluster, int files, long bytes) throws Exception;

        static Input named(String word) {
            return Arrays.stream(values())
                    .filter(one -> one.word().equals(word))
                    .findFirst()
                    .orElseThrow(
                            () -> new IllegalArgumentException("input '" + word + "' is unknown; use even or skewed"));
        }

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private enum Mode {
        OFF,
        STOCK,
        HEDDLE;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        Configuration configure(Configuration conf) {
            conf.setBoolean(MRJobConfig.MAP_SPECULATIVE, this != OFF);
            conf.setBoolean(MRJobConfig.REDUCE_SPECULATIVE, this != OFF);
            if (this == HEDDLE) {
                conf.set("yarn.app.mapreduce.am.job.speculator.class", "org.heddle.late.mr.LateSpeculator");
            }
            conf.setInt(MRJobConfig.IO_SORT_MB, 64);
            conf.set(MRJobConfig.MAP_JAVA_OPTS, "-Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xshare:auto");
            conf.set(MRJobConfig.REDUCE_JAVA_OPTS, "-Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xshare:auto");
            return conf;
        }
    }

    private final int megabytes;
    private final int repetitions;
    private final int nodes;
    private final double cpusPerNode;
    private final int hogs;
    private final Path histories;
    private final List<Input> inputs;

    private SlowNodeSort(String[] args) throws IOException {
        megabytes = Integer.parseInt(args[0]);
        repetitions = Integer.parseInt(args[1]);
        nodes = Integer.parseInt(args[2]);
        cpusPerNode = Double.parseDouble(args[3]);
        hogs = Integer.parseInt(args[4]);
        histories = Files.createDirectories(Path.of(args[5]).toAbsolutePath());
        inputs = Arrays.stream(args).skip(6).map(Input::named).toList();
    }

    /**
     * @param args megabytes of input, repetitions, nodes, processors of a node, processes that slow a node down, a
     *     directory for the histories of the jobs, and one or more inputs
     */
    public static void main(String[] args) throws Exception {
        if (args.length < 7) {
            System.err.println("usage: late-sort MEGABYTES REPETITIONS NODES PROCESSORS-PER-NODE HOGS HISTORIES"
                    + " even|skewed..");
            System.exit(2);
        }
        new SlowNodeSort(args).run();
        System.exit(0); // ends the cluster, and the threads of Hadoop's clients
    }

    private void run() throws Exception {
        System.out.printf(
                Locale.ROOT,
                "Sort of %d MB on %d nodes of %.2f processors (%s), %d processor hogs and a disk hog on one of them, k = %d%n%n",
                megabytes,
                nodes,
                cpusPerNode,
                NodeGroup.Kind.ofThisMachine(),
                hogs,
                repetitions);
        SortCluster cluster = new SortCluster(nodes);
        Runtime.getRuntime().addShutdownHook(new Thread(cluster::close, "end of the cluster"));
        for (Input input : inputs) {
            input.write(cluster, MAP_WAVES * cluster.slots(), megabytes * MEGABYTE);
        }
        cluster.limit(cpusPerNode);
        System.out.println("| input | speculator | median s | spread | attempts beyond the first | task seconds |");
        System.out.println("|---|---|---|---|---|---|");
        for (Input input : inputs) {
            measure(cluster, input);
        }
    }

    /** Each repetition runs all modes, and begins with another one. */
    private void measure(SortCluster cluster, Input input) throws Exception {
        Map<Mode, List<SortCluster.Outcome>> outcomes = new LinkedHashMap<>();
        Mode[] modes = Mode.values();
        for (int i = 0; i < repetitions; i++) {
            for (int j = 0; j < modes.length; j++) {
                Mode mode = modes[(i + j) % modes.length];
                Configuration conf = mode.configure(cluster.configuration());
                SortCluster.Outcome outcome = cluster.sort(
                        conf,
                        input.directories,
                        REDUCE_WAVES * cluster.slots(),
                        hogs,
                        histories.resolve(input.word() + "-" + mode.word() + "-" + (i + 1) + ".jhist"));
                outcomes.computeIfAbsent(mode, m -> new ArrayList<>()).add(outcome);
                System.err.printf(Locale.ROOT, "%s %s %s%n", input.word(), mode, outcome);
            }
        }
        for (Mode mode : modes) {
            List<SortCluster.Outcome> runs = outcomes.getOrDefault(mode, List.of());
            double[] seconds = sorted(runs, SortCluster.Outcome::seconds);
            System.out.printf(
                    Locale.ROOT,
                    "| %s | %s | %.1f | %.1f to %.1f | %.0f | %.0f |%n",
                    input.word(),
                    mode.word(),
                    median(seconds),
                    seconds[0],
                    seconds[seconds.length - 1],
                    median(sorted(runs, SortCluster.Outcome::attempts)),
                    median(sorted(runs, SortCluster.Outcome::taskSeconds)));
        }
    }

    private static double[] sorted(List<SortCluster.Outcome> runs, ToDoubleFunction<SortCluster.Outcome> what) {
        return runs.stream().mapToDouble(what).sorted().toArray();
    }

    private static double median(double[] sorted) {
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
