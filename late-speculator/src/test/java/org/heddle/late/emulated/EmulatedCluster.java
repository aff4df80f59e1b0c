// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.emulated;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.TaskReport;
import org.apache.hadoop.mapreduce.TaskType;
import org.heddle.late.mr.LateSpeculator;
import org.heddle.late.sim.Mode;
import org.heddle.late.sim.Scenario;
import org.heddle.testkit.ClusterBuilder;
import org.heddle.testkit.HeddleCluster;
import org.heddle.testkit.jobs.SleepyMaps;

/** The nodes of a scenario as a real cluster with emulated maps; runs the job of the scenario under a mode. */
public final class EmulatedCluster implements AutoCloseable {
    private static final String USER = "alice";
    private static final int MAP_MB = 1_024;
    private static final int MASTER_MB = 512;
    // JVM start and work of a map on the fastest node, as the virtual clock counts them.
    private static final long STARTUP_MILLIS = 1_500;

    private final Scenario scenario;
    private final HeddleCluster cluster;

    /** @param directory where the cluster's own directory is made */
    public EmulatedCluster(Scenario scenario, Path directory) throws Exception {
        this.scenario = scenario;
        ClusterBuilder builder = HeddleCluster.builder()
                .users(USER)
                .property("yarn.nodemanager.container-executor.class", EmulatingExecutor.class.getName())
                // There is no process whose end the NodeManager could wait for.
                .property("yarn.nodemanager.process-kill-wait.ms", "50")
                .property("yarn.nodemanager.sleep-delay-before-sigkill.ms", "50")
                .property("yarn.scheduler.minimum-allocation-mb", String.valueOf(MASTER_MB))
                .property("yarn.scheduler.capacity.maximum-am-resource-percent", "0.5")
                .property("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", "1000")
                .property(
                        EmulatingExecutor.MAP_MILLIS, String.valueOf(STARTUP_MILLIS + Math.round(scenario.mapMillis())))
                .mapReduce()
                .directory(directory);
        for (int i = 0; i < scenario.nodes().size(); i++) {
            String address = "127.0.99." + (i + 1);
            long memory = (long) scenario.slots() * MAP_MB + MASTER_MB;
            builder.node(address, "/rack1", Map.of("memory-mb", memory, "vcores", 16L))
                    .property(
                            EmulatingExecutor.FACTOR + address,
                            String.valueOf(scenario.nodes().get(i).factor()));
        }
        this.cluster = builder.build();
        cluster.start();
    }

    /**
     * Runs the job once.
     *
     * @return seconds from the start of the first attempt to the end of the job
     */
    public double run(Mode mode) throws Exception {
        Job job = cluster.as(USER, () -> {
            Configuration conf = cluster.configuration();
            conf.setInt("mapreduce.map.memory.mb", MAP_MB);
            conf.setInt("yarn.app.mapreduce.am.resource.mb", MASTER_MB);
            conf.setInt("yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms", 1_000);
            conf.setLong("mapreduce.task.progress-report.interval", scenario.reportMillis());
            conf.setBoolean("mapreduce.map.speculative", mode.kind() != Mode.Kind.NONE);
            if (mode.kind() == Mode.Kind.LATE) {
                conf.set("yarn.app.mapreduce.am.job.speculator.class", LateSpeculator.class.getName());
            }
            mode.settings().accept(conf);
            Job sleeps = SleepyMaps.job(conf, "played", scenario.maps(), 1_000, "nowhere", 1);
            sleeps.submit();
            return sleeps;
        });
        if (!job.waitForCompletion(false)) {
            String application = job.getJobID().toString().replace("job", "application");
            throw new IllegalStateException("the job under " + mode.name() + " failed: "
                    + cluster.logs().describe(application));
        }
        List<TaskReport> reports = List.of(job.getTaskReports(TaskType.MAP));
        long begin = reports.stream().mapToLong(TaskReport::getStartTime).min().orElseThrow();
        long end = reports.stream().mapToLong(TaskReport::getFinishTime).max().orElseThrow();
        return (end - begin) / 1000.0;
    }

    @Override
    public void close() {
        cluster.close();
    }
}
