// SPDX-License-Identifier: Apache-2.0
package org.heddle.late.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.Function;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import org.apache.spark.scheduler.TaskInfo;
import org.heddle.late.policy.Decision;
import org.heddle.late.policy.Settings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three executors of an unmodified Spark, each a process. */
class BackupAdvisorIT {
    private static final int TASKS = 12;
    private static final int LINES = 20;
    private static final long HEARTBEAT_MILLIS = 500;
    private static final String SLOW_EXECUTOR = "0";

    /** Executors load this class and none of the policy. */
    private static final class Work implements Function<String, String> {
        private static final long serialVersionUID = 1;

        @Override
        public String call(String line) throws InterruptedException {
            Thread.sleep(SparkEnv.get().executorId().equals(SLOW_EXECUTOR) ? 1_500 : 100);
            return line;
        }
    }

    @Test
    void theTasksOfASlowExecutorAreNamed(@TempDir Path directory) throws Exception {
        for (int i = 0; i < TASKS; i++) {
            Files.writeString(directory.resolve("part-" + i), "line\n".repeat(LINES));
        }
        Path classes = Path.of("target", "test-classes").toAbsolutePath();
        SparkConf conf = new SparkConf()
                .setAppName("advice")
                .setMaster("local-cluster[3,1,512]")
                .set("spark.executor.memory", "512m")
                .set("spark.executor.extraClassPath", classes.toString())
                .set("spark.executor.heartbeatInterval", HEARTBEAT_MILLIS + "ms")
                .set("spark.scheduler.minRegisteredResourcesRatio", "1.0")
                .set("spark.locality.wait", "0s")
                .set("spark.ui.enabled", "false")
                .set("spark.driver.host", "127.0.0.1");
        Queue<Decision> advice = new ConcurrentLinkedQueue<>();
        Queue<String> onSlowExecutor = new ConcurrentLinkedQueue<>();
        try (JavaSparkContext spark = new JavaSparkContext(conf)) {
            // All executors are on one host here, so that each counts as a node.
            spark.sc()
                    .addSparkListener(new BackupAdvisor(
                            Settings.heddle().with(s -> s.reportMillis = HEARTBEAT_MILLIS),
                            TaskInfo::executorId,
                            System::currentTimeMillis,
                            advice::add));
            spark.sc().addSparkListener(new SparkListener() {
                @Override
                public void onTaskStart(SparkListenerTaskStart event) {
                    if (event.taskInfo().executorId().equals(SLOW_EXECUTOR)) {
                        onSlowExecutor.add("stage 0 task " + event.taskInfo().index());
                    }
                }
            });
            long lines = spark.textFile(directory.toUri().toString(), TASKS)
                    .map(new Work())
                    .count();
            assertThat(lines).isEqualTo((long) TASKS * LINES);
        }
        assertThat(onSlowExecutor).hasSize(1);
        assertThat(advice).extracting(Decision::task).containsExactlyElementsOf(onSlowExecutor);
        assertThat(advice).allSatisfy(d -> assertThat(d.remainingMillis()).isGreaterThan(d.freshMillis()));
    }
}
