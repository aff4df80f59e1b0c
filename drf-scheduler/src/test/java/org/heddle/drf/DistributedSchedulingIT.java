// SPDX-License-Identifier: Apache-2.0
package org.heddle.drf;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.SleepJob;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.QueueMetrics;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.heddle.testkit.Await;
import org.heddle.testkit.HeddleCluster;
import org.heddle.testkit.machine.FreePort;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Opportunistic containers that the NodeManagers themselves give out, to a real MapReduce job whose master speaks to
 * its node's proxy: the scheduler sees them run, and they are nobody's share.
 */
@Tag("newer-line")
@Tag("long-2")
class DistributedSchedulingIT {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final String PROXY = "127.0.0.1:" + FreePort.next();
    private static final String QUEUES =
            "<heddle-scheduler version=\"1\"><queue name=\"root\"><queue name=\"default\"/>"
                    + "</queue></heddle-scheduler>";

    @RegisterExtension
    static final HeddleCluster cluster = HeddleCluster.builder()
            .scheduler(DrfScheduler.class.getName())
            .queuesFile("yarn.scheduler.heddle.configuration.file", QUEUES)
            .nodes(1, Map.of("memory-mb", 2048L, "vcores", 4L))
            .users("alice")
            .property(YarnConfiguration.OPPORTUNISTIC_CONTAINER_ALLOCATION_ENABLED, "true")
            .property(YarnConfiguration.DIST_SCHEDULING_ENABLED, "true")
            .property(YarnConfiguration.AMRM_PROXY_ENABLED, "true")
            .property(YarnConfiguration.AMRM_PROXY_ADDRESS, PROXY)
            .property(YarnConfiguration.NM_OPPORTUNISTIC_CONTAINERS_MAX_QUEUE_LENGTH, "10")
            .property("yarn.app.mapreduce.am.resource.mb", "512")
            .property("mapreduce.map.memory.mb", "512")
            .hdfs(1)
            .mapReduce()
            .withoutHistoryServer()
            .build();

    @Test
    void containersThatNodesGaveOutRunAndAreNobodysShare() throws Exception {
        Job job = cluster.as("alice", () -> {
            Configuration conf = cluster.configuration();
            conf.set(YarnConfiguration.RM_SCHEDULER_ADDRESS, PROXY);
            conf.setInt(MRJobConfig.MR_NUM_OPPORTUNISTIC_MAPS_PERCENT, 100);
            SleepJob sleeper = new SleepJob();
            sleeper.setConf(conf);
            Job submitted = sleeper.createJob(4, 0, 6_000, 6, 0, 1);
            submitted.submit();
            return submitted;
        });
        Await.until(
                "maps that the node gave out",
                PATIENCE,
                () -> containers().stream()
                                .filter(container -> container.isRemotelyAllocated()
                                        && container.getExecutionType() == ExecutionType.OPPORTUNISTIC)
                                .count()
                        >= 2);
        QueueMetrics root = scheduler().getRootQueueMetrics();
        assertThat(root.getAllocatedContainers()).as("the master alone").isEqualTo(1);
        assertThat(root.getAllocatedMB()).isEqualTo(512);
        assertThat(job.waitForCompletion(false)).isTrue();
        Await.until("nothing to be left", PATIENCE, () -> root.getAllocatedContainers() == 0);
    }

    private static AbstractYarnScheduler<?, ?> scheduler() {
        return (AbstractYarnScheduler<?, ?>) cluster.resourceManager().getResourceScheduler();
    }

    private static Collection<RMContainer> containers() {
        return scheduler().getSchedulerApplications().values().stream()
                .map(application -> (SchedulerApplicationAttempt) application.getCurrentAppAttempt())
                .map(attempt -> attempt == null ? List.<RMContainer>of() : attempt.getLiveContainers())
                .flatMap(Collection::stream)
                .toList();
    }
}
