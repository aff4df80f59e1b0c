// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.packing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.heddle.benchmarks.rm.Contestant;
import org.heddle.packing.cli.HeddlePack;
import org.heddle.packing.io.ProblemFile;
import org.heddle.packing.model.Plan;
import org.heddle.packing.model.Problem;
import org.heddle.packing.run.Cluster;
import org.heddle.packing.run.Execution;
import org.heddle.packing.run.JobStatus;
import org.heddle.packing.run.RunOutcome;
import org.heddle.packing.run.YarnCluster;
import org.heddle.settings.Clocks;
import org.heddle.testkit.HeddleCluster;
import org.heddle.testkit.jobs.SmallJvm;
import org.heddle.testkit.logs.LogTail;

/**
 * The machines of {@link PacedJobs} under one scheduler. The ResourceManager and the NodeManagers are Hadoop's, in this
 * process; containers are processes, and so are the programs that submit jobs. Nodes and masters have a heartbeat a
 * second, as Hadoop has by default.
 */
final class PackedCluster implements AutoCloseable {
    private static final String DISK = "disk";
    private static final long MEMORY_MB = 8_192; // never short
    private static final long VCORES = 16; // never short
    private static final String HEARTBEAT_MILLIS = "1000";

    /** As {@code heddle pack run} has it. */
    private static final long POLL_MILLIS = 500;

    /** What its lines begin with that say how far the running jobs are. */
    private static final String POLLED = "phase ";

    /** Lines of a log in a message; the log itself is deleted with the cluster. */
    private static final int TAIL = 25;

    private final HeddleCluster cluster;
    private final Path home;
    private final Consumer<String> progress;

    /**
     * Starts it.
     *
     * @param scratch a directory, in which it makes one of its own
     * @param progress receives a line for each thing that has been done
     */
    PackedCluster(Contestant scheduler, Path scratch, Consumer<String> progress) throws Exception {
        this.progress = progress;
        home = Files.createTempDirectory(scratch, scheduler + "-");
        cluster = HeddleCluster.builder()
                .addressesAsNames()
                .nodes(
                        PacedJobs.MACHINES,
                        Map.of(
                                "memory-mb",
                                MEMORY_MB,
                                "vcores",
                                VCORES,
                                DISK,
                                (long) PacedJobs.DISKS,
                                Way.HALF_CORES,
                                Way.HALF_CORES_OF_A_NODE))
                .mapReduce()
                .withoutHistoryServer()
                .property("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", HEARTBEAT_MILLIS)
                .property("yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms", HEARTBEAT_MILLIS)
                .property("mapreduce.job.queuename", Contestant.USERS_QUEUE)
                .properties(scheduler.properties(home))
                .directory(home)
                .build();
        cluster.start();
    }

    /**
     * The problem with models and alphas that {@code heddle pack profile} has measured: each job runs alone at 4, 2 and
     * 1 VMs, and beside each job that may share its machines.
     *
     * @param log4j the command's configuration of its log
     */
    Problem profile(Problem problem, Path log4j) throws IOException, InterruptedException {
        Path client = Files.createDirectories(home.resolve("client"));
        cluster.writeClientConfiguration(client);
        Files.copy(log4j, client.resolve("log4j.properties"));
        Files.writeString(home.resolve("jobs.json"), ProblemFile.write(problem).toPrettyString());
        Path log = home.resolve("profile.log");
        // Paced jobs need neither much of a core nor of a disk, so their classes are given.
        List<String> words =
                List.of("profile", "--at", "4,2,1", "--keep-classes", "--pairs", "-o", "fitted.json", "jobs.json");
        Process process = SmallJvm.builder(client, HeddlePack.class, home, words)
                .redirectError(log.toFile())
                .start();
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                if (!line.startsWith(POLLED)) {
                    progress.accept("profile: " + line);
                }
            }
            int code = process.waitFor();
            if (code != 0) {
                throw new IOException("heddle pack profile ended with exit code " + code + " and these last errors:\n"
                        + LogTail.of(log, TAIL));
            }
        } finally {
            process.destroyForcibly();
        }
        return ProblemFile.read(home.resolve("fitted.json"), InputStream.nullInputStream())
                .problem();
    }

    /**
     * Executes a plan as {@code heddle pack run} does.
     *
     * @return its time is from the start of the first program that submits a job until the last one has ended
     * @throws IOException if a job fails; why has been told
     */
    RunOutcome execute(String id, Problem problem, Plan plan) throws IOException, InterruptedException {
        Path directory = Files.createDirectories(home.resolve(id));
        try (Cluster yarn = new YarnCluster(cluster.configuration(), directory)) {
            Execution execution = new Execution(
                    yarn,
                    directory,
                    id,
                    DISK,
                    Clocks.SYSTEM,
                    () -> TimeUnit.MILLISECONDS.sleep(POLL_MILLIS),
                    new Ends());
            RunOutcome outcome = execution.run(problem, plan, null);
            if (!outcome.succeeded(problem)) {
                throw new IOException("a job failed, so " + id + " has no time");
            }
            return outcome;
        }
    }

    /** Says which job has ended. */
    private final class Ends implements Execution.Listener {
        @Override
        public void polled(int phase, int phases, Map<String, JobStatus> running) {}

        @Override
        public void ended(String job, JobStatus status) {
            progress.accept(job + ": " + status.state() + (status.trouble().isEmpty() ? "" : ", " + status.trouble()));
        }

        @Override
        public void replanned(Plan plan, List<String> leftOut) {}

        @Override
        public void waits(String why) {
            progress.accept("waits: " + why);
        }
    }

    @Override
    public void close() {
        cluster.close();
    }
}
