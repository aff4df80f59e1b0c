// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.sharing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.mapreduce.Job;
import org.heddle.benchmarks.offers.Points;
import org.heddle.benchmarks.offers.ProcessBridge;
import org.heddle.benchmarks.offers.SparkRun;
import org.heddle.frameworks.Main;
import org.heddle.frameworks.offers.Programs;
import org.heddle.testkit.Await;
import org.heddle.testkit.ProcessCluster;
import org.heddle.testkit.jobs.DutyCycle;
import org.heddle.testkit.jobs.MpiProgram;
import org.heddle.testkit.jobs.SmallJvm;
import org.heddle.testkit.logs.LogTail;

/**
 * The work of each framework. All tasks take one slot and rest for most of their time, so that few cores look like as
 * many as the cluster has slots.
 */
final class FrameworkWork {
    private static final String INPUT = "/points";
    private static final int POINTS = 20_000;
    private static final int DIMENSIONS = 10;
    static final int ITERATIONS = 8;
    /** Tasks of an iteration of Spark: two for each slot. */
    static final int PARTITIONS = 2 * SharesOverTime.SLOTS;

    static final int TASK_MILLIS = 1_000;

    static final int MAPS = 33;
    static final int MAP_SECONDS = 12;
    private static final int KILOBYTES_OF_A_BEAT = 100;
    private static final org.apache.hadoop.fs.Path HASHES = new org.apache.hadoop.fs.Path("/hashes");

    static final int PROCESSES = SharesOverTime.SLOTS / 3;
    static final int ROUNDS = 45;
    private static final int ROUND_SECONDS = 1;
    private static final int PROCESS_MB = 256;
    /**
     * So long MPI keeps some of its slots without the others; maps, which have to end for them, do not end together.
     */
    private static final int HOLD_SECONDS = 60;

    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final int TAIL = 25;

    private final ProcessCluster cluster;
    private final Path client;
    private final Path ring;
    private final SparkRun spark;

    /**
     * Writes Spark's points and compiles the MPI program.
     *
     * @param cluster with a bridge
     * @param tree the directory of the source tree
     */
    FrameworkWork(ProcessCluster cluster, Path tree) throws IOException, InterruptedException {
        this.cluster = cluster;
        client = Files.createDirectories(cluster.home().resolve("client"));
        cluster.writeClientConfiguration(client);
        try (FileSystem files = FileSystem.newInstance(cluster.configuration())) {
            Points.write(files, INPUT, POINTS, DIMENSIONS);
        }
        ring = MpiProgram.compile(Programs.find("mpicc", "libmpich-dev"), tree, "ring", cluster.home());
        // An executor has one core, so its container is as large as the bridge's first ones: a quarter of a node.
        spark = new SparkRun(cluster.home(), client, ProcessBridge.uri(cluster), tree, SharesOverTime.SLOTS, "512m")
                .set("spark.offers.role", Framework.SPARK.queue())
                .set("spark.executor.extraJavaOptions", "-XX:+UseSerialGC -XX:TieredStopAtLevel=1")
                // It begins with what it gets, and does not wait for the slots of others.
                .set("spark.scheduler.minRegisteredResourcesRatio", "0")
                // No task waits for the executor that has its points.
                .set("spark.locality.wait", "0s");
    }

    /**
     * Runs the work of a framework to its end; Spark's is one job.
     *
     * @return seconds
     */
    double run(Framework framework) throws Exception {
        long begin = System.nanoTime();
        switch (framework) {
            case SPARK -> spark.runPaced(INPUT, PARTITIONS, TASK_MILLIS, ITERATIONS);
            case MAP_REDUCE -> mapReduce();
            case MPI -> mpi();
        }
        return (System.nanoTime() - begin) / 1e9;
    }

    private void mapReduce() throws IOException, InterruptedException, ClassNotFoundException {
        Configuration conf = cluster.configuration();
        conf.set("mapreduce.job.queuename", "root." + Framework.MAP_REDUCE.queue());
        conf.setBoolean("mapreduce.map.speculative", false); // a backup would be work that runs twice
        Job job = DutyCycle.job(conf, MAPS, MAP_SECONDS, KILOBYTES_OF_A_BEAT, HASHES);
        job.submit();
        Await.until(
                "the MapReduce job to end",
                PATIENCE,
                job::isComplete,
                () -> job + "\n" + cluster.daemon("rm1").tail());
        if (!job.isSuccessful()) {
            throw new IOException(job.getJobID() + " failed: " + job.getStatus().getFailureInfo());
        }
        HASHES.getFileSystem(conf).delete(HASHES, true);
    }

    private void mpi() throws IOException {
        Path log = Files.createTempFile(cluster.home(), "mpi", ".log");
        Process process = SmallJvm.start(
                client,
                Main.class,
                cluster.home(),
                log,
                List.of(
                        "mpiexec",
                        "--bridge=" + ProcessBridge.uri(cluster),
                        "--role=" + Framework.MPI.queue(),
                        "-n=" + PROCESSES,
                        "--mem=" + PROCESS_MB,
                        "--hold=" + HOLD_SECONDS,
                        ring.toString(),
                        String.valueOf(ROUNDS),
                        String.valueOf(ROUND_SECONDS)));
        int code = Await.exit("the MPI program", PATIENCE, process, () -> "it said last:\n" + LogTail.of(log, TAIL));
        String said = Files.readString(log);
        if (code != 0 || !said.contains("rounds: " + PROCESSES * ROUNDS)) {
            throw new IOException("the MPI program ended with exit code " + code + ": " + said);
        }
    }
}
