// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.recorded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.mapreduce.Job;
import org.heddle.testkit.Await;
import org.heddle.testkit.HeddleCluster;
import org.heddle.testkit.jobs.SleepyMaps;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs jobs on a cluster under FairScheduler, whose queues have more to do than there is room for, and replays their
 * histories. The histories remain in {@code target/recorded}; those of one run are the resources of
 * {@link RecordedRunTest}.
 */
@Tag("soak")
class RecordedRunIT {
    /** A job of one user. */
    private record Work(String user, String queue, int afterSeconds, int maps, long mapMillis, int reduces) {}

    private static final List<Work> WORK = List.of(
            new Work("alice", "root.etl", 0, 40, 14_000, 1),
            new Work("bob", "root.adhoc", 12, 14, 12_000, 2),
            new Work("carol", "root.etl", 20, 10, 10_000, 0),
            new Work("dave", "root.adhoc", 30, 8, 10_000, 0),
            new Work("erin", "root.science", 5, 5, 12_000, 0),
            new Work("frank", "root.adhoc", 45, 6, 8_000, 1));

    @TempDir
    private Path scratch;

    @Test
    void theReplayTakesAsLongAsTheClusterDid() throws Exception {
        Path directory = Path.of("target", "recorded").toAbsolutePath();
        Files.createDirectories(directory);
        Files.writeString(directory.resolve("fair-scheduler.xml"), RecordedRun.QUEUES);
        try (HeddleCluster cluster = HeddleCluster.builder()
                .scheduler("org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler")
                .queuesFile("yarn.scheduler.fair.allocation.file", RecordedRun.QUEUES)
                .nodes(RecordedRun.NODES, Map.of("memory-mb", RecordedRun.NODE.memoryMb(), "vcores", (long)
                        RecordedRun.NODE.vcores()))
                // As on a cluster of machines, not as the test kit has it.
                .property("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", "1000")
                .property("yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms", "1000")
                .property("mapreduce.jobhistory.jhist.format", "json") // text, for the resources
                .property("mapreduce.map.speculative", "false")
                .property("mapreduce.reduce.speculative", "false")
                .users(WORK.stream().map(Work::user).toArray(String[]::new))
                .mapReduce()
                .build()) {
            cluster.start();
            runAll(cluster);
            Await.until(
                    "the histories of all jobs",
                    Duration.ofMinutes(1),
                    () -> copyHistories(cluster, directory) == WORK.size());
            Configuration site = new Configuration(false);
            for (String key : List.of(
                    "yarn.scheduler.minimum-allocation-mb",
                    "yarn.scheduler.minimum-allocation-vcores",
                    "yarn.resource-types.memory-mb.increment-allocation",
                    "yarn.resource-types.vcores.increment-allocation")) {
                site.set(key, cluster.value(key));
            }
            try (var out = Files.newOutputStream(directory.resolve("yarn-site.xml"))) {
                site.writeXml(out);
            }
        }
        Map<String, RecordedRun.Times> times = RecordedRun.replay(directory, scratch);
        Files.writeString(directory.resolve("times.txt"), times.toString());
        RecordedRun.assertNear(times, 0.2); // a busy machine starts containers late, which histories do not tell
    }

    private static void runAll(HeddleCluster cluster) throws Exception {
        ScheduledExecutorService clients = Executors.newScheduledThreadPool(WORK.size());
        try {
            List<Future<Boolean>> ended = new ArrayList<>();
            for (Work work : WORK) {
                ended.add(clients.schedule(
                        () -> cluster.as(work.user(), () -> job(cluster, work).waitForCompletion(false)),
                        work.afterSeconds(),
                        TimeUnit.SECONDS));
            }
            for (Future<Boolean> one : ended) {
                if (!one.get()) {
                    throw new IllegalStateException("a job failed");
                }
            }
        } finally {
            clients.shutdownNow();
        }
    }

    private static Job job(HeddleCluster cluster, Work work) throws IOException {
        Configuration conf = cluster.configuration();
        conf.set("mapreduce.job.queuename", work.queue());
        Job job = SleepyMaps.job(conf, work.user(), work.maps(), work.mapMillis(), "none", 1);
        job.setNumReduceTasks(work.reduces());
        return job;
    }

    /** How many histories there are; they are copied with the configurations of their jobs. */
    private static int copyHistories(HeddleCluster cluster, Path directory) throws IOException {
        FileSystem files = cluster.fileSystem();
        int histories = 0;
        RemoteIterator<LocatedFileStatus> all =
                files.listFiles(new org.apache.hadoop.fs.Path("/mapreduce/history/done"), true);
        while (all.hasNext()) {
            org.apache.hadoop.fs.Path file = all.next().getPath();
            histories += file.getName().endsWith(".jhist") ? 1 : 0;
            try (var in = files.open(file)) {
                Files.write(directory.resolve(file.getName()), in.readAllBytes());
            }
        }
        return histories;
    }
}
