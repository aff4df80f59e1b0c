// SPDX-License-Identifier: Apache-2.0
package org.heddle.packing.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.heddle.packing.fit.SparkApplication.Stage;
import org.heddle.packing.model.RuntimeModel;
import org.heddle.settings.past.HostUse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xerial.snappy.SnappyOutputStream;

/** Event logs as Spark writes them: a small one in each form, and what is left out of a directory. */
class SparkEventLogTest {
    private static final long START = 1_700_000_000_000L;
    private static final String END =
            "{\"Event\":\"SparkListenerApplicationEnd\",\"Timestamp\":" + (START + 20_000) + "}";

    /** Two executors of two cores; a job of two stages, whose first task failed once, then a job of one. */
    private static final String LOG = String.join(
                    "\n",
                    "{\"Event\":\"SparkListenerLogStart\",\"Spark Version\":\"3.5.0\"}",
                    "{\"Event\":\"SparkListenerEnvironmentUpdate\",\"Spark Properties\":{\"spark.executor.memory\":\"2g\","
                            + "\"spark.yarn.queue\":\"root.etl\"}}",
                    "{\"Event\":\"SparkListenerApplicationStart\",\"App Name\":\"Daily\\nsums\",\"App ID\":"
                            + "\"application_1_0001\",\"Timestamp\":" + START
                            + ",\"User\":\"ann\",\"App Attempt ID\":\"1\"}",
                    executor(1, "n1", 1_000),
                    executor(2, "n2", 2_000),
                    "{\"Event\":\"SparkListenerJobStart\",\"Job ID\":0,\"Submission Time\":1,\"Stage IDs\":[0,1]}",
                    stage(0, ""),
                    task(0, 0, 1, 2_000, 3_000, true),
                    task(0, 0, 2, 3_000, 7_000, false),
                    task(0, 1, 1, 2_000, 4_000, false),
                    stage(1, "0"),
                    task(1, 0, 1, 7_000, 9_000, false),
                    "{\"Event\":\"SparkListenerJobEnd\",\"Job ID\":0,\"Job Result\":{\"Result\":\"JobSucceeded\"}}",
                    "{\"Event\":\"org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd\",\"x\":}",
                    "{\"Event\":\"SparkListenerJobStart\",\"Job ID\":1,\"Stage IDs\":[2,3]}",
                    stage(3, "2"),
                    task(3, 0, 2, 11_000, 16_000, false),
                    "{\"Event\":\"SparkListenerJobEnd\",\"Job ID\":1,\"Job Result\":{\"Result\":\"JobSucceeded\"}}",
                    END)
            + "\n";

    private final List<SparkApplication> applications = new ArrayList<>();
    private final List<String> leftOut = new ArrayList<>();

    @TempDir
    private Path directory;

    private static String executor(int id, String host, long millis) {
        return "{\"Event\":\"SparkListenerExecutorAdded\",\"Timestamp\":" + (START + millis) + ",\"Executor ID\":\""
                + id + "\",\"Executor Info\":{\"Host\":\"" + host + "\",\"Total Cores\":2}}";
    }

    private static String stage(int id, String parents) {
        return "{\"Event\":\"SparkListenerStageSubmitted\",\"Stage Info\":{\"Stage ID\":" + id + ",\"Parent IDs\":["
                + parents + "]}}";
    }

    private static String task(int stage, int index, int executor, long from, long to, boolean failed) {
        return "{\"Event\":\"SparkListenerTaskEnd\",\"Stage ID\":" + stage + ",\"Task Info\":{\"Index\":" + index
                + ",\"Launch Time\":" + (START + from) + ",\"Executor ID\":\"" + executor + "\",\"Host\":\"n" + executor
                + "\",\"Finish Time\":" + (START + to) + ",\"Failed\":" + failed + ",\"Killed\":false},"
                + "\"Task Metrics\":{\"Executor CPU Time\":1000000000,\"Input Metrics\":{\"Bytes Read\":100}}}";
    }

    private Path write(String name, String text) throws IOException {
        Files.createDirectories(directory.resolve(name).getParent());
        return Files.writeString(directory.resolve(name), text);
    }

    private void visit(Path where) throws IOException {
        new JobHistories(new Configuration(false)).visit(where.toString(), new JobHistories.Visitor() {
            @Override
            public void visit(JobRecord job, Configuration saved, String source) {
                throw new AssertionError(source + " is of Spark");
            }

            @Override
            public void visit(SparkApplication application, String source) {
                applications.add(application);
            }

            @Override
            public void leftOut(String sentence) {
                leftOut.add(sentence);
            }
        });
    }

    @Test
    void stagesExecutorsAndTheJobBefore() throws IOException {
        visit(write("app", LOG));
        assertThat(leftOut).isEmpty();
        SparkApplication read = applications.get(0);
        assertThat(read.id()).isEqualTo("application_1_0001_1");
        assertThat(read.name()).isEqualTo("Daily sums");
        assertThat(read.succeeded()).isTrue();
        assertThat(read.mostExecutors()).isEqualTo(2);
        assertThat(read.tasksAtOnce()).isEqualTo(2);
        assertThat(read.stages())
                .extracting(Stage::after)
                .as("stage 2 was skipped, and job 1 began after job 0")
                .containsExactly(List.of(), List.of(0), List.of(0, 1));
        assertThat(read.stages().get(0).tasks())
                .extracting(SparkApplication.Task::millis)
                .containsExactly(2_000L, 4_000L);
        assertThat(read.otherAttempts()).isEqualTo(1);
        assertThat(read.outside())
                .as("to 2 s, 9 to 11 s, 16 to 20 s; the failed attempt is no work")
                .isEqualTo(8);
        assertThat(read.counters().cpuSeconds()).isEqualTo(5);
    }

    @Test
    void oneLogIsACurve() throws IOException {
        HostUse hosts = new HostUse();
        List<JobRun> runs = new JobHistories(new Configuration(false))
                .read(write("app", LOG).toString(), hosts, leftOut::add);
        JobRun run = runs.get(0);
        RuntimeModel curve = run.curve();
        assertThat(run.vms()).isEqualTo(2);
        assertThat(run.seconds()).isEqualTo(20);
        assertThat(curve).isNotNull();
        assertThat(curve.seconds(2)).isCloseTo(8 + 4 + 2 + 5, within(1e-9));
        assertThat(hosts.hosts()).isEqualTo(2);
        assertThat(hosts.most(0)).isEqualTo(1);
    }

    @Test
    void aDirectoryWithOneOfEachForm() throws IOException {
        write("a/plain", LOG);
        write(
                "a/failed",
                other(2).replaceAll(
                                "JobSucceeded(?=\"\\}\\}\\n\\{\"Event\":\"SparkListenerApplicationEnd)", "JobFailed"));
        compress(other(3));
        Files.write(directory.resolve("a/raw.lz4"), lz4("10", other(4).getBytes(StandardCharsets.UTF_8), 0));
        String[] halves = other(5).split("(?<=\"Stage IDs\":\\[0,1\\]\\}\n)", 2);
        write("a/eventlog_v2_application_1_0005/events_1_application_1_0005", "gone");
        write("a/eventlog_v2_application_1_0005/events_2_application_1_0005.compact", halves[0]);
        write("a/eventlog_v2_application_1_0005/events_10_application_1_0005", halves[1]);
        write("a/eventlog_v2_application_1_0005/appstatus_application_1_0005", "");
        write("a/running.inprogress", other(6).replace(END, ""));
        write("a/cut", other(7).substring(0, LOG.length() / 2));
        write("a/copy", LOG);
        write("a/some.zstd", "x");
        write("a/some.lzf", "x");
        write("a/no.snappy", "x");
        write("a/sparklens.json", "{\"appInfo\": {}, \"hostMap\": {}, \"stageMap\": []}");
        write("a/tez", "{\"entity\":\"dag_1\",\"entitytype\":\"TEZ_DAG_ID\",\"events\":[]}");
        write("a/hadoop-1", "Meta VERSION=\"1\" .\nJob JOBID=\"job_1\" .\n");
        write("a/readme", "nothing of ours");
        write("a/_SUCCESS", "");
        visit(directory.resolve("a"));
        assertThat(applications)
                .extracting(SparkApplication::id)
                .containsExactlyInAnyOrder(
                        "application_1_0001_1",
                        "application_1_0002_1",
                        "application_1_0003_1",
                        "application_1_0004_1",
                        "application_1_0005_1");
        assertThat(applications).filteredOn(one -> !one.succeeded()).hasSize(1);
        assertThat(leftOut)
                .hasSize(9)
                .anyMatch(
                        sentence -> sentence.contains("running.inprogress: it does not say when the application ended"))
                .anyMatch(sentence -> sentence.contains("/cut: line "))
                .anyMatch(sentence -> sentence.contains("is of the same job as"))
                .anyMatch(sentence -> sentence.contains("some.zstd: it is compressed with zstd, which is not read"))
                .anyMatch(sentence -> sentence.contains("some.lzf: it is compressed with LZF"))
                .anyMatch(sentence -> sentence.contains("no.snappy: it is no file of snappy"))
                .anyMatch(
                        sentence -> sentence.contains("sparklens.json: it is a report of Sparklens, which is not read"))
                .anyMatch(sentence -> sentence.contains("tez: it is a history of Tez, which is not read"))
                .anyMatch(sentence -> sentence.contains("hadoop-1: it is a history of Hadoop 1, which is not read"));
    }

    private static String other(int number) {
        return LOG.replace("application_1_0001", "application_1_000" + number);
    }

    private void compress(String log) throws IOException {
        try (OutputStream out =
                new SnappyOutputStream(Files.newOutputStream(directory.resolve("a/application_1_0003.snappy")))) {
            out.write(log.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** A block as lz4-java frames it, and the mark of the end. */
    private static byte[] lz4(String method, byte[] block, int size) {
        int original = size == 0 ? block.length : size;
        ByteBuffer bytes = ByteBuffer.allocate(2 * 21 + block.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put("LZ4Block".getBytes(StandardCharsets.US_ASCII))
                .put(HexFormat.of().parseHex(method));
        bytes.putInt(block.length).putInt(original).putInt(0).put(block);
        bytes.put("LZ4Block".getBytes(StandardCharsets.US_ASCII))
                .put((byte) 0x10)
                .putInt(0)
                .putInt(0)
                .putInt(0);
        return bytes.array();
    }

    /** What the reference implementation makes of "Heddle weaves, " thirty times and "end". */
    @Test
    void matchesOfLz4AreCopied() throws IOException {
        byte[] block = HexFormat.of().parseHex("ff00486564646c65207765617665732c200f00ff9f502c20656e64");
        byte[] framed = lz4("20", block, 453);
        String text;
        try (Lz4Blocks in = new Lz4Blocks(new ByteArrayInputStream(framed))) {
            text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        assertThat(text).isEqualTo("Heddle weaves, ".repeat(30) + "end");
    }
}
