// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.offers;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.examples.WordCount;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.heddle.benchmarks.experiment.Spread;
import org.heddle.frameworks.Main;
import org.heddle.frameworks.offers.Programs;
import org.heddle.offers.Bridge;
import org.heddle.testkit.jobs.MpiProgram;

/** Measures what the bridge costs an MPI program and a MapReduce job, in pairs of a run with it and a run without. */
public final class BridgeOverhead {
    private static final String INPUT = "/text";
    private static final int POINTS = 300_000;
    private static final int PROCESSES = 2;
    private static final int MEGABYTES = 128;
    private static final Pattern SECONDS = Pattern.compile("seconds=([0-9.]+)");

    private final BridgedCluster cluster;
    private final Path solve;
    private final String size;

    private BridgeOverhead(BridgedCluster cluster, Path solve, String size) {
        this.cluster = cluster;
        this.solve = solve;
        this.size = size;
    }

    /** Some work; returns its seconds. */
    private interface Work {
        double run() throws Exception;
    }

    /** @param args the directory of the source tree, a directory for files, pairs, and the size of the linear system */
    public static void main(String[] args) throws Exception {
        Path solve =
                MpiProgram.compile(Programs.find("mpicc", "libmpich-dev"), Path.of(args[0]), "solve", Path.of(args[1]));
        try (BridgedCluster cluster = new BridgedCluster(Path.of(args[1]))) {
            cluster.writePoints(INPUT, POINTS, 10);
            new BridgeOverhead(cluster, solve, args[3]).measure(Integer.parseInt(args[2]));
        }
        System.exit(0); // threads of the cluster may live on
    }

    private void measure(int pairs) throws Exception {
        wordCount(); // the first job fills caches
        System.out.println("| work | alone s | spread | with the bridge s | spread | slower by % | spread |");
        System.out.println("|---|---|---|---|---|---|---|");
        compare("MPI: dense solve, its own time", pairs, this::bareSolve, this::solveOnOffers);
        compare("MapReduce: word count, the bridge has a framework that runs a task", pairs, this::wordCount, () -> {
            try (Bridge bridge = cluster.bridge();
                    Sleeper sleeper = sleeper(BridgedCluster.address(bridge))) {
                sleeper.awaitUp();
                return wordCount();
            }
        });
    }

    /** Pairs begin with the one and the other in turn. */
    private static void compare(String name, int pairs, Work alone, Work bridged) throws Exception {
        List<Double> without = new ArrayList<>();
        List<Double> with = new ArrayList<>();
        List<Double> slower = new ArrayList<>();
        for (int i = 0; i < pairs; i++) {
            double first = (i % 2 == 0 ? alone : bridged).run();
            double second = (i % 2 == 0 ? bridged : alone).run();
            without.add(i % 2 == 0 ? first : second);
            with.add(i % 2 == 0 ? second : first);
            slower.add(100 * (with.get(i) / without.get(i) - 1));
        }
        System.out.println("| " + name + " |" + Iterations.cells(Spread.of(without)) + Iterations.cells(Spread.of(with))
                + Iterations.cells(Spread.of(slower)));
    }

    // ---- MPI ----

    private double bareSolve() throws Exception {
        return seconds(output(List.of("mpiexec.hydra", "-n", Integer.toString(PROCESSES), solve.toString(), size)));
    }

    private double solveOnOffers() throws Exception {
        try (Bridge bridge = cluster.bridge()) {
            return seconds(output(MpiProgram.mpiexec(
                    Main.class, BridgedCluster.address(bridge), PROCESSES, MEGABYTES, solve.toString(), size)));
        }
    }

    private static double seconds(String text) throws IOException {
        Matcher matcher = SECONDS.matcher(text);
        if (!matcher.find() || !text.contains("PASSED")) {
            throw new IOException("the solve says: " + text);
        }
        return Double.parseDouble(matcher.group(1));
    }

    /** A framework that holds a container and uses no processor, as long as it is open. */
    private record Sleeper(Process process) implements AutoCloseable {
        void awaitUp() throws IOException {
            if (process.getInputStream().read() < 0) {
                throw new IOException("the framework beside the word count has ended");
            }
        }

        @Override
        public void close() {
            process.destroy();
            process.onExit().join();
        }
    }

    private static Sleeper sleeper(URI bridge) throws IOException {
        List<String> command =
                MpiProgram.mpiexec(Main.class, bridge, 1, MEGABYTES, "bash", "-c", "echo up; exec sleep 1000");
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        return new Sleeper(process);
    }

    /** What a command prints. */
    private static String output(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(command.get(0) + " ended with exit code " + process.exitValue() + ": " + text);
        }
        return text;
    }

    // ---- MapReduce ----

    private double wordCount() throws Exception {
        Configuration conf = cluster.configuration();
        org.apache.hadoop.fs.Path output = new org.apache.hadoop.fs.Path("/counts");
        Job job = Job.getInstance(conf, "word count");
        job.setMapperClass(WordCount.TokenizerMapper.class);
        job.setCombinerClass(WordCount.IntSumReducer.class);
        job.setReducerClass(WordCount.IntSumReducer.class);
        job.setOutputKeyClass(Text.class);
        job.setOutputValueClass(IntWritable.class);
        FileInputFormat.addInputPath(job, new org.apache.hadoop.fs.Path(INPUT));
        FileOutputFormat.setOutputPath(job, output);
        long begin = System.nanoTime();
        if (!job.waitForCompletion(false)) {
            throw new IOException("the word count failed: " + job.getStatus().getFailureInfo());
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        output.getFileSystem(conf).delete(output, true);
        return seconds;
    }
}
