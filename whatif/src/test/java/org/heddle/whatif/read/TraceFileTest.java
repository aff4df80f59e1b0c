// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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

    private Path file(String text) throws IOException {
        return Files.writeString(directory.resolve("trace.json"), text);
    }

    @Test
    void jobsOfTheSchedulerLoadSimulator() throws IOException {
        History history = TraceFile.read(file(SLS));
        assertThat(history.jobs()).extracting(Job::id).containsExactly("job_2_1", "job_2_2", "job_2");
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
        Job job = TraceFile.read(compressed).jobs().get(0);
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
        assertThatThrownBy(() -> TraceFile.read(directory.resolve("nothing.json")))
                .isInstanceOf(HistoryException.class)
                .hasMessageContaining("is no file");
        assertThatThrownBy(() -> TraceFile.read(file("no JSON"))).hasMessageContaining("is not JSON");
        assertThatThrownBy(() -> TraceFile.read(file("{\"a\": 1}")))
                .hasMessageContaining("is neither an SLS nor a Rumen trace");
        assertThatThrownBy(() -> TraceFile.read(file(""))).hasMessageContaining("has no job");
        assertThatThrownBy(() -> TraceFile.read(file("{\"job.id\": \"j\", \"job.tasks\": []}")))
                .hasMessageContaining("j has no job.start.ms");
        assertThatThrownBy(() -> TraceFile.read(file("{\"job.start.ms\": 0, \"job.tasks\": [{}]}")))
                .hasMessageContaining("a task of job_1 has neither container.duration.ms");
    }
}
