// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.examples.WordCount;
import org.heddle.packing.cli.HeddlePack;
import org.heddle.packing.io.ProblemFile;
import org.heddle.packing.model.Alpha;
import org.heddle.packing.model.Job;
import org.heddle.packing.model.JobCommand;
import org.heddle.packing.model.PowerModel;
import org.heddle.packing.model.Problem;
import org.heddle.testkit.ProcessCluster;
import org.heddle.testkit.jobs.SmallJvm;

/** A batch of Hadoop's example jobs, planned and run by {@code heddle pack}. A run that ends early is continued. */
final class PackedBatchWorkload implements Workload {
    private static final int SLOTS_OF_A_NODE = 2;
    private static final int ATTEMPTS = 5;
    /** They overestimate: the machine is busy. */
    private static final PowerModel MODEL = new PowerModel(60, -0.5);

    private final String queue;
    private final int nodes;

    PackedBatchWorkload(String queue, int nodes) {
        this.queue = queue;
        this.nodes = nodes;
    }

    @Override
    public String name() {
        return "packed-batch";
    }

    private static Path client(ProcessCluster cluster) {
        return cluster.home().resolve("client-of-batch");
    }

    @Override
    public void begin(ProcessCluster cluster) throws Exception {
        cluster.writeClientConfiguration(Files.createDirectories(client(cluster)));
    }

    /** Two that compute and one that waits for disks, as far as the planner knows. */
    private Problem problem() throws Exception {
        String jar = Path.of(WordCount.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI())
                .toString();
        return new Problem(
                "soak",
                nodes,
                SLOTS_OF_A_NODE,
                SLOTS_OF_A_NODE,
                new Alpha(1.2),
                List.of(pi("short", jar, 2, true), pi("long", jar, 4, true), pi("wide", jar, 6, false)));
    }

    private Job pi(String name, String jar, int maps, boolean cpu) {
        Map<String, String> conf = Map.of(
                "mapreduce.job.queuename", "root." + queue,
                "mapreduce.map.maxattempts", "20", // nodes are killed often
                "mapreduce.reduce.maxattempts", "20",
                "mapreduce.am.max-attempts", "20",
                "yarn.app.mapreduce.client.max-retries", "30"); // the history server is killed, too
        JobCommand command = new JobCommand(jar, "pi", List.of(String.valueOf(maps), "1000"), conf);
        return new Job(name, MODEL, cpu, !cpu, command);
    }

    @Override
    public void once(ProcessCluster cluster, int number) throws Exception {
        Path directory = Files.createDirectories(cluster.home().resolve("batch-" + number));
        Files.writeString(
                directory.resolve("jobs.json"), ProblemFile.write(problem()).toPrettyString());
        Path log = directory.resolve("heddle-pack.log");
        run(cluster, directory, log, "plan", "--quiet", "-o", "plan.json", "jobs.json");
        for (int attempt = 1; ; attempt++) {
            try {
                run(cluster, directory, log, "run", "--run-id", "soak-" + number, "plan.json");
                return;
            } catch (IOException e) {
                if (attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private static void run(ProcessCluster cluster, Path directory, Path log, String... words)
            throws IOException, InterruptedException {
        int status = SmallJvm.start(client(cluster), HeddlePack.class, directory, log, List.of(words))
                .waitFor();
        if (status != 0) {
            throw new IOException("heddle pack " + words[0] + " ended with exit code " + status + ": see "
                    + cluster.home().relativize(log));
        }
    }
}
