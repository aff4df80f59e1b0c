// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.zip.GZIPOutputStream;
import org.heddle.whatif.model.History;
import org.heddle.whatif.model.Job;
import org.heddle.whatif.model.Size;
import org.heddle.whatif.model.TaskKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceFileTest {
    private static final String SLS = """
            {"num.nodes": 3, "num.racks": 1}
            {
              "am.type": "mapreduce", "job.start.ms": 5000, "job.end.ms": 60000,
              "job.queue.name": "root.etl", "job.id": "job_2", "job.user": "alice", "am.memory-mb": 2048,
              "job.tasks": [
                {"container.host": "/rack/node1", "container.start.ms": 10000, "container.end.ms": 20000,
                 "container.priority": 20, "container.type": "map", "container.memory": 3072},
                {"count": 2, "duration.ms": 4000, "container.type": "map"},
                {"container.start.ms": 12000, "container.end.ms": 26000, "container.type": "reduce"}
              ]
            }
            {"job.start.ms": 0, "job.tasks": [{"container.duration.ms": 1000}], "job.count": 2}
            """;

    private static final String RUMEN = """
            {"jobID": "job_7", "user": "bob", "queue": "adhoc", "submitTime": 1000, "launchTime": 3000,
             "finishTime": 90000, "jobMapMB": 2048, "jobReduceMB": -1,
             "mapTasks": [{"attempts": [
                {"startTime": 4000, "finishTime": 50000, "result": "FAILED"},
                {"startTime": 5000, "finishTime": 14000, "result": "SUCCESS"}]}],
             "reduceTasks": [{"attempts": [{"startTime": 6000, "finishTime": 20000, "result": "SUCCESS"}]}],
             "otherTasks": []}
            """;

    @TempDir
    private Path directory;

    private static History read(Path file) throws HistoryException {
        return TraceFile.read(file, 512);
    }

    private Path file(String text) throws IOException {
        return Files.writeString(directory.resolve("trace.json"), text);
    }

    @Test
    void jobsOfTheSchedulerLoadSimulator() throws IOException {
        History history = read(file(SLS));
        assertThat(history.jobs()).extracting(Job::id).containsExactly("object_3_1", "object_3_2", "job_2");
        Job job = history.jobs().get(2);
        assertThat(job.user()).isEqualTo("alice");
        assertThat(job.queue()).isEqualTo("root.etl");
        assertThat(job.submittedMillis()).isEqualTo(5_000);
        assertThat(job.finishedMillis()).isEqualTo(60_000);
        assertThat(job.master()).isEqualTo(new Size(2_048, 1));
        assertThat(job.groups()).hasSize(3);
        assertThat(job.groups().get(0).size()).isEqualTo(new Size(3_072, 1));
        assertThat(job.groups().get(0).millis()).containsExactly(10_000);
        assertThat(job.groups().get(1).millis()).containsExactly(4_000, 4_000);
        assertThat(job.groups().get(2).kind()).isEqualTo(TaskKind.REDUCE);
        assertThat(job.groups().get(2).millis())
                .as("counted from the end of the last map")
                .containsExactly(6_000);
    }

    @Test
    void jobsOfRumenAlsoCompressed() throws IOException {
        Path compressed = directory.resolve("rumen.json.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(compressed))) {
            out.write(RUMEN.getBytes(StandardCharsets.UTF_8));
        }
        Job job = read(compressed).jobs().get(0);
        assertThat(job.queue()).isEqualTo("adhoc");
        assertThat(job.startMillis()).isEqualTo(2_000);
        assertThat(job.groups().get(0).size()).isEqualTo(new Size(2_048, 1));
        assertThat(job.groups().get(0).millis())
                .as("the attempt that succeeded")
                .containsExactly(9_000);
        assertThat(job.groups().get(1).size()).isEqualTo(new Size(1_024, 1));
        assertThat(job.groups().get(1).millis()).containsExactly(6_000);
    }

    @Test
    void whatIsNoTraceIsSaidInOneSentence() throws IOException {
        assertThatThrownBy(() -> read(directory.resolve("nothing.json")))
                .isInstanceOf(HistoryException.class)
                .hasMessageContaining("does not exist");
        assertThatThrownBy(() -> read(file("no JSON")))
                .hasMessageContaining("is no SLS or Rumen trace: it is not JSON at line 1");
        assertThatThrownBy(() -> read(file("{\"a\": 1}"))).hasMessageContaining("is neither an SLS nor a Rumen trace");
        assertThatThrownBy(() -> read(file(""))).hasMessageContaining("has no job");
        assertThatThrownBy(() -> read(file("{\"job.id\": \"j\", \"job.tasks\": []}")))
                .hasMessageContaining("has no job that can be replayed; the first: j has no job.start.ms");
        assertThatThrownBy(() -> read(file("{\"job.start.ms\": 0, \"job.tasks\": [{}]}")))
                .hasMessageContaining("object_1 has a task with neither container.duration.ms");
    }

    @Test
    void aJobThatCannotBeReadIsLeftOutOfManyAndNamed() throws IOException {
        History history = read(file("{\"job.id\": \"bad\", \"job.tasks\": []}\n" + SLS + SLS + "{\"job.start.ms\": "));
        assertThat(history.jobs()).hasSize(5);
        assertThat(history.remarks())
                .contains("2 jobs are left out; the first: bad has no job.start.ms")
                .anyMatch(remark -> remark.startsWith("after 5 jobs the trace is cut, or no JSON at line"));
    }

    /** As in the trace of Apache Mumak. */
    @Test
    void anAttemptThatNeverStartedIsLeftOut() throws IOException {
        History history = read(file("{\"jobID\": \"j\", \"submitTime\": 1240335955000, \"finishTime\": 1240335985000,"
                + " \"outcome\": \"FAILED\", \"mapTasks\": [{\"attempts\": [{\"startTime\": 0, \"finishTime\": 1240335970000,"
                + " \"result\": \"FAILED\"}, {\"startTime\": 1240335960000, \"finishTime\": 9223372036854775807,"
                + " \"result\": \"SUCCESS\", \"hostName\": \"/rack/host\"}]}, {\"attempts\": []}]}"));
        Job job = history.jobs().get(0);
        assertThat(job.groups().get(0).millis()).containsExactly(25_000);
        assertThat(job.succeeded()).isFalse();
        assertThat(history.nodes()).containsExactly(new Size(1_024, 1));
        assertThat(history.remarks())
                .containsExactly(
                        "1 of 1 jobs failed or were killed in the past; the replay runs what they ran, and counts them as ended",
                        "1 attempt is left out: without a start and an end within their job",
                        "1 task is left out: without an attempt that ran",
                        "1 attempt is cut to the time of their job: a clock was wrong");
    }

    @Test
    void otherFormatsAreNamed() throws IOException {
        Map.of(
                        "{\"Event\": \"SparkListenerLogStart\"}", "an event log of Spark; heddle whatif --history",
                        "{\"entity\": \"dag_1\", \"entitytype\": \"TEZ_DAG_ID\"}", "a history of Tez",
                        "{\"appInfo\": {}, \"stageMap\": []}", "a report of Sparklens",
                        "{\"name\": \"<root>\", \"children\": []}", "the topology that Rumen writes")
                .forEach((text, name) -> assertThatThrownBy(() -> read(file(text)))
                        .as(text)
                        .hasMessageContaining("is neither an SLS nor a Rumen trace: it is " + name));
    }

    private static final String CLASS_OF_TASKS =
            "\"tasks\": [{\"type\": \"map\", \"count\": {\"val\": 5, \"std\": 1}, \"time\": {\"val\": 10, \"std\": 2},"
                    + " \"max_memory\": {\"val\": 2048}, \"max_vcores\": {\"discrete\": [2, 3], \"weights\": [1, 0]}},"
                    + " {\"type\": \"reduce\", \"count\": {\"val\": 2}, \"time\": {\"val\": 20}}]";

    private static final String OLDER_CLASS =
            "\"mtasks_avg\": 5, \"mtasks_stddev\": 1, \"mtime_avg\": 10, \"mtime_stddev\": 2,"
                    + " \"map_max_memory_avg\": 2048, \"map_max_vcores_avg\": 2, \"rtasks_avg\": 2, \"rtime_avg\": 20";

    @Test
    void syntheticWorkloadsInBothForms() throws IOException {
        for (String tasks : List.of(CLASS_OF_TASKS, OLDER_CLASS)) {
            History history = read(file("{\"description\": \"x\", \"num_nodes\": 9, \"num_jobs\": 200,"
                    + " \"rand_seed\": 2, \"workloads\": [{\"workload_weight\": 0.5, \"queue_name\": \"etl\","
                    + " \"job_classes\": [{\"user_name\": \"foobar\", \"class_weight\": 1.0, " + tasks + "}],"
                    + " \"time_distribution\": [{\"time\": 1, \"weight\": 100}, {\"time\": 60, \"weight\": 0}]}]}"));
            assertThat(history.jobs()).hasSize(200).allSatisfy(job -> {
                assertThat(job.queue()).isEqualTo("etl");
                assertThat(job.user()).isEqualTo("foobar");
                assertThat(job.submittedMillis()).isBetween(1_000L, 60_000L);
                assertThat(job.groups().get(0).size()).isEqualTo(new Size(2_048, 2));
                assertThat(job.groups().get(1).kind()).isEqualTo(TaskKind.REDUCE);
                assertThat(job.groups().get(1).millis()).containsExactly(20_000, 20_000);
            });
            assertThat(history.jobs().stream()
                            .flatMapToLong(
                                    job -> LongStream.of(job.groups().get(0).millis()))
                            .summaryStatistics())
                    .satisfies(maps -> assertThat(maps.getCount()).isBetween(920L, 1_080L))
                    .satisfies(maps -> assertThat(maps.getAverage()).isBetween(9_700.0, 10_300.0));
            assertThat(history.remarks()).anyMatch(remark -> remark.startsWith("the jobs are drawn from"));
        }
    }

    @Test
    void aSyntheticWorkloadThatLacksSomethingIsSaid() {
        assertThatThrownBy(() -> read(file("{\"workloads\": [], \"num_jobs\": 1}")))
                .hasMessageContaining("has no workloads");
    }
}
