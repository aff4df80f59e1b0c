// SPDX-License-Identifier: Apache-2.0
package org.heddle.tez;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.tez.client.TezClient;
import org.apache.tez.common.counters.DAGCounter;
import org.apache.tez.dag.api.DAG;
import org.apache.tez.dag.api.ProcessorDescriptor;
import org.apache.tez.dag.api.TezConfiguration;
import org.apache.tez.dag.api.TezException;
import org.apache.tez.dag.api.Vertex;
import org.apache.tez.dag.api.client.DAGClient;
import org.apache.tez.dag.api.client.DAGStatus;
import org.apache.tez.dag.api.client.StatusGetOpts;
import org.apache.tez.examples.OrderedWordCount;
import org.apache.tez.runtime.library.api.TezRuntimeConfiguration;
import org.apache.tez.runtime.library.processor.SleepProcessor;
import org.heddle.drf.DrfScheduler;
import org.heddle.scheduler.snapshot.SchedulerSnapshot;
import org.heddle.testkit.Await;
import org.heddle.testkit.HeddleCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Tez, unmodified, in queues of ours. Its masters hold on to containers and use them again, unlike those of MapReduce,
 * whose shuffle service it shares.
 */
class TezIT {
    private static final int CONTAINER_MB = 512;
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final String LINES = "the cat sat on the mat\nthe dog sat on the cat\nthe end\n";

    @RegisterExtension
    static final HeddleCluster cluster = HeddleCluster.builder()
            .scheduler(DrfScheduler.class.getName())
            .queuesFile(
                    "yarn.scheduler.heddle.configuration.file",
                    "<heddle-scheduler version=\"1\"><queue name=\"root\"><queue name=\"words\"/>"
                            + "<queue name=\"left\"/><queue name=\"right\"/></queue></heddle-scheduler>")
            .nodes(2, Map.of("memory-mb", 5L * CONTAINER_MB, "vcores", 8L))
            .mapReduce()
            .withoutHistoryServer()
            .build();

    @Test
    void aSessionCountsWordsTwiceInTheSameContainers() throws Exception {
        FileSystem fs = cluster.fileSystem();
        try (OutputStream out = fs.create(new Path("/words/in/text"))) {
            out.write(LINES.getBytes(StandardCharsets.UTF_8));
        }
        TezConfiguration conf = session(cluster, "words");
        TezClient client = TezClient.create("words", conf, true);
        client.start();
        try {
            client.waitTillReady();
            long reused = 0;
            for (String round : List.of("first", "second")) {
                DAG dag = OrderedWordCount.createDAG(conf, "/words/in", "/words/" + round, 2, false, false, round);
                DAGClient running = client.submitDAG(dag);
                DAGStatus status = finished(running);
                assertThat(status.getState())
                        .as(
                                "%s: %s",
                                status.getDiagnostics(),
                                cluster.logs()
                                        .describe(client.getAppMasterApplicationId()
                                                .toString()))
                        .isEqualTo(DAGStatus.State.SUCCEEDED);
                reused += status.getDAGCounters()
                        .findCounter(DAGCounter.TOTAL_CONTAINER_REUSE_COUNT)
                        .getValue();
                assertThat(counts(fs, "/words/" + round))
                        .isEqualTo(Map.of("the", 5, "cat", 2, "sat", 2, "on", 2, "mat", 1, "dog", 1, "end", 1));
            }
            assertThat(reused)
                    .as("tasks that ran in containers of tasks before them")
                    .isPositive();
            assertThat(usage("root.words")).as("of the session itself").isPositive();
        } finally {
            client.stop();
        }
        Await.until("all containers to end", PATIENCE, () -> usage("root.words") == 0, TezIT::usages);
    }

    @Test
    void twoSessionsShareTheClusterEvenly() throws Exception {
        try (Session left = new Session("left");
                Session right = new Session("right")) {
            DAGClient first = left.sleep(14);
            Await.until(
                    "the first to take everything that is left",
                    PATIENCE,
                    () -> usage("root.left") == 9L * CONTAINER_MB,
                    TezIT::usages);
            DAGClient second = right.sleep(14);
            // 10 containers, a master each; tasks of 4 s, so that the one who came late has its half after the first
            // wave
            Await.until(
                    "both to have half",
                    PATIENCE,
                    () -> usage("root.left") == 5L * CONTAINER_MB && usage("root.right") == 5L * CONTAINER_MB,
                    TezIT::usages);
            assertThat(finished(first).getState()).isEqualTo(DAGStatus.State.SUCCEEDED);
            assertThat(finished(second).getState()).isEqualTo(DAGStatus.State.SUCCEEDED);
        }
    }

    private static DAGStatus finished(DAGClient dag) throws Exception {
        return dag.waitForCompletionWithStatusUpdates(EnumSet.of(StatusGetOpts.GET_COUNTERS));
    }

    /** Words with their counts, which the last stage writes in the order of the counts. */
    private static Map<String, Integer> counts(FileSystem fs, String directory) throws Exception {
        Map<String, Integer> counts = new TreeMap<>();
        int last = 0;
        for (var file : fs.globStatus(new Path(directory + "/part-*"))) {
            try (BufferedReader lines =
                    new BufferedReader(new InputStreamReader(fs.open(file.getPath()), StandardCharsets.UTF_8))) {
                for (String line : lines.lines().collect(Collectors.toList())) {
                    String[] parts = line.split("\t", -1);
                    counts.put(parts[0], Integer.parseInt(parts[1]));
                    assertThat(counts.get(parts[0])).isGreaterThanOrEqualTo(last);
                    last = counts.get(parts[0]);
                }
            }
        }
        return counts;
    }

    /** MB that a queue uses. */
    private static long usage(String queue) {
        return queues().filter(report -> report.path().equals(queue))
                .mapToLong(report -> report.usage().getOrDefault("memory-mb", 0L))
                .sum();
    }

    private static String usages() {
        return queues().map(report -> report.path() + " " + report.usage())
                .toList()
                .toString();
    }

    private static Stream<SchedulerSnapshot.SchedulableReport> queues() {
        return ((DrfScheduler) cluster.resourceManager().getResourceScheduler())
                .takeSnapshot().root().children().stream();
    }

    static TezConfiguration session(HeddleCluster on, String queue) {
        TezConfiguration conf = new TezConfiguration(on.configuration());
        // Tez is on the class path that the cluster gives to containers.
        conf.setBoolean(TezConfiguration.TEZ_IGNORE_LIB_URIS, true);
        conf.setBoolean(TezConfiguration.TEZ_USE_CLUSTER_HADOOP_LIBS, true);
        conf.set(TezConfiguration.TEZ_QUEUE_NAME, queue);
        conf.set(TezConfiguration.TEZ_AM_STAGING_DIR, "/tez/" + queue);
        conf.setInt(TezConfiguration.TEZ_AM_RESOURCE_MEMORY_MB, CONTAINER_MB);
        conf.setInt(TezConfiguration.TEZ_TASK_RESOURCE_MEMORY_MB, CONTAINER_MB);
        conf.set(TezConfiguration.TEZ_AM_LAUNCH_CMD_OPTS, "-Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1");
        conf.set(TezConfiguration.TEZ_TASK_LAUNCH_CMD_OPTS, "-Xmx160m -XX:+UseSerialGC -XX:TieredStopAtLevel=1");
        conf.setInt(TezRuntimeConfiguration.TEZ_RUNTIME_IO_SORT_MB, 16);
        conf.setInt(TezRuntimeConfiguration.TEZ_RUNTIME_UNORDERED_OUTPUT_BUFFER_SIZE_MB, 16);
        conf.setBoolean(TezConfiguration.TEZ_AM_WEBSERVICE_ENABLE, false);
        conf.setBoolean(TezConfiguration.TEZ_AM_CONTAINER_REUSE_ENABLED, true);
        return conf;
    }

    /** A session whose DAGs sleep. */
    private static final class Session implements AutoCloseable {
        private static final int TASK_MILLIS = 4_000;
        private final TezClient client;

        Session(String queue) throws Exception {
            TezConfiguration conf = session(cluster, queue);
            // Containers are given back when their task is done, for the other to have them.
            conf.setBoolean(TezConfiguration.TEZ_AM_CONTAINER_REUSE_ENABLED, false);
            client = TezClient.create(queue, conf, true);
            client.start();
            client.waitTillReady();
        }

        DAGClient sleep(int tasks) throws Exception {
            ProcessorDescriptor sleeper = ProcessorDescriptor.create(SleepProcessor.class.getName())
                    .setUserPayload(new SleepProcessor.SleepProcessorConfig(TASK_MILLIS).toUserPayload());
            return client.submitDAG(DAG.create("sleep-" + tasks)
                    .addVertex(Vertex.create("sleep", sleeper, tasks, Resource.newInstance(CONTAINER_MB, 1))));
        }

        @Override
        public void close() throws IOException, TezException {
            client.stop();
        }
    }
}
