// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.heddle.packing.fit.SparkApplication;
import org.heddle.packing.fit.SparkApplication.Executor;
import org.heddle.packing.fit.SparkApplication.Stage;
import org.heddle.packing.fit.SparkApplication.Task;
import org.heddle.whatif.model.Job;
import org.heddle.whatif.model.Size;
import org.heddle.whatif.model.StagedWork;
import org.junit.jupiter.api.Test;

/** Sizes, queue and work as Spark's properties and stages say. */
class SparkJobsTest {
    private static SparkApplication application(Map<String, String> properties) {
        return new SparkApplication(
                "application_1_0001",
                "sums",
                "ann",
                true,
                1_000,
                61_000,
                properties,
                List.of(new Executor("n1", 2, 2_000, 61_000), new Executor("n2", 2, 2_000, 61_000)),
                List.of(
                        new Stage(List.of(new Task(11_000, 21_000), new Task(11_000, 15_000)), List.of()),
                        new Stage(List.of(new Task(21_000, 51_000)), List.of(0))),
                new SparkApplication.Counters(0, 0),
                0,
                0,
                0);
    }

    @Test
    void defaultsOfSpark() {
        Job job = SparkJobs.job(application(Map.of()));
        assertThat(job.queue()).isEqualTo("default");
        assertThat(job.master()).isEqualTo(new Size(512 + 384, 1));
        assertThat(job.groups().get(0).size()).isEqualTo(new Size(1_024 + 384, 2));
        assertThat(job.groups().get(0).millis()).as("executors").hasSize(2);
        assertThat(job.tasks()).isEqualTo(3);
        StagedWork work = job.work();
        assertThat(work).isNotNull();
        assertThat(work.tasksAtOnce()).isEqualTo(2);
        assertThat(work.idleMillis()).isEqualTo(Long.MAX_VALUE);
        assertThat(work.driverMillis()).isEqualTo(20_000);
        assertThat(work.shortestMillis()).isEqualTo(20_000 + 10_000 + 30_000);
    }

    @Test
    void whatTheApplicationSet() {
        SparkApplication application = application(Map.of(
                "spark.yarn.queue", "root.etl",
                "spark.submit.deployMode", "cluster",
                "spark.driver.memory", "4g",
                "spark.driver.cores", "3",
                "spark.executor.memory", "8000m",
                "spark.yarn.executor.memoryOverhead", "1024",
                "spark.executor.pyspark.memory", "1gb",
                "spark.task.cpus", "2",
                "spark.dynamicAllocation.enabled", "true",
                "spark.dynamicAllocation.executorIdleTimeout", "2m"));
        Job job = SparkJobs.job(application);
        assertThat(job.queue()).isEqualTo("root.etl");
        assertThat(job.master()).isEqualTo(new Size(4_096 + 410, 3));
        assertThat(job.groups().get(0).size()).isEqualTo(new Size(8_000 + 1_024 + 1_024, 2));
        StagedWork work = job.work();
        assertThat(work).isNotNull();
        assertThat(work.tasksAtOnce()).isEqualTo(1);
        assertThat(work.idleMillis()).isEqualTo(120_000);
    }

    @Test
    void aSizeThatIsNoneIsNamed() {
        assertThatThrownBy(() -> SparkJobs.job(application(Map.of("spark.executor.memory", "much"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("spark.executor.memory = 'much' is no size");
    }
}
