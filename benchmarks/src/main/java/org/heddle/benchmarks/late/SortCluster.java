// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.late;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.examples.RandomWriter;
import org.apache.hadoop.examples.Sort;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobCounter;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.util.ToolRunner;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.heddle.testkit.Await;
import org.heddle.testkit.ProcessCluster;
import org.jspecify.annotations.Nullable;

/**
 * Hadoop's own daemons as processes, each node with a share of the machine's processors, and Hadoop's own example
 * programs. While a job runs, hogs slow one node that does not run its ApplicationMaster.
 */
final class SortCluster implements AutoCloseable {
    private static final int SLOTS_PER_NODE = 2;
    private static final Duration PATIENCE = Duration.ofMinutes(60);

    private final ProcessCluster cluster;
    private final YarnClient yarn = YarnClient.createYarnClient();
    private final List<NodeGroup> groups = new ArrayList<>();

    /**
     * A job that ended.
     *
     * @param seconds from its submission to its end
     * @param attempts beyond the first ones of its tasks
     * @param taskSeconds run time of all attempts, of those that were killed, too
     */
    record Outcome(double seconds, long attempts, double taskSeconds) {}

    SortCluster(int nodes) throws IOException {
        cluster = ProcessCluster.builder()
                .nodes(nodes, SLOTS_PER_NODE * 512, 8)
                .property("yarn.scheduler.capacity.maximum-am-resource-percent", "1.0")
                .property("yarn.nodemanager.delete.debug-delay-sec", "0")
                .property("dfs.blocksize", "1g")
                .start();
        yarn.init(cluster.configuration());
        yarn.start();
    }

    /** Limits the processor time of each node from now on. */
    void limit(double cpusPerNode) throws IOException {
        NodeGroup.Kind kind = NodeGroup.Kind.ofThisMachine();
        for (String node : cluster.nodes()) {
            Path disk = Files.createDirectories(cluster.home().resolve(node));
            NodeGroup group = NodeGroup.create(kind, node, cpusPerNode, disk);
            groups.add(group);
            group.add(manager(node));
        }
    }

    /** The process id of a node's NodeManager, a child of this process. */
    private static long manager(String node) throws IOException {
        String work = "work-" + node;
        return ProcessHandle.current()
                .children()
                .filter(child -> child.info()
                        .arguments()
                        .filter(words -> List.of(words).stream().anyMatch(word -> word.endsWith("/" + work)))
                        .isPresent())
                .findFirst()
                .orElseThrow(() -> new IOException(node + " does not run"))
                .pid();
    }

    int slots() {
        return SLOTS_PER_NODE * cluster.nodes().size();
    }

    Configuration configuration() {
        return cluster.configuration();
    }

    /** Writes random records with Hadoop's RandomWriter, one file for each map. */
    void write(String directory, int files, long bytesPerFile) throws Exception {
        Configuration conf = cluster.configuration();
        conf.setLong(RandomWriter.BYTES_PER_MAP, bytesPerFile);
        conf.setLong(RandomWriter.TOTAL_BYTES, files * bytesPerFile);
        if (ToolRunner.run(conf, new RandomWriter(), new String[] {directory}) != 0) {
            throw new IOException("RandomWriter failed; see " + cluster.home());
        }
    }

    /**
     * Runs Hadoop's Sort over a slow node and removes its output.
     *
     * @param history the job's history is copied to this file
     */
    Outcome sort(Configuration conf, String input, int reduces, int hogs, Path history) throws Exception {
        Set<String> before = applications();
        String output = "/sorted";
        Sort<?, ?> sort = new Sort<>();
        CompletableFuture<Integer> ends = CompletableFuture.supplyAsync(() -> {
            try {
                return ToolRunner.run(conf, sort, new String[] {"-r", String.valueOf(reduces), input, output});
            } catch (Exception e) {
                throw new IllegalStateException("Sort failed: " + e.getMessage(), e);
            }
        });
        ApplicationReport running =
                Await.value("an ApplicationMaster", Duration.ofMinutes(2), () -> runningApplication(before));
        NodeGroup slow = groups.stream()
                .filter(group ->
                        !running.getHost().equals(cluster.daemon(group.node()).address()))
                .findFirst()
                .orElseThrow();
        slow.slowDown(manager(slow.node()), hogs);
        try {
            Await.until("the sort to end", PATIENCE, ends::isDone);
        } finally {
            slow.speedUp();
        }
        if (ends.get() != 0) {
            throw new IOException("Sort failed; see " + cluster.home());
        }
        ApplicationReport ended = Await.value("the end of the application", Duration.ofMinutes(1), () -> {
            ApplicationReport report = yarn.getApplicationReport(running.getApplicationId());
            return report.getFinishTime() > 0 ? report : null;
        });
        try (FileSystem files = FileSystem.newInstance(conf)) {
            files.delete(new org.apache.hadoop.fs.Path(output), true);
            Await.until(
                    "the job's history",
                    Duration.ofMinutes(1),
                    () -> copyHistory(files, String.valueOf(sort.getResult().getJobID()), history));
        }
        return outcome(sort.getResult(), (ended.getFinishTime() - ended.getStartTime()) / 1_000.0);
    }

    private static boolean copyHistory(FileSystem files, String job, Path target) throws IOException {
        var all = files.listFiles(new org.apache.hadoop.fs.Path("/mapreduce/history/done"), true);
        while (all.hasNext()) {
            var file = all.next().getPath();
            if (file.getName().startsWith(job) && file.getName().endsWith(".jhist")) {
                files.copyToLocalFile(false, file, new org.apache.hadoop.fs.Path(target.toUri()), true);
                return true;
            }
        }
        return false;
    }

    private static Outcome outcome(Job job, double seconds) throws IOException, InterruptedException {
        Counters counters = job.getCounters();
        long launched = counters.findCounter(JobCounter.TOTAL_LAUNCHED_MAPS).getValue()
                + counters.findCounter(JobCounter.TOTAL_LAUNCHED_REDUCES).getValue();
        long tasks = (long) job.getTaskReports(TaskType.MAP).length + job.getNumReduceTasks();
        long millis = counters.findCounter(JobCounter.MILLIS_MAPS).getValue()
                + counters.findCounter(JobCounter.MILLIS_REDUCES).getValue();
        return new Outcome(seconds, launched - tasks, millis / 1_000.0);
    }

    private Set<String> applications() throws Exception {
        Set<String> names = new HashSet<>();
        for (ApplicationReport report : yarn.getApplications()) {
            names.add(report.getApplicationId().toString());
        }
        return names;
    }

    private @Nullable ApplicationReport runningApplication(Set<String> before) throws Exception {
        for (ApplicationReport report : yarn.getApplications()) {
            if (!before.contains(report.getApplicationId().toString())
                    && report.getYarnApplicationState() == YarnApplicationState.RUNNING) {
                return report;
            }
        }
        return null;
    }

    @Override
    public void close() {
        yarn.stop();
        groups.forEach(NodeGroup::speedUp);
        try {
            cluster.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            groups.forEach(NodeGroup::close);
        }
    }
}
