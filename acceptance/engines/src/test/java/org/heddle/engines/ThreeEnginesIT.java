// SPDX-License-Identifier: Apache-2.0
package org.heddle.engines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.heddle.acceptance.Cluster;
import org.heddle.acceptance.Daemon;
import org.heddle.acceptance.KeepLogs;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * MapReduce, Spark and Flink with weights 1 : 2 : 1, all wanting more than there is, with preemption. Of 12 cores 3 are
 * due to MapReduce, in containers of one; 6 to Spark, whose driver and executors have two each; 3 to Flink.
 */
@Tag("newer-line")
@ExtendWith(KeepLogs.class)
class ThreeEnginesIT {
    private static final String QUEUES = """
            <heddle-scheduler version="1">
              <preemption><mode>on</mode><grace-period>3s</grace-period><max-per-second>100%</max-per-second></preemption>
              <queue name="root">
                <fair-share-preemption-timeout>2s</fair-share-preemption-timeout>
                <queue name="mapreduce"><weight>1</weight></queue>
                <queue name="spark"><weight>2</weight></queue>
                <queue name="flink"><weight>1</weight></queue>
              </queue>
            </heddle-scheduler>
            """;
    private static final Map<String, Double> DUE = Map.of("mapreduce", 0.25, "spark", 0.5, "flink", 0.25);
    private static final Duration WATCHED = Duration.ofMinutes(2);
    private static final int MAPS = 40;
    private static final int TASKS = 400;

    @Test
    void eachHasItsShareAndNobodyFails() throws Exception {
        try (Cluster cluster = Engines.start(QUEUES)) {
            MapReduce mapReduce = new MapReduce(cluster);
            mapReduce.put(
                    IntStream.range(0, MAPS).mapToObj(i -> "line\n").collect(Collectors.joining()), "/lines/in/text");
            // Its job runs with as many slots as it has, and starts again with those that are left.
            Flink flink = new Flink(
                    cluster,
                    "jobmanager.scheduler: adaptive",
                    "restart-strategy.type: fixed-delay",
                    "restart-strategy.fixed-delay.attempts: 1000",
                    "restart-strategy.fixed-delay.delay: 1 s");
            flink.open("carol", "flink", "flink");
            Path logs = cluster.directory().resolve("logs");
            Spark spark = new Spark(cluster, "spark", "spark", "cluster")
                    .set("spark.driver.cores", "2")
                    .set("spark.executor.cores", "2");
            try (Daemon sparkClient = spark.submit("bob", TASKS, 2_000, 0, "/tmp/sum")
                            .start("spark-submit", logs.resolve("spark-submit.log"));
                    Daemon streaming = mapReduce
                            .streaming("alice", "mapreduce")
                            .and("-Dmapreduce.job.name=streaming", "-Dmapreduce.job.reduces=1")
                            .and("-inputformat", "org.apache.hadoop.mapred.lib.NLineInputFormat")
                            .and("-input", "/lines/in", "-output", "/lines/out")
                            .and("-mapper", "bash -c 'sleep 8; cut -f2'", "-reducer", "uniq -c")
                            .start("streaming", logs.resolve("streaming.log"))) {
                String job = flink.submit("carol", "stream", Engines.NODES * Engines.NODE_CORES);

                ShareMeter meter = new ShareMeter(cluster, List.copyOf(DUE.keySet()));
                meter.sample(WATCHED);
                String seen = "mean " + meter.mean(0) + ", second half " + meter.mean(0.5) + ", samples " + meter.size()
                        + "; " + Application.all(cluster);
                Files.writeString(Path.of("target", "three-engines.txt"), seen + "\n");
                assertThat(meter.size()).as(seen).isGreaterThan((int) WATCHED.toSeconds());
                DUE.forEach((queue, due) -> assertThat(meter.mean(0).get(queue))
                        .as("%s: %s", queue, seen)
                        .isCloseTo(due, within(0.05)));

                flink.cancel("carol", job);
                flink.stop("carol");
                for (String name : List.of("flink", "streaming", "spark")) {
                    Application ended = Application.await(cluster, name, "ends", Application::isOver);
                    assertThat(ended.finalStatus()).as("%s", ended).isEqualTo("SUCCEEDED");
                    assertThat(ended.preemptedMasters()).as("%s", ended).isZero();
                }
                cluster.await("the clients to end", () -> !sparkClient.isAlive() && !streaming.isAlive());
            }
            assertThat(Engines.read(cluster, "/tmp/sum")).isEqualTo(Spark.result(TASKS));
            assertThat(Engines.read(cluster, "/lines/out/part-00000").strip()).isEqualTo(MAPS + " line");
        }
    }
}
