// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Hadoop's own sample history of a TeraGen, with the oddities of other people's: each is read, or left out in a
 * sentence.
 */
class OddHistoriesTest {
    private static final String SAMPLE =
            "/job_1416424547277_0002-1416424775281-root-TeraGen-1416424785433-2-0-SUCCEEDED-default-1416424779349.jhist";
    private static final String FIRST_START = "1416424781561";
    private static final String FIRST_END = "1416424784542";
    private static final String JOB_END = "1416424785433";
    private static final long TWO_YEARS_LATER = 1_479_496_785_433L;

    @TempDir
    private Path directory;

    private String sample = "";
    private final List<JobRecord> jobs = new ArrayList<>();
    private final List<String> leftOut = new ArrayList<>();

    @BeforeEach
    void read() throws IOException {
        try (InputStream in = Objects.requireNonNull(getClass().getResourceAsStream(SAMPLE))) {
            sample = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private void write(String name, String text) throws IOException {
        Files.createDirectories(directory.resolve(name).getParent());
        Files.writeString(directory.resolve(name), text);
    }

    private void visit() throws IOException {
        visit(directory.toString());
    }

    private void visit(String where) throws IOException {
        new JobHistories(new Configuration(false)).visit(where, new JobHistories.Visitor() {
            @Override
            public void visit(JobRecord job, Configuration saved, String source) {
                saved.getInt("mapreduce.map.memory.mb", 0);
                jobs.add(job);
            }

            @Override
            public void visit(SparkApplication application, String source) {
                throw new AssertionError(source + " is no log of Spark");
            }

            @Override
            public void leftOut(String sentence) {
                leftOut.add(sentence);
            }
        });
        assertThat(leftOut)
                .allSatisfy(sentence -> assertThat(sentence)
                        .doesNotContain("Exception", "avro", "jackson")
                        .doesNotContainPattern("\\R"));
    }

    private JobRecord read(String text) throws IOException {
        write("a.jhist", text);
        visit();
        assertThat(leftOut).isEmpty();
        return jobs.get(0);
    }

    @Test
    void aFieldThatTheWriterDidNotKnowIsEmpty() throws IOException {
        String older = sample.replace(
                        "{\"name\":\"jobQueueName\",\"type\":\"string\"},{\"name\":\"workflowId\"",
                        "{\"name\":\"workflowId\"")
                .replace("\"acls\":{},\"jobQueueName\":\"default\"", "\"acls\":{}")
                .replace("{\"name\":\"uberized\",\"type\":\"boolean\"}", "{\"name\":\"other\",\"type\":\"boolean\"}")
                .replace("\"uberized\":", "\"other\":");
        assertThat(older).doesNotContain("uberized");
        JobRecord job = read(older);
        assertThat(job.queue()).isEqualTo("default");
        assertThat(job.inItsMaster()).isFalse();
        assertThat(job.tasks()).hasSize(2);
    }

    @Test
    void anEndTwoYearsLateIsCutToTheJob() throws IOException {
        JobRecord job = read(sample.replace(FIRST_END, String.valueOf(TWO_YEARS_LATER)));
        assertThat(job.finishedMillis()).isEqualTo(Long.parseLong(JOB_END));
        assertThat(job.cut()).isEqualTo(1);
        assertThat(job.attempts()).allMatch(attempt -> attempt.endMillis() <= Long.parseLong(JOB_END));
    }

    @Test
    void aJobThatEndsYearsAfterItsTasksEndsWithThem() throws IOException {
        for (long never : List.of(TWO_YEARS_LATER, Long.MAX_VALUE, -1L)) {
            jobs.clear();
            JobRecord job = read(sample.replace(JOB_END, String.valueOf(never)));
            assertThat(job.finishedMillis()).as("end %d", never).isEqualTo(1_416_424_785_379L);
        }
    }

    @Test
    void anAttemptWithoutAStartIsLeftOut() throws IOException {
        JobRecord job = read(sample.replace(FIRST_START, "0"));
        assertThat(job.leftOut()).isEqualTo(1);
        assertThat(job.tasks()).hasSize(1);
    }

    @Test
    void aNameOfSeveralLinesIsOne() throws IOException {
        JobRecord job = read(sample.replace(
                "\"jobName\":\"TeraGen\"", "\"jobName\":\"INSERT OVERWRITE TABLE t\\nSELECT *\\tFROM x(Stage-1)\""));
        assertThat(job.name()).isEqualTo("INSERT OVERWRITE TABLE t SELECT * FROM x(Stage-1)");
    }

    @Test
    void oneBrokenFileOfManyIsLeftOutAndNamed() throws IOException {
        write("good.jhist", sample);
        write("archive/copy.jhist", sample);
        write("cut.jhist", sample.substring(0, sample.length() / 2));
        write(
                "running.jhist",
                sample.substring(0, sample.indexOf("{\"type\":\"JOB_FINISHED\""))
                        .replace("_0002", "_0006"));
        write("unordered.jhist", sample.replace("\"type\":\"TASK_STARTED\"", "\"type\":\"TASK_UPDATED\""));
        write("hadoop-1.jhist", "Meta VERSION=\"1\" .\nJob JOBID=\"job_1\" .\n");
        write("empty.jhist", "");
        write("no-schema.jhist", "Avro-Json\n{\"type\":");
        write(
                "no-time.jhist",
                sample.replace("\"submitTime\":1416424775281", "\"submitTime\":-1")
                        .replace("_0002", "_0003"));
        write("conf/job.jhist", sample.replace("_0002", "_0004"));
        write("conf/job_1416424547277_0004_conf.xml", "<configuration><property>");
        write("value/job.jhist", sample.replace("_0002", "_0005"));
        write(
                "value/job_1416424547277_0005_conf.xml",
                "<configuration><property><name>mapreduce.map.memory.mb</name><value>2g</value></property></configuration>");
        visit();
        assertThat(jobs).hasSize(1);
        assertThat(leftOut)
                .hasSize(10)
                .anyMatch(sentence -> sentence.contains("is of the same job as"))
                .anyMatch(sentence -> sentence.contains("cut.jhist: it is cut"))
                .anyMatch(sentence -> sentence.contains("running.jhist: it does not say how the job ended"))
                .anyMatch(sentence ->
                        sentence.contains("hadoop-1.jhist: it is no job history: it is a history of Hadoop 1"))
                .anyMatch(sentence -> sentence.contains("no-time.jhist: it does not say when the job was submitted"))
                .anyMatch(sentence -> sentence.contains("_0005_conf.xml has a value that no job can have"));
    }

    @Test
    void aPathIsLookedForOnThisMachineFirst() throws IOException {
        write("a.jhist", sample);
        visit(directory + "/*.jhist");
        assertThat(jobs).hasSize(1);
        for (String none : List.of("nowhere.jhist", "hdfs:", "")) {
            assertThatThrownBy(() -> visit(none))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(none);
        }
    }
}
